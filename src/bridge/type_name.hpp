#pragma once

#include "convert/crossings.hpp"
#include "emulate/datatypes/substitute_types.hpp"

#include <cstring>

namespace anympi::bridge {

template <class P>
int Type_get_name(app_handle<P, object::datatype> type, char* name, int* length) {
    text_out<P::app::mpi_MAX_OBJECT_NAME, P::run::mpi_MAX_OBJECT_NAME> name_(name);
    if (const int code = target<P>.Type_get_name(to_run<P, object::datatype>(type), name_.argument(), length);
        code != 0)
        return error_to_app<P>(code);
    name_.finish(length);
    for (const emulate::substitute_type& each : emulate::substitute_types)
        if (type == static_cast<app_handle<P, object::datatype>>(predefined_of_program<typename P::app>(each.id)) &&
            std::strcmp(name, each.name_of_other) == 0) {
            *length = static_cast<int>(std::strlen(each.name));
            std::strcpy(name, each.name);
        }
    return 0;
}

} // namespace anympi::bridge
