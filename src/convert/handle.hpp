#pragma once

#include "convert/pair.hpp"
#include "predefined.hpp" // generated: predefined_handles<Abi>

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
/// object of ours, which the linker may have moved into the program (src/front/data_objects.hpp fills this).
template <class App>
inline word predefined_to_app[predefined_limit]{};

template <class App>
inline word predefined_of_program(word id) {
    if constexpr (App::handles == handle_style::small_constants)
        return id;
    else
        return predefined_to_app<App>[id];
}

/// The null handle of a class, as the program knows it.
template <class P, object O>
inline app_handle<P, O> program_null() {
    return static_cast<app_handle<P, O>>(predefined_of_program<typename P::app>(null_id<O>));
}

// ---- from the program to the runtime ----

/// Objects that the runtime made travel as they are in programs whose handles are pointers. Where a predefined handle
/// is an address, the highest bit tells the two apart: no address of a program has it.
inline constexpr word made_by_runtime = word{1} << 63;

/// `table` is predefined_to_run: calls with several handles take it from handle_table().
template <class P, object O>
inline word to_run(app_handle<P, O> handle, const word* table = predefined_to_run<typename P::run>) {
    if constexpr (is_direct<P>) {
        return handle;
    } else if constexpr (P::app::handles == handle_style::small_constants) {
        return handle < predefined_limit ? table[handle] : handle;
    } else {
        static_assert(P::app::handles == handle_style::addresses);
        if (static_cast<std::intptr_t>(handle) < 0)
            return sizeof(run_handle<P, O>) < sizeof(word) ? handle : handle & ~made_by_runtime;
        return handle != 0 ? *reinterpret_cast<const word*>(handle) : 0; // the object holds the runtime's handle
    }
}

/// The table, for calls with several handles: its address is computed once and not again for each of them.
template <class P>
[[gnu::always_inline]] inline const word* handle_table() {
    const word* table = predefined_to_run<typename P::run>;
    asm("" : "+r"(table));
    return table;
}

/// Requests travel in arrays and nearly always are either null or made by the runtime.
template <class P>
inline run_handle<P, object::request> request_to_run(app_handle<P, object::request> request) {
    return static_cast<run_handle<P, object::request>>(to_run<P, object::request>(request));
}

// ---- from the runtime to the program ----

void two_predefined_handles_share_a_place();

/// Finds the standard number of a predefined object of a library with integer handles: a table indexed by a few bits of
/// the handle, computed when this is compiled. The five pair types look like user types (kind bits 10) in MPICH.
template <class Run, object O>
struct integer_lookup {
    struct entry {
        std::uint32_t value;
        std::uint32_t id;
    };
    static constexpr std::size_t size = 256;
    entry entries[size]{};

    /// The low byte numbers the objects of one kind (the upper two bits); a step per kind keeps null, builtin and pair
    /// types apart.
    static constexpr std::size_t place(std::uint32_t value) { return (value + (value >> 30) * 0x60) % size; }

    constexpr integer_lookup() {
        for (const auto& handle : predefined_handles<Run>) {
            if (handle.of != O)
                continue;
            entry& slot = entries[place(static_cast<std::uint32_t>(handle.value))];
            if (slot.id == 0)
                slot = {static_cast<std::uint32_t>(handle.value), static_cast<std::uint32_t>(handle.id)};
            else if (slot.value != handle.value)
                two_predefined_handles_share_a_place(); // not constant: the compiler stops here
        }
    }
};
template <class Run, object O>
inline constexpr integer_lookup<Run, O> integer_ids{};

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

/// The id of a handle of the runtime; 0: it is not predefined.
template <class P, object O>
inline word id_of(run_handle<P, O> handle) {
    using run_abi = typename P::run;
    if constexpr (run_abi::handles == handle_style::small_constants) {
        return handle < predefined_limit ? handle : 0;
    } else if constexpr (run_abi::handles == handle_style::addresses) {
        return address_ids<run_abi>.find(handle, predefined_to_run<run_abi>);
    } else if constexpr (sizeof handle == sizeof(word)) {
        return handle == predefined_to_run<run_abi>[null_id<O>] ? null_id<O> : 0;
    } else {
        constexpr auto& ids = integer_ids<run_abi, O>;
        const auto& entry = ids.entries[ids.place(handle)];
        return entry.value == handle ? entry.id : 0;
    }
}

/// An object that the runtime made, as the program holds it.
template <class P>
inline word made_to_program(word handle) {
    return P::app::handles == handle_style::addresses ? handle | made_by_runtime : handle;
}

template <class P, object O>
inline app_handle<P, O> to_app(run_handle<P, O> handle) {
    if constexpr (is_direct<P>)
        return handle;
    const word id = id_of<P, O>(handle);
    return static_cast<app_handle<P, O>>(id != 0 ? predefined_of_program<typename P::app>(id)
                                                 : made_to_program<P>(handle));
}

/// The runtime's null request: a constant where its handles are integers.
template <class P>
inline run_handle<P, object::request> null_request() {
    if constexpr (P::run::handles == handle_style::integers)
        return P::run::mpi_REQUEST_NULL;
    else
        return static_cast<run_handle<P, object::request>>(
            predefined_to_run<typename P::run>[null_id<object::request>]);
}

/// A request that the runtime gave: null, or one of its own numbers.
template <class P>
inline app_handle<P, object::request> request_to_app(run_handle<P, object::request> request) {
    return request == null_request<P>() ? program_null<P, object::request>() : made_to_program<P>(request);
}

/// The class of requests has the quick rule above; every other class the general one.
template <class P, object O>
inline app_handle<P, O> made_to_app(run_handle<P, O> handle) {
    if constexpr (O == object::request && !is_direct<P>)
        return request_to_app<P>(handle);
    else
        return to_app<P, O>(handle);
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

/// A handle that the runtime makes. It writes into the program's own slot, which is at least as large as its handle: so
/// a null pointer reaches the runtime's own check.
template <class P, object O>
struct handle_out {
    app_handle<P, O>* slot;

    static_assert(sizeof(app_handle<P, O>) >= sizeof(run_handle<P, O>));

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
        if (slot != nullptr && !is_direct<P> && written() == null())
            *slot = program_null<P, O>();
    }

    /// For calls whose result is used here too: what the runtime does not write is null, and is_made() tells it apart.
    void clear() const {
        const run_handle<P, O> value = null();
        if (slot != nullptr)
            std::memcpy(slot, &value, sizeof value);
    }
    bool is_made() const { return slot != nullptr && written() != null(); }

private:
    static run_handle<P, O> null() {
        return static_cast<run_handle<P, O>>(is_direct<P> ? null_id<O>
                                                          : predefined_to_run<typename P::run>[null_id<O>]);
    }
};

/// An array of handles that the runtime wrote, packed into the program's own, which is at least as large: expanded from
/// the last to the first.
template <class P, object O>
void packed_to_app(app_handle<P, O>* handles, std::int64_t count) {
    using run_type = run_handle<P, O>;
    for (std::int64_t i = count - 1; i >= 0; --i) {
        run_type packed;
        std::memcpy(&packed, reinterpret_cast<const char*>(handles) + static_cast<std::size_t>(i) * sizeof(run_type),
                    sizeof packed);
        handles[i] = to_app<P, O>(packed);
    }
}

/// A handle that the runtime reads and may change. The program's slot is written only if the call succeeds.
template <class P, object O>
struct handle_inout {
    app_handle<P, O>* slot;
    run_handle<P, O> value;

    explicit handle_inout(app_handle<P, O>* program) : slot(program), value() {
        if (slot != nullptr)
            value = static_cast<run_handle<P, O>>(to_run<P, O>(*slot));
    }
    run_handle<P, O>* argument() { return slot != nullptr ? &value : nullptr; }
    void back() const {
        if (slot != nullptr) [[likely]]
            *slot = made_to_app<P, O>(value);
    }
};

} // namespace anympi
