// Opens a real MPI library, bound to itself or not, and uses functions that are known to call public names internally:
// MPI-IO and one-sided communication. Ends with 0 if all went well, with 42 as soon as a trap is hit, otherwise with 1.
//
//     real_runtime bound|unbound LIBRARY FILE

#include "runtime/open/image.hpp"
#include "runtime/open/rebind.hpp"
#include "traps.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

int trapped(const char* name) {
    std::fprintf(stderr, "trap: %s\n", name);
    std::_Exit(42);
}

namespace {

using anympi::runtime::image_list;
using anympi::runtime::rebinding;

using word = std::uintptr_t; // can hold a handle of any ABI

void* library;

void* symbol(const char* name) {
    return dlsym(library, name);
}

// The properties of an ABI that the calls below need.
struct constants {
    word comm_world;
    word info_null;
    word type_int;
    word type_byte;
    word op_sum;
    word status_ignore;
    int create_read_write;
};

constants constants_of_library() {
    const auto address = [](const char* name) { return reinterpret_cast<word>(symbol(name)); };
    if (symbol("ompi_mpi_comm_world") != nullptr)
        return {address("ompi_mpi_comm_world"),
                address("ompi_mpi_info_null"),
                address("ompi_mpi_int"),
                address("ompi_mpi_byte"),
                address("ompi_mpi_op_sum"),
                0,
                1 | 8};
    if (std::strstr(anympi::runtime::image(*static_cast<link_map*>(library)).soname(), "_abi") != nullptr)
        return {0x101, 0x130, 0x209, 0x207, 0x21, 0, 2 | 32};
    return {0x44000000, 0x1c000000, 0x4c000405, 0x4c00010d, 0x58000003, 1, 1 | 8};
}

template <class... Arguments>
void call(const char* name, Arguments... arguments) {
    auto* function = reinterpret_cast<int (*)(Arguments...)>(symbol(name));
    const int code = function != nullptr ? function(arguments...) : -1;
    if (code == 0)
        return;
    std::fprintf(stderr, "%s returned %d\n", name, code);
    std::_Exit(1);
}

void write_file(const constants& mpi, const char* path) {
    word file = 0;
    char text[] = "written by all\n";
    call("MPI_File_open", mpi.comm_world, path, mpi.create_read_write, mpi.info_null, &file);
    call("MPI_File_write_all", file, text, 15, mpi.type_byte, mpi.status_ignore);
    call("MPI_File_close", &file);
}

// Every process adds two to the first process's forty.
void accumulate(const constants& mpi, word window, int* sum) {
    int more = 2;
    *sum = 40;
    call("MPI_Win_fence", 0, window);
    call("MPI_Accumulate", &more, 1, mpi.type_int, 0, word{0}, 1, mpi.type_int, mpi.op_sum, window);
    call("MPI_Win_fence", 0, window);
}

int expected_sum(const constants& mpi) {
    int rank = 0;
    int size = 0;
    call("MPI_Comm_rank", mpi.comm_world, &rank);
    call("MPI_Comm_size", mpi.comm_world, &size);
    return rank == 0 ? 40 + 2 * size : 40;
}

// The sum is not checked, because Debian's MPICH 4.0.2 does not change memory that it did not allocate.
void use_created_window(const constants& mpi) {
    word window = 0;
    int sum = 0;
    call("MPI_Win_create", &sum, word{sizeof sum}, int{sizeof sum}, mpi.info_null, mpi.comm_world, &window);
    accumulate(mpi, window, &sum);
    call("MPI_Win_free", &window);
}

void use_allocated_window(const constants& mpi) {
    word window = 0;
    int* sum = nullptr;
    call("MPI_Win_allocate", word{sizeof *sum}, int{sizeof *sum}, mpi.info_null, mpi.comm_world, &sum, &window);
    accumulate(mpi, window, sum);
    if (const int expected = expected_sum(mpi); *sum != expected) {
        std::fprintf(stderr, "accumulated %d, not %d\n", *sum, expected);
        std::_Exit(1);
    }
    call("MPI_Win_free", &window);
}

void bind_library_to_itself() {
    static image_list runtime;
    runtime.collect(static_cast<link_map*>(library), image_list::members::all);
    const rebinding result = anympi::runtime::rebind(runtime);
    if (result.refused != nullptr) {
        std::fprintf(stderr, "%s: %s\n", result.refused, std::strerror(result.error));
        std::_Exit(1);
    }
}

} // namespace

int main(int count, char** arguments) {
    if (count != 4)
        return 1;
    const bool bound = std::strcmp(arguments[1], "bound") == 0;
    library = dlopen(arguments[2], RTLD_LOCAL | RTLD_LAZY);
    if (library == nullptr) {
        std::fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    if (bound)
        bind_library_to_itself();
    const constants mpi = constants_of_library();
    call("MPI_Init", nullptr, nullptr);
    write_file(mpi, arguments[3]);
    use_created_window(mpi);
    use_allocated_window(mpi);
    call("MPI_Finalize");
    const rebinding done = anympi::runtime::total_rebinding();
    std::printf("%u objects, %u references, %u openers, %u unknown\n", done.objects, done.references, done.openers,
                done.unknown);
}
