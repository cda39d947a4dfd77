#pragma once

#include "base/text.hpp"

#include <cstddef>
#include <initializer_list>

namespace anympi::runtime {

// Starts the program of this process again, in the same process, with other variables. The fronts use this to step
// aside; keep_path.so uses it to correct the library path.
//
// keep_path.so is also in shells and interpreters, which replace functions of the C library. So this code does not call
// getenv, setenv, putenv, unsetenv, malloc or free. The environment of the running process stays unchanged, because
// execve gets a separate list.

/// Returns the value of a variable in a list of NAME=VALUE such as `environ`, or nullptr. The list may be nullptr.
const char* find_variable(char* const* environment, const char* name);

/// Removes a variable from such a list in place. The list may be nullptr.
void remove_variable(char** environment, const char* name);

/// Returns memory that is filled with zeros, or nullptr. The memory is never freed, because the process soon executes
/// another program.
void* map_memory(std::size_t size);

/// The variables that differ at the next start, as NAME=VALUE in mapped memory.
class changes {
public:
    /// Adds the concatenation of the parts. No part may be nullptr.
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

/// Returns true if a text begins with the number of this process. A process keeps its number when it executes a
/// program, and a process that it starts has another number. So a variable that begins with the number was not
/// inherited.
bool names_this_process(const char* text);

using number_text = bounded_text<24>;
number_text own_process_number();

/// Returns true in a set-user-ID or set-group-ID process, or one whose file has capabilities. In such a process the
/// dynamic linker removes its variables, so that a start with other variables would have no effect.
bool is_privileged();

/// Stores the command line of a process that may be started again after main has begun: main may overwrite its
/// arguments, and the kernel would return the changed text. Must be called by a constructor, with its arguments.
void remember_command_line(int count, char* const* words);

/// Executes the program of this process with its own command line and with `environment`, in which `different` replaces
/// variables of the same names. Returns the reason (errno) if that fails.
int start_again(char* const* environment, const changes& different);

} // namespace anympi::runtime
