// SPDX-License-Identifier: MIT
// Compiled with -fno-exceptions -fno-rtti. Without an argument it trains; with the name of a mistake it makes that mistake.
#include <xgrad/io/checkpoint.hpp>
#include <xgrad/xgrad.hpp>

#include <cstdio>
#include <cstring>
#include <vector>

namespace xg = xgrad;

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 2>;
constexpr auto id = xg::input<"id", std::int32_t, batch>;
constexpr auto table = xg::variable<"table", float, 3, 2>;
constexpr auto loss = xg::mean(xg::squared_error(x, xg::gather(table, id)));

static char const* mistake = "";

int main(int count, char** arguments) {
    if (count > 1) mistake = arguments[1];
    xg::error_handler = [](char const* message) { std::fprintf(stderr, "handler: %s: %s\n", mistake, message); };
    auto train = xg::minimize(loss, xg::adam{.learning_rate = 0.1});
    std::vector<float> const points{1, 2, 3, 4, 5, 6, 7, 8};
    std::vector<std::int32_t> const ids{0, 1, 2, 0}, wrong_ids{0, 1, 3, 0};
    auto const good = xg::array(points.data(), 4, 2);
    if (std::strcmp(mistake, "shape") == 0) train(x = xg::array(points.data(), 2, 4), id = ids);
    if (std::strcmp(mistake, "strides") == 0) {
        struct {
            std::vector<float> const& p;
            float const* data() const { return p.data(); }
            std::array<int, 2> shape() const { return {4, 2}; }
            std::array<int, 2> strides() const { return {1, 4}; }
        } const columns{points};
        train(x = columns, id = ids);
    }
    if (std::strcmp(mistake, "index") == 0) train(x = good, id = wrong_ids);
    if (std::strcmp(mistake, "file") == 0) xg::save(train, "/no/such/folder/model.safetensors");
    float first = 0, last = 0;
    for (int step = 0; step < 300; ++step) {
        last = train(x = good, id = ids);
        if (step == 0) first = last;
    }
    xg::status const refused = train.try_step(x = good, id = wrong_ids);
    std::printf("loss %g, then %g\n", static_cast<double>(first), static_cast<double>(last));
    return last < first / 2 && !refused ? 0 : 1;
}
