// SPDX-License-Identifier: MIT
// Rows that another program asks for: `PROGRAM --serve` reads requests from its standard input, so that against_torch can time
// PyTorch in between. Without it the program prints the table of frame.hpp.
//
// A request is a line, and so is its answer:
//   list                 the names of the rows, with tabs between
//   arena ROW            bytes of the arena
//   save PATH ROW        writes the variables of the row as a checkpoint: ok
//   value ROW            makes a call; a number that the peer has too
//   time SECONDS ROW     makes calls for about so long; processor time of one call, in seconds, median over samples
//   hand SECONDS ROW     the same of the hand-written side; 0 without one
#pragma once

#include "frame.hpp"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// Element i of an array that both sides make: from -0.5 to 0.5.
inline std::vector<float> numbers(std::size_t n, std::uint64_t seed) {
    std::vector<float> a(n);
    for (std::size_t i = 0; i < n; ++i) a[i] = static_cast<float>((i * 7919 + seed * 104729) % 1000) / 1000 - 0.5f;
    return a;
}
inline std::vector<std::int32_t> classes(std::size_t n) {
    std::vector<std::int32_t> a(n);
    for (std::size_t i = 0; i < n; ++i) a[i] = static_cast<std::int32_t>(i * 31 % 10);
    return a;
}
/// A sum with weights that differ, so that elements in a wrong order are seen.
template<class View>
double checksum(View const& view) {
    double sum = 0;
    std::size_t const n = static_cast<std::size_t>(view.size());
    for (std::size_t i = 0; i < n; ++i) sum += double(view.data()[i]) * (1 + double(i % 7));
    return sum;
}

struct served_row {
    std::string name;
    std::function<double()> call;
    std::size_t arena = 0;
    std::function<void(std::string const&)> save = {};
    std::function<double()> hand = {};
};

class served {
public:
    served(int argc, char** argv, std::string title)
        : serves_(argc == 2 && std::strcmp(argv[1], "--serve") == 0), suite_(serves_ ? 1 : argc, argv, std::move(title)) {}

    void row(served_row r) { rows_.push_back(std::move(r)); }

    int finish() {
        if (serves_) return serve();
        for (served_row const& r : rows_) {
            if (!suite_.wanted(r.name)) continue;
            if (!r.hand) suite_.alone(r.name, [&] { keep(r.call()); });
            else {
                for (int call = 0; call < 5; ++call) {   // of a training step: the gradients too
                    double const two = r.hand();
                    suite_.agree(r.name, "the result of call " + std::to_string(call), r.call(), two, 1e-4);
                }
                suite_.row(
                    r.name, [&] { keep(r.call()); }, [&] { keep(r.hand()); });
            }
        }
        return suite_.finish();
    }

private:
    static double processor_time() {
        timespec t;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
        return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
    }
    static double time(std::function<double()> const& call, double seconds) {
        side s;
        double const start = processor_time();
        keep(call());
        int const calls = std::max(1, int(2e-4 / (processor_time() - start)));   // also warms up
        double now = processor_time();
        double const end = now + seconds;
        do {
            for (int i = 0; i < calls; ++i) keep(call());
            double const next = processor_time();
            s.samples.push_back((next - now) / calls);
            now = next;
        } while (now < end || s.samples.size() < 3);
        return s.median();
    }
    std::string answer(std::string const& line) {
        auto const word = [](std::string const& text, std::string& rest) {
            std::size_t const space = text.find(' ');
            rest = space == std::string::npos ? "" : text.substr(space + 1);
            return text.substr(0, space);
        };
        std::string rest, name;
        std::string const request = word(line, rest);
        if (request == "list") {
            std::string all;
            for (served_row const& r : rows_) all += (all.empty() ? "" : "\t") + r.name;
            return all;
        }
        std::string const argument = request == "save" || request == "time" || request == "hand" ? word(rest, name) : (name = rest, "");
        for (served_row const& r : rows_) {
            if (r.name != name) continue;
            char number[40] = "0";
            if (request == "save") {
                if (r.save) r.save(argument);
                return "ok";
            }
            if (request == "arena") return std::to_string(r.arena);
            if (request == "value") std::snprintf(number, sizeof number, "%.9g", r.call());
            if (request == "time") std::snprintf(number, sizeof number, "%.6g", time(r.call, std::atof(argument.c_str())));
            if (request == "hand" && r.hand) std::snprintf(number, sizeof number, "%.6g", time(r.hand, std::atof(argument.c_str())));
            return number;
        }
        return "no row has this name";
    }
    int serve() {
        std::string line;
        while (std::getline(std::cin, line)) std::cout << answer(line) << std::endl;
        return 0;
    }

    bool serves_;
    suite suite_;
    std::vector<served_row> rows_;
};

}   // namespace bench
