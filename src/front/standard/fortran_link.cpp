#include "front/standard/fortran_link.hpp"

#include "base/lock.hpp"
#include "front/common/bind_runtime.hpp"
#include "runtime/message.hpp"
#include "runtime/open/image.hpp"

#include <cstring>
#include <link.h>

namespace anympi {

namespace {

constinit lock guard;
const fast_path::procedure* procedures = nullptr; // the fast-path procedures of the pair that is bound
void* const* functions_bound = nullptr;
bool is_bound = false;                          // true if a runtime of any ABI is bound
const fortran_side* of_other_release = nullptr; // a Fortran library of another release, until the warning is printed

// Replaces a procedure, unless the runtime lacks its function. If a tool has replaced the C function, the procedure
// stays on the full path, so that the tool sees the calls from Fortran.
void replace(const fast_path::procedure& by, void*& full_path, fortran_row& row) {
    if (functions_bound[static_cast<int>(by.of)] == missing_functions[static_cast<int>(by.of)])
        return;
    full_path = row.slots[fortran_row::without_tools];
    for (int i = 0; i < 2; ++i)
        if (row.functions[i] == row.functions[fortran_row::without_tools])
            __atomic_store_n(&row.slots[i], by.code, __ATOMIC_RELEASE);
}

void replace_all() {
    using namespace fast_path;
    if (procedures == nullptr || program.release == nullptr)
        return;
    for (int i = 0; i < procedure_count; ++i)
        replace(procedures[i], full_path[i],
                i < by_address_count ? program.by_address[i] : program.by_descriptor[i - by_address_count]);
}

// Returns the name of the loaded file that contains the address.
const char* file_that_holds(const void* address) {
    struct search {
        const void* address;
        const char* file;
    } found{address, ""};
    dl_iterate_phdr(
        [](dl_phdr_info* object, std::size_t, void* data) {
            auto& wanted = *static_cast<search*>(data);
            if (runtime::place_of(*object).contains(wanted.address))
                wanted.file = object->dlpi_name;
            return 0;
        },
        &found);
    return found.file;
}

// Warns once, when MPI is used, that two files come from different releases. A process that only loads the files gets
// no warning.
void warn_of_other_release() {
    if (!is_bound || of_other_release == nullptr)
        return;
    runtime::say_for_job(
        "libmpifort_abi and libmpi_abi come from different releases of anympi:\n"
        "%s is of release %s,\n"
        "%s is of release %s.\n"
        "The program runs, but its Fortran calls are slower.\n"
        "Install both libraries from one release, and check that LD_LIBRARY_PATH and LD_PRELOAD lead to no other.",
        file_that_holds(of_other_release), of_other_release->release, runtime::own_file(), ANYMPI_RELEASE);
    of_other_release = nullptr;
}

} // namespace

void use_fast_paths(const fast_path::procedure* of_pair, void* const* targets) {
    const locked hold(guard);
    procedures = of_pair;
    functions_bound = targets;
    replace_all();
}

void check_fortran_release() {
    const locked hold(guard);
    is_bound = true;
    warn_of_other_release();
}

} // namespace anympi

// Registers the first Fortran library. A second one in the process, with other common blocks, stays on the full path.
[[gnu::visibility("default")]] void anympi_meet_fortran_1(const anympi::fortran_side* side) {
    using namespace anympi;
    const locked hold(guard);
    if (std::strcmp(side->release, ANYMPI_RELEASE) != 0) {
        of_other_release = side;
        return warn_of_other_release();
    }
    if (fast_path::program.release != nullptr)
        return;
    fast_path::program = *side;
    replace_all();
}
