// SPDX-License-Identifier: MIT
// The consumer of xgrad::compiled: uses what the library holds in place of the headers, so that a body that is in neither does not link.
#include <xgrad/inspect/describe.hpp>
#include <xgrad/inspect/dot.hpp>
#include <xgrad/io/saver.hpp>
#include <xgrad/xgrad.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#if !XGRAD_COMPILED
#    error "the package did not hand over XGRAD_COMPILED"
#endif

namespace xg = xgrad;

inline constexpr xg::dim rows{"rows"};
inline constexpr xg::dim words{"words"};
constexpr auto x = xg::input<"x", float, rows>;
constexpr auto y = xg::input<"y", float, rows>;
constexpr auto ids = xg::input<"ids", std::int32_t, rows>;
constexpr auto slope = xg::variable<"slope", float>;
constexpr auto offset = xg::variable<"offset", float>;
constexpr auto short_scale = xg::variable<"short_scale", xg::bfloat16, 3>;
constexpr auto table = xg::variable<"table", float, words>;
constexpr auto loss = xg::mean(xg::square(slope * x + offset + xg::gather(table, ids) * xg::sum(xg::cast<float>(short_scale)) - y));

namespace {
int wrong = 0;

void expect(bool holds, char const* what) {
    if (holds) return;
    std::printf("wrong: %s\n", what);
    ++wrong;
}
// What a call throws begins so.
template<class Error, class F>
void refuses(char const* text, F const& call) {
    try {
        call();
        expect(false, text);
    } catch (Error const& e) { expect(std::string(e.what()).find(text) != std::string::npos, e.what()); }
}
}

int main() {
    std::vector<float> inputs, targets;
    std::vector<std::int32_t> indices;
    for (int i = 0; i < 16; ++i) {
        inputs.push_back(static_cast<float>(i) / 8.0f - 1.0f);
        targets.push_back(3.0f * inputs.back() - 1.0f);
        indices.push_back(i % 4);
    }
    auto train = xg::minimize<xg::gating::graph>(loss, xg::adam{.learning_rate = 0.1f}, words = 4);
    train.initialize(xg::random_uniform{.seed = 1, .range = 0.1});
    train.assign(short_scale, std::vector<float>{0.5f, 0.25f, 0.125f});
    train.reserve(rows = 16);
    float value = 1.0f;
    for (int step = 0; step < 100; ++step) value = train(x = inputs, y = targets, ids = indices);
    expect(value < 0.1f, "the loss falls");

    // A step in two parts, on variables that have grown, of two trainers that share them.
    auto other = xg::minimize<xg::gating::graph>(loss, xg::gradient_descent{.learning_rate = 0.01f}, train);
    train.grow(words = 6, xg::random_uniform{.seed = 2});
    indices[0] = 5;
    train.compute_gradients(x = inputs, y = targets, ids = indices);
    train.gradient(slope)();
    train.apply_gradients();
    other(x = inputs, y = targets, ids = indices);
    expect(train.slot(slope, "m").data() != nullptr && train.slot<"v">(offset).data() != nullptr, "slots are found");
    xg::function const forward{loss, train};
    (void)forward;
    expect(xg::function{slope * x, train}(x = inputs).size() == 16, "a function runs");

    refuses<xg::shape_error>("must have extent", [&] { train(x = inputs, y = std::vector<float>(3), ids = indices); });
    refuses<xg::value_error>("is out of range", [&] { train(x = inputs, y = targets, ids = std::vector<std::int32_t>(16, 9)); });
    refuses<xg::value_error>("cannot have -1 elements", [&] { train.reserve(rows = -1); });
    refuses<xg::binding_error>("there are no gradients", [&] { train.apply_gradients(); });
    refuses<xg::binding_error>("has no slot", [&] { train.slot(slope, "nothing"); });
    refuses<xg::value_error>("must be in [0, 1)", [&] { static_cast<void>(xg::minimize(loss, xg::adam{.beta1 = 2.0f}, train)); });

    std::string const path = "compiled_consumer.safetensors";
    xg::save(train, path, {{"note", "\n"}});
    expect(xg::saved_size(path, words) == 6, "the size of a dimension is in the file");
    float const kept = train.value(slope)();
    train.reset_optimizer();
    train.value(slope)() = 0;
    expect(xg::restore(train, path).at("note") == "\n" && train.value(slope)() == kept, "a checkpoint is restored");
    expect(xg::restore(other, path, xg::variables_only).size() == 1, "variables are restored");
    expect(xg::restore(other, path, xg::variables_as{{"slope", "offset"}}).size() == 1, "a variable is restored from another");
    std::string const saved = xg::saver(".", {.name = "compiled_consumer"}).save(train);
    expect(xg::latest_checkpoint(".", "compiled_consumer") == saved, "the latest checkpoint is found");
    std::remove(saved.c_str());
    xg::variables only_slope{slope};
    refuses<xg::checkpoint_error>("does not fit", [&] { xg::restore(only_slope, path); });
    std::remove(path.c_str());
    refuses<xg::io_error>("there is no such file", [&] { xg::restore(train, path); });

    expect(xg::describe(train).starts_with("steps "), "the plan is described");
    expect(xg::summarize(train, rows = 16, words = 6).starts_with("parameters "), "the plan is summed up");
    expect(xg::to_dot(train).starts_with("digraph"), "the plan is drawn");
    return wrong;
}
