#pragma once

#include "emulate/datatypes/operands.hpp"
#include "emulate/datatypes/stand_in.hpp"
#include "emulate/large_counts/large_pack.hpp"
#include "emulate/large_counts/large_types.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>

namespace anympi::emulate {

// ---- operations ----

template <class Run>
int operation_on(word type, word operation, word* ours) {
    stand_in_use<Run>& here = stand_in<Run>;
    const bool is_ours = type == standard::mpi_INTEGER16 ? here.is_made : here.is_logical;
    for (std::size_t i = 0; is_ours && i < std::size(operations_16); ++i) {
        if (operations_16[i].id != operation || operations_16[i].type != type)
            continue;
        auto& made = here.operations[i];
        void* const function = reinterpret_cast<void*>(operations_16[i].function);
        const int code = with_handlers_last([&] {
            const locked hold(here.guard);
            return made == 0 ? library<Run>.Op_create(function, 1, &made) : 0;
        });
        if (code != 0)
            return code;
        *ours = made;
    }
    return 0; // the library refuses what MPI does not know
}

template <class Run>
int check_accumulation(word type, word operation, word win) {
    if (operation == standard::mpi_REPLACE || operation == standard::mpi_NO_OP || !has_stand_in<Run>(type))
        return 0;
    library<Run>.Win_call_errhandler(win, Run::mpi_ERR_OP);
    return Run::mpi_ERR_OP;
}

// ---- external32 ----

inline void turn_round(const void* from, void* to, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        char element[stand_in_size];
        std::memcpy(element, static_cast<const char*>(from) + i * stand_in_size, stand_in_size);
        std::reverse(std::begin(element), std::end(element));
        std::memcpy(static_cast<char*>(to) + i * stand_in_size, element, stand_in_size);
    }
}

/// To the library an element is bytes, which it leaves as they are.
template <class Run>
int make_bytes(temporary_type<Run>& element) {
    const int code = library<Run>.Type_contiguous(stand_in_size, predefined<Run>(standard::mpi_BYTE), element.out());
    return code != 0 ? code : library<Run>.Type_commit(element.out());
}

/// Both forms, by the type of their counts. Inside a derived datatype nobody would turn them round.
template <class Run, class Count, class Place, class Pack>
int pack_external(const char* format, const void* from, Count count, word type, void* to, Place room, Place* position,
                  Pack pack) {
    const bool is_one = is_stand_in<Run>(type);
    if (!is_one || count <= 0)
        return !is_one && has_stand_in<Run>(type) ? raise<Run>(Run::mpi_ERR_TYPE)
                                                  : pack(format, from, count, type, to, room, position);
    temporary_type<Run> element;
    if (const int code = make_bytes<Run>(element); code != 0)
        return code;
    void* const turned = std::malloc(static_cast<std::size_t>(count) * stand_in_size);
    if (turned == nullptr)
        return raise<Run>(Run::mpi_ERR_NO_MEM);
    turn_round(from, turned, count);
    const int code = pack(format, turned, count, element, to, room, position);
    std::free(turned);
    return code;
}

template <class Run, class Count, class Place, class Unpack>
int unpack_external(const char* format, const void* from, Place size, Place* position, void* to, Count count, word type,
                    Unpack unpack) {
    const bool is_one = is_stand_in<Run>(type);
    if (!is_one || count <= 0)
        return !is_one && has_stand_in<Run>(type) ? raise<Run>(Run::mpi_ERR_TYPE)
                                                  : unpack(format, from, size, position, to, count, type);
    temporary_type<Run> element;
    int code = make_bytes<Run>(element);
    if (code == 0)
        code = unpack(format, from, size, position, to, count, element);
    if (code == 0)
        turn_round(to, to, count);
    return code;
}

namespace standing_in {

template <class Run>
int Pack_external(const char* format, const void* from, int count, word type, void* to, std::intptr_t room,
                  std::intptr_t* position) {
    return pack_external<Run>(format, from, count, type, to, room, position, kept<Pack_external<Run>>);
}
template <class Run>
int Pack_external_c(const char* format, const void* from, std::int64_t count, word type, void* to, std::int64_t room,
                    std::int64_t* position) {
    return pack_external<Run>(format, from, count, type, to, room, position, kept<Pack_external_c<Run>>);
}
template <class Run>
int Unpack_external(const char* format, const void* from, std::intptr_t size, std::intptr_t* position, void* to,
                    int count, word type) {
    return unpack_external<Run>(format, from, size, position, to, count, type, kept<Unpack_external<Run>>);
}
template <class Run>
int Unpack_external_c(const char* format, const void* from, std::int64_t size, std::int64_t* position, void* to,
                      std::int64_t count, word type) {
    return unpack_external<Run>(format, from, size, position, to, count, type, kept<Unpack_external_c<Run>>);
}

} // namespace standing_in

// ---- taking over ----

/// A large form of ours calls the small one, which has been taken over.
template <auto By>
void take_place_of_library(decltype(By)& place, decltype(By) ours) {
    if (place != ours)
        override_function<By>(place);
}

template <class Run>
void take_over_questions() {
    auto& all = library<Run>;
    override_function<standing_in::Type_get_envelope<Run>>(all.Type_get_envelope);
    override_function<standing_in::Type_get_contents<Run>>(all.Type_get_contents);
    override_function<standing_in::Type_free<Run>>(all.Type_free);
    override_function<standing_in::Type_match_size<Run>>(all.Type_match_size);
    override_function<standing_in::Pack_external<Run>>(all.Pack_external);
    override_function<standing_in::Unpack_external<Run>>(all.Unpack_external);
    take_place_of_library<standing_in::Type_get_envelope_c<Run>>(all.Type_get_envelope_c, Type_get_envelope_c<Run>);
    take_place_of_library<standing_in::Type_get_contents_c<Run>>(all.Type_get_contents_c, Type_get_contents_c<Run>);
    take_place_of_library<standing_in::Pack_external_c<Run>>(all.Pack_external_c, Pack_external_c<Run>);
    take_place_of_library<standing_in::Unpack_external_c<Run>>(all.Unpack_external_c, Unpack_external_c<Run>);
}

template <class Run, auto... Places>
void begin_with() {
    (override_function<with_stand_in<Run, Places>::started>(library<Run>.*Places), ...);
}
template <class Run, auto... Places>
void end_with() {
    (override_function<with_stand_in<Run, Places>::ended>(library<Run>.*Places), ...);
}

/// Open MPI has objects for datatypes that it does not know: which these are it says when it runs.
template <class Run>
void bind_stand_in() {
    using all = functions<Run>;
    if (Run::handles != handle_style::addresses && !lacks_type<Run>(standard::mpi_INTEGER16))
        return;
    begin_with<Run, &all::Init, &all::Init_thread>();
    override_function<standing_in::Session_init<Run>>(library<Run>.Session_init);
    end_with<Run, &all::Finalize, &all::Session_finalize>();
    take_over_questions<Run>();
}

} // namespace anympi::emulate
