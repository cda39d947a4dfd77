#pragma once

#include "base/text.hpp"

#include <cstddef>
#include <initializer_list>

namespace anympi::runtime {

// Starting the program of this process once more, in the same process, with other variables. The fronts do so to step
// aside; keep_path.so does so to put the library path right.
//
// keep_path.so is also in shells and interpreters, which replace functions of the C library. So nothing here calls
// getenv, setenv, putenv, unsetenv, malloc or free. The environment of the running process stays as it is: execve gets
// a list of its own.

// Returns the value of a variable in a list of NAME=VALUE such as `environ`, or nullptr. The list may be nullptr.
const char* find_variable(char* const* environment, const char* name);

// Removes a variable from such a list, in place. The list may be nullptr.
void remove_variable(char** environment, const char* name);

// Returns memory that is zero, or nullptr. It is not given back: the process is about to be another.
void* map_memory(std::size_t size);

// The variables that differ at the next start, as NAME=VALUE in mapped memory.
class changes {
public:
    // Adds the text that the parts make together. None of them is nullptr.
    void add(std::initializer_list<const char*> parts);

    const char* const* begin() const { return entries; }
    const char* const* end() const { return entries + count; }
    bool are_complete() const { return !lacks_memory; }

private:
    static constexpr std::size_t most = 8;
    const char* entries[most] = {};
    std::size_t count = 0;
    bool lacks_memory = false;
};

// Returns true if a text begins with the number of this process. A process keeps its number when it executes a program,
// and a process that it starts has another: so a variable that begins with the number is known not to be inherited.
bool names_this_process(const char* text);

using number_text = bounded_text<24>;
number_text own_process_number();

// Returns true in a set-user-ID or set-group-ID process, or one whose file has capabilities. There the dynamic linker
// removes its variables, so that a new start with other ones would be the same as the first.
bool is_privileged();

// Remembers the words of the command line, for a process that may be started again after main has begun: main may write
// into them, and the kernel would tell what main made of them. To be called by a constructor, with its arguments.
void remember_command_line(int count, char* const* words);

// Executes the program of this process with its own command line and with `environment`, in which `different` replaces
// what has the same names. Returns the reason (errno) where that fails.
int start_again(char* const* environment, const changes& different);

} // namespace anympi::runtime
