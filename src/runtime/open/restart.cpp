#include "runtime/open/restart.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

namespace anympi::runtime {
namespace {

// The file that the kernel executed: the program, or the dynamic linker if the process was started by the linker's
// name. In the second case the program is one of the arguments.
constexpr const char* own_executable = "/proc/self/exe";
constexpr const char* own_command_line = "/proc/self/cmdline"; // the kernel reads it from the memory of the arguments

// The arguments of main, which are contiguous in memory.
struct memory_of_words {
    char* begin = nullptr;
    std::size_t size = 0;
    void* copy = nullptr;
};
constinit memory_of_words command_line_copy;

void restore_words() {
    if (command_line_copy.copy != nullptr)
        std::memcpy(command_line_copy.begin, command_line_copy.copy, command_line_copy.size);
}

std::size_t count_entries(char* const* list) {
    std::size_t count = 0;
    while (list != nullptr && list[count] != nullptr)
        ++count;
    return count;
}

bool has_name_of(const char* entry, const char* variable) {
    const std::size_t length = strcspn(variable, "=");
    return std::strncmp(entry, variable, length) == 0 && entry[length] == '=';
}

bool is_replaced(const char* entry, const changes& different) {
    return std::any_of(different.begin(), different.end(),
                       [&](const char* variable) { return has_name_of(entry, variable); });
}

const char** changed(char* const* environment, const changes& different) {
    const std::size_t most = count_entries(environment) + (different.end() - different.begin()) + 1;
    auto** const result = static_cast<const char**>(map_memory(most * sizeof(char*)));
    if (result == nullptr)
        return nullptr;
    const char** next = std::copy(different.begin(), different.end(), result);
    for (std::size_t i = 0; environment != nullptr && environment[i] != nullptr; ++i)
        if (!is_replaced(environment[i], different))
            *next++ = environment[i];
    return result;
}

// Reads a file of unknown length. Returns nullptr if the file cannot be read, or memory is lacking.
char* read_whole(int file, std::size_t& length) {
    for (std::size_t room = 1U << 16U;; room *= 2) {
        auto* const text = static_cast<char*>(map_memory(room));
        if (text == nullptr || lseek(file, 0, SEEK_SET) != 0)
            return nullptr;
        ssize_t got = 1;
        for (length = 0; length < room && got > 0; length += static_cast<std::size_t>(std::max<ssize_t>(got, 0)))
            got = read(file, text + length, room - length);
        if (got < 0)
            return nullptr;
        if (length < room)
            return text;
        munmap(text, room);
    }
}

// Returns the arguments with which this process was started, or nullptr with a reason in errno.
char** command_line() {
    restore_words();
    const int file = ::open(own_command_line, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return nullptr;
    std::size_t length = 0;
    char* const text = read_whole(file, length);
    const int reason = errno;
    close(file);
    errno = reason;
    if (text == nullptr)
        return nullptr;
    // each argument has at least its zero byte
    auto** const words = static_cast<char**>(map_memory((length + 1) * sizeof(char*)));
    std::size_t count = 0;
    for (std::size_t i = 0; words != nullptr && i < length; i += std::strlen(text + i) + 1)
        words[count++] = text + i;
    return words;
}

} // namespace

const char* find_variable(char* const* environment, const char* name) {
    for (; environment != nullptr && *environment != nullptr; ++environment)
        if (has_name_of(*environment, name))
            return *environment + std::strlen(name) + 1;
    return nullptr;
}

void remove_variable(char** environment, const char* name) {
    if (environment == nullptr) // after clearenv
        return;
    char** end = environment;
    for (; *environment != nullptr; ++environment)
        if (!has_name_of(*environment, name))
            *end++ = *environment;
    *end = nullptr;
}

void* map_memory(std::size_t size) {
    void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory != MAP_FAILED ? memory : nullptr;
}

void changes::add(std::initializer_list<const char*> parts) {
    std::size_t size = 1;
    for (const char* part : parts)
        size += std::strlen(part);
    auto* const whole = count < most ? static_cast<char*>(map_memory(size)) : nullptr;
    if (whole == nullptr) {
        lacks_memory = true;
        return;
    }
    entries[count++] = whole;
    char* next = whole;
    for (const char* part : parts)
        next = stpcpy(next, part);
}

// Does not call printf, because before_binding.so calls this function before the C library has its locale.
number_text own_process_number() {
    number_text number;
    char* const end = std::to_chars(number.text, std::end(number.text), getpid()).ptr;
    *end = '\0';
    number.length = static_cast<std::size_t>(end - number.text);
    return number;
}

bool names_this_process(const char* text) {
    const number_text own = own_process_number();
    return std::strncmp(text, own.text, own.length) == 0 && (text[own.length] == '\0' || text[own.length] == ' ');
}

bool is_privileged() {
    return getauxval(AT_SECURE) != 0;
}

void remember_command_line(int count, char* const* words) {
    if (count <= 0 || words == nullptr || words[0] == nullptr)
        return;
    const std::size_t size = words[count - 1] + std::strlen(words[count - 1]) + 1 - words[0];
    void* const copy = map_memory(size);
    if (copy != nullptr)
        command_line_copy = {words[0], size, std::memcpy(copy, words[0], size)};
}

int start_again(char* const* environment, const changes& different) {
    const char** const all = different.are_complete() ? changed(environment, different) : nullptr;
    if (all == nullptr)
        return ENOMEM;
    char** const words = command_line();
    if (words == nullptr)
        return errno;
    execve(own_executable, words, const_cast<char**>(all));
    return errno;
}

} // namespace anympi::runtime
