// SPDX-License-Identifier: MIT
// Loops, branches and layers, compared with hand-written loops and with the branch alone.
#include "frame.hpp"
#include "hand/deep_tanh.hpp"

#include <xgrad/xgrad.hpp>

#include <cmath>
#include <memory>

namespace {
namespace xg = xgrad;
using namespace xg::literals;

constexpr int turns = 10000;
inline constexpr xg::dim time_steps{"time"};
constexpr auto a = xg::input<"a", double>;
constexpr auto b = xg::input<"b", double>;
constexpr auto start = xg::input<"start", double>;
constexpr auto rows = xg::input<"rows", float, time_steps, 8>;
constexpr auto zeros = xg::input<"zeros", float, 8>;

struct line : xg::region {
    static constexpr auto value(auto h) { return xg::carry(h * a + b); }
};
struct filter : xg::region {
    static constexpr auto value(auto h, auto row) { return xg::carry(h * 0.5_c + row); }
};
struct below : xg::region {
    static constexpr auto value(auto, auto n) { return xg::less(n, xg::constant<std::int32_t, turns>); }
};
struct counted_line : xg::region {
    static constexpr auto value(auto h, auto n) { return xg::carry(h * a + b, n + 1_c); }
};
// Not inlined, so that the compiler cannot compute the loop in advance.
[[gnu::noinline]] double line_by_hand(double h, double factor, double plus) {
    for (int i = 0; i < turns; ++i) {
        h = h * factor + plus;
        bench::keep(i);
    }
    return h;
}
void loops(bench::suite& suite) {
    if (std::string const name = "scan of 10,000 iterations, a double"; suite.wanted(name)) {
        auto const [last] = xg::scan<line, turns>(xg::carry(start));
        xg::function f{last};
        auto const ours = [&] { return f(start = 1.0, a = 0.999, b = 0.5); };
        auto const theirs = [&] { return line_by_hand(1.0, 0.999, 0.5); };
        suite.agree(name, "the last value", ours(), theirs(), 1e-12);
        suite.row(
            name, [&] { bench::keep(ours()); }, [&] { bench::keep(theirs()); });
    }
    if (std::string const name = "while_loop of 10,000 iterations, a double and a counter"; suite.wanted(name)) {
        auto const [last, count] = xg::while_loop<below, counted_line>(xg::carry(start, xg::constant<std::int32_t, 0>));
        xg::function f{last};
        auto const ours = [&] { return f(start = 1.0, a = 0.999, b = 0.5); };
        auto const theirs = [&] { return line_by_hand(1.0, 0.999, 0.5); };
        suite.agree(name, "the last value", ours(), theirs(), 1e-12);
        suite.row(
            name, [&] { bench::keep(ours()); }, [&] { bench::keep(theirs()); });
    }
    if (std::string const name = "scan of 10,000 iterations, rows of 8 floats"; suite.wanted(name)) {
        auto const [last] = xg::scan<filter>(xg::carry(zeros), rows);
        xg::function f{last};
        std::vector<float> const in(turns * 8, 0.25f), none(8);
        std::vector<float> out(8);
        auto const ours = [&] { return f(zeros = xg::array(none.data(), 8), rows = xg::array(in.data(), turns, 8)); };
        auto const theirs = [&] {
            std::copy(none.begin(), none.end(), out.begin());
            for (int i = 0; i < turns; ++i)
                for (std::size_t k = 0; k < 8; ++k) out[k] = out[k] * 0.5f + in[static_cast<std::size_t>(i) * 8 + k];
            return out[0];
        };
        suite.agree(name, "an element", ours()[0], theirs(), 1e-6);
        suite.row(
            name, [&] { bench::keep(ours()[0]); }, [&] { bench::keep(theirs()); });
    }
}

constexpr auto flag = xg::input<"flag", bool>;
constexpr auto x = xg::input<"x", float, 32, 64>;
struct taken : xg::region {
    static constexpr auto value(auto h) { return xg::sum(xg::tanh(h)); }
};
struct untaken : xg::region {
    static constexpr auto value(auto h) { return xg::sum(xg::exp(h)); }
};
void branches(bench::suite& suite) {
    std::vector<float> in(32 * 64, 0.25f);
    if (std::string const name = "cond, of 1 number, against the branch alone"; suite.wanted(name)) {
        xg::function f{xg::cond<taken, untaken>(flag, start)};
        xg::function g{taken::value(start)};
        auto const ours = [&] { return f(flag = true, start = 0.25); };
        auto const theirs = [&] { return g(start = 0.25); };
        suite.agree(name, "the value", ours(), theirs(), 0);
        suite.row(
            name, [&] { bench::keep(ours()); }, [&] { bench::keep(theirs()); });
    }
    if (std::string const name = "cond, of 32 x 64, against the branch alone"; suite.wanted(name)) {
        xg::function f{xg::cond<taken, untaken>(flag, x)};
        xg::function g{taken::value(x)};
        auto const ours = [&] { return f(flag = true, x = xg::array(in.data(), 32, 64)); };
        auto const theirs = [&] { return g(x = xg::array(in.data(), 32, 64)); };
        suite.agree(name, "the value", ours(), theirs(), 0);
        suite.row(
            name, [&] { bench::keep(ours()); }, [&] { bench::keep(theirs()); });
    }
}

constexpr auto y = xg::input<"y", float, 32, 64>;
constexpr auto w = xg::variable<"w", float, 12, 64, 64>;
constexpr auto bias = xg::variable<"bias", float, 12, 64>;
struct layer : xg::region {
    static constexpr auto value(auto h, auto m, auto c) { return xg::tanh(xg::matmul(h, m) + c); }
};
void layers(bench::suite& suite) {
    std::string const name = "12 x 64 tanh by layers<12>, squared error, SGD, batch 32";
    if (!suite.wanted(name)) return;
    auto hand = std::make_unique<hand::deep_tanh>();
    auto train =
        xg::minimize(xg::mean(xg::squared_error(xg::layers<12, layer>(x, w, bias), y)), xg::gradient_descent{.learning_rate = 0.01f});
    std::vector<float> all;
    for (auto const& one : hand->w) all.insert(all.end(), one.begin(), one.end());
    train.assign(w, xg::array(all.data(), 12, 64, 64));
    int i = 0, j = 0;
    auto const ours = [&] {
        ++i;
        return train(x = xg::array(hand->inputs(i), 32, 64), y = xg::array(hand->targets(i), 32, 64));
    };
    auto const theirs = [&] {
        ++j;
        return hand->step(hand->inputs(j), hand->targets(j));
    };
    for (int step = 0; step < 10; ++step) {
        float const one = ours(), two = theirs();
        suite.agree(name, "the loss of step " + std::to_string(step), one, two, 1e-5);
    }
    suite.row(
        name, [&] { bench::keep(ours()); }, [&] { bench::keep(theirs()); });
}
}   // namespace

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "bodies");
    loops(suite);
    branches(suite);
    layers(suite);
    return suite.finish();
}
