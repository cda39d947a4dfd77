#pragma once

#include "runtime/identify/library.hpp"

#include <cstddef>
#include <string_view>

// The names of the files of MPI libraries, from api/sonames.api.

namespace anympi::runtime {

struct file_name {
    const char* text;
    family lineage; // `unknown` for the soname of the standard ABI, which libraries of every family may have
};

#include "sonames.inc" // generated: common_names, looked for everywhere; rare_names, where somebody points to a place

inline constexpr std::string_view start_of_all_names = "libmpi";
template <std::size_t size>
constexpr bool start_alike(const file_name (&names)[size]) {
    for (const file_name& name : names)
        if (!std::string_view(name.text).starts_with(start_of_all_names))
            return false;
    return true;
}
static_assert(start_alike(common_names) && start_alike(rare_names));

/// Returns the entry of a soname, or nullptr. Folders before the soname are ignored.
inline const file_name* find_name(std::string_view soname) {
    soname.remove_prefix(soname.rfind('/') + 1); // npos + 1 is 0
    if (!soname.starts_with(start_of_all_names)) // nearly all libraries of a process
        return nullptr;
    for (const file_name& name : common_names)
        if (soname == name.text)
            return &name;
    for (const file_name& name : rare_names)
        if (soname == name.text)
            return &name;
    return nullptr;
}

/// Returns the soname of the libraries of an ABI, which anympi's front for that ABI has, too.
inline const char* soname_of(abi interface) {
    for (const file_name& name : common_names)
        if (interface_of(name.lineage) == interface)
            return name.text;
    return "";
}

} // namespace anympi::runtime
