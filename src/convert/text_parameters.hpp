#pragma once

#include <cstddef>
#include <cstring>

namespace anympi {

/// A text that the runtime writes. The runtime writes directly into the program's memory if its longest text fits
/// there. Otherwise it writes into `staged`, and the text is cut to the room that the program has.
template <int Room, int Longest>
class text_out {
public:
    /// `room` is the size of the program's memory, if it differs from the limit of its ABI.
    explicit text_out(char* text, std::size_t room = Room) : program(text), room(room) {}

    char* argument() {
        if constexpr (Longest > Room)
            return program != nullptr ? staged : nullptr;
        else
            return program;
    }
    /// Returns true if the whole text fits into the program's memory.
    bool fits() const {
        if constexpr (Longest > Room)
            return program == nullptr || strnlen(staged, room) < room;
        else
            return true;
    }
    /// Copies the text to the program. `length` points to the length that the call returns, or is nullptr.
    void finish(int* length) const {
        if constexpr (Longest > Room) {
            if (program == nullptr)
                return;
            const std::size_t size = strnlen(staged, room - 1);
            std::memcpy(program, staged, size);
            program[size] = '\0';
            if (length != nullptr)
                *length = static_cast<int>(size);
        }
    }

private:
    char* program;
    std::size_t room;
    char staged[Longest > Room ? Longest : 1];
};

/// A text for the runtime, cut to the runtime's limit. Some libraries would cut a longer text themselves, others reject
/// it.
template <int Longest>
class text_in {
public:
    explicit text_in(const char* text) : given(text) {
        if (text == nullptr || strnlen(text, Longest) < Longest)
            return;
        std::memcpy(beginning, text, Longest - 1);
        beginning[Longest - 1] = '\0';
        given = beginning;
    }
    text_in(const text_in&) = delete;
    text_in& operator=(const text_in&) = delete;

    const char* argument() const { return given; }

private:
    const char* given;
    char beginning[Longest];
};

} // namespace anympi
