#pragma once

#include "emulate/engine/error.hpp"
#include "emulate/engine/override.hpp"

#include <cstdlib>
#include <cstring>

namespace anympi::emulate {

// MPI_Remove_error_class and related functions, for a runtime that cannot remove added classes and codes. A removed
// number stays in the runtime without a text, and is the next to be added. MPICH 3.4 has only some hundred classes.

struct added;
struct class_of_codes;

/// Memory for a class or code that the program adds. It is allocated before the runtime is asked for the number.
class added_note {
public:
    added_note();
    ~added_note();
    added_note(const added_note&) = delete;
    added_note& operator=(const added_note&) = delete;

    bool lacks_memory() const { return made == nullptr || spare_class == nullptr; }
    void keep(int number, int of_class); // `of_class` is `number` if a class was added

private:
    added* made;
    class_of_codes* spare_class; // used for the first code of a class
};

/// Add the most recently removed class, or code of a class, again. Return the number, or 0 if nothing was removed.
int take_removed_class();
int take_removed_code(int of_class);

/// Sets the text, which must come from malloc; nullptr removes it. Returns false if the number was never added.
bool note_text(int number, char* text);

/// Returns the class of an added number, or 0 if it was not added.
int class_of_added(int number);

/// Copies the text of an added number, or an empty text. Returns false if the number was not added.
bool text_of_added(int number, char* text, int room);

/// Remove an added class or code. Return false if the number was not added as a class or code, was already removed, has
/// a text, or is a class that has codes.
bool remove_added_class(int number);
bool remove_added_code(int number);

namespace with_reused_codes {

/// Stores the number `again`; if that is 0, calls `add` to make a new one. For a class, `of_class` points to the number
/// itself.
template <class Run, class Add>
int add_number(int* number, const int* of_class, int again, Add add) {
    if (again != 0) {
        *number = again;
        return 0;
    }
    added_note note;
    if (note.lacks_memory())
        return raise<Run>(Run::mpi_ERR_NO_MEM);
    const int code = add();
    if (code == 0 && number != nullptr)
        note.keep(*number, *of_class);
    return code;
}

template <class Run>
int Add_error_class(int* number) {
    return add_number<Run>(number, number, number != nullptr ? take_removed_class() : 0,
                           [number] { return original<Add_error_class<Run>>(number); });
}

template <class Run>
int Add_error_code(int of_class, int* number) {
    return add_number<Run>(number, &of_class, number != nullptr ? take_removed_code(of_class) : 0,
                           [=] { return original<Add_error_code<Run>>(of_class, number); });
}

template <class Run>
int Add_error_string(int number, const char* text) {
    char* const copy = text != nullptr ? strdup(text) : nullptr;
    if (text != nullptr && copy == nullptr)
        return raise<Run>(Run::mpi_ERR_NO_MEM);
    const int code = original<Add_error_string<Run>>(number, text);
    if (code == 0)
        note_text(number, copy);
    else
        std::free(copy);
    return code;
}

/// Returns the class of a code. Open MPI does not know the class of an added class (4.1.4 to 5.0.11).
template <class Run>
int Error_class(int code, int* error_class) {
    const int of_added = error_class != nullptr && Run::is_added_code(code) ? class_of_added(code) : 0;
    if (of_added == 0)
        return original<Error_class<Run>>(code, error_class);
    *error_class = of_added;
    return 0;
}

} // namespace with_reused_codes

template <class Run>
int Remove_error_string(int number) {
    return note_text(number, nullptr) ? original<with_reused_codes::Add_error_string<Run>>(number, "")
                                      : raise<Run>(Run::mpi_ERR_OTHER);
}

template <class Run>
int Remove_error_class(int number) {
    return remove_added_class(number) ? 0 : raise<Run>(Run::mpi_ERR_OTHER);
}

template <class Run>
int Remove_error_code(int number) {
    return remove_added_code(number) ? 0 : raise<Run>(Run::mpi_ERR_OTHER);
}

} // namespace anympi::emulate
