#pragma once

#include "base/word.hpp"

#include <atomic>

namespace anympi {

/// The value of MPI_LASTUSEDCODE: the largest error code that the program has added and not removed, or 0.
[[gnu::visibility("hidden")]] extern std::atomic<int> last_used_code;
void forget_used_code(int code);

struct used_code {
    int code;
    bool is_used;
    used_code* next;

    word key() const { return static_cast<word>(code); }
};

/// Memory for a code that the program adds. It is allocated before the runtime is asked for the code.
class used_code_note {
public:
    used_code_note();
    ~used_code_note();
    used_code_note(const used_code_note&) = delete;
    used_code_note& operator=(const used_code_note&) = delete;

    bool lacks_memory() const { return made == nullptr; }
    void keep(int code);

private:
    used_code* made;
};

} // namespace anympi
