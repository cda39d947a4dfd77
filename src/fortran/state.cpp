#include "fortran/logical.hpp"

#include "convert/lock.hpp"

#include <cstdlib>
#include <cstring>

namespace anympi::fortran::rule {

logical_values logicals;
std::uint64_t known_numbers = predefined_numbers;

namespace {

struct kept_array {
    kept_array* next;
    std::size_t size;
    char items[];
};

constexpr std::size_t places = 256;
kept_array* kept[places];
lock kept_lock;

std::size_t place_of(const void* items, std::size_t size) {
    std::uint64_t mixed = size;
    for (std::size_t i = 0; i < size; ++i)
        mixed = (mixed ^ static_cast<const unsigned char*>(items)[i]) * 0x100000001b3;
    return (mixed >> 32) % places;
}

} // namespace

void* lasting_copy(const void* items, std::size_t size) {
    const locked held(kept_lock);
    kept_array*& list = kept[place_of(items, size)];
    for (kept_array* each = list; each != nullptr; each = each->next)
        if (each->size == size && std::memcmp(each->items, items, size) == 0)
            return each->items;
    auto* const made = static_cast<kept_array*>(std::malloc(sizeof(kept_array) + size));
    if (made == nullptr)
        return nullptr;
    made->size = size;
    std::memcpy(made->items, items, size);
    made->next = list;
    list = made;
    return made->items;
}

} // namespace anympi::fortran::rule
