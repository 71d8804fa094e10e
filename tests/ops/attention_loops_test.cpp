// SPDX-License-Identifier: MIT
// The kernels of attention on plain arrays, for all kinds of lengths and widths, compared with loops in double.
#include <support/tensor.hpp>

#include <xgrad/ops/attention/attention.hpp>

#include <array>

namespace {
namespace xg = xgrad;
using how = xg::op::attention_attributes;

/// Operands of 4 axes in the layout with the heads first, and what plain loops make of them.
template<class T>
struct problem {
    std::int64_t batch, heads, key_heads, length, keys, width, values;
    bool causal, right;
    T bias = 0;   // of all scores
    std::vector<std::int32_t> lengths;
    test::tensor<T> q, k, v, g, y, log_sums, dq, dk, dv;
    std::vector<double> ey, eq, ek, ev;

    problem(std::int64_t length_, std::int64_t keys_, std::int64_t width_, bool causal_, bool right_, std::int64_t key_heads_ = 2,
        std::int64_t values_ = 0)
        : batch(2), heads(2), key_heads(key_heads_), length(length_), keys(keys_), width(width_), values(values_ > 0 ? values_ : width_),
          causal(causal_), right(right_), lengths{static_cast<std::int32_t>(keys_), static_cast<std::int32_t>(keys_ - keys_ / 3)},
          q(test::numbers<T>({batch, heads, length, width}, -1, 1, 1)), k(test::numbers<T>({batch, key_heads, keys, width}, -1, 1, 2)),
          v(test::numbers<T>({batch, key_heads, keys, values}, -1, 1, 3)), g(test::numbers<T>({batch, heads, length, values}, -1, 1, 4)),
          y({batch, heads, length, values}, T(77)), log_sums({batch, heads, length, 2}), dq(q.shape(), T(77)), dk(k.shape(), T(77)),
          dv(v.shape(), T(77)), ey(as_size(y.size())), eq(as_size(q.size())), ek(as_size(k.size())), ev(as_size(v.size())) {
        for (std::int64_t b = 0; b < batch; ++b)
            for (std::int64_t h = 0; h < heads; ++h)
                for (std::int64_t i = 0; i < length; ++i) expected_row(b, h, i);
    }
    static std::size_t as_size(std::int64_t n) { return static_cast<std::size_t>(n); }
    void expected_row(std::int64_t b, std::int64_t h, std::int64_t i) {
        std::int64_t const row = (b * heads + h) * length + i, first = (b * key_heads + h * key_heads / heads) * keys;
        std::int64_t n = lengths[as_size(b)];
        if (causal || right) n = std::min(n, std::max<std::int64_t>(0, i + 1 + (right ? keys - length : 0)));
        double const scale = 1 / std::sqrt(static_cast<double>(width));
        std::vector<double> p(as_size(n)), d(as_size(n));
        double most = -1e300, sum = 0, mean = 0;
        for (std::int64_t j = 0; j < n; ++j) {
            for (std::int64_t c = 0; c < width; ++c)
                p[as_size(j)] += scale * static_cast<double>(q[row * width + c]) * static_cast<double>(k[(first + j) * width + c]);
            most = std::max(most, p[as_size(j)]);
        }
        for (double& e : p) sum += e = std::exp(e - most);
        for (std::int64_t j = 0; j < n; ++j) {
            double const e = p[as_size(j)] /= sum;
            for (std::int64_t c = 0; c < values; ++c) {
                double const x = static_cast<double>(v[(first + j) * values + c]), slope = static_cast<double>(g[row * values + c]);
                ey[as_size(row * values + c)] += e * x;
                ev[as_size((first + j) * values + c)] += e * slope;
                d[as_size(j)] += slope * x;
            }
            mean += e * d[as_size(j)];
        }
        for (std::int64_t j = 0; j < n; ++j)
            for (std::int64_t c = 0; c < width; ++c) {
                double const slope = scale * p[as_size(j)] * (d[as_size(j)] - mean);
                eq[as_size(row * width + c)] += slope * static_cast<double>(k[(first + j) * width + c]);
                ek[as_size((first + j) * width + c)] += slope * static_cast<double>(q[row * width + c]);
            }
    }
    template<class E>
    static xg::tensor_view<E, 4> view(E* p, std::vector<std::int64_t> const& s) {
        return {p, {s[0], s[1], s[2], s[3]}};
    }
    template<class E>
    static xg::tensor_view<T const, 4> in(E const& x) {
        return view<T const>(x.data(), x.shape());
    }
    static xg::tensor_view<T, 4> out(test::tensor<T>& x) { return view<T>(x.data(), x.shape()); }
    void run(std::int64_t parts) {
        how const options{0, causal, right, false, false};
        auto const forward = xg::detail::attend::forward_memory<T>(width, values),
                   backward = xg::detail::attend::backward_memory<T>(width, values);
        std::vector<T> memory(
            as_size(std::max(forward.fixed + keys * forward.each_key, backward.fixed + keys * backward.each_key)), T(7e30));
        auto const some = [&](std::int64_t turns, std::int64_t k_) {
            return xg::kernel_part{turns * k_ / parts, turns * (k_ + 1) / parts, reinterpret_cast<std::byte*>(memory.data()), nullptr};
        };
        xg::tensor_view<std::int32_t const, 1> const n(lengths.data(), {batch});
        xg::tensor_view<T, 4> const l(log_sums.data(), {batch, heads, length, 2});
        xg::tensor_view<T const, 4> const in_l = in(log_sums);
        std::vector<T> const biases(as_size(keys), bias);
        xg::tensor_view<T const, 4> const in_bias(biases.data(), {1, 1, 1, keys});
        constexpr unsigned both = xg::op::has_bias | xg::op::has_lengths;
        for (std::int64_t t = 0; t < parts; ++t)
            if (bias == 0) xg::op::attention<xg::op::has_lengths>::run(options, some(batch * heads, t), in(q), in(k), in(v), n, out(y), l);
            else xg::op::attention<both>::run(options, some(batch * heads, t), in(q), in(k), in(v), in_bias, n, out(y), l);
        for (std::int64_t t = 0; t < parts; ++t)
            if (bias == 0)
                xg::op::attention_slopes<xg::op::has_lengths, false>::run(
                    options, some(batch * key_heads, t), in(q), in(k), in(v), n, in(y), in_l, in(g), out(dq), out(dk), out(dv));
            else
                xg::op::attention_slopes<both, false>::run(
                    options, some(batch * key_heads, t), in(q), in(k), in(v), in_bias, n, in(y), in_l, in(g), out(dq), out(dk), out(dv));
    }
    static double error(test::tensor<T> const& a, std::vector<double> const& e) {
        double worst = 0;
        for (std::size_t i = 0; i < e.size(); ++i) {
            double const wrong = std::abs(static_cast<double>(a[static_cast<std::int64_t>(i)]) - e[i]);
            worst = wrong <= worst ? worst : wrong;   // NaN too
        }
        return worst;
    }
    void check(std::int64_t parts = 1) {
        run(parts);
        double const unit = static_cast<double>(std::numeric_limits<T>::epsilon());
        for (auto const& [name, a, e] :
            {std::tuple{"y", &y, &ey}, std::tuple{"q", &dq, &eq}, std::tuple{"k", &dk, &ek}, std::tuple{"v", &dv, &ev}})
            CHECK_MESSAGE(error(*a, *e) <= 40 * unit, name, " ", length, " ", keys, " ", width, " ", causal, right, " ", error(*a, *e));
    }
};
}

TEST_CASE_TEMPLATE("all kinds of lengths and widths, causal from both ends", T, float, double) {
    for (std::int64_t length : {1, 7, 17, 49})
        for (std::int64_t keys : {1, 7, 65}) {
            problem<T>(length, keys, 5, false, false).check();
            problem<T>(length, keys, 16, true, false, 1).check(2);
            problem<T>(length, keys, 24, false, true, 1, 33).check();
        }
    problem<T>(60, 700, 8, false, false).check(3);   // several blocks of rows and of keys
    problem<T>(560, 600, 4, true, false).check();
    problem<T>(300, 100, 8, false, true).check();   // the first rows see no key
    problem<T>(0, 3, 4, false, false).check();
    problem<T>(3, 0, 4, false, false).check();
    problem<T>(4, 700, 67, true, true).check();   // few rows
}

TEST_CASE("keys from their length on are not read, and have no gradient") {
    problem<float> p(20, 70, 8, false, false);
    for (std::int64_t h = 0; h < 2; ++h)
        for (std::int64_t j = p.lengths[1]; j < 70; ++j)
            for (std::int64_t c = 0; c < 8; ++c)
                p.k[((2 + h) * 70 + j) * 8 + c] = p.v[((2 + h) * 70 + j) * 8 + c] = std::numeric_limits<float>::quiet_NaN();
    p.check();
    p.lengths = {0, 0};
    std::fill(p.ey.begin(), p.ey.end(), 0.0);
    for (auto* e : {&p.eq, &p.ek, &p.ev}) std::fill(e->begin(), e->end(), 0.0);
    p.check();
}

TEST_CASE("scores of any size") {
    problem<float> p(5, 70, 8, false, false);
    for (std::int64_t i = 0; i < p.q.size(); ++i) p.q[i] *= 300;
    for (std::int64_t i = 0; i < p.k.size(); ++i) p.k[i] *= i % 9 == 0 ? 300 : 3;
    p.run(1);
    for (test::tensor<float> const* x : {&p.y, &p.dq, &p.dk, &p.dv})
        for (float const e : *x) REQUIRE(std::isfinite(e));
    p.k[3] = std::numeric_limits<float>::quiet_NaN();   // NaN is not hidden
    p.run(1);
    CHECK(std::isnan(p.y[0]));
    CHECK(std::isnan(p.dq[0]));
    CHECK(std::isfinite(p.y[p.y.size() - 1]));
}

TEST_CASE("scores of a size at which 1 is lost: equal weights after a bias of -1e9, and no infinities") {
    for (std::int64_t length : {3, 20}) {
        problem<float> p(length, 70, 8, false, false);
        std::fill(p.ey.begin(), p.ey.end(), 0.0);
        for (auto* e : {&p.eq, &p.ek, &p.ev}) std::fill(e->begin(), e->end(), 0.0);
        for (std::int64_t i = 0; i < p.q.size(); ++i) p.q[i] = 0;
        for (std::int64_t b = 0; b < p.batch; ++b)
            for (std::int64_t h = 0; h < p.heads; ++h)
                for (std::int64_t i = 0; i < length; ++i) p.expected_row(b, h, i);
        p.bias = -1e9f;
        p.check();
        for (std::int64_t i = 0; i < p.q.size(); ++i) p.q[i] = 1e20f;
        p.run(1);
        for (test::tensor<float> const* x : {&p.y, &p.dq, &p.dk, &p.dv})
            for (float const e : *x) REQUIRE(std::isfinite(e));
    }
}
