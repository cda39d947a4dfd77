#pragma once

#include <cstdint>
#include <utility>
#include <vector>

// Datatypes that consist only of their type map: the code under test is linked with them instead of an MPI.
namespace datatypes {

using handle = std::uintptr_t;
using entry = std::pair<std::int64_t, handle>; // displacement, basic datatype

struct datatype {
    std::vector<entry> map;
    std::int64_t lower, extent;
    int combiner;
    std::int64_t number = 0; // the count of a contiguous datatype
    handle inner = 0;
    bool committed = false;
};

handle basic(std::int64_t size);
const datatype& get(handle type);
/// The type map of `count` elements.
std::vector<entry> map_of(handle type, std::int64_t count);
/// Returns the number of derived datatypes that were not freed.
int alive();

} // namespace datatypes
