// Compares src/abi/X.hpp with a real header. Prints the differences and the number of comparisons.
//
// tests/house/facts.py writes facts.inc next to the program, from api/constants.api and the names in the header:
//     CONSTANT(MPI_X, mpi_X)            the header has it   LACKS(MPI_X, mpi_X)   it does not
//     VALUE(MPI_X, number)              the number of the standard   HANDLE(Comm, comm)   a class of handles
//     CAME_WITH(MPI_X, function, has)   the library has the function just if the header has MPI_X
//     FUNCTION(MPI_X_FN, list, place)   a predefined attribute function, named in a list of src/abi/

#include MPI_HEADER
#include ABI_HEADER

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <type_traits>

namespace {

using Abi = anympi::ABI;
using anympi::handle_style;
using anympi::object;

int compared = 0;

bool exported(const char* symbol) {
    return dlsym(RTLD_DEFAULT, symbol) != nullptr;
}

// Returns the bits of a constant of the header, which may be an integer, an enumerator, or the address of an object or
// a function.
template <class T>
std::uintptr_t bits(T value) {
    if constexpr (std::is_pointer_v<T>)
        return reinterpret_cast<std::uintptr_t>(value);
    else
        return static_cast<std::uintptr_t>(value);
}

// Returns the value for a name: Open MPI's handles are addresses of symbols, MPICH's sentinels are contents of symbols.
std::uintptr_t bits(const char* symbol) {
    void* const place = dlsym(RTLD_DEFAULT, symbol);
    if (place == nullptr || Abi::handles == handle_style::addresses)
        return reinterpret_cast<std::uintptr_t>(place);
    return *static_cast<std::uintptr_t*>(place);
}

// Returns a handle that only newer libraries have, by the symbols that src/abi/ lists for it. Returns null if all
// libraries have the handle.
template <class A>
const anympi::newer_handle* newer(std::uintptr_t value) {
    if constexpr (requires { A::newer_handles; })
        for (const auto& handle : A::newer_handles)
            if (handle.value == value)
                return &handle;
    return nullptr;
}

bool offered(const anympi::newer_handle& handle) {
    return exported(handle.witness) && (handle.second_witness == nullptr || exported(handle.second_witness));
}

// Returns true for a value that this ABI does not have.
template <class Ours>
bool absent(Ours ours) {
    if constexpr (std::is_same_v<Ours, int>)
        return ours == Abi::absent;
    return false;
}

bool is_null_handle(const char* name) {
    return std::strstr(name, "_NULL") != nullptr;
}

// Checks that src/abi/ expects this handle in the library just if the header has it. The null handle of a class that
// the library lacks reaches no function.
template <class Ours>
void check_presence(const char* name, Ours ours, bool has) {
    if constexpr (std::is_same_v<Ours, std::uint32_t>) {
        if (is_null_handle(name))
            return;
        const auto* const handle = newer<Abi>(ours);
        if (has ? handle != nullptr && !offered(*handle) : handle == nullptr || offered(*handle))
            std::printf("presence %s: the header %s it, src/abi says otherwise\n", name, has ? "has" : "lacks");
    }
}

template <class Ours, class Theirs>
void compare(const char* name, Ours ours, Theirs theirs) {
    ++compared;
    std::uintptr_t wanted = bits(theirs), value = bits(ours);
    if constexpr (!std::is_same_v<Ours, const char*> && sizeof(Ours) == 4)
        wanted = static_cast<std::uint32_t>(wanted), value = static_cast<std::uint32_t>(value); // -1 is not a large
                                                                                                // number
    if (wanted == value)
        check_presence(name, ours, true);
    else if (Abi::name == anympi::abi::mpich && wanted == bits(MPI_DATATYPE_NULL) &&
             std::is_same_v<Ours, std::uint32_t>)
        std::printf("null %s\n", name), check_presence(name, ours, false);
    else
        std::printf("differs %s=%ld, not %ld\n", name, static_cast<long>(wanted), static_cast<long>(value));
}

template <class Ours>
void lacks(const char* name, Ours ours) {
    ++compared;
    if (!absent(ours))
        check_presence(name, ours, false);
}

void came_with(const char* name, const char* function, bool has) {
    ++compared;
    if (exported(function) != has)
        std::printf("presence %s: the header %s it, the library and %s say otherwise\n", name, has ? "has" : "lacks",
                    function);
}

template <class Function>
void predefined_function(const char* name, const char* symbol, Function theirs) {
    ++compared;
    if (bits(theirs) != (symbol == nullptr ? 0 : reinterpret_cast<std::uintptr_t>(dlsym(RTLD_DEFAULT, symbol))))
        std::printf("differs %s: it is not %s\n", name, symbol == nullptr ? "null" : symbol);
}

// Compares the private part of a status, in which the family keeps the count and the mark of a cancelled operation.
template <class Status, class A>
constexpr bool same_private_part() {
    if constexpr (A::name == anympi::abi::mpich)
        return offsetof(Status, count_lo) == offsetof(typename A::status, count_low) &&
               offsetof(Status, count_hi_and_cancelled) == offsetof(typename A::status, count_high_and_cancelled);
    else if constexpr (A::name == anympi::abi::openmpi)
        return offsetof(Status, _cancelled) == offsetof(typename A::status, cancelled) &&
               offsetof(Status, _ucount) == offsetof(typename A::status, count);
    else
        return true; // the standard gives it no names
}

// anympi's status may be inside the status of another ABI, with a smaller alignment.
static_assert(sizeof(MPI_Status) == sizeof(Abi::status) && alignof(MPI_Status) >= alignof(Abi::status));
static_assert(offsetof(MPI_Status, MPI_SOURCE) == offsetof(Abi::status, source));
static_assert(offsetof(MPI_Status, MPI_TAG) == offsetof(Abi::status, tag));
static_assert(offsetof(MPI_Status, MPI_ERROR) == offsetof(Abi::status, error));
static_assert(same_private_part<MPI_Status, Abi>());
static_assert(sizeof(MPI_Aint) == 8 && sizeof(MPI_Count) == 8 && sizeof(MPI_Offset) == 8);

#define HANDLE(Class, name) static_assert(sizeof(MPI_##Class) == sizeof(Abi::handle<object::name>));
#define CONSTANT(name, member)
#define LACKS(name, member)
#define VALUE(name, value)
#define CAME_WITH(name, function, has)
#define FUNCTION(name, list, place)
#include "facts.inc"
#undef HANDLE
#undef CONSTANT
#undef LACKS
#undef VALUE
#undef CAME_WITH
#undef FUNCTION

} // namespace

int main() {
#define HANDLE(Class, name)
#define CONSTANT(name, member) compare(#name, Abi::member, name);
#define LACKS(name, member) lacks(#name, Abi::member);
#define VALUE(name, value) compare(#name, static_cast<std::intptr_t>(value), name);
#define CAME_WITH(name, function, has) came_with(#name, #function, has);
#define FUNCTION(name, list, place) predefined_function(#name, Abi::list[place], name);
#include "facts.inc"
    std::printf("compared %d\n", compared);
    return 0;
}
