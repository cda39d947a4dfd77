#include "runtime/open/rebind.hpp"

#include "arch/dlopen.hpp"
#include "base/text.hpp"
#include "runtime/message.hpp"
#include "runtime/open/dynamic_linker.hpp"

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

namespace anympi::runtime {
namespace {

// Set before any reference leads to anympi_dlopen.
std::atomic<const image_list*> active;

// The number of threads that have opened plug-ins which may not be bound yet. (Plug-ins opened by names without a
// folder are also in a list.)
std::atomic<unsigned> binding_threads;

class binding {
public:
    binding() { binding_threads.fetch_add(1, std::memory_order_relaxed); }
    ~binding() { binding_threads.fetch_sub(1, std::memory_order_release); }
    binding(const binding&) = delete;
    binding& operator=(const binding&) = delete;
};

bool is_newer(const link_map* object, unsigned long long mark) {
    bool newer = false;
    with_object_list_locked([&](const dl_phdr_info& first) {
        unsigned long long from_object_on = 0;
        for (const link_map* other = object; other != nullptr; other = record_of(other).l_next)
            ++from_object_on;
        newer = from_object_on <= first.dlpi_adds - mark;
    });
    return newer;
}

rebinding rebind_plugin(void* handle, unsigned long long mark) {
    link_map* root = nullptr;
    if (linker.info(handle, RTLD_DI_LINKMAP, &root) != 0 || !is_newer(root, mark))
        return {};
    image_list plugin;
    rebinding result;
    if (plugin.collect(root, image_list::members::newer_than_root)) {
        if (has_references(plugin))
            result = rewrite_references(plugin, *active.load(std::memory_order_acquire));
    } else {
        result.refused = root->l_name;
        result.error = ENOMEM;
    }
    plugin.release();
    return result;
}

// Binds a plug-in that was opened after the mark. If that fails, prints a message with the consequence and returns
// false: the plug-in would call the front instead of the runtime.
bool bind_opened(void* plugin, unsigned long long mark, const char* consequence) {
    const rebinding result = rebind_plugin(plugin, mark);
    if (result.refused == nullptr)
        return true;
    say("the MPI library's plug-in %s cannot be bound to it (%s). %s", result.refused, std::strerror(result.error),
        consequence);
    return false;
}

// --- plug-ins opened by names without a folder ---

struct opened_by_name {
    opened_by_name* next;
    unsigned long long mark;
    char name[NAME_MAX + 1];
};
std::atomic<opened_by_name*> waiting;

const char* base_name(const char* path) {
    const char* slash = std::strrchr(path, '/');
    return slash != nullptr ? slash + 1 : path;
}

void remember(const char* path) {
    const char* name = base_name(path);
    const std::size_t length = std::strlen(name);
    auto* entry = static_cast<opened_by_name*>(std::malloc(sizeof(opened_by_name)));
    if (entry == nullptr || length >= sizeof entry->name) {
        std::free(entry);
        return;
    }
    entry->mark = objects_ever_loaded();
    std::memcpy(entry->name, name, length + 1);
    entry->next = waiting.load(std::memory_order_relaxed);
    while (!waiting.compare_exchange_weak(entry->next, entry, std::memory_order_release, std::memory_order_relaxed)) {
    }
}

// The file that the loader found for a name without a folder. It is taken from the loader's list, without a file system
// call.
struct loaded_file {
    const char* name;
    path_text path;
};

bool find_loaded(loaded_file& file) {
    return dl_iterate_phdr(
               [](dl_phdr_info* object, std::size_t, void* data) {
                   auto& wanted = *static_cast<loaded_file*>(data);
                   if (std::strcmp(base_name(object->dlpi_name), wanted.name) != 0)
                       return 0;
                   wanted.path.append("%s", object->dlpi_name);
                   return 1;
               },
               &file) != 0;
}

void rebind_named(const opened_by_name& plugin) {
    loaded_file file{plugin.name, {}};
    file.path.reserve(); // must not allocate while the list of objects is locked
    if (!find_loaded(file) || file.path.cut)
        return;
    // This call waits for a thread that is still loading the plug-in.
    if (void* handle = linker.open(file.path.text, RTLD_NOLOAD | RTLD_LAZY)) {
        bind_opened(handle, plugin.mark, "Its MPI calls will reach the wrong library.");
        linker.close(handle);
    }
    linker.error(); // the runtime must not find the error of this attempt
}

// --- the dlopen of the runtime ---

void* open_by_path(const char* name, int flags) {
    const unsigned long long mark = objects_ever_loaded();
    const binding marked;
    void* handle = linker.open(name, flags);
    if (handle == nullptr || bind_opened(handle, mark, "It is not used."))
        return handle;
    linker.close(handle);
    return nullptr;
}

// Chooses the function that opens a plug-in. glibc uses the function to which dlopen returns for two things: its
// RUNPATH for names without a folder, and its folder for $ORIGIN.
anympi_opener* choose_opener(const char* name) {
    rebind_plugins();
    const bool needs_caller = name == nullptr || std::strchr(name, '/') == nullptr || std::strchr(name, '$') != nullptr;
    if (!needs_caller)
        return open_by_path;
    if (name != nullptr)
        remember(name);
    return linker.open.address.load(std::memory_order_relaxed);
}

} // namespace

rebinding rebind(const image_list& runtime, position of_runtime) {
    find_dynamic_linker();
    anympi_choose_opener.store(choose_opener, std::memory_order_relaxed);
    learn_names_of_front(of_runtime);
    active.store(&runtime, std::memory_order_release);
    return rewrite_references(runtime, runtime);
}

void rebind_plugins() {
    if (waiting.load(std::memory_order_relaxed) == nullptr)
        return;
    const binding marked;
    opened_by_name* entry = waiting.exchange(nullptr, std::memory_order_acquire);
    while (entry != nullptr) {
        opened_by_name* next = entry->next;
        rebind_named(*entry);
        std::free(entry);
        entry = next;
    }
}

bool has_unbound_plugins() {
    return binding_threads.load(std::memory_order_acquire) != 0 || waiting.load(std::memory_order_acquire) != nullptr;
}

} // namespace anympi::runtime
