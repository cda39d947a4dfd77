#include "front/common/other_front.hpp"

#include "runtime/identify/note.hpp"
#include "runtime/message.hpp"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <link.h>

namespace anympi {

namespace {

struct fronts {
    const char* names[2];
    int count;
};

/// Returns true if a segment of notes holds ours. A note has a header, a name and a descriptor, each padded to four
/// bytes.
bool holds_our_note(const char* notes, std::size_t size) {
    while (size >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) header;
        std::memcpy(&header, notes, sizeof header);
        const std::size_t name = (header.n_namesz + 3) & ~std::size_t{3};
        const std::size_t whole = sizeof header + name + ((header.n_descsz + 3) & ~std::size_t{3});
        if (whole > size)
            return false;
        if (header.n_type == runtime::note_type && header.n_namesz == sizeof runtime::note_owner &&
            std::memcmp(notes + sizeof header, runtime::note_owner, sizeof runtime::note_owner) == 0)
            return true;
        notes += whole;
        size -= whole;
    }
    return false;
}

int count_front(dl_phdr_info* object, std::size_t, void* found) {
    auto& all = *static_cast<fronts*>(found);
    if (!is_front(*object))
        return 0;
    if (all.count < 2)
        all.names[all.count] = object->dlpi_name[0] != '\0' ? object->dlpi_name : program_invocation_name;
    ++all.count;
    return 0;
}

} // namespace

bool is_front(const dl_phdr_info& object) {
    for (int i = 0; i < object.dlpi_phnum; ++i) {
        const auto& segment = object.dlpi_phdr[i];
        if (segment.p_type == PT_NOTE && segment.p_align <= 4 &&
            holds_our_note(reinterpret_cast<const char*>(object.dlpi_addr + segment.p_vaddr), segment.p_memsz))
            return true;
    }
    return false;
}

void refuse_other_front() {
    fronts found{};
    dl_iterate_phdr(count_front, &found);
    if (found.count > 1)
        runtime::stop("this process holds two fronts of anympi: %s and %s.\n"
                      "Link the program and its libraries either all with libmpi_abi.so or all with libmpi_abi.a.",
                      found.names[0], found.names[1]);
}

} // namespace anympi
