#pragma once

#include "base/array.hpp"
#include "convert/attribute.hpp"
#include "emulate/engine/override.hpp"
#include "emulate/large_counts/pieces.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <tuple>

namespace anympi::emulate {

/// The arguments of a constructor with large counts that has made a datatype. The runtime knows this datatype only as
/// made by its own constructors. The program gets the arguments that it passed.
///
/// The record is an attribute of the datatype, so it lives as long as the datatype. Open MPI's MPI_Type_get_contents
/// returns copies of inner datatypes without attributes, so the copies get their records again. For this reason, a
/// datatype that a small constructor makes from datatypes with records also has a record, which holds only the inner
/// records.
template <class Run>
struct large_record {
    std::atomic<int> references; // number of datatypes and other records that refer to it
    bool is_of_small;            // a small constructor made the datatype, and the runtime knows its arguments
    int combiner;
    int integer_count;
    int type_count;
    std::int64_t large_count;
    int* integers;
    std::int64_t* counts;
    large_record** inner; // the record of each inner datatype; may be nullptr
    type_of<Run>* types;  // the inner datatypes if all are predefined, otherwise unused
    /// A datatype of the runtime that keeps the inner datatypes alive and can return them; may be null.
    type_of<Run> holder;
};

template <class Run>
void drop(large_record<Run>* record) {
    if (record == nullptr || record->references.fetch_sub(1, std::memory_order_acq_rel) != 1)
        return;
    for (int i = 0; i < record->type_count; ++i)
        drop(record->inner[i]);
    if (!is_library_null<Run, object::datatype>(record->holder))
        library<Run>.Type_free(&record->holder);
    std::free(record);
}

template <class Run>
int delete_large_record(type_of<Run>, int, void* value, void*) {
    drop(static_cast<large_record<Run>*>(value));
    return 0;
}

template <class Run>
struct large_records {
    lock guard;
    std::atomic<bool> are_used{false};
    int keyval; // the keyval of the attribute
};
template <class Run>
inline large_records<Run> records{};

/// Sets `found` to the record of a datatype, or to nullptr. Returns the runtime's error code.
template <class Run>
int find_record(word type, large_record<Run>** found) {
    *found = nullptr;
    if (!records<Run>.are_used.load(std::memory_order_acquire) || is_library_null<Run, object::datatype>(type))
        return 0; // the function that the program called reports a null handle
    int is_there = 0;
    void* value = nullptr;
    const int code = library<Run>.Type_get_attr(type, records<Run>.keyval, &value, &is_there);
    if (code == 0 && is_there != 0)
        *found = static_cast<large_record<Run>*>(value);
    return code;
}

/// Like find_record, but finds only records of large constructors.
template <class Run>
int find_large(word type, large_record<Run>** found) {
    const int code = find_record<Run>(type, found);
    if (*found != nullptr && (*found)->is_of_small)
        *found = nullptr;
    return code;
}

template <class Run>
int attach(type_of<Run> type, large_record<Run>* record) {
    record->references.fetch_add(1, std::memory_order_relaxed);
    const int code = library<Run>.Type_set_attr(type, records<Run>.keyval, record);
    if (code != 0)
        drop(record);
    return code;
}

/// Attaches the inner records to copies of the inner datatypes that have lost them.
template <class Run>
int restore_records(const large_record<Run>& record, const type_of<Run>* types) {
    int code = 0;
    for (int i = 0; i < record.type_count && code == 0; ++i) {
        large_record<Run>* its_own = nullptr;
        if (record.inner[i] == nullptr)
            continue;
        code = find_record<Run>(types[i], &its_own);
        if (code == 0 && its_own == nullptr)
            code = attach<Run>(types[i], record.inner[i]);
    }
    return code;
}

// ---- queries by the program ----

namespace recorded {

/// Returns the envelope of a datatype. The small functions cannot represent large counts, so they report an error of
/// class MPI_ERR_TYPE.
template <class Run>
int Type_get_envelope(word type, int* integers, int* addresses, int* types, int* combiner) {
    large_record<Run>* record = nullptr;
    if (const int code = find_large<Run>(type, &record); code != 0)
        return code;
    if (record != nullptr)
        return raise<Run>(Run::mpi_ERR_TYPE);
    return original<Type_get_envelope<Run>>(type, integers, addresses, types, combiner);
}

template <class Run>
int Type_get_contents(word type, int most_integers, int most_addresses, int most_types, int* integers,
                      std::intptr_t* addresses, type_of<Run>* types) {
    large_record<Run>* record = nullptr;
    if (const int code = find_record<Run>(type, &record); code != 0)
        return code;
    if (record != nullptr && !record->is_of_small)
        return raise<Run>(Run::mpi_ERR_TYPE);
    const int code =
        original<Type_get_contents<Run>>(type, most_integers, most_addresses, most_types, integers, addresses, types);
    return code == 0 && record != nullptr ? restore_records<Run>(*record, types) : code;
}

} // namespace recorded

template <class Run>
int Type_get_envelope_c(word type, std::int64_t* integers, std::int64_t* addresses, std::int64_t* counts,
                        std::int64_t* types, int* combiner) {
    if (integers == nullptr || addresses == nullptr || counts == nullptr || types == nullptr || combiner == nullptr)
        return raise<Run>(Run::mpi_ERR_ARG);
    large_record<Run>* record = nullptr;
    if (const int code = find_large<Run>(type, &record); code != 0)
        return code;
    if (record != nullptr) {
        *integers = record->integer_count;
        *addresses = 0;
        *counts = record->large_count;
        *types = record->type_count;
        *combiner = record->combiner;
        return 0;
    }
    int small[3] = {};
    const int code = library<Run>.Type_get_envelope(type, &small[0], &small[1], &small[2], combiner);
    if (code == 0) {
        *integers = small[0];
        *addresses = small[1];
        *counts = 0;
        *types = small[2];
    }
    return code;
}

/// Returns the inner datatypes, with their records.
template <class Run>
int give_types(const large_record<Run>& record, type_of<Run>* types) {
    if (record.type_count <= 0)
        return 0;
    if (is_library_null<Run, object::datatype>(record.holder)) {
        std::copy_n(record.types, record.type_count, types);
        return 0;
    }
    const auto count = static_cast<std::size_t>(record.type_count);
    scratch<int, 64> integers(count + 1);
    scratch<std::intptr_t, 64> addresses(count);
    if (integers.lacks_memory() || addresses.lacks_memory())
        return raise<Run>(Run::mpi_ERR_NO_MEM);
    const int code = library<Run>.Type_get_contents(record.holder, record.type_count + 1, record.type_count,
                                                    record.type_count, integers.data(), addresses.data(), types);
    return code == 0 ? restore_records<Run>(record, types) : code;
}

template <class Run>
int Type_get_contents_c(word type, std::int64_t most_integers, std::int64_t most_addresses, std::int64_t most_counts,
                        std::int64_t most_types, int* integers, std::intptr_t* addresses, std::int64_t* counts,
                        type_of<Run>* types) {
    large_record<Run>* record = nullptr;
    if (const int code = find_large<Run>(type, &record); code != 0)
        return code;
    if (record == nullptr)
        return library<Run>.Type_get_contents(type, clamped(most_integers), clamped(most_addresses),
                                              clamped(most_types), integers, addresses, types);
    if (!has_room(integers, most_integers, record->integer_count) ||
        !has_room(counts, most_counts, record->large_count) || !has_room(types, most_types, record->type_count))
        return raise<Run>(Run::mpi_ERR_ARG);
    std::copy_n(record->integers, record->integer_count, integers);
    std::copy_n(record->counts, record->large_count, counts);
    return give_types<Run>(*record, types);
}

// ---- making records ----

/// Some arguments of a constructor, in the order in which MPI_Type_get_contents returns them.
template <class T>
struct arguments {
    const T* from;
    std::int64_t count;
};
template <class T>
using argument_list = std::initializer_list<arguments<T>>;

template <class T>
std::int64_t total(argument_list<T> parts) {
    std::int64_t sum = 0;
    for (const arguments<T>& part : parts)
        sum += part.count;
    return sum;
}
template <class T>
void copy_all(argument_list<T> parts, T* to) {
    for (const arguments<T>& part : parts)
        to = std::copy_n(part.from, part.count, to);
}

/// Allocates a record for these numbers, with one reference. Returns nullptr if memory is exhausted.
template <class Run>
large_record<Run>* make_record(int combiner, argument_list<int> integers, argument_list<std::int64_t> counts,
                               int type_count) {
    const std::int64_t integer_count = total(integers);
    const std::int64_t large_count = total(counts);
    const auto numbers = static_cast<std::size_t>(large_count) * sizeof(std::int64_t);
    const auto pointers = static_cast<std::size_t>(type_count) * (sizeof(large_record<Run>*) + sizeof(type_of<Run>));
    void* const room = std::calloc(1, sizeof(large_record<Run>) + numbers + pointers +
                                          static_cast<std::size_t>(integer_count) * sizeof(int));
    if (room == nullptr)
        return nullptr;
    auto* const record = static_cast<large_record<Run>*>(room);
    record->references.store(1, std::memory_order_relaxed);
    record->combiner = combiner;
    record->integer_count = static_cast<int>(integer_count);
    record->type_count = type_count;
    record->large_count = large_count;
    record->counts = reinterpret_cast<std::int64_t*>(record + 1);
    record->inner = reinterpret_cast<large_record<Run>**>(record->counts + large_count);
    record->types = reinterpret_cast<type_of<Run>*>(record->inner + type_count);
    record->integers = reinterpret_cast<int*>(record->types + type_count);
    record->holder = library_null<Run, object::datatype>();
    copy_all(integers, record->integers);
    copy_all(counts, record->counts);
    return record;
}

/// Frees a new datatype for which no record could be made. Returns `code`, the reason.
template <class Run>
int free_made(type_of<Run>* made, int code) {
    library<Run>.Type_free(made);
    return code;
}

/// Adds references to the records of the inner datatypes.
template <class Run>
int share_records(large_record<Run>& record, const type_of<Run>* types) {
    for (int i = 0; i < record.type_count; ++i) {
        if (const int code = find_record<Run>(types[i], &record.inner[i]); code != 0)
            return code;
        if (record.inner[i] != nullptr)
            record.inner[i]->references.fetch_add(1, std::memory_order_relaxed);
    }
    return 0;
}

/// Keeps the inner datatypes alive, because the program may free all except predefined ones.
template <class Run>
int keep_types(large_record<Run>& record, const type_of<Run>* types) {
    if (record.type_count <= 0)
        return 0;
    const auto count = static_cast<std::size_t>(record.type_count);
    if (std::all_of(types, types + count, [](type_of<Run> type) { return is_predefined<Run>(type); })) {
        std::copy_n(types, count, record.types);
        return 0;
    }
    scratch<int, 64> lengths(count);
    scratch<std::intptr_t, 64> places(count);
    if (lengths.lacks_memory() || places.lacks_memory())
        return raise<Run>(Run::mpi_ERR_NO_MEM);
    std::fill_n(lengths.data(), count, 0);
    std::fill_n(places.data(), count, 0);
    const int code = share_records<Run>(record, types);
    return code != 0 ? code
                     : library<Run>.Type_create_struct(record.type_count, lengths.data(), places.data(), types,
                                                       &record.holder);
}

/// Lets `fill` complete the record of a new datatype, and attaches it. `record` is nullptr if memory is exhausted. On
/// failure the datatype is freed. Returns the error code.
template <class Run, class Fill>
int attach_or_free(type_of<Run>* made, large_record<Run>* record, Fill fill) {
    int code = record != nullptr ? fill(*record) : raise<Run>(Run::mpi_ERR_NO_MEM);
    if (code == 0)
        code = attach<Run>(*made, record);
    drop(record);
    return code == 0 ? 0 : free_made<Run>(made, code);
}

// ---- small constructors ----

/// Records the inner datatypes of a datatype that a small constructor has made, if some have records. On failure the
/// datatype is freed.
template <class Run>
int record_inner_types(type_of<Run>* made, const type_of<Run>* types, int count) {
    large_record<Run>* found = nullptr;
    int code = 0;
    for (int i = 0; i < count && code == 0 && found == nullptr; ++i)
        code = find_record<Run>(types[i], &found);
    if (code != 0)
        return free_made<Run>(made, code);
    if (found == nullptr)
        return 0;
    return attach_or_free<Run>(made, make_record<Run>(0, {}, {}, count), [types](large_record<Run>& record) {
        record.is_of_small = true;
        return share_records<Run>(record, types);
    });
}

template <class Run, auto Place>
struct constructor_with_records;

template <class Run, class... Arguments, int (*functions<Run>::*Place)(Arguments...)>
struct constructor_with_records<Run, Place> {
    using list = std::tuple<Arguments...>;
    static constexpr std::size_t last =
        sizeof...(Arguments) - 1; // index of the result; most constructors have the inner datatypes before it
    static constexpr bool is_of_many = std::is_same_v<std::tuple_element_t<last - 1, list>, const type_of<Run>*>;
    static constexpr bool comes_first = std::is_same_v<std::tuple_element_t<0, list>, word>;

    static int call(Arguments... arguments) {
        const int code = original<call>(arguments...);
        if (code != 0)
            return code;
        const list all(arguments...);
        if constexpr (is_of_many) {
            return record_inner_types<Run>(std::get<last>(all), std::get<last - 1>(all), std::get<0>(all));
        } else {
            const auto inside = static_cast<type_of<Run>>(std::get < comes_first ? 0 : last - 1 > (all));
            return record_inner_types<Run>(std::get<last>(all), &inside, 1);
        }
    }
};

/// Creates the attribute key of the records and installs the overrides of the small functions. Called before the first
/// record is made.
template <class Run>
int prepare_records() {
    return with_handlers_last([] {
        large_records<Run>& state = records<Run>;
        const locked hold(state.guard);
        if (state.are_used.load(std::memory_order_relaxed))
            return 0;
        const int code =
            library<Run>.Type_create_keyval(predefined_functions<Run, object::datatype>.null_copy,
                                            reinterpret_cast<void*>(delete_large_record<Run>), &state.keyval, nullptr);
        if (code != 0)
            return code;
        install_overrides<Run>(moment::large_datatype);
        state.are_used.store(true, std::memory_order_release);
        return 0;
    });
}

// ---- large constructors ----

/// Records the arguments with which a datatype was made. On failure the datatype is freed. A datatype with more inner
/// datatypes than an int can count gets no record, so the program sees the runtime's constructor.
template <class Run>
int remember(type_of<Run>* made, int combiner, argument_list<int> integers, argument_list<std::int64_t> counts,
             const type_of<Run>* types, std::int64_t type_count) {
    if (type_count > INT_MAX)
        return 0;
    if (const int code = prepare_records<Run>(); code != 0)
        return free_made<Run>(made, code);
    return attach_or_free<Run>(made, make_record<Run>(combiner, integers, counts, static_cast<int>(type_count)),
                               [types](large_record<Run>& record) { return keep_types<Run>(record, types); });
}

} // namespace anympi::emulate
