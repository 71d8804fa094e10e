// SPDX-License-Identifier: MIT
// The code of docs/own_ops.md: operations, layers and update rules of a user's own, and their checks.
#include <xgrad/train/check_gradients.hpp>
#include <xgrad/xgrad.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <span>
#include <string_view>
#include <vector>

namespace xg = xgrad;
using namespace xg::literals;

// [softsign]
struct softsign_op : xg::elementwise_op {
    static constexpr std::string_view name = "softsign";
    static constexpr int flops = 3;
    static auto value(auto x) {
        using V = decltype(x);
        return x / (V(1) + xg::math::abs(x));
    }
    static constexpr xg::symbol derivative(xg::symbol x, xg::symbol, xg::symbol g) {
        auto d = 1_c + xg::abs(x);
        return g / (d * d);
    }
};
inline constexpr xg::elementwise<softsign_op> softsign{};
// [/softsign]

// [distance]
struct distance_op : xg::elementwise_op {
    static constexpr std::string_view name = "distance";
    static constexpr xg::operand_types accepts = xg::operand_types::floating;
    static constexpr int flops = 4;
    static constexpr bool commutative = true;
    static auto value(auto a, auto b) { return xg::math::sqrt(a * a + b * b); }
    static constexpr xg::symbols derivative(xg::symbol a, xg::symbol b, xg::symbol y, xg::symbol g) {
        return {{g * a / y, g * b / y}};   // y is the result: it is not computed again
    }
};
inline constexpr xg::elementwise<distance_op> distance{};
// [/distance]

// [composite]
struct logit_normal_op : xg::composite_op {
    static constexpr std::string_view name = "logit_normal";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&) {
        return {v[0].type, v[0].dims, xg::is_floating(v[0].type) ? xg::fault::none : xg::fault::not_floating};
    }
    static constexpr xg::symbol expand(xg::symbol_table&, xg::symbol const* x, int, xg::attributes const&) {
        auto z = xg::log(x[0]) - xg::log1p(-x[0]);
        return -(0.5_c * z * z) - xg::log(x[0]) - xg::log1p(-x[0]);
    }
    static constexpr xg::symbol derivative(xg::symbol x, xg::symbol, xg::symbol g) {
        auto z = xg::log(x) - xg::log1p(-x);
        return g * (2_c * x - 1_c - z) / (x * (1_c - x));
    }
};
constexpr auto logit_normal(xg::Operand auto const& x) { return xg::apply<logit_normal_op>(x); }
// [/composite]

// [attributes]
struct power_sum_op : xg::composite_op {
    struct attributes {
        std::int64_t degree;
    };
    static constexpr std::string_view name = "power_sum";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&) {
        return {v[0].type, v[0].dims, xg::is_floating(v[0].type) ? xg::fault::none : xg::fault::not_floating};
    }
    static constexpr xg::symbol expand(xg::symbol_table&, xg::symbol const* x, int, xg::attributes const& a) {
        xg::symbol sum = x[0];   // x + x² + ... by Horner's rule
        for (std::int64_t k = 1; k < a.as<attributes>().degree; ++k) sum = x[0] * (1_c + sum);
        return sum;
    }
};
template<std::int64_t Degree>
constexpr auto power_sum(xg::Operand auto const& x) {
    return xg::apply<xg::with<power_sum_op, power_sum_op::attributes{Degree}>>(x);
}
// [/attributes]

// [several outputs]
struct range_op : xg::row_op {
    static constexpr std::string_view name = "range";
    static constexpr int outputs = 2;
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) {
        xg::value_info r = v[0];   // both outputs: one number for each row
        if (r.type != xg::dtype::float32) r.wrong = xg::fault::dtypes;
        --r.dims.rank;
        return r;
    }
    static void row(std::span<float const> x, std::span<float> low, std::span<float> high) {
        auto const [least, largest] = std::minmax_element(x.begin(), x.end());
        low[0] = *least;
        high[0] = *largest;
    }
    static constexpr void derive(xg::derivation& d) {
        for (int k = 0; k < 2; ++k) {
            if (!d.gradients[k].exists()) continue;   // nothing depends on this output
            auto here = xg::equal(d.operands[0], xg::expand_dims<-1>(d.output(k)));
            auto part = xg::select(here, xg::expand_dims<-1>(d.gradients[k]), 0_c);
            d.out[0] = d.out[0].exists() ? d.out[0] + part : part;
        }
    }
};
inline constexpr xg::row_function<range_op> range{};
// [/several outputs]

// [index]
struct element_op : xg::row_op {
    static constexpr std::string_view name = "element";
    static constexpr xg::index_bound indices{.operand = 1, .of = 0, .axis = -1};   // below the length of the first operand's row
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) {
        xg::value_info r = v[0];
        if (r.type != xg::dtype::float32 || v[1].type != xg::dtype::int32) r.wrong = xg::fault::dtypes;
        --r.dims.rank;
        return r;
    }
    static void row(std::span<float const> x, std::span<std::int32_t const> at, std::span<float> y) {
        y[0] = x[static_cast<std::size_t>(at[0])];
    }
};
inline constexpr xg::row_function<element_op> element{};
// [/index]

// [kernel]
template<bool FromEnd>
struct cumulative_sum_op : xg::kernel_op {   // down the columns of [rows, columns]
    static constexpr std::string_view name = "cumulative_sum";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) {
        return v[0].dims.rank == 2 ? v[0] : xg::value_info{v[0].type, {}, xg::fault::rank};
    }
    static constexpr xg::extent turns(xg::kernel_operands const& v) { return v.dims(0).extents[1]; }   // columns
    template<class T>
    static void run(xg::kernel_part const& part, xg::tensor_view<T const, 2> x, xg::tensor_view<T, 2> sums) {
        std::int64_t const rows = x.shape(0);
        for (std::int64_t k = 0; k < rows; ++k) {
            std::int64_t const row = FromEnd ? rows - 1 - k : k, before = FromEnd ? row + 1 : row - 1;
            for (std::int64_t c = part.first; c < part.last; ++c) sums(row, c) = x(row, c) + (k > 0 ? sums(before, c) : T(0));
        }
    }
    static constexpr void derive(xg::derivation& d) { d.out[0] = xg::apply<cumulative_sum_op<!FromEnd>>(d.gradient); }
};
inline constexpr xg::kernel_function<cumulative_sum_op<false>> cumulative_sum{};
// [/kernel]

// [plain function]
constexpr auto huber(xg::Expr auto error) {
    auto size = xg::abs(error);
    return xg::select(size < 1_c, 0.5_c * xg::square(error), size - 0.5_c);
}
// [/plain function]

// [layer]
struct scale_op : xg::composite_op {
    static constexpr std::string_view name = "scale";
    static constexpr int owned = 1;   // gain belongs to one layer
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&) { return v[0]; }
    static constexpr xg::symbol expand(xg::symbol_table&, xg::symbol const* x, int, xg::attributes const&) { return x[1] * x[0] + x[2]; }
};
template<xg::fixed_string Name, std::int64_t Units, bool Shared, xg::Expr X>
struct scaled_layer : xg::let<scaled_layer<Name, Units, Shared, X>> {
    using own = xg::scope<Name>;
    static constexpr auto gain = own::template variable<"gain", float, Units>;
    static constexpr auto shift = own::template variable<"shift", float, Units>;
    static constexpr auto value() {
        if constexpr (Shared) return gain * X{} + shift;
        else return xg::apply<scale_op>(X{}, gain, shift);
    }
};
template<xg::fixed_string Name, std::int64_t Units, xg::Expr X>
constexpr auto scaled(X const&) {
    return scaled_layer<Name, Units, false, X>{};
}
template<xg::fixed_string Name, std::int64_t Units, xg::Expr X>
constexpr auto scaled(X const&, xg::nn::shared_tag) {   // scaled<"norm", 3>(in, xg::nn::shared)
    return scaled_layer<Name, Units, true, X>{};
}
// [/layer]

// [rule]
struct signum {
    static constexpr std::string_view name = "signum", tf_name = "Signum";
    xg::hyper learning_rate{1e-3}, beta{0.9};   // a number, a schedule, or a function of the step

    static constexpr std::array<std::string_view, 1> slots{"mean"};
    static constexpr auto sparse = xg::sparse_semantics::lazy;

    template<class T>
    struct scalars {   // step scalars: made once a step, from hyper-parameters
        T rate, beta;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const*) const {
        return {T(learning_rate(step)), T(beta(step))};
    }
    template<class T, class V>   // V is T or a SIMD batch of it
    static void update(scalars<T> const& s, V& parameter, V gradient, V* slot) {
        slot[0] = V(s.beta) * slot[0] + V(T(1) - s.beta) * gradient;
        parameter = parameter - V(s.rate) * xg::math::sign(slot[0]);
    }
};
// [/rule]

// [reduced rule]
/// Gradient descent along the direction of each row's gradient, whose step shrinks with the mean square that the row has seen.
struct normalized_rows {
    static constexpr std::string_view name = "normalized_rows";
    xg::hyper learning_rate{0.1};

    static constexpr std::array slots{
        xg::slot_info("mean", xg::dtype::bfloat16),     // of each element, 16 bits in memory
        xg::slot_info("seen", xg::per::row),            // one number for each row
        xg::slot_info("steps", xg::per::optimizer)};    // one double for all variables; these come last
    static constexpr std::array reductions{
        xg::reduction_info(xg::per::row), xg::reduction_info(xg::per::row, xg::reduction::mean)};
    static constexpr auto sparse = xg::sparse_semantics::lazy;
    double slot_init(int slot) const { return slot == 1 ? 0.1 : 0.0; }

    template<class T>
    struct scalars {
        T rate;
    };
    template<class T>
    scalars<T> prepare(std::int64_t step, double const* optimizer) const {
        return {T(learning_rate(step) / (1 + optimizer[0]))};
    }
    void advance_powers(double* optimizer, std::int64_t) const { optimizer[0] += 0.01; }

    template<class T, class V>   // what each element gives to the reductions
    static void terms(scalars<T> const&, V, V gradient, V const*, V* term) {
        term[0] = gradient * gradient;
        term[1] = gradient * gradient;
    }
    template<class T>   // once for each row
    static void advance_row(scalars<T> const&, T* slot, T const* reduced) {
        slot[1] = slot[1] + reduced[1];
    }
    template<class T, class V>   // of each element; slot[1] and the reductions are those of its row
    static void update(scalars<T> const& s, V& parameter, V gradient, V* slot, V const* reduced) {
        slot[0] = V(T(0.5)) * slot[0] + gradient / (xg::math::sqrt(reduced[0]) + V(T(1e-6)));
        parameter = parameter - V(s.rate) / xg::math::sqrt(slot[1]) * slot[0];
    }
};
// [/reduced rule]

inline constexpr xg::dim rows{"rows"};
constexpr auto x = xg::input<"x", double, rows>;
constexpr auto z = xg::input<"z", double, rows>;

int main() {
    bool good = true;
    auto expect = [&](bool held, char const* what) {
        if (!held) std::printf("not as the text says: %s\n", what);
        good = good && held;
    };
    std::vector<double> const a{-2.5, -0.7, 0.3, 1.1, 4.0}, b{0.4, 1.5, -0.6, 2.0, 0.9}, inside{0.1, 0.3, 0.5, 0.7, 0.9};

    // [check]
    xg::gradient_report const report = xg::check_gradients(xg::sum(softsign(x)), xg::wrt(x), x = a);
    if (!report) std::puts(report.message.c_str());
    // [/check]
    expect(report.ok, "softsign's derivative is right");
    expect(xg::check_gradients(xg::sum(distance(x, z)), xg::wrt(x, z), x = a, z = b).ok, "distance's derivatives are right");
    expect(xg::check_gradients(xg::sum(logit_normal(x)), xg::wrt(x), x = inside).ok, "the composite's derivative is right");
    expect(xg::check_gradients(xg::sum(power_sum<4>(x) * power_sum<2>(x)), xg::wrt(x), x = inside).ok, "attributes say how far a sum goes");
    expect(xg::function{power_sum<4>(x)}(x = inside)[2] == 0.9375, "four powers of a half");
    expect(xg::check_gradients(xg::sum(huber(x - z)), xg::wrt(x, z), x = a, z = b).ok, "a plain function is differentiated");
    xg::function f{xg::outputs(softsign(x), xg::gradient_of(xg::gradient_of(softsign(x), x), x))};
    auto const [value, second] = f(x = a);
    expect(value[0] == -2.5 / 3.5 && std::abs(second[3] + 2 / std::pow(2.1, 3)) < 1e-12, "second derivatives follow");

    constexpr auto in = xg::input<"in", float, rows, 3>;
    auto const [low, high] = range(in);
    expect(
        xg::check_gradients(xg::sum(low * high), xg::wrt(in), in = xg::array(std::array{1.f, 2.f, 4.f, -1.f, 0.f, 1.5f}.data(), 2, 3)).ok,
        "the gradients of several outputs meet");
    constexpr auto which = xg::input<"which", std::int32_t, rows>;
    xg::function chosen{element(in, which)};
    std::vector<float> const table{1, 2, 4, -1, 0, 1.5f};
    std::vector<std::int32_t> at{2, 0};
    auto const picked = chosen(in = xg::array(table.data(), 2, 3), which = at);
    expect(picked[0] == 4 && picked[1] == -1, "an operation of one's own takes elements by index");
    at[1] = 3;
    try {
        chosen(in = xg::array(table.data(), 2, 3), which = at);
        expect(false, "an index of an input is compared before anything runs");
    } catch (xg::value_error const&) {}
    xg::function running{cumulative_sum(in)};
    auto const sums = running(in = xg::array(table.data(), 2, 3));
    expect(sums(1, 0) == 0 && sums(1, 2) == 5.5f, "columns are summed by a kernel of one's own");
    expect(xg::check_gradients(xg::sum(xg::square(cumulative_sum(in))), xg::wrt(in), in = xg::array(table.data(), 2, 3)).ok,
        "and differentiated by the same kernel from the other end");
    auto train = xg::minimize(xg::mean(huber(scaled<"norm", 3>(in) - 2_c * in)), signum{.learning_rate = 0.05});
    std::vector<float> const points{1, 2, 3, -1, 0, 1};
    float first = 0, last = 0;
    for (int i = 0; i < 100; ++i) {
        last = train(in = xg::array(points.data(), 2, 3));
        if (i == 0) first = last;
    }
    expect(last < 0.05f * first, "a layer and a rule of one's own train");
    constexpr auto table_loss = xg::mean(xg::square(xg::variable<"table", float, 2, 3> - 1_c));
    auto by_rows = xg::minimize(table_loss, normalized_rows{});
    for (int i = 0; i < 200; ++i) {
        last = by_rows();
        if (i == 0) first = last;
    }
    // [slot]
    auto seen = by_rows.slot<"seen">(xg::variable<"table", float, 2, 3>);   // a tensor_view<float, 1>
    // [/slot]
    expect(last < 0.05f * first && seen.size() == 2 && seen[0] > 0.1f, "a rule that looks at rows trains");
    return good ? 0 : 1;
}
