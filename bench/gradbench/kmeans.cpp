// SPDX-License-Identifier: MIT
// GradBench's kmeans: the cost of a clustering, and the step of Newton's method for its centroids.
// The step is the gradient divided by the Hessian, which is diagonal.
#include "protocol.hpp"

#include <xgrad/grad/vector_products.hpp>
#include <xgrad/xgrad.hpp>

#include <numeric>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
inline constexpr xg::dim n{"n"};
inline constexpr xg::dim k{"k"};
inline constexpr xg::dim d{"d"};
constexpr auto points = xg::input<"points", double, n, d>;
constexpr auto centroids = xg::input<"centroids", double, k, d>;

constexpr auto products = xg::matmul<false, true>(points, centroids);           // [n, k]
constexpr auto nearness = products - xg::sum<1>(xg::square(centroids)) / 2_c;   // (|a|² - |a - c|²) / 2 for points a and centroids c
constexpr auto best = xg::max<1>(nearness);
constexpr auto cost = xg::sum(xg::sum<1>(xg::square(points)) - 2_c * best);

// The cost once more, of the centroids that are nearest: its gradient is a sum of few rows for each centroid.
constexpr auto numbers = xg::input<"numbers", double, k>;   // 0, 1, ...
constexpr auto closest = xg::cast<std::int32_t>(xg::max<1>(xg::select(xg::equal(nearness, xg::expand_dims<1>(best)), numbers, 0_c)));
constexpr auto assigned = xg::sum(xg::square(points - xg::gather(centroids, xg::stop_gradient(closest))));
constexpr auto ones = xg::broadcast_to<k, d>(xg::constant<double, 1>);
constexpr auto step = xg::gradient_of(assigned, centroids).dense / xg::hvp(assigned, centroids, ones);

struct input {
    std::int64_t n, k, d;
    std::vector<double> points, centroids;
    explicit input(gradbench::json const& j)
        : n(static_cast<std::int64_t>(j.at("points").size())), k(static_cast<std::int64_t>(j.at("centroids").size())),
          d(static_cast<std::int64_t>(j.at("points").at(0).size())), points(gradbench::flat(j.at("points"))),
          centroids(gradbench::flat(j.at("centroids"))) {}
};

struct primal {
    input const& in;
    xg::function<decltype(cost)> f{cost};
    double result = 0;

    explicit primal(input const& given) : in(given) { f.reserve(n = in.n, k = in.k, d = in.d); }
    void compute() { result = f(points = xg::array(in.points, in.n, in.d), centroids = xg::array(in.centroids, in.k, in.d)); }
    gradbench::json output() const { return result; }
};

struct direction {
    input const& in;
    xg::function<decltype(step)> f{step};
    std::vector<double> indices, result;

    explicit direction(input const& given) : in(given), indices(static_cast<std::size_t>(in.k)) {
        f.reserve(n = in.n, k = in.k, d = in.d);
        std::iota(indices.begin(), indices.end(), 0.0);
    }
    void compute() {
        result.resize(in.centroids.size());
        f.into(result)(points = xg::array(in.points, in.n, in.d), centroids = xg::array(in.centroids, in.k, in.d), numbers = indices);
    }
    gradbench::json output() const { return gradbench::nested(result, static_cast<std::size_t>(in.d)); }
};
}

int main(int argc, char** argv) {
    return gradbench::answer_all(argc, argv, {{"cost", gradbench::run<input, primal>}, {"dir", gradbench::run<input, direction>}});
}
