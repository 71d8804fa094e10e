// SPDX-License-Identifier: MIT
// The model, compiled once for each architecture with MODEL_VARIANT as its name. xgrad's symbols never merge between the two, because
// its inline namespace names the architecture. The functions here are in an unnamed namespace for the same reason.
#include "model.hpp"

#include <xgrad/xgrad.hpp>

#include <algorithm>

namespace xg = xgrad;

namespace {

inline constexpr xg::dim batch{"batch"};
constexpr auto x = xg::input<"x", float, batch, 2>;
constexpr auto y = xg::input<"y", float, batch, 1>;
constexpr auto w1 = xg::variable<"w1", float, 2, 16>;
constexpr auto b1 = xg::variable<"b1", float, 16>;
constexpr auto w2 = xg::variable<"w2", float, 16, 1>;
constexpr auto b2 = xg::variable<"b2", float, 1>;
constexpr auto logits = xg::matmul(xg::tanh(xg::matmul(x, w1) + b1), w2) + b2;
constexpr auto loss = xg::mean(xg::sigmoid_cross_entropy(logits, y));

class compiled_model : public model {
    decltype(xg::minimize(loss, xg::adam{})) train_ = xg::minimize(loss, xg::adam{.learning_rate = 0.02});
    xg::function<decltype(xg::sigmoid(logits))> predict_{xg::sigmoid(logits), train_};

public:
    compiled_model() { train_.initialize(xg::glorot_uniform{.seed = 3}); }
    float train(std::span<float const> points, std::span<float const> classes) override {
        return train_(x = xg::array(points.data(), classes.size(), 2), y = xg::array(classes.data(), classes.size(), 1));
    }
    void predict(std::span<float const> points, std::span<float> probability) override {
        auto const p = predict_(x = xg::array(points.data(), probability.size(), 2));
        std::copy(p.begin(), p.end(), probability.begin());
    }
    char const* architecture() const override { return XGRAD_STRINGIFY(XGRAD_ARCH); }
};

}

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
std::unique_ptr<model> JOIN(make_model_, MODEL_VARIANT)();
std::unique_ptr<model> JOIN(make_model_, MODEL_VARIANT)() { return std::make_unique<compiled_model>(); }
