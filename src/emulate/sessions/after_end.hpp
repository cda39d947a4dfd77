#pragma once

#include "emulate/engine/own_handle.hpp"
#include "emulate/info_and_errors/added_codes.hpp"
#include "emulate/info_and_errors/own_infos.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <tuple>

namespace anympi::emulate {

// Functions that MPI 4 allows at any time, for a runtime that has ended and rejects them: infos, and the texts and
// classes of errors. No error handler exists any more, so errors are only returned.

template <class Run>
using info_of = handle_of<Run, object::info>;

// ---- what is read while the runtime is running ----

/// Frees an info. Its note is removed first, because another thread may get the freed handle.
template <class Run>
int free_noted_info(info_of<Run>* info) {
    const info_of<Run> old = info != nullptr ? *info : info_of<Run>{};
    const bool was_noted = forget_info(old);
    const int code = original<free_noted_info<Run>>(info);
    if (code != 0 && was_noted)
        (void)note_info(old); // cannot fail: its memory was freed just now
    return code;
}

/// Overrides of functions whose last parameter returns an info that the program frees.
template <class Run, auto Place>
struct gives_info;

template <class Run, class... Arguments, int (*functions<Run>::*Place)(Arguments...)>
struct gives_info<Run, Place> {
    static int call(Arguments... arguments) {
        const int code = original<call>(arguments...);
        info_of<Run>* const made = std::get<sizeof...(Arguments) - 1>(std::tuple(arguments...));
        if (code != 0 || made == nullptr || is_library_null<Run, object::info>(*made) || note_info(*made)) [[likely]]
            return code;
        original<free_noted_info<Run>>(made);
        return raise<Run>(Run::mpi_ERR_NO_MEM);
    }
};

template <class Run>
void keep_entries(word info, own_info& into) {
    int count = 0;
    library<Run>.Info_get_nkeys(info, &count);
    for (int i = 0; i < count; ++i) {
        char key[standard::mpi_MAX_INFO_KEY + 1] = "";
        char value[standard::mpi_MAX_INFO_VAL + 1] = "";
        int is_there = 0;
        if (library<Run>.Info_get_nthkey(info, i, key) == 0 &&
            library<Run>.Info_get(info, key, standard::mpi_MAX_INFO_VAL, value, &is_there) == 0 && is_there != 0)
            set_entry(into, key, value);
    }
}

/// The texts of the error classes, in the order of category_error_class.
template <class Run>
inline char* class_texts[std::size(category_error_class<Run>::values)]{};

/// Reads the texts of the error classes. MPI_ERR_LASTCODE of MPICH's ABI is skipped: it is a code, and Intel MPI 2018
/// crashes when it is asked for its text.
template <class Run>
void keep_class_texts() {
    int place = 0;
    for (const int number : category_error_class<Run>::values) {
        char text[Run::mpi_MAX_ERROR_STRING] = {};
        int length = 0;
        const bool is_class = number != Run::absent && Run::class_of(number) == number;
        if (is_class && library<Run>.Error_string(number, text, &length) == 0)
            class_texts<Run>[place] = strdup(text);
        ++place;
    }
}

/// Reads everything that is needed after the end of the runtime. A library raises an error when it is asked for the
/// text of a class that it does not know, and the program's error handler must not see this error.
template <class Run>
void keep_for_after_end() {
    const word world = predefined<Run>(standard::mpi_COMM_WORLD);
    handle_of<Run, object::errhandler> handler{};
    if (library<Run>.Comm_get_errhandler(world, &handler) != 0)
        return;
    library<Run>.Comm_set_errhandler(world, predefined<Run>(standard::mpi_ERRORS_RETURN));
    (void)note_info(static_cast<info_of<Run>>(predefined<Run>(standard::mpi_INFO_ENV)));
    read_noted_infos(keep_entries<Run>);
    keep_class_texts<Run>();
    library<Run>.Comm_set_errhandler(world, handler);
    library<Run>.Errhandler_free(&handler);
}

// ---- replacements for the runtime's functions after its end ----

namespace ended {

template <class Run>
using info_handle = own_handle<Run, object::info, 7>;
inline std::atomic<std::uint32_t> infos_made{0};

template <class Run>
int Info_create(info_of<Run>* info) {
    if (info == nullptr)
        return Run::mpi_ERR_ARG;
    const info_of<Run> made = info_handle<Run>::with_number(info_handle<Run>::null_number + ++infos_made);
    if (!note_info(made))
        return Run::mpi_ERR_NO_MEM;
    *info = made;
    return 0;
}

template <class Run>
int Info_dup(word info, info_of<Run>* copy) {
    const auto from = static_cast<info_of<Run>>(info);
    info_of<Run> made{};
    if (count_info_keys(from) < 0 || copy == nullptr)
        return copy != nullptr ? Run::mpi_ERR_INFO : Run::mpi_ERR_ARG;
    if (const int code = Info_create<Run>(&made); code != 0)
        return code;
    if (!copy_info(from, made)) {
        forget_info(made);
        return Run::mpi_ERR_NO_MEM;
    }
    *copy = made;
    return 0;
}

template <class Run>
int Info_free(info_of<Run>* info) {
    if (info == nullptr || count_info_keys(*info) < 0)
        return Run::mpi_ERR_INFO;
    forget_info(*info);
    *info = library_null<Run, object::info>();
    return 0;
}

/// Returns 0 if the handle is an info and the key is valid, otherwise an error code.
template <class Run>
int check_entry(word info, const char* key) {
    if (count_info_keys(static_cast<info_of<Run>>(info)) < 0)
        return Run::mpi_ERR_INFO;
    const std::size_t length = key != nullptr ? std::strlen(key) : 0;
    return length == 0 || length >= standard::mpi_MAX_INFO_KEY ? Run::mpi_ERR_INFO_KEY : 0;
}

template <class Run>
int Info_set(word info, const char* key, const char* value) {
    if (const int code = check_entry<Run>(info, key); code != 0)
        return code;
    if (value == nullptr || std::strlen(value) >= standard::mpi_MAX_INFO_VAL)
        return Run::mpi_ERR_INFO_VALUE;
    return set_info_entry(static_cast<info_of<Run>>(info), key, value) ? 0 : Run::mpi_ERR_NO_MEM;
}

template <class Run>
int Info_delete(word info, const char* key) {
    if (const int code = check_entry<Run>(info, key); code != 0)
        return code;
    return delete_info_entry(static_cast<info_of<Run>>(info), key) ? 0 : Run::mpi_ERR_INFO_NOKEY;
}

template <class Run>
int Info_get_valuelen(word info, const char* key, int* length, int* is_there) {
    if (const int code = check_entry<Run>(info, key); code != 0)
        return code;
    if (length == nullptr || is_there == nullptr)
        return Run::mpi_ERR_ARG;
    find_info_length(static_cast<info_of<Run>>(info), key, length, is_there);
    return 0;
}

template <class Run>
int Info_get(word info, const char* key, int most, char* value, int* is_there) {
    if (const int code = check_entry<Run>(info, key); code != 0)
        return code;
    if (value == nullptr || is_there == nullptr || most < 0)
        return Run::mpi_ERR_ARG;
    find_info_value(static_cast<info_of<Run>>(info), key, most, value, is_there);
    return 0;
}

template <class Run>
int Info_get_nkeys(word info, int* count) {
    const int found = count_info_keys(static_cast<info_of<Run>>(info));
    if (found < 0 || count == nullptr)
        return found < 0 ? Run::mpi_ERR_INFO : Run::mpi_ERR_ARG;
    *count = found;
    return 0;
}

template <class Run>
int Info_get_nthkey(word info, int n, char* key) {
    const auto handle = static_cast<info_of<Run>>(info);
    if (count_info_keys(handle) < 0)
        return Run::mpi_ERR_INFO;
    return key != nullptr && get_info_key(handle, n, key) ? 0 : Run::mpi_ERR_ARG;
}

template <class Run>
int Info_c2f(word info) {
    return info_handle<Run>::number_of(info, original<Info_c2f<Run>>);
}

template <class Run>
word Info_f2c(int number) {
    return info_handle<Run>::handle_at(number, original<Info_f2c<Run>>);
}

/// The first number for classes and codes that are added now, above all numbers of the runtime.
template <class Run>
inline constexpr int first_code = Run::is_added_code(1 << 24) ? 1 << 24 : 1 << 30 | 1 << 24;
inline std::atomic<int> codes_made{0};

/// Adds a number. For a class, `of_class` points to the number itself.
template <class Run>
int add_number(int* number, const int* of_class) {
    added_note note;
    if (note.lacks_memory())
        return Run::mpi_ERR_NO_MEM;
    *number = first_code<Run> + codes_made++;
    note.keep(*number, *of_class);
    return 0;
}

template <class Run>
int Add_error_class(int* number) {
    return number != nullptr ? add_number<Run>(number, number) : Run::mpi_ERR_ARG;
}

template <class Run>
int Error_class(int code, int* error_class) {
    if (error_class == nullptr || code < 0)
        return Run::mpi_ERR_ARG;
    const int of_added = class_of_added(code);
    *error_class = of_added != 0 ? of_added : Run::class_of(code);
    return 0;
}

template <class Run>
int Add_error_code(int of_class, int* number) {
    int known = 0;
    if (number == nullptr || Error_class<Run>(of_class, &known) != 0 || known != of_class)
        return Run::mpi_ERR_ARG;
    return add_number<Run>(number, &of_class);
}

template <class Run>
int Add_error_string(int number, const char* text) {
    char* const copy = text != nullptr ? strdup(text) : nullptr;
    if (copy == nullptr)
        return text != nullptr ? Run::mpi_ERR_NO_MEM : Run::mpi_ERR_ARG;
    return note_text(number, copy) ? 0 : Run::mpi_ERR_ARG;
}

template <class Run>
int Remove_error_string(int number) {
    return note_text(number, nullptr) ? 0 : Run::mpi_ERR_OTHER;
}

template <class Run>
int Remove_error_class(int number) {
    return remove_added_class(number) ? 0 : Run::mpi_ERR_OTHER;
}

template <class Run>
int Remove_error_code(int number) {
    return remove_added_code(number) ? 0 : Run::mpi_ERR_OTHER;
}

/// Returns the text of an error class, or nullptr if the number is not a class.
template <class Run>
const char* text_of_class(int number) {
    int place = 0;
    for (const int known : category_error_class<Run>::values) {
        if (known == number && class_texts<Run>[place] != nullptr)
            return class_texts<Run>[place];
        ++place;
    }
    return nullptr;
}

template <class Run>
int Error_string(int code, char* text, int* length) {
    if (text == nullptr || length == nullptr)
        return Run::mpi_ERR_ARG;
    if (!text_of_added(code, text, Run::mpi_MAX_ERROR_STRING)) {
        const char* const known = text_of_class<Run>(Run::class_of(code));
        if (known == nullptr)
            return Run::mpi_ERR_ARG;
        std::strcpy(text, known);
    }
    *length = static_cast<int>(std::strlen(text));
    return 0;
}

} // namespace ended

} // namespace anympi::emulate
