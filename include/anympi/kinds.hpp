// The objects of MPI by their kind.
//
// In some mpi.h the handles of all kinds are int, so the type of a handle does not tell what it is. Functions that
// depend on the kind take an Object<Kind>, never a bare handle: the first argument of ANYMPI_CALL, ANYMPI_REQUIRE and
// ANYMPI_FAIL, and of start(), complete() and describe(). Owned::where() returns it. It converts to its handle, so it
// can be passed to functions of MPI.
#ifndef ANYMPI_KINDS_HPP
#define ANYMPI_KINDS_HPP

#include <cstdint>
#include <type_traits>

#include "facts.hpp"

namespace anympi::shared {

// The kinds, as all policies know them. `null_text` is the error if a function is called on a null object. It is
// nullptr for kinds on which no errors are reported, because their names would not help.
namespace kinds {
#define ANYMPI_OBJECT_KIND(Name, Type, NULL_HANDLE, INVALID, null_text_)                                               \
    struct Name {                                                                                                      \
        using kind = Name;                                                                                             \
        using type = Type;                                                                                             \
        static constexpr int invalid = INVALID;                                                                        \
        static constexpr const char* null_text = null_text_;                                                           \
        static type null() noexcept { return NULL_HANDLE; }                                                            \
    };
ANYMPI_OBJECT_KIND(Comm, MPI_Comm, MPI_COMM_NULL, MPI_ERR_COMM, "the communicator is null")
ANYMPI_OBJECT_KIND(Win, MPI_Win, MPI_WIN_NULL, MPI_ERR_WIN, "the window is null")
ANYMPI_OBJECT_KIND(Type, MPI_Datatype, MPI_DATATYPE_NULL, MPI_ERR_TYPE, "the datatype is null")
ANYMPI_OBJECT_KIND(File, MPI_File, MPI_FILE_NULL, MPI_ERR_FILE, "the file is null")
ANYMPI_OBJECT_KIND(Session, MPI_Session, MPI_SESSION_NULL, MPI_ERR_SESSION, "the session is null")
ANYMPI_OBJECT_KIND(Group, MPI_Group, MPI_GROUP_NULL, MPI_ERR_GROUP, nullptr)
ANYMPI_OBJECT_KIND(Info, MPI_Info, MPI_INFO_NULL, MPI_ERR_INFO, nullptr)
ANYMPI_OBJECT_KIND(Op, MPI_Op, MPI_OP_NULL, MPI_ERR_OP, nullptr)
ANYMPI_OBJECT_KIND(Errhandler, MPI_Errhandler, MPI_ERRHANDLER_NULL, MPI_ERR_ERRHANDLER, nullptr)
// The next kinds are keys of attributes.
ANYMPI_OBJECT_KIND(TypeKey, int, MPI_KEYVAL_INVALID, MPI_ERR_KEYVAL, nullptr)
ANYMPI_OBJECT_KIND(CommKey, int, MPI_KEYVAL_INVALID, MPI_ERR_KEYVAL, nullptr)
ANYMPI_OBJECT_KIND(WinKey, int, MPI_KEYVAL_INVALID, MPI_ERR_KEYVAL, nullptr)
#undef ANYMPI_OBJECT_KIND
} // namespace kinds

/// A handle, its kind, and the facts that its owner knows. It owns nothing.
template <class Kind>
class Object {
public:
    using type = typename Kind::type;
    constexpr explicit Object(type handle, const Facts<Kind>* facts = nullptr) noexcept
        : handle_(handle), facts_(facts) {}
    [[nodiscard]] constexpr type handle() const noexcept { return handle_; }
    constexpr operator type() const noexcept { return handle_; }
    [[nodiscard]] bool is_null() const noexcept { return handle_ == Kind::null(); }
    /// Returns what is known, or nullptr if nobody remembers it.
    [[nodiscard]] constexpr const Facts<Kind>* facts() const noexcept { return facts_.get(); }

private:
    type handle_;
    [[no_unique_address]] FactsPointer<Kind> facts_;
};
using CommObject = Object<kinds::Comm>;
using WinObject = Object<kinds::Win>;
using FileObject = Object<kinds::File>;
/// Stands for the object of calls that concern the whole program.
inline CommObject world() noexcept {
    return CommObject(MPI_COMM_WORLD);
}

/// A handle of any kind as a number, for objects that store handles of several kinds.
template <class Handle>
std::uintptr_t number_of(Handle handle) noexcept {
    if constexpr (std::is_pointer_v<Handle>)
        return reinterpret_cast<std::uintptr_t>(handle);
    else
        return static_cast<std::uintptr_t>(handle);
}
template <class Handle>
Handle handle_of(std::uintptr_t number) noexcept {
    if constexpr (std::is_pointer_v<Handle>)
        return reinterpret_cast<Handle>(number);
    else
        return static_cast<Handle>(number);
}

} // namespace anympi::shared

#endif
