#pragma once

#include "convert/handle.hpp"

namespace anympi {

/// Handles as integers (MPI_Comm_toint, MPI_Comm_c2f …). Where the program's handles are integers they are their own
/// numbers. Else a predefined handle is its number in the standard ABI, a user handle some other number outside of
/// 0..4095. Libraries with integer handles give the handle itself, those of the standard ABI such a number
/// (MPI_*_toint); the others a small index (MPI_*_c2f), which is moved up.
template <class Run>
inline constexpr int index_shift = Run::handles == handle_style::small_constants ? 0
                                                                                 : static_cast<int>(predefined_limit);

/// Of two functions of the runtime, the one that it has.
template <class P, class Function>
Function numbering(Function by_index, Function by_number) {
    return P::run::handles == handle_style::small_constants ? by_number : by_index;
}

/// The id of a handle of the program; 0: it is not predefined.
template <class P>
word id_in_program(word handle) {
    if constexpr (P::app::handles == handle_style::small_constants)
        return handle < predefined_limit ? handle : 0;
    else
        for (const auto& known : predefined_handles<typename P::app>)
            if (handle != 0 && predefined_to_app<typename P::app>[known.id] == handle)
                return known.id;
    return 0;
}

template <class P, object O>
inline constexpr bool program_handle_is_number = sizeof(app_handle<P, O>) == sizeof(int);
template <class P, object O>
inline constexpr bool handle_is_its_number = sizeof(run_handle<P, O>) == sizeof(int);

template <class P, object O>
int number_of(app_handle<P, O> handle, int (*index_of)(word)) {
    if constexpr (program_handle_is_number<P, O>)
        return static_cast<int>(handle);
    else if (P::app::handles == handle_style::integers) // a file
        return index_of != nullptr && handle != 0 ? index_of(to_run<P, O>(handle)) : 0;
    if (const word id = id_in_program<P>(handle); id != 0)
        return static_cast<int>(id);
    if constexpr (handle_is_its_number<P, O>)
        return static_cast<int>(handle);
    else
        return index_of != nullptr ? index_of(to_run<P, O>(handle)) + index_shift<typename P::run> : 0;
}

template <class P, object O>
app_handle<P, O> object_of(int number, word (*object_at)(int)) {
    if constexpr (program_handle_is_number<P, O>)
        return static_cast<app_handle<P, O>>(number);
    else if (P::app::handles == handle_style::integers)
        return object_at != nullptr && number != 0 ? to_app<P, O>(object_at(number)) : 0;
    if (number >= 0 && number < static_cast<int>(predefined_limit))
        return predefined_of_program<typename P::app>(static_cast<word>(number));
    if constexpr (handle_is_its_number<P, O>)
        return made_to_program<P>(static_cast<std::uint32_t>(number));
    else
        return object_at != nullptr ? to_app<P, O>(object_at(number - index_shift<typename P::run>)) : 0;
}

} // namespace anympi
