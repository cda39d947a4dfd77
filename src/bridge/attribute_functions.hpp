#pragma once

#include "bridge/report_no_memory.hpp"
#include "bridges.hpp" // generated: MPI_Comm_delete_attr
#include "convert/attribute.hpp"
#include "convert/crossings.hpp"

namespace anympi::bridge {

// Attributes of communicators, datatypes and windows. Code that the three classes share is a template over the class.

template <class P, object O>
struct attribute_functions;

template <class P>
struct attribute_functions<P, object::comm> {
    static auto create() { return target<P>.Comm_create_keyval; }
    static auto free() { return target<P>.Comm_free_keyval; }
    static auto get() { return target<P>.Comm_get_attr; }
    static auto set() { return target<P>.Comm_set_attr; }
};
template <class P>
struct attribute_functions<P, object::datatype> {
    static auto create() { return target<P>.Type_create_keyval; }
    static auto free() { return target<P>.Type_free_keyval; }
    static auto get() { return target<P>.Type_get_attr; }
    static auto set() { return target<P>.Type_set_attr; }
};
template <class P>
struct attribute_functions<P, object::win> {
    static auto create() { return target<P>.Win_create_keyval; }
    static auto free() { return target<P>.Win_free_keyval; }
    static auto get() { return target<P>.Win_get_attr; }
    static auto set() { return target<P>.Win_set_attr; }
};

/// Creates a keyval whose functions are all predefined. The runtime's own predefined functions are used, so no record
/// is needed.
template <class P, object O>
int create_predefined_keyval(void* copy, int* keyval, void* extra_state) {
    const auto& own = predefined_functions<typename P::run, O>;
    void* const copy_ = program_functions<typename P::app>::is_dup(copy) ? own.dup : own.null_copy;
    return attribute_functions<P, O>::create()(copy_, own.null_delete, keyval, extra_state);
}

template <class P, object O>
int create_keyval(void* copy, void* remove, int* keyval, void* extra_state) {
    if (is_predefined_function<typename P::app>(copy) && program_functions<typename P::app>::is_null(remove)) {
        const int code = create_predefined_keyval<P, O>(copy, keyval, extra_state);
        if (code == 0 && keyval != nullptr)
            *keyval = keyval_to_app<P>(*keyval);
        return error_to_app<P>(code);
    }
    keyval_record* const record = keyval_record::make(copy, remove, extra_state);
    if (record == nullptr)
        return report_no_memory<P>();
    const int code = attribute_functions<P, O>::create()(
        reinterpret_cast<void*>(copy_attribute<P, O>), reinterpret_cast<void*>(delete_attribute<P, O>), keyval, record);
    if (code != 0 || keyval == nullptr) {
        record->drop_reference();
        return error_to_app<P>(code);
    }
    keyval_records.add(O, *keyval, record);
    *keyval = keyval_to_app<P>(*keyval);
    return 0;
}

template <class P, object O>
int free_keyval(int* keyval) {
    int keyval_ = keyval != nullptr ? keyval_to_run<P>(*keyval) : 0;
    const int freed = keyval_;
    // Removes the record first, because the runtime may reuse the number for a keyval of another thread.
    keyval_record* const record = keyval_records.take_out(O, freed);
    const int code = attribute_functions<P, O>::free()(keyval != nullptr ? &keyval_ : nullptr);
    if (code != 0 || keyval == nullptr) {
        if (record != nullptr)
            keyval_records.add(O, freed, record);
        return error_to_app<P>(code);
    }
    if (record != nullptr)
        record->drop_reference();
    *keyval = keyval_to_app<P>(keyval_);
    return 0;
}

template <class P, object O>
int set_attribute(app_handle<P, O> object_handle, int keyval, void* value) {
    const int keyval_ = keyval_to_run<P>(keyval);
    keyval_record* const record = keyval_records.find_and_add_reference(O, keyval_); // one reference per attribute
    callback_error.code = 0; // the call first deletes an old value, which runs a callback
    const int code = attribute_functions<P, O>::set()(to_run<P, O>(object_handle), keyval_, value);
    if (code != 0 && record != nullptr)
        record->drop_reference();
    return code == 0 ? 0 : error_after_callbacks<P>(code);
}

template <class P, object O>
int get_attribute(app_handle<P, O> object_handle, int keyval, void* value, int* flag) {
    const int code =
        attribute_functions<P, O>::get()(to_run<P, O>(object_handle), keyval_to_run<P>(keyval), value, flag);
    if (code != 0) [[unlikely]]
        return error_to_app<P>(code);
    if (is_set<P>(flag) && is_predefined_keyval<typename P::app>(keyval))
        predefined_attribute_to_app<P>(keyval, value);
    return 0;
}

template <class P>
int Comm_create_keyval(void* copy, void* remove, int* keyval, void* extra_state) {
    return create_keyval<P, object::comm>(copy, remove, keyval, extra_state);
}
template <class P>
int Type_create_keyval(void* copy, void* remove, int* keyval, void* extra_state) {
    return create_keyval<P, object::datatype>(copy, remove, keyval, extra_state);
}
template <class P>
int Win_create_keyval(void* copy, void* remove, int* keyval, void* extra_state) {
    return create_keyval<P, object::win>(copy, remove, keyval, extra_state);
}
template <class P>
int Comm_free_keyval(int* keyval) {
    return free_keyval<P, object::comm>(keyval);
}
template <class P>
int Type_free_keyval(int* keyval) {
    return free_keyval<P, object::datatype>(keyval);
}
template <class P>
int Win_free_keyval(int* keyval) {
    return free_keyval<P, object::win>(keyval);
}
template <class P>
int Comm_set_attr(app_handle<P, object::comm> comm, int keyval, void* value) {
    return set_attribute<P, object::comm>(comm, keyval, value);
}
template <class P>
int Type_set_attr(app_handle<P, object::datatype> type, int keyval, void* value) {
    return set_attribute<P, object::datatype>(type, keyval, value);
}
template <class P>
int Win_set_attr(app_handle<P, object::win> win, int keyval, void* value) {
    return set_attribute<P, object::win>(win, keyval, value);
}
template <class P>
int Comm_get_attr(app_handle<P, object::comm> comm, int keyval, void* value, int* flag) {
    return get_attribute<P, object::comm>(comm, keyval, value, flag);
}
template <class P>
int Type_get_attr(app_handle<P, object::datatype> type, int keyval, void* value, int* flag) {
    return get_attribute<P, object::datatype>(type, keyval, value, flag);
}
template <class P>
int Win_get_attr(app_handle<P, object::win> win, int keyval, void* value, int* flag) {
    return get_attribute<P, object::win>(win, keyval, value, flag);
}

// ---- the same functions by their names of MPI-1, which not every library exports ----

template <class P>
int Keyval_create(void* copy, void* remove, int* keyval, void* extra_state) {
    return Comm_create_keyval<P>(copy, remove, keyval, extra_state);
}
template <class P>
int Keyval_free(int* keyval) {
    return Comm_free_keyval<P>(keyval);
}
template <class P>
int Attr_put(app_handle<P, object::comm> comm, int keyval, void* value) {
    return Comm_set_attr<P>(comm, keyval, value);
}
template <class P>
int Attr_get(app_handle<P, object::comm> comm, int keyval, void* value, int* flag) {
    return Comm_get_attr<P>(comm, keyval, value, flag);
}
template <class P>
int Attr_delete(app_handle<P, object::comm> comm, int keyval) {
    return Comm_delete_attr<P>(comm, keyval);
}

} // namespace anympi::bridge
