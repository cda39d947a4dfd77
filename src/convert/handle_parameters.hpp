#pragma once

#include "arch/stack_parameter.hpp"
#include "base/array.hpp"
#include "convert/handle.hpp"

#include <cstring>

namespace anympi {

// Handle parameters that the runtime writes or changes.

/// A handle that the runtime writes. If the program's variable is at least as large as the runtime's handle, the
/// runtime writes directly into it, so that the runtime itself checks for a null pointer.
template <class P, object O, bool Narrowed = is_narrowed<P, O>>
struct handle_out {
    app_handle<P, O>* slot;

    run_handle<P, O>* argument() const { return reinterpret_cast<run_handle<P, O>*>(slot); }

    run_handle<P, O> written() const {
        run_handle<P, O> value;
        std::memcpy(&value, slot, sizeof value);
        return value;
    }
    void finish() const {
        if (P::run::hides_errors && slot == nullptr) [[unlikely]]
            return;
        if constexpr (O == object::request && !is_direct<P>)
            finish_request();
        else
            *slot = made_to_app<P, O>(written());
    }

    /// Finishes a request, the most frequent class. The runtime's handle is already in place, except for its upper
    /// half. Null is rare.
    void finish_request() const {
        constexpr bool is_tagged = P::app::handles != handle_style::small_constants;
        if (written() == runtime_null<P, object::request>()) [[unlikely]] {
            *slot = program_null<P, object::request>();
            return;
        }
        if constexpr (is_tagged)
            *slot = made_to_program<P>(written());
        if constexpr (!is_tagged && sizeof(run_handle<P, O>) < sizeof(word))
            std::memset(reinterpret_cast<char*>(slot) + sizeof(run_handle<P, O>), 0,
                        sizeof(word) - sizeof(run_handle<P, O>));
    }

    /// Converts the null handle that a failed call may have written.
    void finish_after_error() const {
        if (slot != nullptr && !is_direct<P> && written() == runtime_null<P, O>())
            *slot = program_null<P, O>();
    }

    /// Sets the variable to null before a call, so that is_made() returns true only if the runtime has written a
    /// handle.
    void clear() const {
        const run_handle<P, O> value = runtime_null<P, O>();
        if (slot != nullptr)
            std::memcpy(slot, &value, sizeof value);
    }
    bool is_made() const { return slot != nullptr && written() != runtime_null<P, O>(); }
    void finish_given_again() const { finish(); }
};

/// For variables that are smaller than the runtime's handle: the runtime writes into `made`. No runtime has a handle
/// that is 0.
template <class P, object O>
struct handle_out<P, O, true> {
    app_handle<P, O>* slot;
    run_handle<P, O> made = 0;

    run_handle<P, O>* argument() { return slot != nullptr ? &made : nullptr; }
    run_handle<P, O> written() const { return made; }
    void finish() const {
        if (!P::run::hides_errors || made != 0) [[likely]]
            *slot = made_to_app<P, O>(made);
    }
    void finish_after_error() const {
        if (made == runtime_null<P, O>())
            *slot = program_null<P, O>();
    }
    void clear() { made = slot != nullptr ? runtime_null<P, O>() : 0; }
    bool is_made() const { return made != 0 && made != runtime_null<P, O>(); }

    /// Like finish(), for an object that the runtime returns repeatedly and that is freed once.
    void finish_given_again() const {
        const app_handle<P, O> known = known_handle<P, O>(made);
        if (known != 0)
            *slot = known;
        else
            finish();
    }
};

/// A handle that the runtime writes, for a stack parameter that is read again after the call.
template <class P, object O>
struct handle_out_on_stack {
    app_handle<P, O>* const& parameter;

    run_handle<P, O>* argument() const { return handle_out<P, O>{parameter}.argument(); }
    handle_out<P, O> result() const { return {arch::read_from_stack(parameter)}; }
};
template <class P, object O>
requires is_narrowed<P, O>
struct handle_out_on_stack<P, O> : handle_out<P, O> {
    const handle_out<P, O>& result() const { return *this; }
};

/// An array of handles that the runtime writes. If the program's handles are at least as large, the runtime writes its
/// handles packed into the program's array, and finish() expands them from the last to the first.
template <class P, object O, bool Narrowed = is_narrowed<P, O>>
class handles_out {
    using run_type = run_handle<P, O>;

public:
    handles_out(app_handle<P, O>* program, std::int64_t) : handles(program) {}
    bool lacks_memory() const { return false; }
    run_type* argument() { return reinterpret_cast<run_type*>(handles); }
    void finish(std::int64_t count) {
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
    bool lacks_memory() const { return staged.lacks_memory(); }
    run_handle<P, O>* argument() { return handles != nullptr ? staged.data() : nullptr; }
    void finish(std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i)
            handles[i] = to_app<P, O>(staged[static_cast<std::size_t>(i)]);
    }

private:
    app_handle<P, O>* handles;
    scratch<run_handle<P, O>, 64> staged;
};

/// A handle that the runtime reads and may change. The program's variable is written only if the call succeeds.
template <class P, object O>
struct handle_inout {
    app_handle<P, O>* slot;
    run_handle<P, O> value;

    explicit handle_inout(app_handle<P, O>* program) : slot(program), value() {
        if (slot != nullptr)
            value = static_cast<run_handle<P, O>>(to_run<P, O>(*slot));
    }
    /// Returns the argument for the runtime. For a handle that is not alive the runtime gets the null handle, which it
    /// rejects. It does not reject a null request, so for a request that is not alive it gets a null pointer. Open MPI
    /// would follow any other handle as an address, and so would MPICH 5.0 with requests.
    run_handle<P, O>* argument() {
        constexpr bool is_followed = is_narrowed<P, O> && dead_handle<P, O> == 0;
        if (slot == nullptr || (is_followed && O == object::request && value == 0))
            return nullptr;
        if (is_followed && value == 0) [[unlikely]]
            value = runtime_null<P, O>();
        return &value;
    }
    void finish() const {
        if (slot != nullptr) [[likely]]
            update<P, O>(*slot, value);
    }
};

} // namespace anympi
