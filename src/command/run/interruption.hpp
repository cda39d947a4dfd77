#pragma once

#include <csignal>

namespace anympi::command {

/// Signals that end a command.
constexpr int ending_signals[] = {SIGHUP, SIGINT, SIGTERM};

/// Delays signals that would end the command while an object of this class lives. The destructor lets them take effect.
/// Until then the command can clean up: end a launcher's processes, remove an incomplete file. Objects may be nested.
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
