#pragma once

#include "base/array.hpp"
#include "convert/handle_table.hpp"
#include "convert/pair.hpp"
#include "predefined.hpp" // generated: predefined_handles<Abi>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace anympi {

/// Predefined objects are known by their number in the standard ABI, whatever the two sides call them: their *id*. The
/// ids of all classes are disjoint and lie below this one; 0 is none.
inline constexpr word predefined_limit = 0x1000;

template <object O>
inline constexpr word null_id = [] {
    for (const auto& entry : predefined_handles<standard>)
        if (entry.of == O)
            return entry.id; // the first number of the range of its class
    return word{0};
}();

/// What the runtime calls each predefined object; unused entries are 0, which every library rejects.
template <class Run>
inline word predefined_to_run[predefined_limit]{};

/// What the program calls it. In the standard ABI that is its id; where handles are addresses, the address of a data
/// object of ours, which the linker may have moved into the program (src/front/common/bind_pair.hpp fills this).
template <class App>
inline word predefined_to_app[predefined_limit]{};

template <class App>
inline word predefined_of_program(word id) {
    if constexpr (App::handles == handle_style::small_constants)
        return id;
    else
        return predefined_to_app<App>[id];
}

/// The null handle of a class where handles are integers.
template <class Abi, object O>
inline constexpr handle_of<Abi, O> integer_null = [] {
    for (const auto& entry : predefined_handles<Abi>)
        if (entry.id == null_id<O>)
            return static_cast<handle_of<Abi, O>>(entry.value);
    return handle_of<Abi, O>{0};
}();

/// The null handle of a class, as the program knows it.
template <class P, object O>
inline app_handle<P, O> program_null() {
    using app = typename P::app;
    if constexpr (app::handles == handle_style::integers)
        return integer_null<app, O>;
    else
        return static_cast<app_handle<P, O>>(predefined_of_program<app>(null_id<O>));
}

/// The null handle of a class, as the runtime knows it.
template <class P, object O>
inline run_handle<P, O> runtime_null() {
    return static_cast<run_handle<P, O>>(is_direct<P> ? null_id<O> : predefined_to_run<typename P::run>[null_id<O>]);
}

// ---- predefined objects of ABIs with integer handles ----

/// The places of the predefined handles of one class in a table: some bits of a product, whose factor is found when
/// this is compiled so that no two handles share a place.
template <class Abi, object O>
struct integer_places {
    static constexpr int bits = O == object::datatype ? 10 : 8;
    static constexpr std::size_t size = std::size_t{1} << bits;

    static constexpr std::size_t place(std::uint32_t value, std::uint32_t by) { return value * by >> (32 - bits); }

    static constexpr bool keeps_apart(std::uint32_t by) {
        std::uint32_t taken[size]{};
        for (const auto& handle : predefined_handles<Abi>) {
            if (handle.of != O)
                continue;
            const auto value = static_cast<std::uint32_t>(handle.value);
            std::uint32_t& here = taken[place(value, by)];
            if (here != 0 && here != value) // two names may stand for one handle
                return false;
            here = value;
        }
        return true;
    }
    static constexpr std::uint32_t factor = [] {
        std::uint32_t by = 0x9e3779b1; // odd, with bits everywhere
        while (!keeps_apart(by))
            by += 0x10002;
        return by;
    }();

    static constexpr std::size_t place(std::uint32_t value) { return place(value, factor); }
};

/// Finds the id of a predefined object of an ABI with integer handles.
template <class Abi, object O>
struct integer_lookup : integer_places<Abi, O> {
    struct entry {
        std::uint32_t value;
        std::uint32_t id;
    };
    entry entries[integer_lookup::size]{};

    constexpr integer_lookup() {
        for (const auto& handle : predefined_handles<Abi>)
            if (entry& here = entries[this->place(static_cast<std::uint32_t>(handle.value))];
                handle.of == O && here.id == 0)
                here = {static_cast<std::uint32_t>(handle.value), static_cast<std::uint32_t>(handle.id)};
    }
};
template <class Abi, object O>
inline constexpr integer_lookup<Abi, O> integer_ids{};

/// The id of such a handle; 0: it is not predefined.
template <class Abi, object O>
inline word id_of_integer(std::uint32_t handle) {
    constexpr auto& ids = integer_ids<Abi, O>;
    const auto& entry = ids.entries[ids.place(handle)];
    return entry.value == handle ? entry.id : 0;
}

// ---- objects that have a handle of 32 bits in the program and a pointer in the runtime ----

template <class P, object O>
inline constexpr bool is_narrowed = sizeof(app_handle<P, O>) < sizeof(run_handle<P, O>);

/// Classes whose handles are compared, or are arguments of callbacks. An operation, an info or a request is made once;
/// one request of the runtime may even stand for several that are complete.
template <object O>
inline constexpr bool is_shared =
    !(O == object::info || O == object::message || O == object::op || O == object::request);

template <object O>
using narrow_table = std::conditional_t<is_shared<O>, shared_handles,
                                        std::conditional_t<O == object::request, request_handles, handle_table>>;
template <object O>
inline narrow_table<O> narrow_handles{};

/// The runtime's handles of predefined objects, by the program's (src/front/common/bind_pair.hpp fills this).
template <class P, object O>
struct narrow_predefined : integer_places<typename P::app, O> {
    struct entry {
        word run;
        std::uint32_t value;
    };
    entry entries[narrow_predefined::size]{};

    word find(std::uint32_t handle, word otherwise) const {
        const entry& here = entries[this->place(handle)];
        if (here.value == handle) [[likely]]
            return here.run;
        return otherwise;
    }
};
template <class P, object O>
inline narrow_predefined<P, O> narrow_predefined_to_run{};

/// What the runtime gets in the place of a handle that is not alive, to refuse it. A library of the standard ABI (MPICH
/// 5.0) takes any number that is no constant for an address; only null requests are no error.
template <class P, object O>
inline constexpr word not_alive =
    P::run::handles != handle_style::small_constants || O == object::request ? 0 : null_id<O>;

/// A handle for an object that the runtime made.
template <class P, object O>
inline app_handle<P, O> narrow(run_handle<P, O> made) {
    constexpr std::uint32_t class_number = P::app::template class_number<O>;
    if constexpr (is_shared<O>)
        return narrow_handles<O>.hold(made, class_number);
    else
        return narrow_handles<O>.add(made, class_number);
}

/// The program's handle is gone.
template <class P, object O>
inline void forget(app_handle<P, O> handle) {
    if constexpr (is_shared<O>)
        narrow_handles<O>.drop(handle);
    else
        narrow_handles<O>.remove(handle);
}

/// A generalized request may be completed after its handle was freed: its number is not forgotten until its free
/// function was called (src/bridge/grequest.hpp).
template <class P>
inline bool is_needed_when_freed(app_handle<P, object::request> request) {
    if constexpr (is_narrowed<P, object::request>)
        return narrow_handles<object::request>.is_kept(request);
    else
        return false;
}

// ---- datatypes of 16 bytes ----

/// The first of the last datatypes by their numbers. Where a library lacks integers of this size, a derived datatype
/// stands for them (src/emulate/datatypes/integer16.hpp). Programs with the standard's numbers alone have all of these
/// datatypes.
inline constexpr word first_of_16_bytes = standard::mpi_LOGICAL16;
template <class P>
inline constexpr bool may_have_stand_in = P::app::handles == handle_style::small_constants && !is_direct<P>;

/// Whether a derived datatype of the program was made of it: nobody looks for it before.
inline std::atomic<bool> integer16_is_inside{false};

// ---- from the program to the runtime ----

/// Objects that the runtime made travel as they are in programs whose handles are pointers. Where a predefined handle
/// is an address, the highest bit tells the two apart: no address of a program has it.
inline constexpr word made_by_runtime = word{1} << 63;
template <class P>
inline constexpr word mark_of_made = P::app::handles == handle_style::addresses ? made_by_runtime : 0;

/// The runtime's null request: a constant where its handles are integers.
template <class P>
inline run_handle<P, object::request> null_request() {
    if constexpr (P::run::handles == handle_style::integers)
        return P::run::mpi_REQUEST_NULL;
    else
        return static_cast<run_handle<P, object::request>>(
            predefined_to_run<typename P::run>[null_id<object::request>]);
}

/// A request that is the runtime's own: null is the only one that is predefined.
template <class P>
inline run_handle<P, object::request> unmarked_request(app_handle<P, object::request> request) {
    return request == program_null<P, object::request>()
               ? null_request<P>()
               : static_cast<run_handle<P, object::request>>(request & ~mark_of_made<P>);
}

/// `table` is predefined_to_run: calls with several handles take it from predefined_table().
template <class P, object O>
[[gnu::always_inline]] inline word to_run(app_handle<P, O> handle,
                                          const word* table = predefined_to_run<typename P::run>) {
    if constexpr (is_direct<P>) {
        return handle;
    } else if constexpr (P::app::handles == handle_style::small_constants) {
        return handle < predefined_limit ? table[handle] : handle;
    } else if constexpr (is_narrowed<P, O>) {
        return handle >= handle_table::first_handle ? narrow_handles<O>.find(handle, not_alive<P, O>)
                                                    : narrow_predefined_to_run<P, O>.find(handle, not_alive<P, O>);
    } else if constexpr (P::app::handles == handle_style::integers) { // files, which are pointers on both sides
        return handle == integer_null<typename P::app, O> ? table[null_id<O>] : handle;
    } else if constexpr (O == object::request) {
        return unmarked_request<P>(handle);
    } else {
        // Tagged handles are negative; the first page is never mapped.
        if (static_cast<std::intptr_t>(handle) >= static_cast<std::intptr_t>(predefined_limit)) [[likely]]
            return *reinterpret_cast<const word*>(handle); // the object holds the runtime's handle
        if (static_cast<std::intptr_t>(handle) >= 0)
            return 0;
        return sizeof(run_handle<P, O>) < sizeof(word) ? handle : handle & ~made_by_runtime;
    }
}

/// A datatype that another one is made of.
template <class P>
[[gnu::always_inline]] inline word inside_to_run(app_handle<P, object::datatype> type,
                                                 const word* table = predefined_to_run<typename P::run>) {
    if constexpr (may_have_stand_in<P>) {
        if (type < first_of_16_bytes) [[likely]]
            return table[type];
        if (type == standard::mpi_LOGICAL16 || type == standard::mpi_INTEGER16)
            integer16_is_inside.store(true, std::memory_order_relaxed);
    }
    return to_run<P, object::datatype>(type, table);
}

/// The table, for calls with several handles: its address is computed once and not again for each of them.
template <class P>
[[gnu::always_inline]] inline const word* predefined_table() {
    const word* table = predefined_to_run<typename P::run>;
    asm("" : "+r"(table));
    return table;
}

/// Requests travel in arrays and nearly always are either null or made by the runtime.
template <class P>
inline run_handle<P, object::request> request_to_run(app_handle<P, object::request> request) {
    if constexpr (!is_narrowed<P, object::request>) {
        return unmarked_request<P>(request);
    } else {
        if (const auto* const made = narrow_handles<object::request>.find_small(request)) [[likely]]
            return made->load(std::memory_order_relaxed);
        return static_cast<run_handle<P, object::request>>(to_run<P, object::request>(request));
    }
}

// ---- from the runtime to the program ----

/// Finds the standard number of a predefined object of a library whose handles are addresses of its data. The objects
/// lie close together and are at least 256 bytes long, so that their distance from the first, divided by 256, tells
/// them apart.
struct address_lookup {
    word first = 0;
    word span = 0;
    std::uint16_t* ids = nullptr;

    static constexpr int spacing_bits = 8;

    word find(word address, const word* known) const {
        const word distance = address - first;
        if (distance >= span) [[likely]]
            return 0;
        const std::uint16_t id = ids[distance >> spacing_bits];
        return id != 0 && known[id] == address ? id : 0;
    }
};
template <class Run>
inline address_lookup address_ids{};

/// Predefined objects that an old library lacks and that are no addresses then (src/emulate).
template <object O>
inline constexpr word emulated_id = O == object::session      ? standard::mpi_SESSION_NULL
                                    : O == object::errhandler ? standard::mpi_ERRORS_ABORT
                                                              : 0;

/// The id of a predefined handle of the runtime; 0: it is not predefined.
template <class P, object O>
inline word id_in_library(run_handle<P, O> handle) {
    using run_abi = typename P::run;
    if constexpr (run_abi::handles == handle_style::small_constants) {
        return handle < predefined_limit ? handle : 0;
    } else if constexpr (run_abi::handles == handle_style::addresses) {
        if (const word id = emulated_id<O>; id != 0 && handle == predefined_to_run<run_abi>[id])
            return id;
        return address_ids<run_abi>.find(handle, predefined_to_run<run_abi>);
    } else if constexpr (sizeof handle == sizeof(word)) {
        return handle == predefined_to_run<run_abi>[null_id<O>] ? null_id<O> : 0;
    } else {
        return id_of_integer<run_abi, O>(handle);
    }
}

/// The same, or of what stands for one.
template <class P, object O>
inline word id_of(run_handle<P, O> handle) {
    if constexpr (O == object::datatype && may_have_stand_in<P>)
        if (handle == static_cast<run_handle<P, O>>(predefined_to_run<typename P::run>[standard::mpi_INTEGER16]) &&
            handle != runtime_null<P, O>()) // which is in its place where nothing stands for it
            return standard::mpi_INTEGER16;
    return id_in_library<P, O>(handle);
}

/// An object that the runtime made, as the program holds it.
template <class P>
inline word made_to_program(word handle) {
    return handle | mark_of_made<P>;
}

template <class P, object O>
inline app_handle<P, O> to_app(run_handle<P, O> handle) {
    if constexpr (is_direct<P>)
        return handle;
    if (const word id = id_of<P, O>(handle); id != 0)
        return static_cast<app_handle<P, O>>(predefined_of_program<typename P::app>(id));
    if constexpr (is_narrowed<P, O>)
        return narrow<P, O>(handle);
    else
        return made_to_program<P>(handle);
}

/// The handle that the program has of an object already; 0: none, or every object has one.
template <class P, object O>
inline app_handle<P, O> known_to_app(run_handle<P, O> handle) {
    if constexpr (is_narrowed<P, O>)
        return id_of<P, O>(handle) == 0 ? narrow_handles<O>.known(handle) : 0;
    else
        return 0;
}

/// The handle of an object that a callback is called for: the program may look at it until the callback returns. An
/// object that the program was never given (a communicator of the runtime's own) has one for as long.
template <class P, object O>
class borrowed {
public:
    explicit borrowed(run_handle<P, O> object) : handle(known_to_app<P, O>(object)) {
        if (handle == 0) {
            handle = to_app<P, O>(object);
            is_temporary = true;
        }
    }
    ~borrowed() {
        if constexpr (is_narrowed<P, O>)
            if (is_temporary)
                forget<P, O>(handle);
    }
    borrowed(const borrowed&) = delete;
    borrowed& operator=(const borrowed&) = delete;

    app_handle<P, O> handle;

private:
    bool is_temporary = false;
};

/// A request that the runtime gave: null, or one of its own numbers.
template <class P>
inline app_handle<P, object::request> request_to_app(run_handle<P, object::request> request) {
    if (request == null_request<P>())
        return program_null<P, object::request>();
    if constexpr (is_narrowed<P, object::request>)
        return narrow<P, object::request>(request);
    else
        return made_to_program<P>(request);
}

/// The class of requests has the quick rule above; every other class the general one.
template <class P, object O>
inline app_handle<P, O> made_to_app(run_handle<P, O> handle) {
    if constexpr (O == object::request && !is_direct<P>)
        return request_to_app<P>(handle);
    else
        return to_app<P, O>(handle);
}

/// What a call made of a handle that it may have completed or freed.
template <class P, object O>
inline void update(app_handle<P, O>& handle, run_handle<P, O> now) {
    if constexpr (!is_narrowed<P, O> && O == object::datatype) {
        if (now == runtime_null<P, O>()) // another number may stand for the same datatype
            handle = program_null<P, O>();
    } else if constexpr (!is_narrowed<P, O>) {
        handle = made_to_app<P, O>(now);
    } else if (now == runtime_null<P, O>()) { // nothing else happens to a handle
        if (handle >= handle_table::first_handle)
            forget<P, O>(handle);
        handle = program_null<P, O>();
    }
}

// ---- parameters ----

/// A parameter that came on the stack, read from there once more: cheaper than a register that must be saved for it.
/// Into rdx, since eax holds the result of the call already.
template <class Pointer>
[[gnu::always_inline]] inline Pointer again(const Pointer& parameter) {
    Pointer value;
    asm("mov %1, %0" : "=d"(value) : "m"(parameter));
    return value;
}

/// A handle that the runtime makes. It writes into the program's own slot if that is at least as large as its handle:
/// so a null pointer reaches the runtime's own check.
template <class P, object O, bool Narrowed = is_narrowed<P, O>>
struct handle_out {
    app_handle<P, O>* slot;

    run_handle<P, O>* argument() const { return reinterpret_cast<run_handle<P, O>*>(slot); }

    run_handle<P, O> written() const {
        run_handle<P, O> value;
        std::memcpy(&value, slot, sizeof value);
        return value;
    }
    void back() const {
        if (P::run::hides_errors && slot == nullptr) [[unlikely]]
            return;
        if constexpr (O == object::request && !is_direct<P>)
            back_request();
        else
            *slot = made_to_app<P, O>(written());
    }

    /// The most frequent object: its number is in place already, but for the upper half; null is rare.
    void back_request() const {
        constexpr bool is_tagged = P::app::handles != handle_style::small_constants;
        if (written() == null_request<P>()) [[unlikely]] {
            *slot = program_null<P, object::request>();
            return;
        }
        if constexpr (is_tagged)
            *slot = made_to_program<P>(written());
        if constexpr (!is_tagged && sizeof(run_handle<P, O>) < sizeof(word))
            std::memset(reinterpret_cast<char*>(slot) + sizeof(run_handle<P, O>), 0,
                        sizeof(word) - sizeof(run_handle<P, O>));
    }

    /// A call that failed may have written the runtime's null handle all the same.
    void failed() const {
        if (slot != nullptr && !is_direct<P> && written() == runtime_null<P, O>())
            *slot = program_null<P, O>();
    }

    /// For calls whose result is used here too: what the runtime does not write is null, and is_made() tells it apart.
    void clear() const {
        const run_handle<P, O> value = runtime_null<P, O>();
        if (slot != nullptr)
            std::memcpy(slot, &value, sizeof value);
    }
    bool is_made() const { return slot != nullptr && written() != runtime_null<P, O>(); }
    void back_again() const { back(); }
};

/// Where the program's slot is too small: beside it. Zero is no handle of any runtime.
template <class P, object O>
struct handle_out<P, O, true> {
    app_handle<P, O>* slot;
    run_handle<P, O> made = 0;

    run_handle<P, O>* argument() { return slot != nullptr ? &made : nullptr; }
    run_handle<P, O> written() const { return made; }
    void back() const {
        if (!P::run::hides_errors || made != 0) [[likely]]
            *slot = made_to_app<P, O>(made);
    }
    void failed() const {
        if (made == runtime_null<P, O>())
            *slot = program_null<P, O>();
    }
    void clear() { made = slot != nullptr ? runtime_null<P, O>() : 0; }
    bool is_made() const { return made != 0 && made != runtime_null<P, O>(); }

    /// For an object that the runtime gives again and again and that is freed once.
    void back_again() const {
        const app_handle<P, O> known = known_to_app<P, O>(made);
        if (known != 0)
            *slot = known;
        else
            back();
    }
};

/// One whose parameter came on the stack, from where it is read again.
template <class P, object O>
struct handle_out_on_stack {
    app_handle<P, O>* const& parameter;

    run_handle<P, O>* argument() const { return handle_out<P, O>{parameter}.argument(); }
    handle_out<P, O> result() const { return {again(parameter)}; }
};
template <class P, object O>
requires is_narrowed<P, O>
struct handle_out_on_stack<P, O> : handle_out<P, O> {
    const handle_out<P, O>& result() const { return *this; }
};

/// An array of handles that the runtime makes, packed into the program's own if that is at least as large, and expanded
/// from the last to the first.
template <class P, object O, bool Narrowed = is_narrowed<P, O>>
class handles_out {
    using run_type = run_handle<P, O>;

public:
    handles_out(app_handle<P, O>* program, std::int64_t) : handles(program) {}
    bool failed() const { return false; }
    run_type* argument() { return reinterpret_cast<run_type*>(handles); }
    void back(std::int64_t count) {
        for (std::int64_t i = count - 1; i >= 0; --i) {
            run_type packed;
            std::memcpy(&packed,
                        reinterpret_cast<const char*>(handles) + static_cast<std::size_t>(i) * sizeof(run_type),
                        sizeof packed);
            handles[i] = to_app<P, O>(packed);
        }
    }

private:
    app_handle<P, O>* handles;
};
template <class P, object O>
class handles_out<P, O, true> {
public:
    handles_out(app_handle<P, O>* program, std::int64_t room)
        : handles(program), staged(program != nullptr && room > 0 ? static_cast<std::size_t>(room) : 0) {}
    bool failed() const { return staged.failed(); }
    run_handle<P, O>* argument() { return handles != nullptr ? staged.data() : nullptr; }
    void back(std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i)
            handles[i] = to_app<P, O>(staged[static_cast<std::size_t>(i)]);
    }

private:
    app_handle<P, O>* handles;
    scratch<run_handle<P, O>, 64> staged;
};

/// A handle that the runtime reads and may change. The program's slot is written only if the call succeeds.
template <class P, object O>
struct handle_inout {
    app_handle<P, O>* slot;
    run_handle<P, O> value;

    explicit handle_inout(app_handle<P, O>* program) : slot(program), value() {
        if (slot != nullptr)
            value = static_cast<run_handle<P, O>>(to_run<P, O>(*slot));
    }
    /// Of a handle that is not alive the runtime sees the null handle, which it refuses. A null request is no error:
    /// there it sees none at all. Open MPI, and MPICH 5.0 with requests, follow any other.
    run_handle<P, O>* argument() {
        constexpr bool is_followed = is_narrowed<P, O> && not_alive<P, O> == 0;
        if (slot == nullptr || (is_followed && O == object::request && value == 0))
            return nullptr;
        if (is_followed && value == 0) [[unlikely]]
            value = runtime_null<P, O>();
        return &value;
    }
    void back() const {
        if (slot != nullptr) [[likely]]
            update<P, O>(*slot, value);
    }
};

} // namespace anympi
