// SPDX-License-Identifier: MIT
// A network inside a real-time loop: after reserve() a call allocates nothing, takes no lock and throws nothing.
#include <xgrad/xgrad.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

namespace xg = xgrad;

long allocations_so_far();   // count_allocations.cpp

inline constexpr xg::dim frames{"frames"};
constexpr auto sensors = xg::input<"sensors", float, frames, 16>;
constexpr auto w1 = xg::variable<"w1", float, 16, 32>;
constexpr auto b1 = xg::variable<"b1", float, 32>;
constexpr auto w2 = xg::variable<"w2", float, 32, 4>;
constexpr auto command = xg::tanh(xg::matmul(xg::tanh(xg::matmul(sensors, w1) + b1), w2));

int main() {
    using clock = std::chrono::steady_clock;
    xg::variables weights{command};
    weights.initialize(xg::glorot_uniform{.seed = 7});
    xg::function control{command, weights};
    control.reserve(frames = 4);

    std::array<float, 64> state{};
    std::vector<double> microseconds(10000);
    bool right = true;
    long const before = allocations_so_far();
    for (std::size_t tick = 0; tick < microseconds.size(); ++tick) {
        auto const start = clock::now();
        auto const count = static_cast<std::int64_t>(1 + tick % 4);   // between one and four frames have arrived
        for (std::size_t i = 0; i < state.size(); ++i) state[i] = std::sin(0.001f * static_cast<float>(tick) + static_cast<float>(i));
        if (xg::status const s = control.try_call(sensors = xg::array(state.data(), count, 16)); !s) {
            right = false;   // here the loop would hold its last command
            break;
        }
        auto const out = control.result();
        right = right && out.shape(0) == count && std::abs(out(0, 3)) <= 1.0f;
        microseconds[tick] = std::chrono::duration<double, std::micro>(clock::now() - start).count();
    }
    long const during = allocations_so_far() - before;

    // more frames than were reserved: a status, no exception, no allocation
    std::array<float, 80> many{};
    xg::status const refused = control.try_call(sensors = xg::array(many.data(), 5, 16));
    std::sort(microseconds.begin(), microseconds.end());
    std::printf("%zu ticks: median %.2f us, 99.9 %% below %.2f us, allocations %ld\n", microseconds.size(),
        microseconds[microseconds.size() / 2], microseconds[microseconds.size() * 999 / 1000], during);
    std::printf("five frames where four were reserved: %s\n", refused ? "accepted" : "refused");
    return right && during == 0 && !refused ? 0 : 1;
}
