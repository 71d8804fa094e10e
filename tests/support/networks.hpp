// SPDX-License-Identifier: MIT
// What the tests made by tests/plan/fuzz/networks.py call: a network trained five steps, against PyTorch's numbers.
#pragma once

#include <support/programs.hpp>

#include <xgrad/store/variable_store.hpp>

#include <deque>

namespace networks {
namespace xg = xgrad;

/// A variable, how it begins, and two sums of its elements after the last step, with the weights fuzz::number(1000, i) and (1001, i).
struct known {
    char const* name;
    std::uint32_t seed;
    double scale, offset;
    std::vector<double> after;
};
/// Element i begins at offset + scale · fuzz::number(seed, i).
void start(xg::variable_store& store, std::vector<known> const& variables);
void compare(xg::variable_store const& store, std::vector<known> const& variables, double tolerance);
/// The two sums.
std::vector<double> sums(std::vector<double> const& elements);

/// The arrays of one step.
template<class T>
class inputs {
    std::uint32_t step_;
    std::deque<std::vector<T>> reals_;
    std::deque<std::vector<std::int32_t>> integers_;
    std::deque<std::unique_ptr<bool[]>> truths_;
    template<class F, class... N>
    auto made(std::uint32_t k, F const& f, N... extents) {
        std::vector<T>& v = reals_.emplace_back((std::size_t{1} * ... * static_cast<std::size_t>(extents)));
        for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<T>(f(fuzz::number(16 * step_ + k, static_cast<std::uint32_t>(i))));
        return xg::array(v.data(), extents...);
    }

public:
    explicit inputs(std::uint32_t step) : step_(step) {}
    template<class... N>
    auto reals(std::uint32_t k, N... extents) {
        return made(
            k, [](double x) { return x; }, extents...);
    }
    template<class... N>
    auto shares(std::uint32_t k, N... extents) {
        return made(
            k, [](double x) { return 0.5 + 0.5 * x; }, extents...);
    }
    template<class... N>
    auto signs(std::uint32_t k, N... extents) {
        return made(
            k, [](double x) { return x < 0 ? -1.0 : 1.0; }, extents...);
    }
    template<class... N>
    auto weights(std::uint32_t k, N... extents) {
        return made(
            k, [](double x) { return std::max(x + 0.25, 0.0); }, extents...);
    }
    /// Integers from `least` to before `limit`.
    template<class... N>
    auto integers(std::uint32_t k, int least, int limit, N... extents) {
        auto& v =
            integers_.emplace_back(fuzz::ids(16 * step_ + k, (std::size_t{1} * ... * static_cast<std::size_t>(extents)), limit - least));
        for (std::int32_t& i : v) i += least;
        return xg::array(v.data(), extents...);
    }
    /// Each row sees its own column.
    auto mask(std::uint32_t k, std::int64_t rows, std::int64_t columns) {
        bool* const m = truths_.emplace_back(new bool[static_cast<std::size_t>(rows * columns)]).get();
        for (std::int64_t i = 0; i < rows * columns; ++i)
            m[i] = fuzz::number(16 * step_ + k, static_cast<std::uint32_t>(i)) > 0 || i / columns % columns == i % columns;
        return xg::array(m, rows, columns);
    }
};

struct sizes {
    std::int64_t b, t;
};
/// Trains a step for each loss, predicts, and compares all. The last one of `sizes` is that of the prediction.
template<class T, class Train, class Predict, class Step, class Call>
void check(Train&& train, Predict const& make_predict, Step const& step, Call const& call, std::vector<sizes> const& all,
    std::vector<double> const& losses, std::vector<double> const& output, std::vector<known> const& variables, double tolerance) {
    start(train.store(), variables);
    std::vector<double> found;
    for (std::uint32_t k = 0; k < losses.size(); ++k) {
        inputs<T> d(k);
        found.push_back(static_cast<double>(step(train, d, all[k].b, all[k].t)));
    }
    fuzz::expect({found}, {losses}, tolerance);
    auto predict = make_predict(train);
    inputs<T> d(static_cast<std::uint32_t>(losses.size()));
    fuzz::expect({sums(fuzz::flat(call(predict, d, all.back().b, all.back().t)))}, {output}, tolerance);
    compare(train.store(), variables, tolerance);
}
}   // namespace networks
