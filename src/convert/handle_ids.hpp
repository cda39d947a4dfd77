#pragma once

#include "convert/pair.hpp"
#include "predefined.hpp" // generated: predefined_handles<Abi>

namespace anympi {

/// The *id* of a predefined object is its number in the standard ABI, whatever the two sides call the object. The ids
/// of all classes are different and below `predefined_limit`. No object has the id 0. null_id is the id of the null
/// handle of a class.
template <object O>
inline constexpr word null_id = [] {
    for (const auto& entry : predefined_handles<standard>)
        if (entry.of == O)
            return entry.id; // null has the first number of the range of its class
    return word{0};
}();

/// The runtime's handle of each predefined object, by id. Unused entries are 0, which every library rejects.
template <class Run>
inline word predefined_to_run[predefined_limit]{};

/// The program's handle of each predefined object, by id. In the standard ABI the handle is the id. In an ABI with
/// addresses it is the address of a data object of the front, which the linker may have copied into the program
/// (src/front/common/bind_pair.hpp fills this table).
template <class App>
inline word predefined_to_app[predefined_limit]{};

template <class App>
inline word predefined_of_program(word id) {
    if constexpr (App::handles == handle_style::small_constants)
        return id;
    else
        return predefined_to_app<App>[id];
}

/// The null handle of a class in an ABI with integer handles.
template <class Abi, object O>
inline constexpr handle_of<Abi, O> integer_null = [] {
    for (const auto& entry : predefined_handles<Abi>)
        if (entry.id == null_id<O>)
            return static_cast<handle_of<Abi, O>>(entry.value);
    return handle_of<Abi, O>{0};
}();

/// Returns the program's null handle of a class.
template <class P, object O>
inline app_handle<P, O> program_null() {
    using app = typename P::app;
    if constexpr (app::handles == handle_style::integers)
        return integer_null<app, O>;
    else
        return static_cast<app_handle<P, O>>(predefined_of_program<app>(null_id<O>));
}

/// Returns the library's null handle of a class.
template <class Run, object O>
inline handle_of<Run, O> library_null() {
    if constexpr (Run::handles == handle_style::integers && O == object::request)
        return integer_null<Run, O>;
    else
        return static_cast<handle_of<Run, O>>(predefined_to_run<Run>[null_id<O>]);
}

/// Returns true if a handle that is passed in a register is the library's null handle of a class.
template <class Run, object O>
inline bool is_library_null(word handle) {
    return static_cast<handle_of<Run, O>>(handle) == library_null<Run, O>();
}

/// Returns the null handle of a class for the runtime of a pair. The table is empty if both sides have the same ABI.
template <class P, object O>
inline run_handle<P, O> runtime_null() {
    if constexpr (is_direct<P>)
        return static_cast<run_handle<P, O>>(null_id<O>);
    else
        return library_null<typename P::run, O>();
}

} // namespace anympi
