#pragma once

#include "emulate/engine/error.hpp"
#include "emulate/engine/override.hpp"

namespace anympi::emulate {

// A library of MPICH's family may have port names that are longer than its own limit. Since MPICH 4.2 an info key gives
// the size of the caller's memory, and without the key the library rejects such names. Older libraries ignore the key.
// Programs whose calls come here have as much memory as the standard requires; programs with less use the library
// directly.

/// The program's info with the size that its ABI promises. If the program sets the key itself, its info is passed on
/// unchanged.
template <class Run>
class info_with_room {
public:
    explicit info_with_room(word info) : to_pass(info) {
        static constexpr char key[] = "port_name_size";
        static_assert(standard::mpi_MAX_PORT_NAME == 1024);
        static_assert(Run::mpi_MAX_PORT_NAME < standard::mpi_MAX_PORT_NAME, "the library has room for every name");
        const bool has_none = is_library_null<Run, object::info>(info);
        int length = 0, is_given = 0;
        if (!has_none)
            code_ = library<Run>.Info_get_valuelen(info, key, &length, &is_given);
        if (code_ != 0 || is_given != 0)
            return;
        code_ = has_none ? library<Run>.Info_create(&made) : library<Run>.Info_dup(info, &made);
        if (code_ != 0)
            return;
        is_made = true;
        to_pass = made;
        code_ = library<Run>.Info_set(made, key, "1024");
    }
    ~info_with_room() {
        if (is_made)
            library<Run>.Info_free(&made);
    }
    info_with_room(const info_with_room&) = delete;
    info_with_room& operator=(const info_with_room&) = delete;

    word handle() const { return to_pass; }
    int code() const { return code_; }

private:
    word to_pass;
    handle_of<Run, object::info> made{};
    bool is_made = false;
    int code_ = 0;
};

namespace with_room {

template <class Run>
int Open_port(word info, char* name) {
    const info_with_room<Run> with_room(info);
    return with_room.code() != 0 ? with_room.code() : original<Open_port<Run>>(with_room.handle(), name);
}

template <class Run>
int Lookup_name(const char* service, word info, char* name) {
    const info_with_room<Run> with_room(info);
    return with_room.code() != 0 ? with_room.code() : original<Lookup_name<Run>>(service, with_room.handle(), name);
}

} // namespace with_room

} // namespace anympi::emulate
