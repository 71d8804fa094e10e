// SPDX-License-Identifier: MIT
// What the tables of the study share.
#pragma once

#include <replicas_study/study.hpp>

#include <support/table.hpp>

#include <cmath>

namespace examples::study {

struct sample {
    std::vector<double> values;
    double mean() const {
        double sum = 0;
        for (double const v : values) sum += v;
        return sum / static_cast<double>(values.size());
    }
    double deviation() const {   // of one value
        if (values.size() < 2) return 0;
        double sum = 0, m = mean();
        for (double const v : values) sum += (v - m) * (v - m);
        return std::sqrt(sum / static_cast<double>(values.size() - 1));
    }
};

struct options {
    std::string data = XGRAD_EXAMPLE_DATA "/adult", only, part;
    int seeds = 5, epochs = 0;   // 0: as the mode says
    bool full = false, check = false;
};
inline int updates_of(task const& t, options const& o, int full_epochs) {
    int const epochs = o.epochs > 0 ? o.epochs : o.full ? full_epochs : 1;
    return epochs * static_cast<int>(t.rows / t.batch);
}
inline int updates_of(task const& t, options const& o) { return updates_of(t, o, t.epochs); }

/// The simulated time to the quality, or nothing.
inline double time_to(curve const& c, double quality) {
    for (point const& p : c.points)
        if (p.quality >= quality) return p.time;
    return std::nan("");
}

struct scene {
    char const* name;
    timing when;
};
inline constexpr scene scenes[] = {{"all alike", {.slow = 1, .spread = .1}}, {"one takes four times as long", {.slow = 4, .spread = .1}},
    {"half of each step is random", {.slow = 1, .spread = .5}}};

/// local.cpp: workers that take local steps.
void compare_local_qualities(task const& t, options const& o);
void compare_local_times(task const& t, options const& o);
/// Test quality over period and workers, of sums of gradients and of their means.
void compare_growth(task const& descent, options const& o);
/// What theory says of them; prints what is wrong.
bool check_local(task const& t, bool by_rows);
bool check_growth(task const& descent);

}   // namespace examples::study
