#include "runtime/open/dynamic_linker.hpp"

#include "runtime/message.hpp"
#include "runtime/open/image.hpp"

#include <span>

namespace anympi::runtime {

constinit dynamic_linker linker{};

namespace {

struct definition {
    symbol_name name;
    void* address = nullptr;
};

// Sets the addresses, each to the definition in the first loaded object that has the name. Returns false if a name is
// not found.
bool find_loaded(std::span<definition> wanted) {
    return dl_iterate_phdr(
               [](dl_phdr_info* segments, std::size_t, void* data) {
                   if (dynamic_section(*segments) == nullptr)
                       return 0;
                   const image object = image_of(*segments);
                   int is_complete = 1;
                   for (definition& one : *static_cast<std::span<definition>*>(data)) {
                       if (one.address == nullptr)
                           one.address = object.find(one.name);
                       if (one.address == nullptr)
                           is_complete = 0;
                   }
                   return is_complete;
               },
               &wanted) != 0;
}

// glibc 2.3 to 2.33 load their own plug-ins (for names of hosts, for example) with a function in libc.so.6. The
// function is not public, but those versions no longer change.
bool load_libdl() {
    constexpr int called_as_dlopen = static_cast<int>(0x80000000U); // the function requires this bit
    using private_dlopen = void*(const char* name, int mode);
    auto* const load = reinterpret_cast<private_dlopen*>(runtime::find_loaded("__libc_dlopen_mode"));
    return load != nullptr && load("libdl.so.2", RTLD_LAZY | called_as_dlopen) != nullptr;
}

template <class result, class... arguments>
void set(found_function<result, arguments...>& member, const definition& found) {
    member.address = reinterpret_cast<result (*)(arguments...)>(found.address);
}

} // namespace

void* find_loaded(const char* name) {
    definition wanted[] = {{symbol_name(name)}};
    find_loaded(std::span(wanted));
    return wanted[0].address;
}

void find_dynamic_linker() {
    if (linker.open.address != nullptr)
        return;
    definition wanted[] = {
        {symbol_name("dlopen")}, {symbol_name("dlclose")}, {symbol_name("dlerror")}, {symbol_name("dlinfo")}};
    if (!find_loaded(std::span(wanted)) && !(load_libdl() && find_loaded(std::span(wanted))))
        stop("no MPI library can be opened, because libdl.so.2 of this system's C library cannot be loaded.\n"
             "Start the program with LD_PRELOAD=libdl.so.2.");
    set(linker.close, wanted[1]);
    set(linker.error, wanted[2]);
    set(linker.info, wanted[3]);
    set(linker.open, wanted[0]); // last, because it shows that all functions are set
}

} // namespace anympi::runtime
