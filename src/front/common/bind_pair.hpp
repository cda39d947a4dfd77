#pragma once

#include "bridge_table.hpp" // generated
#include "emulate/engine/emulation.hpp"
#include "emulate/engine/override.hpp"
#include "front/common/completion_slots.hpp"
#include "front/common/data_objects.hpp"
#include "front/common/directory.hpp"
#include "front/common/find_functions.hpp"
#include "front/common/pair_instances.hpp"
#include "runtime/environment.hpp"

#include <cstdlib>
#include <utility>

namespace anympi {

// Functions that bind one pair to the runtime that was opened: its functions, predefined handles and sentinels.

inline void* lookup(const runtime::opened& from, const char* name) {
    return runtime::symbol(from, name);
}

template <class Run>
bool has_newer(const runtime::opened& from, std::uintptr_t handle) {
    if constexpr (Run::handles == handle_style::integers)
        for (const newer_handle& newer : Run::newer_handles)
            if (newer.value == handle)
                return lookup(from, newer.witness) != nullptr &&
                       (newer.second_witness == nullptr || lookup(from, newer.second_witness) != nullptr);
    return true;
}

template <class Run>
word runtime_handle(const runtime::opened& from, const predefined_handle<predefined_value<Run>>& handle) {
    if constexpr (Run::handles == handle_style::addresses)
        return handle.value != nullptr ? reinterpret_cast<word>(lookup(from, handle.value)) : Run::absent_handle;
    else
        return has_newer<Run>(from, handle.value) ? handle.value : Run::absent_handle;
}

/// Fills the table that finds the predefined object at an address (address_lookup). `is_among` chooses the objects.
/// Returns false if memory is lacking or the library has an unknown layout.
template <class Run, class Choice>
bool index_addresses(address_lookup& index, Choice is_among) {
    const word* const known = predefined_to_run<Run>;
    const auto is_indexed = [&](const auto& handle) { return known[handle.id] != 0 && is_among(handle); };
    word first = ~word{0};
    word last = 0;
    for (const auto& handle : predefined_handles<Run>)
        if (const word address = known[handle.id]; is_indexed(handle)) {
            first = address < first ? address : first;
            last = address > last ? address : last;
        }
    if (last == 0)
        return true;
    index.first = first;
    index.span = last - first + 1;
    index.ids = static_cast<std::uint16_t*>(
        std::calloc((index.span >> address_lookup::spacing_bits) + 1, sizeof(std::uint16_t)));
    if (index.ids == nullptr)
        return false;
    for (const auto& handle : predefined_handles<Run>)
        if (const word address = known[handle.id]; is_indexed(handle)) {
            std::uint16_t& id = index.ids[(address - first) >> address_lookup::spacing_bits];
            if (id == 0)
                id = static_cast<std::uint16_t>(handle.id);
            else if (known[id] != address)
                return false; // two objects less than 256 bytes apart: an unknown library
        }
    return true;
}

/// Replaces datatypes that the runtime lacks by its null datatype, which every function rejects. Open MPI would
/// dereference any other invalid handle.
template <class Run>
void refuse_absent_types() {
    for (const auto& handle : predefined_handles<Run>)
        if (word& here = predefined_to_run<Run>[handle.id]; handle.of == object::datatype && here == Run::absent_handle)
            here = library_null<Run, object::datatype>();
}

template <class Run>
bool bind_handles(const runtime::opened& from) {
    for (const auto& handle : predefined_handles<Run>)
        predefined_to_run<Run>[handle.id] = runtime_handle<Run>(from, handle);
    if constexpr (Run::handles == handle_style::addresses)
        if (!index_addresses<Run>(address_ids<Run>, [](const auto&) { return true; }))
            return false;
    refuse_absent_types<Run>();
    return true;
}

/// Returns a special address: a constant of the ABI, or the content of the library's variable with the given name.
template <class Pointer>
Pointer sentinel(const runtime::opened&, word address) {
    return reinterpret_cast<Pointer>(address);
}
template <class Pointer>
Pointer sentinel(const runtime::opened& from, const char* variable) {
    auto* const where = static_cast<Pointer*>(lookup(from, variable));
    return where != nullptr ? *where : nullptr;
}

template <class Run>
void bind_sentinels(const runtime::opened& from) {
    sentinels<Run>& bound = sentinels_of<Run>;
    bound.unweighted = sentinel<const int*>(from, Run::mpi_UNWEIGHTED);
    bound.weights_empty = sentinel<const int*>(from, Run::mpi_WEIGHTS_EMPTY);
    bound.all_handles = sentinel<void*>(from, Run::mpi_T_PVAR_ALL_HANDLES);
}

template <class Run>
void bind_features(const runtime::opened& from) {
    library_features& bound = features_of<Run>;
    bound.has_mpi_4_0 = lookup(from, "MPI_Session_init") != nullptr;
    bound.has_mpi_4_1 = lookup(from, "MPI_Buffer_flush") != nullptr;
    bound.has_automatic_buffers = bound.has_mpi_4_1;
}

/// Fills the table of the runtime's handles for programs whose handles are 32-bit numbers.
template <class P, object O>
void bind_narrow_handles() {
    if constexpr (is_narrowed<P, O>)
        for (const auto& handle : predefined_handles<typename P::app>)
            if (handle.of == O) {
                auto& table = narrow_predefined_to_run<P, O>;
                const auto value = static_cast<std::uint32_t>(handle.value);
                if (auto& here = table.entries[table.place(value)]; here.value == 0) // one handle may have two names
                    here = {predefined_to_run<typename P::run>[handle.id], value};
            }
}
template <class P, int... Classes>
void bind_narrow_classes(std::integer_sequence<int, Classes...>) {
    (bind_narrow_handles<P, static_cast<object>(Classes)>(), ...);
}

/// Sets the values that the program's predefined handles have. If a handle is the address of a data object, the
/// runtime's handle is written into the object.
template <class P>
void bind_program_handles() {
    using program = typename P::app;
    if constexpr (program::handles == handle_style::integers)
        for (const auto& handle : predefined_handles<program>)
            predefined_to_app<program>[handle.id] = handle.value;
    bind_narrow_classes<P>(std::make_integer_sequence<int, object_classes>{});
    if constexpr (program::handles == handle_style::addresses)
        for (const auto& handle : predefined_handles<program>) {
            void* const object = handle.value != nullptr ? find_data_object(handle.value) : nullptr;
            if (object == nullptr)
                continue;
            predefined_to_app<program>[handle.id] = reinterpret_cast<word>(object);
            *static_cast<word*>(object) = predefined_to_run<typename P::run>[handle.id];
        }
}

/// Returns a predefined function: one that the library exports, or an address that represents it.
inline void* predefined_function(const runtime::opened& from, const char* name) {
    return name != nullptr ? lookup(from, name) : nullptr;
}
inline void* predefined_function(const runtime::opened&, word address) {
    return reinterpret_cast<void*>(address);
}

template <class Run, object O>
void bind_attribute_functions_of(const runtime::opened& from, int which) {
    predefined_functions<Run, O> = {predefined_function(from, Run::null_copy[which]),
                                    predefined_function(from, Run::dup[which]),
                                    predefined_function(from, Run::null_delete[which])};
}
template <class Run>
void bind_attribute_functions(const runtime::opened& from) {
    bind_attribute_functions_of<Run, object::comm>(from, 0);
    bind_attribute_functions_of<Run, object::datatype>(from, 1);
    bind_attribute_functions_of<Run, object::win>(from, 2);
}

/// Fills the table of the library's functions: the library's own and, unless emulation is off, anympi's emulations.
template <class Run>
void bind_functions(const runtime::opened& from, bool emulates) {
    static_assert(sizeof(functions<Run>) == sizeof(void*) * function_count);
    void** const found = reinterpret_cast<void**>(&writable_library<Run>);
    find_functions(from, found);
    emulate::own_functions<Run> = library<Run>;
    bind_sentinels<Run>(from);
    bind_features<Run>(from);
    if (emulates)
        emulate::bind_emulations<Run>(found, from.lineage);
}

/// The table of the library's functions, in the order of the slots.
template <class Run>
void* const* bound_functions() {
    return reinterpret_cast<void* const*>(&library<Run>);
}

template <class P>
bool bind_pair(const runtime::opened& from, void** targets) {
    using run_abi = typename P::run;
    [[maybe_unused]] constexpr auto names = &name_bridges<P>; // instantiates the table
    const bool emulates = !runtime::is_off("ANYMPI_EMULATE");
    bind_functions<run_abi>(from, emulates);
    if (!bind_handles<run_abi>(from))
        return false;
    if (emulates)
        emulate::bind_missing_handles<run_abi>();
    if constexpr (may_lack_integer16<P>)
        if (emulates)
            emulate::install_overrides<run_abi>(emulate::moment::standard_program);
    bind_program_handles<P>();
    bind_attribute_functions<run_abi>(from);
    before_first_handler = defer_handlers<P>;
    void* const* const found = bound_functions<run_abi>();
    int missing = 0;
    for (int i = 0; i < function_count; ++i) {
        const short needs = needed_functions[i];
        const bool is_there = needs < 0 || found[needs] != nullptr;
        targets[i] = is_there ? bridges<P>[i] : missing_functions[i];
        missing += is_there ? 0 : 1;
    }
    if (missing == 0)
        emulate::install_overrides<run_abi>(emulate::moment::whole_standard);
    return true;
}

} // namespace anympi
