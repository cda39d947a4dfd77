#pragma once

#include "convert/array.hpp"
#include "convert/handle.hpp"
#include "convert/status.hpp"

namespace anympi {

/// The array of requests of a completion call. It belongs to the call while that runs, so handles of equal size are
/// exchanged in place; smaller ones go through an array on the stack. Null is the only value that differs.
template <class P, bool InPlace = sizeof(app_handle<P, object::request>) == sizeof(run_handle<P, object::request>)>
class request_array;

template <class P>
class request_array<P, true> {
    using handle = app_handle<P, object::request>;

public:
    request_array(int length, handle* program) : count(program != nullptr ? length : 0), requests(program) {
        exchange(standard_null<object::request>, runtime_null());
    }
    bool failed() const { return false; }
    run_handle<P, object::request>* argument() { return requests; }
    void back() { exchange(runtime_null(), standard_null<object::request>); }
    void back_one(int) { back(); }

private:
    static word runtime_null() { return predefined_to_run<typename P::run>[standard_null<object::request>]; }

    /// A branch is cheaper than a conditional store here: requests are all real before the call, all null after it.
    [[gnu::always_inline]] void exchange(word from, word to) {
#pragma GCC unroll 8
        for (int i = 0; i < count; ++i)
            if (requests[i] == from)
                requests[i] = to;
    }

    int count;
    handle* requests;
};

template <class P>
class request_array<P, false> {
    using handle = app_handle<P, object::request>;
    using run_request = run_handle<P, object::request>;
    static constexpr auto runtime_null = static_cast<run_request>(P::run::mpi_REQUEST_NULL);
    static constexpr auto program_null = static_cast<run_request>(standard_null<object::request>);

public:
    request_array(int length, handle* program)
        : count(program != nullptr && length > 0 ? length : 0), requests(program),
          copy(static_cast<std::size_t>(count)) {
        if (copy.failed())
            return;
        run_request* const to = copy.data();
        for (int i = 0; i < count; ++i) {
            const auto value = static_cast<run_request>(requests[i]);
            to[i] = value == program_null ? runtime_null : value;
        }
    }
    bool failed() const { return copy.failed(); }
    run_request* argument() { return requests != nullptr ? copy.data() : nullptr; }
    void back() {
        const run_request* const from = copy.data();
        for (int i = 0; i < count; ++i)
            requests[i] = from[i] == runtime_null ? program_null : from[i];
    }
    void back_one(int i) {
        if (i >= 0 && i < count)
            requests[i] = request_to_app<P>(copy[static_cast<std::size_t>(i)]);
    }

private:
    int count;
    handle* requests;
    scratch<run_request, 256> copy;
};

/// The statuses of MPI_Waitall: staged in the program's own array, where the smaller ones of the runtime lie packed,
/// and expanded from the last to the first.
template <class P>
class packed_statuses {
    static_assert(sizeof(run_status<P>) <= sizeof(app_status<P>));

public:
    packed_statuses(int length, app_status<P>* program) : count(program != nullptr ? length : 0), statuses(program) {
        constexpr auto empty = empty_status(typename P::run{});
        for (int i = 0; i < count; ++i)
            std::memcpy(packed(i), &empty, sizeof empty);
    }
    run_status<P>* argument() {
        return statuses != nullptr ? reinterpret_cast<run_status<P>*>(statuses) : ignored_status<P>();
    }
    void back() {
        for (int i = count - 1; i >= 0; --i) {
            run_status<P> from;
            std::memcpy(&from, packed(i), sizeof from);
            status_to_app<P>(statuses[i], from);
        }
    }

private:
    char* packed(int i) {
        return reinterpret_cast<char*>(statuses) + static_cast<std::size_t>(i) * sizeof(run_status<P>);
    }

    int count;
    app_status<P>* statuses;
};

/// The statuses of calls that may complete fewer than all: staged beside the program's array, which keeps what is not
/// completed.
template <class P>
class staged_statuses {
public:
    staged_statuses(int length, app_status<P>* program)
        : count(program != nullptr && length > 0 ? length : 0), statuses(program),
          staged(static_cast<std::size_t>(count)) {
        constexpr auto empty = empty_status(typename P::run{});
        if (!staged.failed())
            for (int i = 0; i < count; ++i)
                staged[static_cast<std::size_t>(i)] = empty;
    }
    bool failed() const { return staged.failed(); }
    run_status<P>* argument() { return statuses != nullptr ? staged.data() : ignored_status<P>(); }
    void back(int completed) {
        for (int i = 0; i < completed && i < count; ++i)
            status_to_app<P>(statuses[i], staged[static_cast<std::size_t>(i)]);
    }

private:
    int count;
    app_status<P>* statuses;
    scratch<run_status<P>, 64> staged;
};

} // namespace anympi
