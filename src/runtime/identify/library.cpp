#include "runtime/identify/library.hpp"

#include <charconv>
#include <cstring>

namespace anympi::runtime {
namespace {

bool are_equal(const char* left, const char* right) {
    return std::strcmp(left, right) == 0;
}

} // namespace

bounded_text<192> describe(const library& mpi) {
    bounded_text<192> label;
    label.append("%s%s%s", mpi.product, mpi.version[0] ? " " : "", mpi.version);
    if (mpi.soname[0])
        label.append(" (%s)", mpi.soname);
    return label;
}

family family_of(abi interface) {
    switch (interface) {
    case abi::mpich:
        return family::mpich;
    case abi::openmpi:
        return family::openmpi;
    case abi::standard:
        break;
    }
    return family::unknown;
}

abi interface_of(family lineage) {
    switch (lineage) {
    case family::mpich:
        return abi::mpich;
    case family::openmpi:
        return abi::openmpi;
    case family::unknown:
        break;
    }
    return abi::standard;
}

const char* title_of(abi interface) {
    switch (interface) {
    case abi::mpich:
        return "MPICH's ABI";
    case abi::openmpi:
        return "Open MPI's ABI";
    case abi::standard:
        break;
    }
    return "the standard ABI";
}

bool needs_no_front(abi program, const library& mpi) {
    return program != abi::standard && program == mpi.interface;
}

bool is_draft(const library& mpi) {
    return mpi.interface == abi::standard && mpi.values != generation::final_values;
}

// std::from_chars, because sscanf or strtol from a new glibc would require that glibc.
bool is_at_least(const library& mpi, int major, int minor) {
    int its_major = 0;
    int its_minor = 0;
    const char* end = mpi.version + std::strlen(mpi.version);
    const auto first = std::from_chars(mpi.version, end, its_major);
    if (first.ec != std::errc{} || first.ptr == end)
        return false;
    if (std::from_chars(first.ptr + 1, end, its_minor).ec != std::errc{})
        return false;
    return its_major != major ? its_major > major : its_minor >= minor;
}

const known_product* find_product(const char* name) {
    for (const known_product& known : products)
        if (are_equal(name, known.name) || are_equal(name, known.alias))
            return &known;
    return nullptr;
}

const known_product* product_of(const library& mpi) {
    for (const known_product& known : products)
        if (are_equal(mpi.product, known.product))
            return &known;
    return nullptr;
}

const char* name_of(const library& mpi) {
    const known_product* const known = product_of(mpi);
    return known != nullptr ? known->name : mpi.path;
}

} // namespace anympi::runtime
