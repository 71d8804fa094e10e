// SPDX-License-Identifier: MIT
// A progress bar for training: share done, loss, rows per second, time left.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>

namespace examples {

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
        std::size_t const filled = std::min<std::size_t>(width, static_cast<std::size_t>(share * width));
        std::string const bar = std::string(filled, '#') + std::string(width - filled, '.');
        std::fprintf(
            stderr, "\r\033[K[%s] %3.0f %%  %s  loss %.4f  %.0f rows/s  %.1f s left", bar.c_str(), 100 * share, label, loss, rate, left);
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
    static constexpr std::size_t width = 30;
    std::size_t total_, before_;
    bool shown_;
    bool drawn_ = false;
    clock::time_point start_, next_;
};

}   // namespace examples
