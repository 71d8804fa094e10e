// SPDX-License-Identifier: MIT
// The hand-written yardsticks of bench/runtime against naive loops in double: a wrong yardstick would measure nothing.
#include "../../bench/runtime/hand/deep_tanh.hpp"
#include "../../bench/runtime/hand/embedding_net.hpp"
#include "../../bench/runtime/hand/functions.hpp"
#include "../../bench/runtime/hand/mlp.hpp"
#include "../../bench/runtime/hand/products.hpp"
#include "../../bench/runtime/hand/tanh_net.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <map>
#include <memory>

namespace {

using numbers = std::vector<double>;

template<class T>
numbers wide(T const* p, std::size_t n) {
    return numbers(p, p + n);
}
template<class T>
numbers wide(std::vector<T> const& v) {
    return numbers(v.begin(), v.end());
}

/// ||a - b|| / ||a - start||: the error of the parameters in terms of the way they have gone.
double relative_error(numbers const& a, std::vector<float> const& b, numbers const& start) {
    double difference = 0, way = 0;
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference += (a[i] - double(b[i])) * (a[i] - double(b[i]));
        way += (a[i] - start[i]) * (a[i] - start[i]);
    }
    REQUIRE(way > 0);
    return std::sqrt(difference / way);
}

enum class activation { none, relu, tanh };

/// Fully connected layers; parameters of all layers in one vector: w row-major, b, w, b ...
struct network {
    std::vector<int> sizes;
    std::vector<activation> kinds;
    numbers p;
    std::vector<numbers> h;   // activations, [layer][batch * size]
    numbers gradient, input_gradient;

    void forward(numbers const& x, int batch) {
        h.assign(1, x);
        std::size_t at = 0;
        for (std::size_t l = 0; l + 1 < sizes.size(); ++l) {
            int const m = sizes[l], n = sizes[l + 1];
            numbers z(std::size_t(batch * n));
            for (int r = 0; r < batch; ++r) {
                for (int o = 0; o < n; ++o) {
                    double s = p[at + std::size_t(m * n + o)];
                    for (int i = 0; i < m; ++i) s += h[l][std::size_t(r * m + i)] * p[at + std::size_t(i * n + o)];
                    z[std::size_t(r * n + o)] = kinds[l] == activation::tanh   ? std::tanh(s)
                                                : kinds[l] == activation::relu ? std::max(s, 0.0)
                                                                               : s;
                }
            }
            h.push_back(z);
            at += std::size_t(m * n + n);
        }
    }
    /// d: gradient with respect to the last layer's output.
    void backward(numbers d, int batch) {
        gradient.assign(p.size(), 0.0);
        std::size_t at = p.size();
        for (std::size_t l = sizes.size() - 1; l-- > 0;) {
            int const m = sizes[l], n = sizes[l + 1];
            at -= std::size_t(m * n + n);
            numbers below(std::size_t(batch * m), 0.0);
            for (int r = 0; r < batch; ++r) {
                for (int o = 0; o < n; ++o) {
                    double const y = h[l + 1][std::size_t(r * n + o)];
                    double e = d[std::size_t(r * n + o)];
                    e *= kinds[l] == activation::tanh ? 1 - y * y : kinds[l] == activation::relu ? (y > 0 ? 1 : 0) : 1;
                    gradient[at + std::size_t(m * n + o)] += e;
                    for (int i = 0; i < m; ++i) {
                        gradient[at + std::size_t(i * n + o)] += e * h[l][std::size_t(r * m + i)];
                        below[std::size_t(r * m + i)] += e * p[at + std::size_t(i * n + o)];
                    }
                }
            }
            d = below;
        }
        input_gradient = d;
    }
};

struct naive_adam {
    numbers m, v;
    int t = 0;
    void apply(numbers& p, numbers const& g, double rate = 1e-3) {
        m.resize(p.size());
        v.resize(p.size());
        ++t;
        double const b1 = double(0.9f), b2 = double(0.999f), a = rate * std::sqrt(1 - std::pow(b2, t)) / (1 - std::pow(b1, t));
        for (std::size_t i = 0; i < p.size(); ++i) {
            m[i] += (1 - b1) * (g[i] - m[i]);
            v[i] += (1 - b2) * (g[i] * g[i] - v[i]);
            p[i] -= a * m[i] / (std::sqrt(v[i]) + 1e-8);
        }
    }
};

void append(numbers& p, std::vector<float> const& v) { p.insert(p.end(), v.begin(), v.end()); }
void zeros(numbers& p, int n) { p.insert(p.end(), std::size_t(n), 0.0); }

template<class T>
double ulps(T value, long double exact) {
    T const e = T(exact);
    T const unit = std::nextafter(std::abs(e), std::numeric_limits<T>::infinity()) - std::abs(e);
    return double(std::abs((long double)(value)-exact) / (long double)(unit));
}

template<class V, class F, class E>
double worst(F f, E exact, double low, double high) {
    using T = hand::scalar_t<V>;
    double result = 0;
    for (int i = 0; i < 20000; ++i) {
        V x{};
        for (int j = 0; j < hand::lanes<V>; ++j) x[j] = T(low + (high - low) * hand::uniform(99, 0, std::uint64_t(i * hand::lanes<V> + j)));
        V const y = f(x);
        for (int j = 0; j < hand::lanes<V>; ++j) result = std::max(result, ulps<T>(y[j], exact((long double)(x[j]))));
    }
    return result;
}

}   // namespace

TEST_CASE("hand-written exp, log, tanh, sigmoid") {
    using hand::vd;
    using hand::vf;
    using L = long double;
    auto const exp = [](L x) { return std::exp(x); };
    auto const log = [](L x) { return std::log(x); };
    auto const tanh = [](L x) { return std::tanh(x); };
    auto const sigmoid = [](L x) { return 1 / (1 + std::exp(-x)); };
    CHECK(worst<vf>([](vf x) { return hand::exp(x); }, exp, -80, 80) < 2);
    CHECK(worst<vd>([](vd x) { return hand::exp(x); }, exp, -700, 700) < 2);
    CHECK(worst<vf>([](vf x) { return hand::log(x); }, log, 1e-3, 100) < 2);
    CHECK(worst<vd>([](vd x) { return hand::log(x); }, log, 1e-3, 100) < 2);
    CHECK(worst<vf>([](vf x) { return hand::tanh(x); }, tanh, -12, 12) < 3);
    CHECK(worst<vf>([](vf x) { return hand::tanh(x); }, tanh, -0.1, 0.1) < 3);
    CHECK(worst<vd>([](vd x) { return hand::tanh(x); }, tanh, -25, 25) < 3);
    CHECK(worst<vd>([](vd x) { return hand::tanh(x); }, tanh, -0.1, 0.1) < 3);
    CHECK(worst<vf>([](vf x) { return hand::sigmoid(x); }, sigmoid, -40, 40) < 4);
    CHECK(worst<vd>([](vd x) { return hand::sigmoid(x); }, sigmoid, -40, 40) < 4);
    vf const inf = hand::set1<vf>(std::numeric_limits<float>::infinity());
    CHECK(hand::tanh(inf)[0] == 1.0f);
    CHECK(hand::tanh(vf{} - inf)[0] == -1.0f);
}

TEST_CASE("hand-written transposition and sums of rows") {
    float in[hand::wf * hand::wf], out[hand::wf * hand::wf];
    for (int i = 0; i < hand::wf * hand::wf; ++i) in[i] = float(i * i % 97);
    hand::transpose_block(in, hand::wf, out, hand::wf);
    hand::vf const sums = hand::sum_rows(in);
    for (int i = 0; i < hand::wf; ++i) {
        float sum = 0;
        for (int j = 0; j < hand::wf; ++j) {
            CHECK(out[j * hand::wf + i] == in[i * hand::wf + j]);
            sum += in[i * hand::wf + j];
        }
        CHECK(sums[i] == sum);
    }
}

TEST_CASE_TEMPLATE("hand-written products of matrices", V, hand::vf, hand::vd) {
    using T = hand::scalar_t<V>;
    int const n = 5 * hand::panel_width<V>, k = 160;   // in two parts
    std::vector<T> a(std::size_t(n * k)), c(std::size_t(n * n));
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = T(int(i * i % 13) - 6);
    hand::products<V> by;
    for (bool half : {true, false}) {
        hand::view<V> const whole{a.data(), k, 1}, transposed{a.data(), 1, k};
        if (half) {
            by.symmetric(whole, transposed, n, k, c.data(), [](int, int, V x) { return x; });
        } else {
            T* const to = c.data();
            by.multiply(whole, transposed, n, n, k, to, false, [=](int i, int j, V x) { hand::store<V>(to + i * n + j, x); });
        }
        int wrong = 0;
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) {
                double sum = 0;
                for (int l = 0; l < k; ++l) sum += double(a[std::size_t(i * k + l)]) * double(a[std::size_t(j * k + l)]);
                wrong += double(c[std::size_t(i * n + j)]) != sum;
            }
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("hand-written 784-128-10") {
    auto net = std::make_unique<hand::mlp>();
    network n{{784, 128, 10}, {activation::relu, activation::none}, {}, {}, {}, {}};
    append(n.p, net->w1);
    zeros(n.p, 128);
    append(n.p, net->w2);
    zeros(n.p, 10);
    numbers const start = n.p;
    naive_adam adam;
    for (int t = 0; t < 3; ++t) {
        n.forward(wide(net->images(t), 64 * 784), 64);
        numbers d = n.h.back();
        double loss = 0;
        for (int r = 0; r < 64; ++r) {
            double* const z = d.data() + r * 10;
            double const top = *std::max_element(z, z + 10);
            int const label = net->labels(t)[r];
            double sum = 0;
            for (int i = 0; i < 10; ++i) sum += std::exp(z[i] - top);
            loss += (std::log(sum) + top - z[label]) / 64;
            for (int i = 0; i < 10; ++i) z[i] = (std::exp(z[i] - top) / sum - (i == label)) / 64;
        }
        n.backward(d, 64);
        adam.apply(n.p, n.gradient);
        CHECK(double(net->step(net->images(t), net->labels(t))) == doctest::Approx(loss).epsilon(1e-5));
        CHECK(relative_error(n.p, net->parameters(), start) < 1e-3);
    }
}

TEST_CASE_TEMPLATE("hand-written 16-32-32-1", Net, hand::tanh_net<1>, hand::tanh_net<32>) {
    auto net = std::make_unique<Net>();
    int const batch = std::is_same_v<Net, hand::tanh_net<1>> ? 1 : 32;
    network n{{16, 32, 32, 1}, {activation::tanh, activation::tanh, activation::none}, {}, {}, {}, {}};
    append(n.p, net->w1);
    zeros(n.p, 32);
    append(n.p, net->w2);
    zeros(n.p, 32);
    append(n.p, net->w3);
    zeros(n.p, 1);
    numbers const start = n.p;
    naive_adam adam;
    for (int t = 0; t < 10; ++t) {
        n.forward(wide(net->inputs(t), std::size_t(batch * 16)), batch);
        numbers d = n.h.back();
        double loss = 0;
        for (int r = 0; r < batch; ++r) {
            double const e = d[std::size_t(r)] - double(net->targets(t)[r]);
            loss += e * e / batch;
            d[std::size_t(r)] = 2 * e / batch;
        }
        n.backward(d, batch);
        adam.apply(n.p, n.gradient);
        CHECK(double(net->step(net->inputs(t), net->targets(t))) == doctest::Approx(loss).epsilon(1e-4));
        CHECK(relative_error(n.p, net->parameters(), start) < 1e-3);
    }
}

TEST_CASE("hand-written 12 x 64") {
    auto net = std::make_unique<hand::deep_tanh>();
    network n{std::vector<int>(13, 64), std::vector<activation>(12, activation::tanh), {}, {}, {}, {}};
    for (auto const& w : net->w) {
        append(n.p, w);
        zeros(n.p, 64);
    }
    numbers const start = n.p;
    for (int t = 0; t < 3; ++t) {
        n.forward(wide(net->inputs(t), 32 * 64), 32);
        numbers d = n.h.back();
        double loss = 0;
        for (std::size_t i = 0; i < d.size(); ++i) {
            double const e = d[i] - double(net->targets(t)[i]);
            loss += e * e / 2048;
            d[i] = 2 * e / 2048;
        }
        n.backward(d, 32);
        for (std::size_t i = 0; i < n.p.size(); ++i) n.p[i] -= double(net->rate) * n.gradient[i];
        CHECK(double(net->step(net->inputs(t), net->targets(t))) == doctest::Approx(loss).epsilon(1e-5));
        CHECK(relative_error(n.p, net->parameters(), start) < 1e-3);
    }
}

TEST_CASE("hand-written embeddings and 64-100-50-1") {
    auto net = std::make_unique<hand::embedding_net>();
    network n{{64, 100, 50, 1}, {activation::relu, activation::relu, activation::none}, {}, {}, {}, {}};
    append(n.p, net->w1);
    zeros(n.p, 100);
    append(n.p, net->w2);
    zeros(n.p, 50);
    append(n.p, net->w3);
    zeros(n.p, 1);
    numbers tables;
    for (auto const& t : net->table) append(tables, t);
    numbers all = tables;
    all.insert(all.end(), n.p.begin(), n.p.end());
    numbers const start = all;
    numbers accumulators(all.size(), double(0.1f));
    for (int t = 0; t < 3; ++t) {
        numbers x, gradient(all.size(), 0.0);
        for (int i = 0; i < 256 * 8; ++i) {
            std::size_t const row = std::size_t(i % 8 * 1000 + net->ids(t)[i]) * 8;
            x.insert(x.end(), tables.begin() + long(row), tables.begin() + long(row) + 8);
        }
        n.forward(x, 256);
        numbers d = n.h.back();
        double loss = 0;
        for (int r = 0; r < 256; ++r) {
            double const z = d[std::size_t(r)], y = double(net->labels(t)[r]);
            loss += (std::max(z, 0.0) - z * y + std::log1p(std::exp(-std::abs(z)))) / 256;
            d[std::size_t(r)] = (1 / (1 + std::exp(-z)) - y) / 256;
        }
        n.backward(d, 256);
        for (int i = 0; i < 256 * 8; ++i)
            for (int k = 0; k < 8; ++k)
                gradient[std::size_t(i % 8 * 1000 + net->ids(t)[i]) * 8 + std::size_t(k)] += n.input_gradient[std::size_t(i * 8 + k)];
        std::copy(n.gradient.begin(), n.gradient.end(), gradient.begin() + 64000);
        for (std::size_t i = 0; i < all.size(); ++i) {
            accumulators[i] += gradient[i] * gradient[i];
            all[i] -= double(net->rate) * gradient[i] / std::sqrt(accumulators[i]);
        }
        std::copy_n(all.begin(), 64000, tables.begin());
        std::copy(all.begin() + 64000, all.end(), n.p.begin());
        CHECK(double(net->step(net->ids(t), net->labels(t))) == doctest::Approx(loss).epsilon(1e-5));
        CHECK(relative_error(all, net->parameters(), start) < 1e-3);
    }
}

TEST_CASE("hand-written dense updates") {
    std::size_t const n = 1003;
    hand::dense_update<hand::adam> adam(n);
    hand::dense_update<hand::adagrad> adagrad(n);
    hand::dense_update<hand::ftrl> ftrl(n);
    numbers p(n), g(n);
    for (std::size_t i = 0; i < n; ++i) {
        p[i] = double(adam.w[i]);
        g[i] = double(adam.g[i]);
    }
    for (int t = 0; t < 5; ++t) {
        adam.step();
        adagrad.step();
        ftrl.step();
    }
    numbers q = p;
    naive_adam reference;
    for (int t = 0; t < 5; ++t) reference.apply(q, g);
    int zeros_seen = 0;
    for (std::size_t i = 0; i < n; ++i) {
        CHECK(double(adam.w[i]) == doctest::Approx(q[i]).epsilon(1e-4));
        double w = p[i], s = double(0.1f);
        double u = p[i], a = double(0.1f), z = 0;
        for (int t = 0; t < 5; ++t) {
            s += g[i] * g[i];
            w -= double(adagrad.rule.rate) * g[i] / std::sqrt(s);
            double const rate = double(ftrl.rule.rate), l1 = double(ftrl.rule.l1), next = a + g[i] * g[i];
            z += g[i] - (std::sqrt(next) - std::sqrt(a)) / rate * u;
            a = next;
            u = std::abs(z) > l1 ? (std::copysign(l1, z) - z) / (std::sqrt(a) / rate) : 0.0;
        }
        CHECK(double(adagrad.w[i]) == doctest::Approx(w).epsilon(1e-5));
        CHECK(std::abs(double(ftrl.w[i]) - u) < 1e-6);
        zeros_seen += ftrl.w[i] == 0.0f;
    }
    CHECK(zeros_seen > 0);
}

TEST_CASE_TEMPLATE("hand-written row updates", Rule, hand::adagrad, hand::adam) {
    hand::row_update<Rule> u(2000, 2, 500);
    constexpr int dim = hand::row_update<Rule>::dim;
    constexpr bool is_adam = std::is_same_v<Rule, hand::adam>;
    numbers w, m(2000 * dim, is_adam ? 0.0 : double(0.1f)), v(2000 * dim, 0.0);
    for (int i = 0; i < 2000 * dim; ++i) w.push_back(double(u.initial(i / dim, i % dim)));
    for (int t = 1; t <= 3; ++t) {
        std::map<std::int32_t, numbers> sums;
        auto const& ids = u.ids[std::size_t(t - 1) % 2];
        for (std::size_t k = 0; k < ids.size(); ++k) {
            numbers& s = sums[ids[k]];
            s.resize(dim);
            for (std::size_t c = 0; c < dim; ++c) s[c] += double(u.gradients[k * dim + c]);
        }
        CHECK(u.step() == int(sums.size()));
        CHECK(sums.size() < ids.size());
        double const b1 = double(0.9f), b2 = double(0.999f), a = 1e-3 * std::sqrt(1 - std::pow(b2, t)) / (1 - std::pow(b1, t));
        for (auto const& [row, g] : sums) {
            for (std::size_t c = 0; c < dim; ++c) {
                std::size_t const i = std::size_t(row) * dim + c;
                if constexpr (is_adam) {
                    m[i] += (1 - b1) * (g[c] - m[i]);
                    v[i] += (1 - b2) * (g[c] * g[c] - v[i]);
                    w[i] -= a * m[i] / (std::sqrt(v[i]) + 1e-8);
                } else {
                    m[i] += g[c] * g[c];
                    w[i] -= double(u.rule.rate) * g[c] / std::sqrt(m[i]);
                }
            }
        }
    }
    double largest = 0;
    for (int i = 0; i < 2000 * dim; ++i) largest = std::max(largest, std::abs(w[std::size_t(i)] - double(u.weight(i / dim)[i % dim])));
    CHECK(largest < 2e-6);
}

TEST_CASE("hand-written log-sum-exp") {
    hand::log_sum_exp f;
    double const value = f.step();
    long double sum = 0;
    for (int i = 0; i < f.n; ++i) sum += std::exp((long double)(f.x[i]));
    CHECK(value == doctest::Approx(double(std::log(sum))).epsilon(1e-13));
    for (int i = 0; i < f.n; ++i) CHECK(f.gradient[i] == doctest::Approx(double(std::exp((long double)(f.x[i])) / sum)).epsilon(1e-13));
}

TEST_CASE("hand-written linear regression") {
    hand::linear_regression f;
    double const value = f.step();
    double loss = 0, gb = 0;
    numbers g(100);
    for (int r = 0; r < f.rows; ++r) {
        double e = f.b - f.y[r];
        for (int c = 0; c < 100; ++c) e += f.x[r * 100 + c] * f.w[c];
        loss += e * e / f.rows;
        gb += 2 * e / f.rows;
        for (int c = 0; c < 100; ++c) g[std::size_t(c)] += 2 * e * f.x[r * 100 + c] / f.rows;
    }
    CHECK(value == doctest::Approx(loss).epsilon(1e-12));
    CHECK(std::abs(f.gradient_b - gb) < 1e-12);
    for (int c = 0; c < 100; ++c) CHECK(std::abs(f.gradient[c] - g[std::size_t(c)]) < 1e-12);
}

TEST_CASE("hand-written Gaussian mixture") {
    hand::gaussian_mixture f;
    int const N = f.N, d = f.d, K = f.K;
    double const value = f.step();
    double total = 0, weights = 0;
    numbers ga(std::size_t(K), 0.0), gm(std::size_t(K * d), 0.0), gq(std::size_t(K * d), 0.0);
    for (int n = 0; n < N; ++n) {
        numbers s(std::size_t(K), 0.0);
        for (int k = 0; k < K; ++k) {
            double e = f.a[k];
            for (int j = 0; j < d; ++j) {
                double const t = std::exp(f.q[k * d + j]) * (f.points[n * d + j] - f.m[k * d + j]);
                e += f.q[k * d + j] - t * t / 2;
            }
            s[std::size_t(k)] = e;
        }
        double const top = *std::max_element(s.begin(), s.end());
        double sum = 0;
        for (double e : s) sum += std::exp(e - top);
        total += top + std::log(sum);
        for (int k = 0; k < K; ++k) {
            double const r = std::exp(s[std::size_t(k)] - top) / sum;
            ga[std::size_t(k)] += r;
            for (int j = 0; j < d; ++j) {
                double const e = std::exp(f.q[k * d + j]), t = e * (f.points[n * d + j] - f.m[k * d + j]);
                gm[std::size_t(k * d + j)] += r * e * t;
                gq[std::size_t(k * d + j)] += r * (1 - t * t);
            }
        }
    }
    for (int k = 0; k < K; ++k) weights += std::exp(f.a[k]);
    total -= N * std::log(weights) + N * d * 0.5 * std::log(2 * 3.14159265358979323846);
    CHECK(value == doctest::Approx(total).epsilon(1e-12));
    for (int k = 0; k < K; ++k) CHECK(std::abs(f.gradient_a[k] - (ga[std::size_t(k)] - N * std::exp(f.a[k]) / weights)) < 1e-9);
    for (int i = 0; i < K * d; ++i) {
        CHECK(std::abs(f.gradient_m[i] - gm[std::size_t(i)]) < 1e-9);
        CHECK(std::abs(f.gradient_q[i] - gq[std::size_t(i)]) < 1e-9);
    }
}

TEST_CASE("hand-written chain of 20 operations") {
    hand::chain f;
    double const value = f.step();
    double total = 0;
    for (int i = 0; i < f.n; ++i) {
        double u = f.x[i], slope = 1;
        for (int twice = 0; twice < 2; ++twice) {
            u = 0.8 * u + 0.3;
            slope *= 0.8;
            u = std::tanh(u);
            slope *= 1 - u * u;
            u = std::exp(u);
            slope *= u;
            u = std::log(u + 1);
            slope /= std::exp(u);
            slope *= 2 * u;
            u = std::sqrt(u * u + 0.5);
            slope /= 2 * u;
            u = 1 / (1 + std::exp(-u));
            slope *= u * (1 - u);
        }
        total += u;
        CHECK(f.gradient[i] == doctest::Approx(slope).epsilon(1e-11));
    }
    CHECK(value == doctest::Approx(total).epsilon(1e-13));
}
