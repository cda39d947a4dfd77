#pragma once

#include "fortran/core/rules.hpp"
#include "fortran/sections/pending.hpp"

#include <cstdlib>

/// Duplicates that are made in the background. Libraries know the handle at once, but may write it again when the
/// operation completes: its place must last until then.

namespace anympi::fortran::entry {

namespace detail {

class lasting_comm {
public:
    explicit lasting_comm(int* program) : program(program) {
        if constexpr (!rule::same_bits<object::comm>) {
            slot = static_cast<c_handle<object::comm>*>(std::calloc(1, sizeof *slot));
            operation = static_cast<pending*>(std::calloc(1, sizeof(pending)));
        }
    }
    /// Then nothing is left of it.
    bool failed() {
        if (rule::same_bits<object::comm> || (slot != nullptr && operation != nullptr)) [[likely]]
            return false;
        std::free(slot);
        std::free(operation);
        return true;
    }
    c_handle<object::comm>* place() {
        return rule::same_bits<object::comm> ? reinterpret_cast<c_handle<object::comm>*>(program) : slot;
    }
    void finish(int code, const int* request) {
        if (slot != nullptr && *slot != 0)
            *program = rule::number<object::comm>(*slot);
        if (operation == nullptr || code != 0) {
            std::free(slot);
            std::free(operation);
            return;
        }
        operation->kept[operation->kept_count++] = slot;
        add_pending(operation, *request);
    }

private:
    int* program;
    c_handle<object::comm>* slot = nullptr;
    pending* operation = nullptr;
};

} // namespace detail

template <class Calls>
inline void Comm_idup(const int* comm, int* newcomm, int* request, int* ierror) {
    detail::lasting_comm newcomm_c(newcomm);
    if (newcomm_c.failed()) [[unlikely]]
        return rule::report(ierror, rule::exhausted());
    rule::handle_out<object::request> request_c(request);
    const int code = Calls::Comm_idup(rule::handle<object::comm>(*comm), newcomm_c.place(), request_c.place(request));
    request_c.finish(request);
    newcomm_c.finish(code, request);
    rule::report(ierror, code);
}

template <class Calls>
inline void Comm_idup_with_info(const int* comm, const int* info, int* newcomm, int* request, int* ierror) {
    detail::lasting_comm newcomm_c(newcomm);
    if (newcomm_c.failed()) [[unlikely]]
        return rule::report(ierror, rule::exhausted());
    rule::handle_out<object::request> request_c(request);
    const int code = Calls::Comm_idup_with_info(rule::handle<object::comm>(*comm), rule::handle<object::info>(*info),
                                                newcomm_c.place(), request_c.place(request));
    request_c.finish(request);
    newcomm_c.finish(code, request);
    rule::report(ierror, code);
}

} // namespace anympi::fortran::entry
