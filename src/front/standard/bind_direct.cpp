#include "front/standard/bind_direct.hpp"

#include "direct_bridges.hpp" // generated
#include "emulate/engine/emulation.hpp"
#include "emulate/engine/override.hpp"
#include "front/common/directory.hpp"
#include "front/common/entry.hpp"
#include "front/common/find_functions.hpp"
#include "runtime/environment.hpp"

#include <span>

namespace anympi {

namespace {

void set_synonyms(std::span<const synonym> synonyms, void* const* found, void** targets) {
    for (const synonym& s : synonyms)
        if (void* const code = found[static_cast<int>(s.is)])
            targets[static_cast<int>(s.of)] = code;
}

void** functions_of_runtime() {
    return reinterpret_cast<void**>(&writable_library<standard>);
}

// Makes the slot lead to a function that was put into the library's table after binding.
void redirect_slot(void** place, void* before) {
    replace_in_slot(static_cast<int>(place - functions_of_runtime()), before, *place);
}

void replace_wrong_functions(runtime::family lineage) {
    for (const auto& handle : predefined_handles<standard>)
        predefined_to_run<standard>[handle.id] = handle.value;
    emulate::function_was_overridden = redirect_slot;
    emulate::bind_replacements<standard>(functions_of_runtime(), lineage);
}

void defer_handlers_of_library() {
    for (const auto& [of, bridge] : direct_bridges_at_error_handler)
        replace_in_slot(static_cast<int>(of), functions_of_runtime()[static_cast<int>(of)], bridge);
}

} // namespace

void bind_direct(const runtime::opened& from, void** targets) {
    void** const found = functions_of_runtime();
    find_functions(from, found);
    emulate::own_functions<standard> = library<standard>;
    if (!runtime::is_off("ANYMPI_EMULATE"))
        replace_wrong_functions(from.lineage);
    for (int i = 0; i < function_count; ++i)
        targets[i] = found[i] != nullptr ? found[i] : missing_functions[i];
    before_first_handler = defer_handlers_of_library;
    set_synonyms(large_forms, found, targets);
    set_synonyms(same_numbers, found, targets);
    for (const auto& [of, bridge] : direct_bridges_at_binding)
        if (const short needs = needed_functions[static_cast<int>(of)]; needs < 0 || found[needs] != nullptr)
            targets[static_cast<int>(of)] = bridge;
}

} // namespace anympi
