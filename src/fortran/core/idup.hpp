#pragma once

#include "fortran/core/rules.hpp"
#include "fortran/sections/deferred_work.hpp"

#include <cstdlib>

// MPI_Comm_idup and MPI_Comm_idup_with_info. Libraries return the handle of the duplicate at once, but may write it
// again when the operation completes. The variable must exist until then.

namespace anympi::fortran::entry {

namespace detail {

/// The handle of a duplicate, in memory that exists until the request completes.
class comm_written_later {
public:
    explicit comm_written_later(int* program) : program(program) {
        if constexpr (!rule::same_bits<object::comm>) {
            slot = static_cast<c_handle<object::comm>*>(std::calloc(1, sizeof *slot));
            operation = static_cast<deferred_work*>(std::calloc(1, sizeof(deferred_work)));
        }
    }
    /// Returns true if memory is exhausted. In that case all of it is freed.
    bool lacks_memory() {
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
        operation->memory[operation->memory_count++] = slot;
        add_deferred_work(operation, *request);
    }

private:
    int* program;
    c_handle<object::comm>* slot = nullptr;
    deferred_work* operation = nullptr;
};

/// Calls `call` with the addresses for the new communicator and the request.
template <class Call>
void duplicate(int* newcomm, int* request, int* ierror, Call call) {
    comm_written_later newcomm_c(newcomm);
    if (newcomm_c.lacks_memory()) [[unlikely]]
        return rule::report(ierror, rule::raise_no_memory());
    rule::handle_out<object::request> request_c(request);
    const int code = call(newcomm_c.place(), request_c.place(request));
    request_c.finish(request);
    newcomm_c.finish(code, request);
    rule::report(ierror, code);
}

} // namespace detail

template <class Calls>
inline void Comm_idup(const int* comm, int* newcomm, int* request, int* ierror) {
    detail::duplicate(newcomm, request, ierror, [=](auto* newcomm_c, auto* request_c) {
        return Calls::Comm_idup(rule::handle<object::comm>(*comm), newcomm_c, request_c);
    });
}

template <class Calls>
inline void Comm_idup_with_info(const int* comm, const int* info, int* newcomm, int* request, int* ierror) {
    detail::duplicate(newcomm, request, ierror, [=](auto* newcomm_c, auto* request_c) {
        return Calls::Comm_idup_with_info(rule::handle<object::comm>(*comm), rule::handle<object::info>(*info),
                                          newcomm_c, request_c);
    });
}

} // namespace anympi::fortran::entry
