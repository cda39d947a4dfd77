#pragma once

#include "runtime/identify/library.hpp"

// The names of the files of MPI libraries, from api/sonames.api.

namespace anympi::runtime {

struct file_name {
    const char* text;
    family lineage; // whose name it is; unknown: the standard ABI's, which every family may have
};

#include "sonames.inc" // generated: common_names, looked for everywhere; rare_names, where somebody points to a place

// The name of libraries of an ABI, and of anympi's front for it.
inline const char* soname_of(abi interface) {
    for (const file_name& name : common_names)
        if (interface_of(name.lineage) == interface)
            return name.text;
    return "";
}

} // namespace anympi::runtime
