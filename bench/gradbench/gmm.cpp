// SPDX-License-Identifier: MIT
// GradBench's gmm: the logarithm of the posterior of a mixture of normal distributions with a Wishart prior, and its gradient.
#include "protocol.hpp"

#include <xgrad/xgrad.hpp>

#include <cmath>
#include <numbers>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim n{"n"};
inline constexpr xg::dim k{"k"};
inline constexpr xg::dim d{"d"};
inline constexpr xg::dim below{"below"};   // elements below the diagonal of a matrix, d (d - 1) / 2
constexpr auto alpha = xg::input<"alpha", double, k>;
constexpr auto mu = xg::input<"mu", double, k, d>;
constexpr auto q = xg::input<"q", double, k, d>;
constexpr auto l = xg::input<"l", double, k, below>;
constexpr auto x = xg::input<"x", double, d, n>;
constexpr auto where = xg::input<"where", std::int32_t, d, d>;   // in l, or `below` for the elements that are not below the diagonal
constexpr auto diagonal = xg::input<"diagonal", double, d, d>;   // the identity matrix
constexpr auto gamma_ = xg::input<"gamma", double>;
constexpr auto m = xg::input<"m", double>;
constexpr auto constant = xg::input<"constant", double>;

/// The logarithm of the density of a component at all points, up to a constant.
struct component : xg::region {
    static constexpr auto value(auto alpha_k, auto mu_k, auto q_k, auto l_k) {
        auto const lower = xg::gather(xg::concat<0>(l_k, xg::broadcast_to<1>(xg::constant<double, 0>)), where);
        auto const factor = lower + diagonal * xg::exp(q_k);   // [d, d]
        auto const centred = xg::matmul(factor, x) - xg::matmul(factor, xg::expand_dims<1>(mu_k));
        return alpha_k + xg::sum(q_k) - xg::sum<0>(xg::square(centred)) / 2_c;
    }
};

constexpr auto terms = xg::map<component>(alpha, mu, q, l);   // [k, n]
constexpr auto prior = xg::square(gamma_) / 2_c * (xg::sum(xg::square(xg::exp(q))) + xg::sum(xg::square(l))) - m * xg::sum(q);
constexpr auto objective = xg::sum(xg::log_sum_exp<0>(terms) - xg::log_sum_exp(alpha)) - prior + constant;
constexpr auto slopes = std::apply([](auto... slope) { return xg::outputs(slope...); }, xg::gradients(objective, alpha, mu, q, l));

struct input {
    std::int64_t n, k, d, below;
    double gamma;
    std::int64_t m;
    std::vector<double> alpha, mu, q, l, x;
    explicit input(gradbench::json const& j)
        : n(j.at("n").get<std::int64_t>()), k(j.at("k").get<std::int64_t>()), d(j.at("d").get<std::int64_t>()), below(d * (d - 1) / 2),
          gamma(j.at("gamma").get<double>()), m(j.at("m").get<std::int64_t>()), alpha(j.at("alpha").get<std::vector<double>>()),
          mu(gradbench::flat(j.at("mu"))), q(gradbench::flat(j.at("q"))), l(gradbench::flat(j.at("l"))), x(gradbench::flat(j.at("x"))) {}
};

/// What both functions give the expressions: the points as columns, the places of the elements of l, and a sum of constants.
struct arguments {
    input const& in;
    std::vector<double> columns, identity;
    std::vector<std::int32_t> places;

    explicit arguments(input const& given)
        : in(given), columns(given.x.size()), identity(static_cast<std::size_t>(in.d * in.d)), places(identity.size()) {}
    double fixed() const {
        double const degrees = static_cast<double>(in.d + in.m + 1), size = static_cast<double>(in.d);
        double gammas = 0.25 * size * (size - 1) * std::log(std::numbers::pi);   // the logarithm of the multivariate gamma function
        for (int j = 1; j <= in.d; ++j) gammas += std::lgamma(0.5 * degrees + 0.5 * (1 - j));
        return -static_cast<double>(in.n) * size * 0.5 * std::log(2 * std::numbers::pi) +
               static_cast<double>(in.k) * (degrees * size * (std::log(in.gamma) - 0.5 * std::numbers::ln2) - gammas);
    }
    auto operator()(auto& f) {
        for (std::int64_t i = 0; i < in.n; ++i)
            for (std::int64_t j = 0; j < in.d; ++j)
                columns[static_cast<std::size_t>(j * in.n + i)] = in.x[static_cast<std::size_t>(i * in.d + j)];
        std::int32_t next = 0;
        for (std::int64_t j = 0; j < in.d; ++j)   // l has the columns one after another
            for (std::int64_t i = 0; i < in.d; ++i) {
                auto const at = static_cast<std::size_t>(i * in.d + j);
                places[at] = i > j ? next++ : static_cast<std::int32_t>(in.below);
                identity[at] = i == j;
            }
        return f(alpha = in.alpha, mu = xg::array(in.mu, in.k, in.d), q = xg::array(in.q, in.k, in.d), l = xg::array(in.l, in.k, in.below),
            x = xg::array(columns, in.d, in.n), where = xg::array(places, in.d, in.d), diagonal = xg::array(identity, in.d, in.d),
            gamma_ = in.gamma, m = static_cast<double>(in.m), constant = fixed());
    }
};

struct primal {
    input const& in;
    arguments given{in};
    xg::function<decltype(objective)> f{objective};
    double result = 0;

    explicit primal(input const& i) : in(i) { f.reserve(n = in.n, k = in.k, d = in.d, below = in.below); }
    void compute() { result = given(f); }
    gradbench::json output() const { return result; }
};

struct jacobian {
    input const& in;
    arguments given{in};
    xg::function<decltype(slopes)> f{slopes};
    std::vector<double> of_alpha, of_mu, of_q, of_l;

    explicit jacobian(input const& i) : in(i) { f.reserve(n = in.n, k = in.k, d = in.d, below = in.below); }
    void compute() {
        of_alpha.resize(in.alpha.size());
        of_mu.resize(in.mu.size());
        of_q.resize(in.q.size());
        of_l.resize(in.l.size());
        auto fill = f.into(of_alpha, of_mu, of_q, of_l);
        given(fill);
    }
    gradbench::json output() const {
        return {{"alpha", of_alpha}, {"mu", gradbench::nested(of_mu, static_cast<std::size_t>(in.d))},
            {"q", gradbench::nested(of_q, static_cast<std::size_t>(in.d))},
            {"l", gradbench::nested(of_l, static_cast<std::size_t>(in.below))}};
    }
};
}

int main(int argc, char** argv) {
    return gradbench::answer_all(argc, argv, {{"objective", gradbench::run<input, primal>}, {"jacobian", gradbench::run<input, jacobian>}});
}
