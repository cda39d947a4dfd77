#pragma once

#include <cstddef>
#include <cstring>

namespace anympi {

/// A text that the runtime writes: straight into the program's memory if that has room for the longest of the runtime,
/// else beside it, and cut to what the program reserved.
template <int Room, int Longest>
class text_out {
public:
    explicit text_out(char* text) : program(text) {}

    char* argument() {
        if constexpr (Longest > Room)
            return program != nullptr ? staged : nullptr;
        else
            return program;
    }
    /// Whether the program has room for all of it.
    bool fits() const {
        if constexpr (Longest > Room)
            return program == nullptr || strnlen(staged, Room) < Room;
        else
            return true;
    }
    /// `length` is the result of the call that tells it, or nullptr.
    void back(int* length) const {
        if constexpr (Longest > Room) {
            if (program == nullptr)
                return;
            const std::size_t size = strnlen(staged, Room - 1);
            std::memcpy(program, staged, size);
            program[size] = '\0';
            if (length != nullptr)
                *length = static_cast<int>(size);
        }
    }

private:
    char* program;
    char staged[Longest > Room ? Longest : 1];
};

} // namespace anympi
