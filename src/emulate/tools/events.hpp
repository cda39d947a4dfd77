#pragma once

#include "convert/pair.hpp"

#include <cstdint>

namespace anympi::emulate {

// The events of the tools interface, for a runtime without them. There are no events and no sources, so every index,
// name and handle is invalid.

/// Counts the categories. The returned code tells whether the tools interface was started.
template <class Run>
int count_categories(int& count) {
    return library<Run>.T_category_get_num(&count);
}

template <class Run>
int refuse(int code) {
    int count = 0;
    const int unready = count_categories<Run>(count);
    return unready != 0 ? unready : code;
}

template <class Run>
int count_nothing(int* count) {
    if (count == nullptr)
        return refuse<Run>(Run::mpi_T_ERR_INVALID);
    *count = 0;
    return refuse<Run>(0);
}

template <class Run>
int check_category(int category) {
    int count = 0;
    const int unready = count_categories<Run>(count);
    if (unready != 0)
        return unready;
    return category >= 0 && category < count ? 0 : Run::mpi_T_ERR_INVALID_INDEX;
}

template <class Run>
int T_category_get_num_events(int category, int* count) {
    const int code = check_category<Run>(category);
    return code == 0 ? count_nothing<Run>(count) : code;
}
template <class Run>
int T_category_get_events(int category, int, int*) {
    return check_category<Run>(category);
}

template <class Run>
int T_event_get_num(int* count) {
    return count_nothing<Run>(count);
}
template <class Run>
int T_source_get_num(int* count) {
    return count_nothing<Run>(count);
}
template <class Run>
int T_event_get_index(const char*, int*) {
    return refuse<Run>(Run::mpi_T_ERR_INVALID_NAME);
}

// ---- by index ----

template <class Run>
int T_event_get_info(int, char*, int*, int*, handle_of<Run, object::datatype>*, std::intptr_t*, int*, void**,
                     handle_of<Run, object::info>*, char*, int*, int*) {
    return refuse<Run>(Run::mpi_T_ERR_INVALID_INDEX);
}
template <class Run>
int T_event_handle_alloc(int, void*, word, void**) {
    return refuse<Run>(Run::mpi_T_ERR_INVALID_INDEX);
}
template <class Run>
int T_source_get_info(int, char*, int*, char*, int*, int*, std::int64_t*, std::int64_t*,
                      handle_of<Run, object::info>*) {
    return refuse<Run>(Run::mpi_T_ERR_INVALID_INDEX);
}
template <class Run>
int T_source_get_timestamp(int, std::int64_t*) {
    return refuse<Run>(Run::mpi_T_ERR_INVALID_INDEX);
}

// ---- by handle ----

template <class Run>
int T_event_handle_get_info(void*, handle_of<Run, object::info>*) {
    return refuse<Run>(Run::mpi_T_ERR_INVALID_HANDLE);
}
template <class Run>
int T_event_handle_set_info(void*, word) {
    return refuse<Run>(Run::mpi_T_ERR_INVALID_HANDLE);
}
template <class Run>
int T_event_handle_free(void*, void*, void*) {
    return refuse<Run>(Run::mpi_T_ERR_INVALID_HANDLE);
}
template <class Run>
int T_event_register_callback(void*, int, word, void*, void*) {
    return refuse<Run>(Run::mpi_T_ERR_INVALID_HANDLE);
}
template <class Run>
int T_event_callback_get_info(void*, int, handle_of<Run, object::info>*) {
    return refuse<Run>(Run::mpi_T_ERR_INVALID_HANDLE);
}
template <class Run>
int T_event_callback_set_info(void*, int, word) {
    return refuse<Run>(Run::mpi_T_ERR_INVALID_HANDLE);
}
template <class Run>
int T_event_set_dropped_handler(void*, void*) {
    return refuse<Run>(Run::mpi_T_ERR_INVALID_HANDLE);
}
template <class Run>
int T_event_read(void*, int, void*) {
    return refuse<Run>(Run::mpi_T_ERR_INVALID_HANDLE);
}
template <class Run>
int T_event_copy(void*, void*) {
    return refuse<Run>(Run::mpi_T_ERR_INVALID_HANDLE);
}
template <class Run>
int T_event_get_timestamp(void*, std::int64_t*) {
    return refuse<Run>(Run::mpi_T_ERR_INVALID_HANDLE);
}
template <class Run>
int T_event_get_source(void*, int*) {
    return refuse<Run>(Run::mpi_T_ERR_INVALID_HANDLE);
}

} // namespace anympi::emulate
