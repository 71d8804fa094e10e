// SPDX-License-Identifier: MIT
// A progress bar for training: share done, loss, rows per second, time left.
#pragma once

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>

namespace examples {

/// The line of a terminal with this number of columns. The text is cut to fit, and the bar takes the columns that the text leaves.
inline std::string progress_line(std::size_t columns, double share, char const* label, double loss, double rate, double left) {
    char text[200];
    int const length =
        std::snprintf(text, sizeof text, "%3.0f %%  %s  loss %.4f  %.0f rows/s  %.1f s left", 100 * share, label, loss, rate, left);
    std::size_t const room = columns > 0 ? columns - 1 : 0;   // in the last column a cursor would go to the next line
    std::string line(text, static_cast<std::size_t>(std::clamp(length, 0, static_cast<int>(sizeof text) - 1)));
    if (line.size() + 8 > room) return line.substr(0, room);
    std::size_t const width = std::min<std::size_t>(room - line.size() - 3, 60);
    auto const filled = std::min(width, static_cast<std::size_t>(share * static_cast<double>(width)));
    return '[' + std::string(filled, '#') + std::string(width - filled, '.') + "] " + line;
}

/// One line on stderr, drawn at most ten times a second, and only on a terminal. Our own, because neither Debian 12 nor Ubuntu 24.04
/// packages a progress bar for C++.
class progress_bar {
public:
    progress_bar(std::size_t total_rows, std::size_t rows_before, bool wanted)
        : total_(total_rows), before_(rows_before), shown_(wanted && ::isatty(STDERR_FILENO)), start_(clock::now()), next_(start_) {}
    progress_bar(progress_bar const&) = delete;
    progress_bar& operator=(progress_bar const&) = delete;
    ~progress_bar() { clear(); }

    /// `rows` of all rows are done, `label` and `loss` tell where the training is.
    void update(std::size_t rows, char const* label, double loss) {
        if (!shown_) return;
        clock::time_point const now = clock::now();
        if (now < next_) return;
        next_ = now + std::chrono::milliseconds(100);
        double const seconds = std::chrono::duration<double>(now - start_).count();
        double const rate = seconds > 0 ? static_cast<double>(rows - before_) / seconds : 0;
        double const left = rate > 0 ? static_cast<double>(total_ - std::min(rows, total_)) / rate : 0;
        double const share = total_ ? static_cast<double>(rows) / static_cast<double>(total_) : 1;
        winsize terminal{};   // asked each time: it may have changed
        std::size_t const columns = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &terminal) == 0 && terminal.ws_col > 0 ? terminal.ws_col : 80;
        std::fprintf(stderr, "\r\033[K%s", progress_line(columns, share, label, loss, rate, left).c_str());
        std::fflush(stderr);
        drawn_ = true;
    }

    /// Takes the bar away so that a line of text can be printed; the next update draws it again.
    void clear() {
        if (drawn_) std::fputs("\r\033[K", stderr);
        drawn_ = false;
        next_ = {};
    }

private:
    using clock = std::chrono::steady_clock;
    std::size_t total_, before_;
    bool shown_;
    bool drawn_ = false;
    clock::time_point start_, next_;
};

}   // namespace examples
