#pragma once

#include "convert/deferred_handlers.hpp"
#include "convert/error_code.hpp"
#include "convert/handle.hpp"
#include "convert/keyval.hpp"
#include "convert/rank.hpp"
#include "convert/used_codes.hpp"

#include <atomic>

namespace anympi {

/// The predefined attribute functions of a program. They are addresses that are never called, or functions of the front
/// that never need to be called, because the runtime's own functions are used instead. A front with such functions
/// registers them here when it binds a library.
template <class App>
struct program_functions;
template <>
struct program_functions<standard> {
    static bool is_null(const void* function) { return function == nullptr; }
    static bool is_dup(const void* function) { return function == reinterpret_cast<const void*>(std::uintptr_t{1}); }
};
template <>
struct program_functions<openmpi> {
    static inline const void* null_functions[8]; // functions that copy nothing or delete nothing
    static inline const void* dup_functions[4];

    static bool is_null(const void* function) { return is_one_of(null_functions, function); }
    static bool is_dup(const void* function) { return is_one_of(dup_functions, function); }

private:
    template <std::size_t Count>
    static bool is_one_of(const void* (&functions)[Count], const void* function) {
        for (const void* const known : functions)
            if (function == known)
                return true;
        return false;
    }
};
template <>
struct program_functions<mpich> {
    static inline const void* dup_function;

    static bool is_null(const void* function) { return function == nullptr; }
    static bool is_dup(const void* function) { return function == dup_function; }
};

template <class App>
bool is_predefined_function(const void* function) {
    return program_functions<App>::is_null(function) || program_functions<App>::is_dup(function);
}

/// The runtime's own predefined attribute functions of one class.
struct attribute_function_set {
    void* null_copy = nullptr;
    void* dup = nullptr;
    void* null_delete = nullptr;
};
template <class Run, object O>
inline attribute_function_set predefined_functions{};

/// The data of a keyval of the program. The runtime gets it as the extra state of anympi's attribute functions. It is
/// reference-counted: one reference for the keyval and one for each attribute, because attributes outlive a keyval that
/// is freed.
struct keyval_record {
    void* copy;
    void* remove;
    void* extra_state;
    std::atomic<int> references;

    /// The key and the link in the registry.
    object of = object::comm;
    int keyval = 0;
    keyval_record* next = nullptr;

    static word key_of(object of, int keyval) {
        return word{static_cast<std::uint32_t>(of)} << 32 | static_cast<std::uint32_t>(keyval);
    }
    word key() const { return key_of(of, keyval); }

    static keyval_record* make(void* copy, void* remove, void* extra_state);
    void add_reference() { references.fetch_add(1, std::memory_order_relaxed); }
    void drop_reference();
};

/// The records of all keyvals that are not freed, by the runtime's number.
class keyval_registry {
public:
    void add(object of, int keyval, keyval_record* record);
    keyval_record* find_and_add_reference(object of, int keyval); // returns nullptr if there is no record
    keyval_record* take_out(object of, int keyval);
};
[[gnu::visibility("hidden")]] extern keyval_registry keyval_records;

template <class P, object O>
int copy_attribute(run_handle<P, O> handle, int keyval, void* state, void* value, void* copied, int* flag) {
    auto* const record = static_cast<keyval_record*>(state);
    int code = 0;
    using known = program_functions<typename P::app>;
    if (known::is_null(record->copy)) {
        *flag = 0;
    } else if (known::is_dup(record->copy)) {
        *static_cast<void**>(copied) = value;
        *flag = 1;
    } else {
        const program_function_scope runs;
        using function = int(app_handle<P, O>, int, void*, void*, void*, int*);
        code = reinterpret_cast<function*>(record->copy)(borrowed<P, O>(handle).handle, keyval_to_app<P>(keyval),
                                                         record->extra_state, value, copied, flag);
    }
    if (code == 0 && *flag != 0)
        record->add_reference();
    return keep_callback_error<P>(code);
}

template <class P, object O>
int delete_attribute(run_handle<P, O> handle, int keyval, void* value, void* state) {
    auto* const record = static_cast<keyval_record*>(state);
    int code = 0;
    if (!program_functions<typename P::app>::is_null(record->remove)) {
        const program_function_scope runs;
        using function = int(app_handle<P, O>, int, void*, void*);
        code = reinterpret_cast<function*>(record->remove)(borrowed<P, O>(handle).handle, keyval_to_app<P>(keyval),
                                                           value, record->extra_state);
    }
    if (code == 0)
        record->drop_reference(); // if the deletion failed, the attribute still exists
    return keep_callback_error<P>(code);
}

/// Converts the value of a predefined attribute, which is the address of an integer of the runtime. For an integer that
/// holds a constant or an error code, the program gets the address of a converted integer instead.
template <class P>
void predefined_attribute_to_app(int keyval, void* where) {
    using app = typename P::app;
    if (P::run::hides_errors && where == nullptr)
        return;
    int*& value = *static_cast<int**>(where);
    if (keyval == app::mpi_IO || keyval == app::mpi_HOST) {
        static int ranks[2]; // the ranks are the same for every communicator and never change
        int& rank = ranks[keyval == app::mpi_IO];
        __atomic_store_n(&rank, rank_to_app<P>(*value), __ATOMIC_RELAXED); // other threads may read it at the same time
        value = &rank;
    } else if (keyval == app::mpi_LASTUSEDCODE) {
        static int code;
        const int used = last_used_code.load(std::memory_order_relaxed);
        __atomic_store_n(&code, used != 0 ? used : app::mpi_ERR_LASTCODE, __ATOMIC_RELAXED);
        value = &code;
    } else if (keyval == app::mpi_WIN_CREATE_FLAVOR || keyval == app::mpi_WIN_MODEL) {
        static const int constants[] = {app::mpi_WIN_FLAVOR_CREATE,  app::mpi_WIN_FLAVOR_ALLOCATE,
                                        app::mpi_WIN_FLAVOR_DYNAMIC, app::mpi_WIN_FLAVOR_SHARED,
                                        app::mpi_WIN_UNIFIED,        app::mpi_WIN_SEPARATE};
        const int converted = keyval == app::mpi_WIN_MODEL ? value_to_app<P, category_win_model>(*value)
                                                           : value_to_app<P, category_win_flavor>(*value);
        for (const int& constant : constants)
            if (constant == converted)
                value = const_cast<int*>(&constant);
    }
}

} // namespace anympi
