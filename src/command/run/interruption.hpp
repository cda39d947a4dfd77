#pragma once

#include <csignal>

namespace anympi::command {

// Signals that end a command: SIGHUP, SIGINT, SIGTERM.
constexpr int ending_signals[] = {SIGHUP, SIGINT, SIGTERM};

// While an object of this class lives, a signal that would end the command is only noted. The destructor lets it end
// the command. So what was begun can be cleaned up: a launcher's processes, a half-written file. Objects may be nested.
class interruption {
public:
    interruption();
    ~interruption();
    interruption(const interruption&) = delete;
    interruption& operator=(const interruption&) = delete;

    static bool has_come();

private:
    struct sigaction before_[sizeof ending_signals / sizeof *ending_signals] = {};
};

} // namespace anympi::command
