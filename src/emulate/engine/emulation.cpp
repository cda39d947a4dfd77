#include "emulate/engine/emulation.hpp"

#include "override_rules.hpp" // generated

#include <iterator>

namespace anympi::emulate {

namespace {

// The emulation that was put into the table for each function.
void* emulated[function_count];

void emulate_by(void* code, const emulation& what, void** found) {
    found[what.of] = emulated[what.of] = code;
}

bool can_be_built(const emulation& what, void* const* found) {
    for (const short need : what.needs)
        if (need >= 0 && found[need] == nullptr)
            return false;
    return true;
}

bool is_wrong_in(const emulation& what, runtime::family lineage) {
    return lineage != runtime::family::unknown && what.wrong_in == lineage;
}

} // namespace

void replace_wrong(void** found, void* const* codes, runtime::family lineage) {
    for (std::size_t i = 0; i < std::size(emulations); ++i)
        if (const emulation& each = emulations[i];
            found[each.of] != nullptr && is_wrong_in(each, lineage) && can_be_built(each, found))
            emulate_by(codes[i], each, found);
}

// Repeats until nothing is added, because an emulation may need another one.
void fill_missing(void** found, void* const* codes) {
    for (bool added = true; added;) {
        added = false;
        for (std::size_t i = 0; i < std::size(emulations); ++i)
            if (const emulation& each = emulations[i]; found[each.of] == nullptr && can_be_built(each, found)) {
                emulate_by(codes[i], each, found);
                added = true;
            }
    }
}

void* emulation_of(int function) {
    return emulated[function];
}

} // namespace anympi::emulate
