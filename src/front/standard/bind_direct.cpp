#include "front/standard/bind_direct.hpp"

#include "bridge/errhandler.hpp"
#include "bridge/start.hpp"
#include "bridge/status_access.hpp"
#include "bridges.hpp" // generated
#include "emulate/engine/emulation.hpp"
#include "emulate/engine/override.hpp"
#include "front/common/defer_handlers.hpp"
#include "front/common/directory.hpp"
#include "front/common/entry.hpp"
#include "front/common/find_functions.hpp"
#include "runtime/environment.hpp"

#include <span>

namespace anympi {

namespace {

using direct = pair<standard, standard>;

/// What stands in for a function, whether the library has it or not.
struct substitute {
    function of;
    void* code;
};
#define NUMBERS(CLASS)                                                                                                 \
    {function::CLASS##_toint, reinterpret_cast<void*>(bridge::CLASS##_toint<direct>)},                                 \
        {function::CLASS##_fromint, reinterpret_cast<void*>(bridge::CLASS##_fromint<direct>)},                         \
        {function::CLASS##_c2f, reinterpret_cast<void*>(bridge::CLASS##_c2f<direct>)}, {                               \
        function::CLASS##_f2c, reinterpret_cast<void*>(bridge::CLASS##_f2c<direct>)                                    \
    }
const substitute substitutes[] = {
    // the checks of the launcher
    {function::Init, reinterpret_cast<void*>(bridge::Init<direct>)},
    {function::Init_thread, reinterpret_cast<void*>(bridge::Init_thread<direct>)},
    {function::Session_init, reinterpret_cast<void*>(bridge::Session_init<direct>)},
    // handlers that may have to wait until a call has done all else
    {function::Comm_create_errhandler, reinterpret_cast<void*>(bridge::Comm_create_errhandler<direct>)},
    {function::File_create_errhandler, reinterpret_cast<void*>(bridge::File_create_errhandler<direct>)},
    {function::Session_create_errhandler, reinterpret_cast<void*>(bridge::Session_create_errhandler<direct>)},
    {function::Win_create_errhandler, reinterpret_cast<void*>(bridge::Win_create_errhandler<direct>)},
    // libraries take MPI_Count in the small form too; of an int only the lower half of the register is defined
    {function::Psend_init, reinterpret_cast<void*>(bridge::Psend_init<direct>)},
    {function::Precv_init, reinterpret_cast<void*>(bridge::Precv_init<direct>)},
    // the same eight integers in every form
    {function::Status_c2f, reinterpret_cast<void*>(bridge::Status_c2f<direct>)},
    {function::Status_f2c, reinterpret_cast<void*>(bridge::Status_f2c<direct>)},
    {function::Status_c2f08, reinterpret_cast<void*>(bridge::Status_c2f08<direct>)},
    {function::Status_f082c, reinterpret_cast<void*>(bridge::Status_f082c<direct>)},
    {function::Status_f2f08, reinterpret_cast<void*>(bridge::Status_f2f08<direct>)},
    {function::Status_f082f, reinterpret_cast<void*>(bridge::Status_f082f<direct>)},
    // numbers that cost no search
    NUMBERS(Comm),
    NUMBERS(Errhandler),
    NUMBERS(File),
    NUMBERS(Group),
    NUMBERS(Info),
    NUMBERS(Message),
    NUMBERS(Op),
    NUMBERS(Request),
    NUMBERS(Session),
    NUMBERS(Type),
    NUMBERS(Win),
};
#undef NUMBERS

/// Libraries take MPI_Count in both forms (see above), and have but one of the functions.
constexpr synonym large_forms[] = {
    {function::Psend_init_c, function::Psend_init},
    {function::Precv_init_c, function::Precv_init},
};

void set_synonyms(std::span<const synonym> synonyms, void* const* found, void** targets) {
    for (const synonym& s : synonyms)
        if (void* const code = found[static_cast<int>(s.is)])
            targets[static_cast<int>(s.of)] = code;
}

void** functions_of_runtime() {
    return reinterpret_cast<void**>(&library<standard>);
}

/// What takes a place in the library later must be reached by a slot that leads there without a bridge.
void redirect_slot(void** place, void* before) {
    void*& slot = slots[place - functions_of_runtime()];
    __atomic_compare_exchange_n(&slot, &before, *place, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

void replace_wrong_functions(runtime::family lineage) {
    for (const auto& handle : predefined_handles<standard>)
        predefined_to_run<standard>[handle.id] = handle.value;
    emulate::function_was_overridden = redirect_slot;
    emulate::bind_replacements<standard>(functions_of_runtime(), lineage);
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
    before_first_handler = defer_handlers_of_library<standard>;
    set_synonyms(large_forms, found, targets);
    set_synonyms(same_numbers, found, targets);
    for (const substitute& s : substitutes)
        if (needed_functions[static_cast<int>(s.of)] < 0 || found[needed_functions[static_cast<int>(s.of)]] != nullptr)
            targets[static_cast<int>(s.of)] = s.code;
}

} // namespace anympi
