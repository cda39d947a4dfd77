#pragma once

#include "base/function_ref.hpp"
#include "emulate/engine/start_checks.hpp"

#include <cstddef>
#include <cstdlib>

namespace anympi::bridge {

/// The places where a command is searched for: values of info keys, which may be empty.
inline constexpr std::size_t place_size = 1025;
struct command_place {
    char folder[place_size]; // the value of wdir
    char path[place_size];
    bool is_elsewhere; // true if the info names hosts
};

/// The commands of MPI_Comm_spawn and MPI_Comm_spawn_multiple, with the words that must come before them.
///
/// A command that is missing on this host stays unchanged, so that the library reports the error. The program before
/// the command could not report it. If the info names hosts, the command may exist there.
class spawned_commands {
public:
    /// At processes other than the root `count` is 0, and nothing is changed. `arguments` may be nullptr. `read_place`
    /// writes where a command is searched for; its first argument is the index of the command.
    spawned_commands(int count, char** commands, char*** arguments, function_ref<void(int, command_place&)> read_place)
        : commands_(commands), arguments_(arguments) {
        const char* first[most_words];
        const std::size_t before =
            is_complete(count, commands) ? launcher_check.words_before_command(first, most_words) : 0;
        if (before < 2)
            return;
        const std::size_t added = before + 2; // "-p" and the path
        std::size_t words = 0;
        for (int i = 0; i < count; ++i)
            words += added + count_words(arguments, i) + 1;
        const auto number = static_cast<std::size_t>(count);
        memory_ =
            std::calloc(1, number * (sizeof(command_place) + sizeof(char*) + sizeof(char**)) + words * sizeof(char*));
        lacks_memory_ = memory_ == nullptr;
        if (lacks_memory_)
            return;
        commands_ = static_cast<char**>(memory_);
        arguments_ = reinterpret_cast<char***>(commands_ + number);
        char** next = reinterpret_cast<char**>(arguments_ + number);
        auto* const places = reinterpret_cast<command_place*>(next + words);
        for (int i = 0; i < count; ++i) {
            command_place& place = places[i];
            read_place(i, place);
            const bool is_left_alone =
                !place.is_elsewhere && launcher_check.is_missing(commands[i], place.folder, place.path);
            commands_[i] = is_left_alone ? commands[i] : const_cast<char*>(first[0]);
            arguments_[i] = next;
            if (!is_left_alone)
                next = add_words(next, first + 1, before - 1, place, commands[i]);
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

    /// Adds all words except the first, and the command. The last word is "--". start_program searches for a name
    /// without a slash in the folders after "-p".
    static char** add_words(char** next, const char** words, std::size_t count, command_place& place, char* command) {
        for (std::size_t word = 0; word + 1 < count; ++word)
            *next++ = const_cast<char*>(words[word]);
        if (place.path[0] != '\0') {
            *next++ = const_cast<char*>("-p");
            *next++ = place.path;
        }
        *next++ = const_cast<char*>(words[count - 1]);
        *next++ = command;
        return next;
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
