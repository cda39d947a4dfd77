#pragma once

#include "convert/address_windows.hpp"
#include "convert/handle.hpp"
#include "runtime/message.hpp"

#include <string_view>

namespace anympi {

/// True if numbers of objects come from address windows. Numbers are handles as integers (MPI_Comm_toint, MPI_Comm_c2f
/// …). If the program's handles are integers, the handle is its own number. Otherwise:
/// - A predefined handle has the number that Fortran programs of the ABI know, below 4096.
/// - Another handle has a number outside of 0..4095. If the library's handles are integers, the number is the handle.
///   If not, programs of the standard ABI get a number of convert/address_windows.hpp.
/// - In the remaining cases the number is the library's: of MPI_*_toint in libraries of the standard ABI, or the small
///   index of MPI_*_c2f in Open MPI, shifted by index_shift.
template <class P, object O>
inline constexpr bool has_windows = P::app::handles == handle_style::small_constants &&
                                    sizeof(run_handle<P, O>) == sizeof(word);

/// Stops the process if a number of the library looks like a number of address_windows, because it would stand for
/// another object.
inline void refuse_number_of_ours(int number) {
    if (address_windows::is_number(number))
        runtime::stop("cannot convert an MPI handle to an integer: its address is too far from all other MPI objects.");
}

template <class Run>
inline constexpr int index_shift = Run::handles == handle_style::small_constants ? 0
                                                                                 : static_cast<int>(predefined_limit);

/// Returns the one of two functions that the runtime has.
template <class P, class Function>
Function choose_numbering(Function by_index, Function by_number) {
    return P::run::handles == handle_style::small_constants ? by_number : by_index;
}

/// The Fortran numbers of predefined objects of an ABI that counts them from 0 in each class. Objects that
/// App::fortran_numbers does not list keep their ids, which are larger than all numbers in the list.
template <class App>
struct listed_numbers {
    static constexpr std::size_t limit = 128; // above all listed numbers, and not above any id that is its own number
    std::uint16_t number[predefined_limit]{};
    std::uint16_t id[object_classes][limit]{};

    constexpr listed_numbers() {
        for (const auto& handle : predefined_handles<App>) {
            number[handle.id] = static_cast<std::uint16_t>(handle.id);
            const std::string_view name = handle.value != nullptr ? handle.value : std::string_view{};
            for (const auto& listed : App::fortran_numbers)
                if (name == listed.object)
                    add(handle.id, handle.of, listed.number);
        }
    }

private:
    constexpr void add(word of, object in, int listed) {
        number[of] = static_cast<std::uint16_t>(listed);
        if (auto& here = id[static_cast<int>(in)][listed]; here == 0) // two names may stand for one object
            here = static_cast<std::uint16_t>(of);
    }
};
template <class App>
inline constexpr listed_numbers<App> numbers_of{};

template <class App>
int number_of_id(word id) {
    if constexpr (App::handles == handle_style::addresses)
        return numbers_of<App>.number[id];
    else
        return static_cast<int>(id);
}

template <class App, object O>
word id_of_number(int number) {
    if constexpr (App::handles == handle_style::addresses)
        if (number < static_cast<int>(listed_numbers<App>::limit))
            return numbers_of<App>.id[static_cast<int>(O)][number];
    return static_cast<word>(number);
}

/// Returns the id of a handle of the program, or 0 if it is not predefined.
template <class P, object O>
word id_in_program(word handle) {
    if constexpr (P::app::handles == handle_style::small_constants) {
        return handle < predefined_limit ? handle : 0;
    } else {
        if (handle == 0 || (handle & made_by_runtime) != 0)
            return 0;
        if (handle == program_null<P, O>())
            return null_id<O>; // most frequent: completed requests become null
        for (const auto& known : predefined_handles<typename P::app>)
            if (predefined_to_app<typename P::app>[known.id] == handle)
                return known.id;
        return 0;
    }
}

template <class P, object O>
inline constexpr bool program_handle_is_number = sizeof(app_handle<P, O>) == sizeof(int);
template <class P, object O>
inline constexpr bool handle_is_its_number = sizeof(run_handle<P, O>) == sizeof(int);

template <class P, object O>
int number_of(app_handle<P, O> handle, int (*index_of)(word)) {
    if constexpr (program_handle_is_number<P, O>)
        return static_cast<int>(handle);
    else if (P::app::handles == handle_style::integers) // MPI_File
        return index_of != nullptr && handle != 0 ? index_of(to_run<P, O>(handle)) : 0;
    if (const word id = id_in_program<P, O>(handle); id != 0)
        return number_of_id<typename P::app>(id);
    if constexpr (handle_is_its_number<P, O>)
        return static_cast<int>(handle);
    // A call that failed may have left no handle at all, and only the program's error handler learned of the error.
    const word object = to_run<P, O>(handle);
    if (object == 0)
        return number_of_id<typename P::app>(null_id<O>);
    if constexpr (has_windows<P, O>)
        if (const std::uint32_t number = windows_of<O>.number_of(object); number != 0) [[likely]]
            return static_cast<int>(number);
    if (index_of == nullptr)
        return number_of_id<typename P::app>(null_id<O>);
    const int index = index_of(object) + index_shift<typename P::run>;
    if constexpr (has_windows<P, O>)
        refuse_number_of_ours(index);
    return index;
}

template <class P, object O>
app_handle<P, O> object_of(int number, word (*object_at)(int)) {
    if constexpr (program_handle_is_number<P, O>)
        return static_cast<app_handle<P, O>>(number);
    else if (P::app::handles == handle_style::integers)
        return object_at != nullptr && number != 0 ? to_app<P, O>(object_at(number)) : 0;
    if (number >= 0 && number < static_cast<int>(predefined_limit))
        return predefined_of_program<typename P::app>(id_of_number<typename P::app, O>(number));
    if constexpr (handle_is_its_number<P, O>)
        return made_to_program<P>(static_cast<std::uint32_t>(number));
    if constexpr (has_windows<P, O>)
        if (address_windows::is_number(number))
            return windows_of<O>.address_of(number);
    return object_at != nullptr ? to_app<P, O>(object_at(number - index_shift<typename P::run>)) : 0;
}

} // namespace anympi
