#include "front/common/find_functions.hpp"

#include "front/common/directory.hpp"

#include <cstring>

namespace anympi {

void find_functions(const runtime::opened& from, void** found) {
    char symbol[64] = "PMPI_";
    const char* name = function_names;
    for (int i = 0; i < function_count; ++i) {
        const std::size_t length = std::strlen(name);
        std::memcpy(symbol + 5, name, length + 1);
        found[i] = runtime::symbol(from, symbol);
        name += length + 1;
    }
    for (int i = 0; i < older_name_count; ++i)
        if (void*& function = found[static_cast<int>(older_names[i].of)]; function == nullptr)
            function = runtime::symbol(from, older_names[i].symbol);
}

} // namespace anympi
