#pragma once

#include "convert/crossings.hpp"

#include <cstring>

namespace anympi::bridge {

// Access to the fields of a status and to its Fortran forms. All work on the program's own layout, so no runtime
// function is called. In the standard ABI the three forms are the same eight integers.

template <class P>
int copy_status(const void* from, void* to) {
    if (from == nullptr || to == nullptr)
        return P::app::mpi_ERR_ARG;
    std::memcpy(to, from, sizeof(app_status<P>));
    return 0;
}

template <class P>
int Status_c2f(const app_status<P>* from, int* to) {
    return copy_status<P>(from, to);
}
template <class P>
int Status_f2c(const int* from, app_status<P>* to) {
    return copy_status<P>(from, to);
}
template <class P>
int Status_c2f08(const app_status<P>* from, int* to) {
    return copy_status<P>(from, to);
}
template <class P>
int Status_f082c(const int* from, app_status<P>* to) {
    return copy_status<P>(from, to);
}
template <class P>
int Status_f2f08(const int* from, int* to) {
    return copy_status<P>(from, to);
}
template <class P>
int Status_f082f(const int* from, int* to) {
    return copy_status<P>(from, to);
}

template <class P>
int get_field(const app_status<P>* status, int app_status<P>::*field, int* value) {
    if (status == nullptr || value == nullptr)
        return P::app::mpi_ERR_ARG;
    *value = status->*field;
    return 0;
}

template <class P>
int set_field(app_status<P>* status, int app_status<P>::*field, int value) {
    if (status == nullptr)
        return P::app::mpi_ERR_ARG;
    status->*field = value;
    return 0;
}

template <class P>
int Status_get_source(const app_status<P>* status, int* source) {
    return get_field<P>(status, &app_status<P>::source, source);
}
template <class P>
int Status_get_tag(const app_status<P>* status, int* tag) {
    return get_field<P>(status, &app_status<P>::tag, tag);
}
template <class P>
int Status_get_error(const app_status<P>* status, int* error) {
    return get_field<P>(status, &app_status<P>::error, error);
}
template <class P>
int Status_set_source(app_status<P>* status, int source) {
    return set_field<P>(status, &app_status<P>::source, source);
}
template <class P>
int Status_set_tag(app_status<P>* status, int tag) {
    return set_field<P>(status, &app_status<P>::tag, tag);
}
template <class P>
int Status_set_error(app_status<P>* status, int error) {
    return set_field<P>(status, &app_status<P>::error, error);
}

} // namespace anympi::bridge
