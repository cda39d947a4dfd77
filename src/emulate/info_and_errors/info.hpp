#pragma once

#include "base/array.hpp"
#include "emulate/engine/error.hpp"

#include <cstring>

namespace anympi::emulate {

/// Copies a value, cut to `room`. Reads the whole value first, because MPICH's MPI_Info_get reports an error for a
/// value that does not fit.
template <class Run>
int copy_value(word info, const char* key, int length, char* value, int room) {
    scratch<char, 256> whole(static_cast<std::size_t>(length) + 1);
    if (whole.lacks_memory())
        return raise<Run>(Run::mpi_ERR_NO_MEM);
    int is_there = 0;
    if (const int code = library<Run>.Info_get(info, key, length, whole.data(), &is_there); code != 0)
        return code;
    const int copied = length < room ? length : room - 1;
    std::memcpy(value, whole.data(), static_cast<std::size_t>(copied));
    value[copied] = '\0';
    return 0;
}

/// Returns a value. Lengths count the terminating zero: `room` is first the size of `value`, then the size that the
/// whole value needs.
template <class Run>
int Info_get_string(word info, const char* key, int* room, char* value, int* flag) {
    if (room == nullptr || flag == nullptr || (value == nullptr && *room > 0))
        return raise<Run>(Run::mpi_ERR_ARG);
    int length = 0;
    int code = library<Run>.Info_get_valuelen(info, key, &length, flag);
    if (code != 0 || *flag == 0)
        return code;
    if (*room > 0)
        code = copy_value<Run>(info, key, length, value, *room);
    *room = length + 1;
    return code;
}

/// Returns the runtime's information about the start of the program; if the runtime has no information, at least the
/// program's name.
template <class Run>
int Info_create_env(int argc, char** argv, handle_of<Run, object::info>* info) {
    int code = library<Run>.Info_dup(predefined<Run>(standard::mpi_INFO_ENV), info);
    if (code != 0 || argc < 1 || argv == nullptr || argv[0] == nullptr)
        return code;
    int length = 0;
    int is_there = 0;
    code = library<Run>.Info_get_valuelen(*info, "command", &length, &is_there);
    return code == 0 && is_there == 0 ? library<Run>.Info_set(*info, "command", argv[0]) : code;
}

/// Returns an empty info, because no resource has a name that MPI knows.
template <class Run>
int Get_hw_resource_info(handle_of<Run, object::info>* info) {
    return library<Run>.Info_create(info);
}

} // namespace anympi::emulate
