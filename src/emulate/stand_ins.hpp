#pragma once

#include "convert/lock.hpp"
#include "emulate/contents.hpp"
#include "emulate/reduce_16.hpp"

#include <iterator>

namespace anympi::emulate {

/// Optional datatypes of 16 bytes that a library lacks, and that no other predefined one has the meaning of. A derived
/// datatype of the library stands for each of them, under its number in the table of predefined handles: whatever only
/// moves data needs no code of ours then. They exist while MPI runs. What tells a derived datatype from a predefined
/// one is answered here; operations on them are in bridge/operands.hpp.
///
/// Inside is one basic element of the library, so that MPI_Get_elements counts right, and an empty block whose place is
/// the mark by which a copy is recognised: what Open MPI says to be inside a datatype is a copy.
struct stand_in {
    word id;
    const char* name;
    std::intptr_t mark;
};
inline constexpr stand_in stand_ins[] = {
    {standard::mpi_LOGICAL16, "MPI_LOGICAL16", 0x616e794c3136},
    {standard::mpi_INTEGER16, "MPI_INTEGER16", 0x616e79493136},
};
inline constexpr int stand_in_size = 16;

template <class Run>
struct stand_ins_in_use {
    lock guard;
    int starts; ///< of MPI, by the world model and by sessions
    bool are_made[std::size(stand_ins)];
    handle_of<Run, object::op> operations[std::size(operations_16)]; ///< of ours, where they were needed
};
template <class Run>
inline stand_ins_in_use<Run> used_stand_ins{};

/// nullptr: it is none. Where the library has the datatype, that is none either.
template <class Run>
const stand_in* find_stand_in(word type) {
    const word id = id_of_stand_in<Run>(static_cast<type_of<Run>>(type));
    if (id == 0) [[likely]]
        return nullptr;
    for (std::size_t i = 0; i < std::size(stand_ins); ++i)
        if (stand_ins[i].id == id && used_stand_ins<Run>.are_made[i])
            return &stand_ins[i];
    return nullptr;
}

// ---- what the program asks ----

namespace standing_in {

template <class Run>
int Type_get_envelope(word type, int* integers, int* addresses, int* types, int* combiner) {
    const bool has_room = integers != nullptr && addresses != nullptr && types != nullptr && combiner != nullptr;
    if (!has_room || find_stand_in<Run>(type) == nullptr)
        return kept<Type_get_envelope<Run>>(type, integers, addresses, types, combiner);
    *integers = *addresses = *types = 0;
    *combiner = Run::mpi_COMBINER_NAMED;
    return 0;
}

template <class Run>
int Type_get_envelope_c(word type, std::int64_t* integers, std::int64_t* addresses, std::int64_t* counts,
                        std::int64_t* types, int* combiner) {
    const bool has_room = integers != nullptr && addresses != nullptr && counts != nullptr && types != nullptr;
    if (!has_room || combiner == nullptr || find_stand_in<Run>(type) == nullptr)
        return kept<Type_get_envelope_c<Run>>(type, integers, addresses, counts, types, combiner);
    *integers = *addresses = *counts = *types = 0;
    *combiner = Run::mpi_COMBINER_NAMED;
    return 0;
}

template <class Run>
int Type_free(type_of<Run>* type) {
    if (type != nullptr && find_stand_in<Run>(*type) != nullptr)
        return raise<Run>(Run::mpi_ERR_TYPE);
    return kept<Type_free<Run>>(type);
}

template <class Run>
int Type_match_size(int type_class, int size, type_of<Run>* found) {
    const word type = predefined<Run>(standard::mpi_INTEGER16);
    if (type_class != Run::mpi_TYPECLASS_INTEGER || size != stand_in_size || found == nullptr ||
        find_stand_in<Run>(type) == nullptr)
        return kept<Type_match_size<Run>>(type_class, size, found);
    *found = static_cast<type_of<Run>>(type);
    return 0;
}

template <class Run>
int Type_get_contents(word type, int most_integers, int most_addresses, int most_types, int* integers,
                      std::intptr_t* addresses, type_of<Run>* types);

} // namespace standing_in

/// Of a datatype that the library gave, which may be a copy; nullptr: it is none.
template <class Run>
const stand_in* recognise(type_of<Run> type) {
    if (const stand_in* const same = find_stand_in<Run>(type); same != nullptr || is_predefined<Run>(type))
        return same;
    int numbers[3] = {};
    int combiner = 0;
    int integers[3] = {};
    std::intptr_t places[2] = {};
    type_of<Run> types[2] = {};
    if (kept<standing_in::Type_get_envelope<Run>>(type, &numbers[0], &numbers[1], &numbers[2], &combiner) != 0 ||
        combiner != Run::mpi_COMBINER_STRUCT || numbers[0] != 3 || numbers[1] != 2 || numbers[2] != 2 ||
        kept<standing_in::Type_get_contents<Run>>(type, 3, 2, 2, integers, places, types) != 0)
        return nullptr;
    const stand_in* found = nullptr;
    for (const stand_in& each : stand_ins)
        if (places[0] == 0 && places[1] == each.mark)
            found = &each;
    for (type_of<Run>& inside : types)
        if (!is_predefined<Run>(inside))
            kept<standing_in::Type_free<Run>>(&inside);
    return found;
}

/// The program may not free a predefined datatype, so the reference that the library gave with it is given back.
template <class Run>
void give_predefined(type_of<Run>* types, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i)
        if (const stand_in* const found = recognise<Run>(types[i]); found != nullptr) {
            kept<standing_in::Type_free<Run>>(&types[i]);
            types[i] = static_cast<type_of<Run>>(predefined<Run>(found->id));
        }
}

namespace standing_in {

template <class Run>
int Type_get_contents(word type, int most_integers, int most_addresses, int most_types, int* integers,
                      std::intptr_t* addresses, type_of<Run>* types) {
    int numbers[3] = {};
    int combiner = 0;
    if (find_stand_in<Run>(type) != nullptr)
        return raise<Run>(Run::mpi_ERR_TYPE);
    int code =
        kept<Type_get_contents<Run>>(type, most_integers, most_addresses, most_types, integers, addresses, types);
    if (code == 0)
        code = kept<Type_get_envelope<Run>>(type, &numbers[0], &numbers[1], &numbers[2], &combiner);
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
    if (find_stand_in<Run>(type) != nullptr)
        return raise<Run>(Run::mpi_ERR_TYPE);
    int code = kept<Type_get_contents_c<Run>>(type, most_integers, most_addresses, most_counts, most_types, integers,
                                              addresses, counts, types);
    if (code == 0)
        code = kept<Type_get_envelope_c<Run>>(type, &numbers[0], &numbers[1], &numbers[2], &numbers[3], &combiner);
    if (code == 0 && types != nullptr)
        give_predefined<Run>(types, std::min(numbers[3], most_types));
    return code;
}

} // namespace standing_in

/// Whether one is in a datatype, however deep.
template <class Run>
bool has_stand_in(word type) {
    std::int64_t numbers[4] = {};
    int combiner = 0;
    const auto& all = library<Run>;
    if (find_stand_in<Run>(type) != nullptr)
        return true;
    if (!stand_ins_are_inside.load(std::memory_order_relaxed) || is_predefined<Run>(type) ||
        all.Type_get_envelope_c(type, &numbers[0], &numbers[1], &numbers[2], &numbers[3], &combiner) != 0)
        return false;
    scratch<int, 64> integers(static_cast<std::size_t>(numbers[0]));
    scratch<std::intptr_t, 64> addresses(static_cast<std::size_t>(numbers[1]));
    scratch<std::int64_t, 64> counts(static_cast<std::size_t>(numbers[2]));
    scratch<type_of<Run>, 64> types(static_cast<std::size_t>(numbers[3]));
    if (numbers[3] == 0 || integers.failed() || addresses.failed() || counts.failed() || types.failed() ||
        all.Type_get_contents_c(type, numbers[0], numbers[1], numbers[2], numbers[3], integers.data(), addresses.data(),
                                counts.data(), types.data()) != 0)
        return false;
    bool found = false;
    for (std::int64_t i = 0; i < numbers[3]; ++i) {
        type_of<Run>& inside = types[static_cast<std::size_t>(i)];
        found = found || has_stand_in<Run>(inside);
        if (!is_predefined<Run>(inside))
            all.Type_free(&inside);
    }
    return found;
}

// ---- life ----

/// Open MPI has objects for datatypes that it does not know, of no size.
template <class Run>
void forget_empty_types() {
    for (const word id : {standard::mpi_LOGICAL16, standard::mpi_INTEGER16, standard::mpi_REAL2, standard::mpi_COMPLEX4,
                          standard::mpi_REAL16, standard::mpi_COMPLEX32}) {
        int size = 0;
        word& handle = predefined_to_run<Run>[id];
        if (static_cast<type_of<Run>>(handle) != no_type<Run>() && library<Run>.Type_size(handle, &size) == 0 &&
            size <= 0)
            handle = no_type<Run>();
    }
}

template <class Run>
bool make_stand_in(const stand_in& one) {
    const auto element = static_cast<type_of<Run>>(predefined<Run>(standard::mpi_C_DOUBLE_COMPLEX));
    const int lengths[] = {1, 0};
    const std::intptr_t places[] = {0, one.mark};
    const type_of<Run> types[] = {element, element};
    temporary_type<Run> made;
    const auto& all = library<Run>;
    if (static_cast<type_of<Run>>(predefined<Run>(one.id)) != no_type<Run>() || element == no_type<Run>() ||
        all.Type_create_struct(2, lengths, places, types, made.out()) != 0 || all.Type_commit(made.out()) != 0 ||
        all.Type_set_name(made, one.name) != 0)
        return false;
    predefined_to_run<Run>[one.id] = made.take();
    return true;
}

template <class Run>
void begin_stand_ins() {
    stand_ins_in_use<Run>& state = used_stand_ins<Run>;
    const locked hold(state.guard);
    if (state.starts++ > 0)
        return;
    forget_empty_types<Run>();
    for (std::size_t i = 0; i < std::size(stand_ins); ++i)
        state.are_made[i] = make_stand_in<Run>(stand_ins[i]);
}

/// Functions of the program may be called for attributes of them: the lock is not held then.
template <class Run>
void end_stand_ins() {
    stand_ins_in_use<Run>& state = used_stand_ins<Run>;
    {
        const locked hold(state.guard);
        if (state.starts == 0 || --state.starts > 0)
            return;
    }
    for (auto& operation : state.operations)
        if (operation != 0) {
            library<Run>.Op_free(&operation);
            operation = 0;
        }
    for (std::size_t i = 0; i < std::size(stand_ins); ++i)
        if (state.are_made[i]) {
            word& handle = predefined_to_run<Run>[stand_ins[i].id];
            auto type = static_cast<type_of<Run>>(handle);
            state.are_made[i] = false;
            library<Run>.Type_free(&type);
            handle = no_type<Run>();
        }
}

/// What starts MPI, and what ends it.
template <class Run, auto Place>
struct with_stand_ins;

template <class Run, class... Arguments, int (*functions<Run>::*Place)(Arguments...)>
struct with_stand_ins<Run, Place> {
    static int started(Arguments... arguments) {
        const int code = kept<started>(arguments...);
        if (code == 0)
            begin_stand_ins<Run>();
        return code;
    }
    static int ended(Arguments... arguments) {
        end_stand_ins<Run>();
        return kept<ended>(arguments...);
    }
};

} // namespace anympi::emulate
