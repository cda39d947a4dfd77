#include "command/run/interruption.hpp"

#include <iterator>

namespace anympi::command {
namespace {

volatile std::sig_atomic_t interrupted_by = 0;

void note_interruption(int signal) {
    interrupted_by = signal;
}

} // namespace

interruption::interruption() {
    struct sigaction noting = {};
    noting.sa_handler = note_interruption;
    for (std::size_t i = 0; i < std::size(ending_signals); i++) {
        sigaction(ending_signals[i], nullptr, &before_[i]);
        if (before_[i].sa_handler != SIG_IGN) // nohup has set SIG_IGN, which stays
            sigaction(ending_signals[i], &noting, nullptr);
    }
}

interruption::~interruption() {
    for (std::size_t i = 0; i < std::size(ending_signals); i++)
        sigaction(ending_signals[i], &before_[i], nullptr);
    if (interrupted_by != 0)
        raise(interrupted_by);
}

bool interruption::has_come() {
    return interrupted_by != 0;
}

} // namespace anympi::command
