#pragma once

#include "emulate/engine/override.hpp"

#include <cstring>

namespace anympi::emulate {

// Since MPI 4.1, the null handles of classes with names have names, too.

struct null_of_comm {
    static constexpr object kind = object::comm;
    static constexpr char name[] = "MPI_COMM_NULL";
};
struct null_of_type {
    static constexpr object kind = object::datatype;
    static constexpr char name[] = "MPI_DATATYPE_NULL";
};
struct null_of_win {
    static constexpr object kind = object::win;
    static constexpr char name[] = "MPI_WIN_NULL";
};

template <class Run, class Null>
int get_name_or_null_name(word object, char* name, int* length) {
    if (!is_library_null<Run, Null::kind>(object) || name == nullptr || length == nullptr)
        return original<get_name_or_null_name<Run, Null>>(object, name, length);
    std::memcpy(name, Null::name, sizeof Null::name);
    *length = sizeof Null::name - 1;
    return 0;
}

} // namespace anympi::emulate
