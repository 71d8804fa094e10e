// SPDX-License-Identifier: MIT
// Ctrl-C as a question that the training loop asks between two steps.
#pragma once

#include <csignal>

namespace examples {

namespace detail {
inline volatile std::sig_atomic_t stop_signal = 0;
extern "C" inline void on_stop_signal(int number) { stop_signal = number; }
}   // namespace detail

/// From now on the first SIGINT (Ctrl-C), SIGTERM, SIGHUP (the terminal is gone) or SIGPIPE (the reader of the output is gone) only
/// sets the flag. A second signal ends the program as usual.
/// With `ends_reading` the first signal also ends a read that waits for input, as at the end of the input.
inline void catch_stop_signals(bool ends_reading = false) {
    struct sigaction action {};
    action.sa_handler = &detail::on_stop_signal;
    action.sa_flags = static_cast<int>(SA_RESETHAND) | (ends_reading ? 0 : static_cast<int>(SA_RESTART));
    sigemptyset(&action.sa_mask);
    for (int const signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) sigaction(signal, &action, nullptr);
}
/// The signal that asked to stop, or 0.
inline int stop_requested() { return detail::stop_signal; }

}   // namespace examples
