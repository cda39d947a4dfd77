#include "runtime/open/open.hpp"

#include "runtime/message.hpp"
#include "runtime/open/dynamic_linker.hpp"
#include "runtime/open/prepare.hpp"
#include "runtime/open/rebind.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

namespace anympi::runtime {
namespace {

// --- messages ---

struct cause {
    const char* in_text; // a part of the loader's message
    const char* advice;
};

// The first matching cause counts.
constexpr cause causes[] = {
    {"GLIBC", "It was built for a newer system than this one: choose another MPI library."},
    {"undefined symbol",
     "A library that it needs is of another version: load the environment that belongs to this MPI."},
    {"wrong ELF class", "It was built for another kind of processor: choose another MPI library."},
    {"failed to map segment",
     "Its file system does not allow programs to run (mount option noexec), or memory is exhausted."},
    {"cannot open shared object file",
     "A library that it needs is not found: load the module of this MPI, or add the folder to LD_LIBRARY_PATH."},
};

const char* advice_for(const char* error) {
    for (const cause& known : causes)
        if (std::strstr(error, known.in_text) != nullptr)
            return known.advice;
    return "Choose another MPI library with ANYMPI_MPI; `anympi list` shows what there is.";
}

[[noreturn]] void stop_unopened(const library& mpi) {
    const char* error = linker.error();
    error = error != nullptr ? error : "unknown error";
    stop("%s cannot be opened: %s\n%s", describe(mpi).text, error, advice_for(error));
}

[[noreturn]] void stop_unbound(const library& mpi, const rebinding& result) {
    stop("%s cannot be bound to itself: writing to the references of %s was refused (%s).\n"
         "Its own calls of MPI functions would reach the program's. A security filter of this process must allow "
         "mprotect.",
         describe(mpi).text, result.refused, std::strerror(result.error));
}

[[noreturn]] void stop_unanswered(const library& mpi, const char* fault) {
    stop("%s was opened (%s), but %s.\n"
         "Choose another MPI library with ANYMPI_MPI; `anympi list` shows what there is.",
         describe(mpi).text, mpi.path, fault);
}

// --- opening ---

// True while this thread opens the runtime or calls it for the check of its answers.
thread_local bool opens = false;

class opening {
public:
    opening() { opens = true; }
    ~opening() { opens = false; }
    opening(const opening&) = delete;
    opening& operator=(const opening&) = delete;
};

// Makes the front global. Debian's Open MPI 4.1 opens itself again with RTLD_GLOBAL in MPI_Init. If the front was
// loaded locally (by a Python module), the next module would find Open MPI's functions before the front's. The front
// must also stay loaded, because the runtime holds addresses in the front. In static mode the front is a part of the
// program, which is global and always stays loaded.
void make_front_global() {
    const char* file = own_file();
    if (*file != '\0')
        linker.open(file, RTLD_NOLOAD | RTLD_GLOBAL | RTLD_NODELETE | RTLD_LAZY);
    linker.error();
}

// Libraries that the runtime needs and whose plug-ins expect them in the global scope. A program that is linked with
// its MPI has them there.
constexpr const char* expected_global[] = {
    "libhwloc.so", // its plug-ins do not work if dlopen(NULL) does not find it (hwloc 2.9 with Debian's MPICH 4.0.2)
};

void make_dependencies_global(const image_list& objects) {
    for (const image& object : objects.objects())
        for (const char* name : expected_global)
            if (std::strncmp(object.soname(), name, std::strlen(name)) == 0)
                linker.open(object.file(), RTLD_NOLOAD | RTLD_GLOBAL | RTLD_LAZY);
    linker.error();
}

// Opens the library by its absolute path, because the front may have the same soname. RTLD_LOCAL, so that no other
// object of the program binds to it; RTLD_LAZY, because some installations have symbols that are never called and
// nowhere defined.
link_map* load(const library& mpi) {
    link_map* root = nullptr;
    void* handle = linker.open(mpi.path, RTLD_LOCAL | RTLD_LAZY);
    if (handle == nullptr || linker.info(handle, RTLD_DI_LINKMAP, &root) != 0)
        stop_unopened(mpi);
    return root;
}

image_list* new_list() {
    void* const memory = std::malloc(sizeof(image_list));
    return memory != nullptr ? new (memory) image_list : nullptr;
}

// Makes a call that every MPI allows at any time. If the call came back to the front, the front would find is_opening()
// and stop.
void ask_for_version(const library& mpi, const opened& runtime) {
    using get_version = int(int* version, int* subversion);
    int version = 0;
    int subversion = 0;
    auto* ask = reinterpret_cast<get_version*>(symbol(runtime, "PMPI_Get_version"));
    if (ask == nullptr)
        stop_unanswered(mpi, "it does not define PMPI_Get_version");
    if (ask(&version, &subversion) != 0 || version < 1)
        stop_unanswered(mpi, "PMPI_Get_version does not answer");
}

} // namespace

bool is_opening() {
    return opens;
}

opened open(const library& mpi) {
    const opening marked;
    find_dynamic_linker();
    make_front_global();
    prepare_to_open(mpi);
    link_map* const root = load(mpi);
    image_list* const objects = new_list();
    if (objects == nullptr || !objects->collect(root, image_list::members::all))
        stop("memory is exhausted.");
    make_dependencies_global(*objects);
    return {objects, mpi.lineage};
}

void forget(const opened& runtime) {
    runtime.objects->release();
    std::free(runtime.objects);
}

void bind_to_itself(const library& mpi, const opened& runtime, position of_runtime) {
    const rebinding result = rebind(*runtime.objects, of_runtime);
    if (result.refused != nullptr)
        stop_unbound(mpi, result);
    say_if_verbose("%s is open and bound to itself (objects %u, references to MPI %u, to dlopen %u, unknown %u).",
                   mpi.path, result.objects, result.references, result.openers, result.unknown);
}

void check_answers(const library& mpi, const opened& runtime) {
    const opening marked;
    prepare_to_start(mpi, runtime);
    ask_for_version(mpi, runtime);
}

void* symbol(const opened& runtime, const char* name) {
    const symbol_name wanted(name);
    for (const image& object : runtime.objects->objects())
        if (void* address = object.find(wanted); address != nullptr && object.contains(address))
            return address;
    return nullptr;
}

} // namespace anympi::runtime
