#include "emulate/engine/emulation.hpp"

namespace anympi::emulate {

namespace {

/// What was put into the table for each function.
void* emulated[function_count];

void emulate_by(const emulation& what, void** found) {
    found[what.of] = emulated[what.of] = what.code;
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

void replace_wrong(void** found, const emulation* list, int count, runtime::family lineage) {
    for (int i = 0; i < count; ++i)
        if (found[list[i].of] != nullptr && is_wrong_in(list[i], lineage) && can_be_built(list[i], found))
            emulate_by(list[i], found);
}

/// Until nothing is added: what one calls may be another.
void fill_missing(void** found, const emulation* list, int count) {
    for (bool added = true; added;) {
        added = false;
        for (int i = 0; i < count; ++i)
            if (found[list[i].of] == nullptr && can_be_built(list[i], found)) {
                emulate_by(list[i], found);
                added = true;
            }
    }
}

void* emulation_of(int function) {
    return emulated[function];
}

} // namespace anympi::emulate
