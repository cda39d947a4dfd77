#pragma once

#include "emulate/engine/start_checks.hpp"

#include <cstddef>
#include <cstdlib>

namespace anympi::bridge {

/// The commands of MPI_Comm_spawn and MPI_Comm_spawn_multiple, with the words that must come before them.
class spawned_commands {
public:
    /// At processes other than the root `count` is 0, and everything stays as it is. `arguments` may be nullptr.
    spawned_commands(int count, char** commands, char*** arguments) : commands_(commands), arguments_(arguments) {
        const char* first[most_words];
        const std::size_t before =
            is_complete(count, commands) ? launcher_check.words_before_command(first, most_words) : 0;
        if (before == 0)
            return;
        std::size_t words = 0;
        for (int i = 0; i < count; ++i)
            words += before + count_words(arguments, i) + 1;
        const auto number = static_cast<std::size_t>(count);
        memory_ = std::malloc(number * (sizeof(char*) + sizeof(char**)) + words * sizeof(char*));
        lacks_memory_ = memory_ == nullptr;
        if (lacks_memory_)
            return;
        commands_ = static_cast<char**>(memory_);
        arguments_ = reinterpret_cast<char***>(commands_ + number);
        char** next = reinterpret_cast<char**>(arguments_ + number);
        for (int i = 0; i < count; ++i) {
            commands_[i] = const_cast<char*>(first[0]);
            arguments_[i] = next;
            for (std::size_t word = 1; word < before; ++word)
                *next++ = const_cast<char*>(first[word]);
            *next++ = commands[i];
            for (std::size_t word = 0; word < count_words(arguments, i); ++word)
                *next++ = arguments[i][word];
            *next++ = nullptr;
        }
    }
    ~spawned_commands() { std::free(memory_); }
    spawned_commands(const spawned_commands&) = delete;
    spawned_commands& operator=(const spawned_commands&) = delete;

    bool lacks_memory() const { return lacks_memory_; }
    char** commands() { return commands_; }
    char*** arguments() { return arguments_; }

private:
    static constexpr std::size_t most_words = 64;

    static bool is_complete(int count, char** commands) {
        bool complete = count > 0 && commands != nullptr;
        for (int i = 0; complete && i < count; ++i)
            complete = commands[i] != nullptr;
        return complete;
    }

    static std::size_t count_words(char*** arguments, int i) {
        std::size_t words = 0;
        while (arguments != nullptr && arguments[i] != nullptr && arguments[i][words] != nullptr)
            ++words;
        return words;
    }

    char** commands_;
    char*** arguments_;
    void* memory_ = nullptr;
    bool lacks_memory_ = false;
};

} // namespace anympi::bridge
