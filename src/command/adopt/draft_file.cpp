#include "command/adopt/draft_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace anympi::command {
namespace {

namespace fs = std::filesystem;

// Closes a descriptor. Only close() reports some errors of earlier writes.
class open_file {
public:
    explicit open_file(int descriptor) : descriptor_(descriptor) {}
    open_file(const open_file&) = delete;
    open_file& operator=(const open_file&) = delete;
    ~open_file() {
        if (descriptor_ >= 0)
            ::close(descriptor_);
    }

    int get() const { return descriptor_; }
    bool close() { return ::close(std::exchange(descriptor_, -1)) == 0; }

private:
    int descriptor_;
};

bool copy_bytes(int from, int to) {
    constexpr std::size_t step = 1 << 20;
    ssize_t copied = 1;
    while (copied > 0)
        copied = sendfile(to, from, nullptr, step);
    return copied == 0;
}

} // namespace

draft_file::draft_file(fs::path final_place) : final_place_(std::move(final_place)) {
    folder_ = (final_place_.has_parent_path() ? final_place_.parent_path() : ".") / ".anympi-XXXXXX";
    if (!mkdtemp(folder_.data())) {
        folder_.clear();
        fail();
    }
    descriptor_ = open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor_ < 0) {
        const int reason = errno;
        rmdir(folder_.c_str());
        errno = reason;
        fail();
    }
}

draft_file::~draft_file() {
    // If patchelf was stopped while it wrote, the draft still exists. The folder contains no other file.
    unlinkat(descriptor_, name, 0);
    close(descriptor_);
    rmdir(folder_.c_str());
}

void draft_file::fail() const {
    throw fs::filesystem_error("", final_place_, std::error_code(errno, std::generic_category()));
}

void draft_file::fill_from(const fs::path& source) const {
    const open_file from(open(source.c_str(), O_RDONLY | O_CLOEXEC));
    open_file to(openat(descriptor_, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (from.get() < 0 || to.get() < 0 || !copy_bytes(from.get(), to.get()) || !to.close())
        fail();
}

void draft_file::fill_with(std::string_view text) const {
    open_file to(openat(descriptor_, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    while (to.get() >= 0 && !text.empty()) {
        const ssize_t step = write(to.get(), text.data(), text.size());
        if (step < 0)
            fail();
        text.remove_prefix(static_cast<std::size_t>(step));
    }
    if (to.get() < 0 || fsync(to.get()) != 0 || !to.close())
        fail();
}

bool draft_file::enter_folder() const {
    return fchdir(descriptor_) == 0;
}

void draft_file::finish(mode_t mode) const {
    if (fchmodat(descriptor_, name, mode, 0) != 0 || renameat(descriptor_, name, AT_FDCWD, final_place_.c_str()) != 0)
        fail();
}

} // namespace anympi::command
