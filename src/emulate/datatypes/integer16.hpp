#pragma once

#include "base/lock.hpp"
#include "emulate/datatypes/integer16_reductions.hpp"
#include "emulate/large_counts/large_contents.hpp"

#include <algorithm>
#include <iterator>

namespace anympi::emulate {

/// MPI_INTEGER16 for libraries that lack it, which are most. No other predefined datatype has its meaning. A derived
/// datatype of the library replaces it in the table of predefined handles, so functions that only move data need no
/// override. MPI_LOGICAL16 is the same datatype, as smaller logicals are integers of their size. The datatype exists
/// while MPI runs. The overrides here hide the differences between a derived and a predefined datatype;
/// bridge/reduction_operands.hpp handles operations.
///
/// The datatype contains one basic element of the library, so that MPI_Get_elements counts correctly, and an empty
/// block. The displacement of that block is a mark, by which anympi recognises a copy: Open MPI returns copies of
/// datatypes from MPI_Type_get_contents.
inline constexpr int integer16_size = 16;
inline constexpr std::intptr_t integer16_mark = 0x616e79493136;

template <class Run>
struct integer16_state {
    lock guard;
    int starts; // number of starts of MPI, by the world model and by sessions
    bool is_made;
    bool is_logical; // MPI_LOGICAL16 is the same datatype
    /// The operations of anympi, created at their first use.
    handle_of<Run, object::op> operations[std::size(operations_16)];
};
template <class Run>
inline integer16_state<Run> integer16{};

/// Returns true if a datatype is the derived one. Always false if the library has this datatype itself.
template <class Run>
bool is_integer16(word type) {
    return static_cast<type_of<Run>>(type) == static_cast<type_of<Run>>(predefined<Run>(standard::mpi_INTEGER16)) &&
           integer16<Run>.is_made;
}

// ---- queries by the program ----

namespace with_integer16 {

template <class Run>
int Type_get_envelope(word type, int* integers, int* addresses, int* types, int* combiner) {
    const bool has_room = integers != nullptr && addresses != nullptr && types != nullptr && combiner != nullptr;
    if (!has_room || !is_integer16<Run>(type))
        return original<Type_get_envelope<Run>>(type, integers, addresses, types, combiner);
    *integers = *addresses = *types = 0;
    *combiner = Run::mpi_COMBINER_NAMED;
    return 0;
}

template <class Run>
int Type_get_envelope_c(word type, std::int64_t* integers, std::int64_t* addresses, std::int64_t* counts,
                        std::int64_t* types, int* combiner) {
    const bool has_room = integers != nullptr && addresses != nullptr && counts != nullptr && types != nullptr;
    if (!has_room || combiner == nullptr || !is_integer16<Run>(type))
        return original<Type_get_envelope_c<Run>>(type, integers, addresses, counts, types, combiner);
    *integers = *addresses = *counts = *types = 0;
    *combiner = Run::mpi_COMBINER_NAMED;
    return 0;
}

template <class Run>
int Type_free(type_of<Run>* type) {
    if (type != nullptr && is_integer16<Run>(*type))
        return raise<Run>(Run::mpi_ERR_TYPE);
    return original<Type_free<Run>>(type);
}

template <class Run>
int Type_match_size(int type_class, int size, type_of<Run>* found) {
    if (type_class != Run::mpi_TYPECLASS_INTEGER || size != integer16_size || found == nullptr ||
        !integer16<Run>.is_made)
        return original<Type_match_size<Run>>(type_class, size, found);
    *found = static_cast<type_of<Run>>(predefined<Run>(standard::mpi_INTEGER16));
    return 0;
}

template <class Run>
int Type_get_contents(word type, int most_integers, int most_addresses, int most_types, int* integers,
                      std::intptr_t* addresses, type_of<Run>* types);

} // namespace with_integer16

/// Returns true for the derived datatype and for a copy of it that the library has returned.
template <class Run>
bool is_copy_of_integer16(type_of<Run> type) {
    if (is_predefined<Run>(type))
        return is_integer16<Run>(type);
    int numbers[3] = {};
    int combiner = 0;
    int integers[3] = {};
    std::intptr_t places[2] = {};
    type_of<Run> types[2] = {};
    if (original<with_integer16::Type_get_envelope<Run>>(type, &numbers[0], &numbers[1], &numbers[2], &combiner) != 0 ||
        combiner != Run::mpi_COMBINER_STRUCT || numbers[0] != 3 || numbers[1] != 2 || numbers[2] != 2 ||
        original<with_integer16::Type_get_contents<Run>>(type, 3, 2, 2, integers, places, types) != 0)
        return false;
    for (type_of<Run>& inside : types)
        if (!is_predefined<Run>(inside))
            original<with_integer16::Type_free<Run>>(&inside);
    return places[0] == 0 && places[1] == integer16_mark;
}

/// Replaces copies by the predefined datatype. A program must not free a predefined datatype, so the reference that the
/// library returned with the copy is freed here.
template <class Run>
void give_predefined(type_of<Run>* types, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i)
        if (is_copy_of_integer16<Run>(types[i])) {
            original<with_integer16::Type_free<Run>>(&types[i]);
            types[i] = static_cast<type_of<Run>>(predefined<Run>(standard::mpi_INTEGER16));
        }
}

namespace with_integer16 {

template <class Run>
int Type_get_contents(word type, int most_integers, int most_addresses, int most_types, int* integers,
                      std::intptr_t* addresses, type_of<Run>* types) {
    int numbers[3] = {};
    int combiner = 0;
    if (is_integer16<Run>(type))
        return raise<Run>(Run::mpi_ERR_TYPE);
    int code =
        original<Type_get_contents<Run>>(type, most_integers, most_addresses, most_types, integers, addresses, types);
    if (code == 0)
        code = original<Type_get_envelope<Run>>(type, &numbers[0], &numbers[1], &numbers[2], &combiner);
    if (code == 0 && types != nullptr)
        give_predefined<Run>(types, std::min(numbers[2], most_types));
    return code;
}

template <class Run>
int Type_get_contents_c(word type, std::int64_t most_integers, std::int64_t most_addresses, std::int64_t most_counts,
                        std::int64_t most_types, int* integers, std::intptr_t* addresses, std::int64_t* counts,
                        type_of<Run>* types) {
    std::int64_t numbers[4] = {};
    int combiner = 0;
    if (is_integer16<Run>(type))
        return raise<Run>(Run::mpi_ERR_TYPE);
    int code = original<Type_get_contents_c<Run>>(type, most_integers, most_addresses, most_counts, most_types,
                                                  integers, addresses, counts, types);
    if (code == 0)
        code = original<Type_get_envelope_c<Run>>(type, &numbers[0], &numbers[1], &numbers[2], &numbers[3], &combiner);
    if (code == 0 && types != nullptr)
        give_predefined<Run>(types, std::min(numbers[3], most_types));
    return code;
}

} // namespace with_integer16

/// Returns true if a datatype contains the 16-byte integer, at any depth.
template <class Run>
bool contains_integer16(word type) {
    std::int64_t numbers[4] = {};
    int combiner = 0;
    const auto& all = library<Run>;
    if (is_integer16<Run>(type))
        return true;
    if (!integer16_is_inside.load(std::memory_order_relaxed) || is_predefined<Run>(type) ||
        all.Type_get_envelope_c(type, &numbers[0], &numbers[1], &numbers[2], &numbers[3], &combiner) != 0)
        return false;
    scratch<int, 64> integers(static_cast<std::size_t>(numbers[0]));
    scratch<std::intptr_t, 64> addresses(static_cast<std::size_t>(numbers[1]));
    scratch<std::int64_t, 64> counts(static_cast<std::size_t>(numbers[2]));
    scratch<type_of<Run>, 64> types(static_cast<std::size_t>(numbers[3]));
    if (numbers[3] == 0 || integers.lacks_memory() || addresses.lacks_memory() || counts.lacks_memory() ||
        types.lacks_memory() ||
        all.Type_get_contents_c(type, numbers[0], numbers[1], numbers[2], numbers[3], integers.data(), addresses.data(),
                                counts.data(), types.data()) != 0)
        return false;
    bool found = false;
    for (std::int64_t i = 0; i < numbers[3]; ++i) {
        type_of<Run>& inside = types[static_cast<std::size_t>(i)];
        found = found || contains_integer16<Run>(inside);
        if (!is_predefined<Run>(inside))
            all.Type_free(&inside);
    }
    return found;
}

// ---- lifetime ----

template <class Run>
bool lacks_type(word id) {
    return is_library_null<Run, object::datatype>(predefined<Run>(id));
}

/// Returns true if the library lacks a datatype or may lack it. Open MPI has objects even for datatypes that it does
/// not support; only the running library can tell.
template <class Run>
bool may_lack_type(word id) {
    return Run::handles == handle_style::addresses || lacks_type<Run>(id);
}

/// Removes datatypes of size zero from the table. Open MPI has such objects for datatypes that it does not support;
/// messages of them would be empty.
template <class Run>
void forget_empty_types() {
    for (const auto& known : predefined_handles<Run>) {
        int size = 0;
        if (known.of == object::datatype && !lacks_type<Run>(known.id) &&
            library<Run>.Type_size(predefined<Run>(known.id), &size) == 0 && size <= 0)
            predefined_to_run<Run>[known.id] = library_null<Run, object::datatype>();
    }
}

template <class Run>
bool make_integer16() {
    const auto element = static_cast<type_of<Run>>(predefined<Run>(standard::mpi_C_DOUBLE_COMPLEX));
    const int lengths[] = {1, 0};
    const std::intptr_t places[] = {0, integer16_mark};
    const type_of<Run> types[] = {element, element};
    temporary_type<Run> made;
    const auto& all = library<Run>;
    if (!lacks_type<Run>(standard::mpi_INTEGER16) || is_library_null<Run, object::datatype>(element) ||
        all.Type_create_struct(2, lengths, places, types, made.out()) != 0 || all.Type_commit(made.out()) != 0 ||
        all.Type_set_name(made, "MPI_INTEGER16") != 0)
        return false;
    predefined_to_run<Run>[standard::mpi_INTEGER16] = made.take();
    return true;
}

template <class Run>
void forget_integer16(integer16_state<Run>& here) {
    if (here.is_made)
        predefined_to_run<Run>[standard::mpi_INTEGER16] = library_null<Run, object::datatype>();
    if (here.is_logical)
        predefined_to_run<Run>[standard::mpi_LOGICAL16] = library_null<Run, object::datatype>();
    here.is_made = here.is_logical = false;
    std::fill(std::begin(here.operations), std::end(here.operations), 0);
}

template <class Run>
void begin_integer16() {
    integer16_state<Run>& here = integer16<Run>;
    const locked hold(here.guard);
    if (here.starts++ > 0)
        return;
    forget_integer16(here);
    forget_empty_types<Run>();
    here.is_made = make_integer16<Run>();
    here.is_logical = lacks_type<Run>(standard::mpi_LOGICAL16) && !lacks_type<Run>(standard::mpi_INTEGER16);
    if (here.is_logical)
        predefined_to_run<Run>[standard::mpi_LOGICAL16] = predefined<Run>(standard::mpi_INTEGER16);
}

/// Ends one start of MPI, and frees the datatype with the last one. Returns false if there was no start to end. Call it
/// before the library ends, because MPICH reports every datatype that was not freed. Freeing may call functions of the
/// program for its attributes, so the lock is not held then.
template <class Run>
bool end_integer16() {
    type_of<Run> type = library_null<Run, object::datatype>();
    handle_of<Run, object::op> operations[std::size(operations_16)];
    {
        integer16_state<Run>& here = integer16<Run>;
        const locked hold(here.guard);
        if (here.starts == 0)
            return false;
        if (--here.starts > 0)
            return true;
        if (here.is_made)
            type = static_cast<type_of<Run>>(predefined<Run>(standard::mpi_INTEGER16));
        std::copy(std::begin(here.operations), std::end(here.operations), operations);
        forget_integer16(here);
    }
    for (auto& operation : operations)
        if (operation != 0)
            library<Run>.Op_free(&operation);
    if (!is_library_null<Run, object::datatype>(type))
        library<Run>.Type_free(&type);
    return true;
}

/// Overrides for the functions that start and end MPI.
template <class Run, auto Place>
struct integer16_life;

template <class Run, class... Arguments, int (*functions<Run>::*Place)(Arguments...)>
struct integer16_life<Run, Place> {
    static int started(Arguments... arguments) {
        const int code = original<started>(arguments...);
        if (code == 0)
            begin_integer16<Run>();
        return code;
    }
    static int ended(Arguments... arguments) {
        const bool counts = end_integer16<Run>();
        const int code = original<ended>(arguments...);
        if (counts && code != 0) // the call failed, so MPI continues
            begin_integer16<Run>();
        return code;
    }
};

namespace with_integer16 {

/// Counts a start only if a session was created: a session that was not created is never finalized.
template <class Run>
int Session_init(word info, word errhandler, handle_of<Run, object::session>* session) {
    const int code = original<Session_init<Run>>(info, errhandler, session);
    if (code == 0 && session != nullptr && *session != library_null<Run, object::session>())
        begin_integer16<Run>();
    return code;
}

} // namespace with_integer16

} // namespace anympi::emulate
