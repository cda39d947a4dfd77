#include "runtime/open/rewrite_references.hpp"

#include "arch/dlopen.hpp"
#include "arch/relocation.hpp"
#include "base/text.hpp"
#include "runtime/find/sonames.hpp"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <optional>
#include <span>
#include <sys/mman.h>

namespace anympi::runtime {
namespace {

// --- which references are rewritten ---

enum class reference : unsigned char { other, mpi, opener };

reference kind_of(const char* name) {
    if (*name == 'd')
        return std::strcmp(name, "dlopen") == 0 ? reference::opener : reference::other;
    return is_mpi_name(name) ? reference::mpi : reference::other;
}

// Returns true for names that fronts export and no MPI library has: the private interface between anympi's libraries,
// names for backtraces (arch/backtrace_name.hpp), and the hook for the start-up code of libraries
// (front/common/two_abis.cpp). The runtime's references to the hook must stay unchanged.
bool is_own_name(const char* name) {
    return std::strncmp(name, "anympi_", 7) == 0 || std::strcmp(name, "__gmon_start__") == 0;
}

// Returns true if the front exports names that do not belong to MPI. These are names of the vendor whose programs the
// front serves, mostly of data. Another library of that vendor also has them, whatever ABI it is used by. In static
// mode, other names that the program exports are ignored. The front of the standard ABI exports no other names, so its
// names are not examined, which would slow down the start.
bool exports_others(const image& front) {
    if (*front.soname() != '\0' && std::strcmp(front.soname(), soname_of(abi::standard)) != 0)
        for (const Elf64_Sym& symbol : front.definitions())
            if (kind_of(front.name(symbol)) == reference::other && !is_own_name(front.name(symbol)))
                return true;
    return false;
}

std::atomic<bool> front_exports_others; // if false, names need not be looked up

// The interposers of this process. None of them is closed, and none is opened later.
class interposer_images {
public:
    void collect() {
        for_each_object([&](const dl_phdr_info& object) {
            if (const image candidate = image_of(object); name_of_interposer(candidate) != nullptr && size_ < most)
                images_[size_++].emplace(candidate);
        });
    }
    bool define(const char* name) const {
        const symbol_name wanted(name);
        for (std::size_t i = 0; i < size_; ++i)
            if (images_[i]->find(wanted) != nullptr)
                return true;
        return false;
    }

private:
    static constexpr std::size_t most = 8;
    std::optional<image> images_[most];
    std::size_t size_ = 0;
};
constinit interposer_images interposers;
std::atomic<position> place_of_runtime{position::apart};

class front_names {
public:
    const char* soname() const { return front_.soname(); }
    reference kind_of_reference(const char* name) const {
        const reference kind = kind_of(name);
        if (place_of_runtime_ == position::before_front)
            return kind != reference::mpi || interposers.define(name) ? kind : reference::other;
        const bool is_ours =
            kind == reference::other && has_others_ && front_.find(symbol_name(name)) != nullptr && !is_own_name(name);
        return is_ours ? reference::mpi : kind;
    }

private:
    image front_ = own_image();
    bool has_others_ = front_exports_others.load(std::memory_order_relaxed);
    position place_of_runtime_ = place_of_runtime.load(std::memory_order_relaxed);
};

// Looks at the imported names first: most objects do not use MPI, and some libraries that hwloc's plug-ins load (Mesa,
// LLVM) have huge tables. A library that defines MPI functions may refer to them without importing them.
bool has_references(const image& object, const front_names& front) {
    for (const Elf64_Sym& symbol : object.imports())
        if (front.kind_of_reference(object.name(symbol)) != reference::other)
            return true;
    return object.find(symbol_name("PMPI_Init")) != nullptr || object.find(symbol_name("MPI_Init")) != nullptr;
}

// --- rewriting them ---

// The part of an object that the loader makes read-only after relocation. The first reference in it makes the whole
// part writable; it is made read-only again at the end.
class relro {
public:
    explicit relro(const dl_phdr_info& segments) {
        for (const auto& segment : std::span(segments.dlpi_phdr, segments.dlpi_phnum)) {
            if (segment.p_type != PT_GNU_RELRO)
                continue;
            const std::uintptr_t begin = segments.dlpi_addr + segment.p_vaddr;
            begin_ = begin & -arch::page_size();
            end_ = (begin + segment.p_memsz) &
                   -arch::page_size(); // the loader also leaves a last page writable that is shared with other data
        }
    }
    ~relro() {
        if (open_)
            protect(PROT_READ);
    }
    relro(const relro&) = delete;
    relro& operator=(const relro&) = delete;

    bool make_writable(const void* slot) {
        const auto address = reinterpret_cast<std::uintptr_t>(slot);
        if (!open_ && address >= begin_ && address < end_)
            open_ = protect(PROT_READ | PROT_WRITE);
        return open_ || address < begin_ || address >= end_;
    }

private:
    bool protect(int protection) const {
        return mprotect(reinterpret_cast<void*>(begin_), end_ - begin_, protection) == 0;
    }

    std::uintptr_t begin_ = 0;
    std::uintptr_t end_ = 0;
    bool open_ = false;
};

// Writes a pointer in one store; it may be unaligned in a table of a packed structure. ThreadSanitizer does not see the
// loader's lock.
__attribute__((noinline, no_sanitize("thread"))) void store(std::byte* slot, const void* value) {
    std::memcpy(slot, &value, sizeof value);
}

class rewriter {
public:
    rewriter(const image& object, const dl_phdr_info& segments, const image_list& runtime, const front_names& front,
             rebinding& result)
        : object_(object), runtime_(runtime), front_(front), result_(result), closed_(segments) {}

    void run() {
        for (const Elf64_Rela& entry : object_.references())
            rewrite(entry);
        for (const Elf64_Rela& entry : object_.calls())
            rewrite(entry);
    }

private:
    void rewrite(const Elf64_Rela& entry) {
        const auto type = ELF64_R_TYPE(entry.r_info);
        if (!arch::relocations.contain(type))
            return;
        const Elf64_Sym& symbol = object_.symbol(ELF64_R_SYM(entry.r_info));
        const reference kind = front_.kind_of_reference(object_.name(symbol));
        if (kind == reference::other)
            return;
        void* target = kind == reference::mpi ? definition_of(symbol) : reinterpret_cast<void*>(anympi_dlopen);
        const Elf64_Sxword addend = arch::relocations.have_addend(type) ? entry.r_addend : 0;
        if (target == nullptr)
            ++result_.unknown;
        else if (write(object_.at(entry.r_offset), static_cast<std::byte*>(target) + addend))
            ++(kind == reference::mpi ? result_.references : result_.openers);
    }

    void* definition_of(const Elf64_Sym& symbol) const {
        const bool is_runtime_itself = object_.dynamic() == runtime_.objects().front().dynamic();
        if (is_runtime_itself && symbol.st_shndx != SHN_UNDEF)
            return object_.address(symbol);
        return runtime_.find(object_.name(symbol));
    }

    bool write(std::byte* slot, const void* value) {
        if (!closed_.make_writable(slot)) {
            result_.refused = object_.file();
            result_.error = errno;
            return false;
        }
        store(slot, value);
        return true;
    }

    const image& object_;
    const image_list& runtime_;
    const front_names& front_;
    rebinding& result_;
    relro closed_;
};

// The objects that are bound to the runtime, identified by their dynamic sections. Written while the list of objects is
// locked.
class bound_objects {
public:
    void add(const void* dynamic) {
        const unsigned count = count_.load(std::memory_order_relaxed);
        if (count == most || contains(dynamic))
            return;
        entries_[count] = dynamic;
        count_.store(count + 1, std::memory_order_release);
    }
    // If there are too many objects, those that did not fit count as bound.
    bool contains(const void* dynamic) const {
        const unsigned count = count_.load(std::memory_order_acquire);
        for (unsigned i = 0; i < count; ++i)
            if (entries_[i] == dynamic)
                return true;
        return count == most;
    }

private:
    static constexpr unsigned most = 256;
    const void* entries_[most] = {};
    std::atomic<unsigned> count_ = 0;
};
constinit bound_objects bound;

// Totals for total_rebinding().
std::atomic<unsigned> all_objects;
std::atomic<unsigned> all_references;
std::atomic<unsigned> all_openers;
std::atomic<unsigned> all_unknown;

bool belongs_to_program(const image& object, const image& runtime, const front_names& front) {
    const char* name = front.soname();
    return *name != '\0' && std::strcmp(name, runtime.soname()) != 0 && object.needs(name);
}

} // namespace

void learn_names_of_front(position of_runtime) {
    if (of_runtime == position::before_front)
        interposers.collect();
    place_of_runtime.store(of_runtime, std::memory_order_relaxed);
    front_exports_others.store(exports_others(own_image()), std::memory_order_relaxed);
}

bool has_references(const image_list& objects) {
    const front_names front;
    for (const image& object : objects.objects())
        if (has_references(object, front))
            return true;
    return false;
}

rebinding rewrite_references(const image_list& objects, const image_list& runtime) {
    struct job {
        const image_list& objects;
        const image_list& runtime;
        front_names front;
        rebinding result;
    } all{objects, runtime, {}, {}};
    // All work is done in the callback, because there the object cannot be closed and no other thread does the same.
    dl_iterate_phdr(
        [](dl_phdr_info* segments, std::size_t, void* data) {
            auto& [objects, runtime, front, result] = *static_cast<job*>(data);
            const void* wanted = dynamic_section(*segments);
            for (image& object : objects.objects()) {
                if (object.dynamic() != wanted)
                    continue;
                object.place(*segments);
                if (!has_references(object, front) || belongs_to_program(object, runtime.objects().front(), front))
                    continue;
                ++result.objects;
                rewriter(object, *segments, runtime, front, result).run();
                bound.add(object.dynamic());
            }
            return 0;
        },
        &all);
    all_objects += all.result.objects;
    all_references += all.result.references;
    all_openers += all.result.openers;
    all_unknown += all.result.unknown;
    return all.result;
}

bool is_bound_to_runtime(const image& object) {
    return bound.contains(object.dynamic());
}

bool is_mpi_name(const char* name) {
    if (*name == 'P')
        ++name;
    if (name[0] != 'M' || name[1] != 'P' || name[2] != 'I')
        return false;
    return name[name[3] == 'X' ? 4 : 3] == '_';
}

bool imports_mpi(const image& object) {
    return object.imports_any(is_mpi_name);
}

rebinding total_rebinding() {
    return {all_objects, all_references, all_openers, all_unknown};
}

} // namespace anympi::runtime
