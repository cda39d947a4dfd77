#pragma once

#include <cstdint>
#include <utility>
#include <vector>

// Datatypes that know their type map and nothing else: what the code under test is linked with instead of an MPI.
namespace datatypes {

using handle = std::uintptr_t;
using entry = std::pair<std::int64_t, handle>; // displacement, basic datatype

struct datatype {
    std::vector<entry> map;
    std::int64_t lower, extent;
    int combiner;
    std::int64_t number = 0; // of a contiguous one
    handle inner = 0;
    bool committed = false;
};

handle basic(std::int64_t size);
const datatype& get(handle type);
/// The type map of `count` elements.
std::vector<entry> map_of(handle type, std::int64_t count);
/// Derived datatypes that nobody has freed.
int alive();

} // namespace datatypes
