#include "runtime/identify/mapped_file.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace anympi::runtime {

mapped_file::~mapped_file() {
    if (size_ != 0)
        munmap(address_, size_);
}

mapped_file::state mapped_file::map(const char* path) {
    // O_NONBLOCK, because the name may lead to a pipe, and the program must not wait for the other end of the pipe.
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0)
        return errno == ENOENT || errno == ENOTDIR ? state::missing : state::unreadable;
    const state result = map(descriptor);
    close(descriptor);
    return result;
}

mapped_file::state mapped_file::map(int descriptor) {
    struct stat status;
    // A system call, because glibc 2.33 made fstat() a separate function, which older releases do not have.
    if (syscall(SYS_fstat, descriptor, &status) != 0)
        return state::unreadable;
    if (S_ISDIR(status.st_mode))
        return state::folder;
    if (!S_ISREG(status.st_mode) || status.st_size == 0)
        return state::no_file;
    const std::size_t size = static_cast<std::size_t>(status.st_size);
    void* address = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (address == MAP_FAILED)
        return state::unreadable;
    address_ = address;
    size_ = size;
    return state::mapped;
}

} // namespace anympi::runtime
