#include "fake_datatypes.hpp"

#include "fortran_calls.hpp" // generated

#include <algorithm>
#include <map>

namespace datatypes {

namespace {

std::map<handle, datatype> all;
handle next = 1000;

std::int64_t size_of(handle basic_type) {
    return static_cast<std::int64_t>(basic_type);
}

std::pair<std::int64_t, std::int64_t> true_bounds(const datatype& t) {
    std::int64_t low = INT64_MAX, high = INT64_MIN;
    for (const auto& [place, type] : t.map) {
        low = std::min(low, place);
        high = std::max(high, place + size_of(type));
    }
    return {low, high};
}

handle add(datatype t) {
    all[next] = std::move(t);
    return next++;
}

void append(std::vector<entry>& map, handle type, std::int64_t place) {
    for (const auto& [there, basic_type] : get(type).map)
        map.emplace_back(place + there, basic_type);
}

} // namespace

handle basic(std::int64_t size) {
    const auto name = static_cast<handle>(size);
    all[name] = {{{0, name}}, 0, size, anympi::standard::mpi_COMBINER_NAMED};
    return name;
}

const datatype& get(handle type) {
    return all.at(type);
}

std::vector<entry> map_of(handle type, std::int64_t count) {
    std::vector<entry> map;
    for (std::int64_t i = 0; i < count; ++i)
        append(map, type, i * get(type).extent);
    return map;
}

int alive() {
    return static_cast<int>(std::count_if(all.begin(), all.end(), [](const auto& item) { return item.first >= 1000; }));
}

} // namespace datatypes

using anympi::standard;
using datatypes::handle;

extern "C" {

int PMPI_Type_commit(handle* type) {
    datatypes::all.at(*type).committed = true;
    return 0;
}

int PMPI_Type_free(handle* type) {
    return datatypes::all.erase(*type) == 1 && *type >= 1000 ? 0 : 1;
}

int PMPI_Type_contiguous_c(std::int64_t count, handle old, handle* type) {
    const auto& o = datatypes::get(old);
    *type = datatypes::add(
        {datatypes::map_of(old, count), o.lower, o.extent * count, standard::mpi_COMBINER_CONTIGUOUS, count, old});
    return 0;
}

int PMPI_Type_create_hvector_c(std::int64_t count, std::int64_t length, std::int64_t stride, handle old, handle* type) {
    datatypes::datatype made{{}, 0, 0, standard::mpi_COMBINER_HVECTOR};
    for (std::int64_t i = 0; i < count; ++i)
        for (std::int64_t j = 0; j < length; ++j)
            datatypes::append(made.map, old, i * stride + j * datatypes::get(old).extent);
    const auto [low, high] = datatypes::true_bounds(made);
    made.lower = low;
    made.extent = high - low;
    *type = datatypes::add(made);
    return 0;
}

int PMPI_Type_contiguous(int count, handle old, handle* type) {
    return PMPI_Type_contiguous_c(count, old, type);
}

int PMPI_Type_create_hvector(int count, int length, std::intptr_t stride, handle old, handle* type) {
    return PMPI_Type_create_hvector_c(count, length, stride, old, type);
}

int PMPI_Type_create_struct(int count, const int* lengths, const std::intptr_t* places, const handle* types,
                            handle* type) {
    datatypes::datatype made{{}, 0, 0, standard::mpi_COMBINER_STRUCT};
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < lengths[i]; ++j)
            datatypes::append(made.map, types[i], places[i] + j * datatypes::get(types[i]).extent);
    const auto [low, high] = datatypes::true_bounds(made);
    made.lower = low;
    made.extent = high - low;
    *type = datatypes::add(made);
    return 0;
}

int PMPI_Type_create_resized(handle old, std::intptr_t lower, std::intptr_t extent, handle* type) {
    *type = datatypes::add({datatypes::get(old).map, lower, extent, standard::mpi_COMBINER_RESIZED});
    return 0;
}

int PMPI_Type_get_extent(handle type, std::intptr_t* lower, std::intptr_t* extent) {
    if (!datatypes::all.contains(type))
        return standard::mpi_ERR_TYPE;
    *lower = datatypes::get(type).lower;
    *extent = datatypes::get(type).extent;
    return 0;
}

int PMPI_Type_get_true_extent(handle type, std::intptr_t* lower, std::intptr_t* extent) {
    const auto [low, high] = datatypes::true_bounds(datatypes::get(type));
    *lower = low;
    *extent = high - low;
    return 0;
}

int PMPI_Type_get_envelope_c(handle type, std::int64_t* integers, std::int64_t* addresses, std::int64_t* counts,
                             std::int64_t* types, int* combiner) {
    const auto& t = datatypes::get(type);
    *combiner = t.combiner;
    *integers = *addresses = 0;
    *counts = t.combiner == standard::mpi_COMBINER_CONTIGUOUS ? 1 : 0;
    *types = t.combiner == standard::mpi_COMBINER_NAMED ? 0 : 1;
    return 0;
}

int PMPI_Type_get_contents_c(handle type, std::int64_t, std::int64_t, std::int64_t, std::int64_t, int*, std::intptr_t*,
                             std::int64_t* counts, handle* types) {
    const auto& t = datatypes::get(type);
    *counts = t.number;
    *types = t.inner >= 1000 ? datatypes::add(datatypes::get(t.inner)) : t.inner;
    return 0;
}
}
