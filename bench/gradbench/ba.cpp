// SPDX-License-Identifier: MIT
// ba of GradBench: errors of projected points, and their sparse Jacobian: 2 x 15 numbers of each observation.
#include "protocol.hpp"

#include <xgrad/all.hpp>

#include <algorithm>
#include <memory>

namespace {
namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim n{"n"};   // cameras
inline constexpr xg::dim m{"m"};   // points
inline constexpr xg::dim p{"p"};   // observations
// Tables and pairs have a row for each column, so that loops read neighbouring numbers.
constexpr auto cameras = xg::input<"cameras", double, 11, n>;
constexpr auto points = xg::input<"points", double, 3, m>;
constexpr auto camera = xg::input<"camera", std::int32_t, p>;
constexpr auto seen = xg::input<"seen", std::int32_t, p>;   // the point
constexpr auto weights = xg::input<"weights", double, p>;
constexpr auto feature_u = xg::input<"feature_u", double, p>;
constexpr auto feature_v = xg::input<"feature_v", double, p>;

template<int... K>
constexpr auto looked_up(auto table, auto ids, std::integer_sequence<int, K...>) {
    return std::tuple{xg::gather(xg::squeeze<0>(xg::slice<0, K, K + 1>(table)), ids)...};
}
constexpr auto cam = looked_up(cameras, camera, std::make_integer_sequence<int, 11>{});
constexpr auto point = looked_up(points, seen, std::make_integer_sequence<int, 3>{});

// Rodrigues' rotation of (x, y, z) by r. Without rotation it is the point plus r x point.
constexpr auto rotated(auto r0, auto r1, auto r2, auto x, auto y, auto z) {
    auto const square = r0 * r0 + r1 * r1 + r2 * r2;
    auto const turns = xg::not_equal(square, 0_c);
    auto const theta = xg::sqrt(xg::select(turns, square, 1_c));
    auto const c = xg::cos(theta);
    auto const s = xg::sin(theta);
    auto const w0 = r0 / theta;
    auto const w1 = r1 / theta;
    auto const w2 = r2 / theta;
    auto const along = (w0 * x + w1 * y + w2 * z) * (1_c - c);
    return std::tuple{xg::select(turns, x * c + (w1 * z - w2 * y) * s + w0 * along, x + r1 * z - r2 * y),
        xg::select(turns, y * c + (w2 * x - w0 * z) * s + w1 * along, y + r2 * x - r0 * z),
        xg::select(turns, z * c + (w0 * y - w1 * x) * s + w2 * along, z + r0 * y - r1 * x)};
}
constexpr auto errors() {
    auto const [r0, r1, r2, c0, c1, c2, focus, u, v, k1, k2] = cam;
    auto const [x, y, z] = point;
    auto const [a, b, depth] = rotated(r0, r1, r2, x - c0, y - c1, z - c2);
    auto const px = a / depth;
    auto const py = b / depth;
    auto const radius = px * px + py * py;
    auto const bent = 1_c + k1 * radius + k2 * radius * radius;
    return std::tuple{weights * (px * bent * focus + u - feature_u), weights * (py * bent * focus + v - feature_v)};
}
constexpr auto side_by_side(auto... x) { return xg::concat<1>(xg::expand_dims<1>(x)...); }
// Row i of the blocks of all observations in one pass: the sum of all errors i has the derivatives of each in the columns.
template<int Row>
constexpr auto row() {
    return std::apply([](auto... x) { return xg::gradients(xg::sum(std::get<Row>(errors())), xg::unconnected_zeros, x...); },
        std::tuple_cat(cam, point, std::tuple{weights}));
}
constexpr auto both_errors = std::apply([](auto... x) { return side_by_side(x...); }, errors());                        // [p, 2]
constexpr auto blocks = std::apply([](auto... x) { return side_by_side(x...); }, std::tuple_cat(row<0>(), row<1>()));   // [p, 30]
constexpr auto weight_errors = 1_c - weights * weights;                                                                 // [p]
constexpr auto weight_slopes = xg::gradient_of(xg::sum(weight_errors), weights);

struct input {
    std::int64_t cameras, points, observations;
    std::vector<double> camera_columns, point_columns, weight, u, v;
    std::vector<std::int32_t> camera, point;

    static std::vector<double> repeat(std::int64_t times, std::vector<double> const& numbers) {
        std::vector<double> all;
        for (double const x : numbers) all.insert(all.end(), static_cast<std::size_t>(times), x);
        return all;
    }
    explicit input(gradbench::json const& j) : cameras(j.at("n")), points(j.at("m")), observations(j.at("p")) {
        camera_columns = repeat(cameras, j.at("cam"));
        point_columns = repeat(points, j.at("x"));
        weight = repeat(observations, {j.at("w").get<double>()});
        u = repeat(observations, {j.at("feat").at(0).get<double>()});
        v = repeat(observations, {j.at("feat").at(1).get<double>()});
        for (std::int64_t i = 0; i < observations; ++i) {
            camera.push_back(static_cast<std::int32_t>(i % cameras));
            point.push_back(static_cast<std::int32_t>(i % points));
        }
    }
};
// Calls f on some hundred observations at a time, so that values between its loops stay in the cache. Those from `i` on get rows of `to`.
template<std::int64_t Width, class F>
void by_parts(input const& in, F& f, double* to) {
    constexpr std::int64_t part = 512;
    for (std::int64_t i = 0; i < in.observations; i += part) {
        std::int64_t const count = std::min(part, in.observations - i);
        f.into(xg::array(to + Width * i, count, Width))(cameras = xg::array(in.camera_columns.data(), 11, in.cameras),
            points = xg::array(in.point_columns.data(), 3, in.points), camera = xg::array(in.camera.data() + i, count),
            seen = xg::array(in.point.data() + i, count), weights = xg::array(in.weight.data() + i, count),
            feature_u = xg::array(in.u.data() + i, count), feature_v = xg::array(in.v.data() + i, count));
    }
}

struct objective {
    input const& in;
    xg::function<decltype(both_errors)> f{both_errors};
    xg::function<decltype(weight_errors)> g{weight_errors};
    std::vector<double> projected, weighted;

    explicit objective(input const& given) : in(given) {}
    void compute() {
        projected.resize(static_cast<std::size_t>(2 * in.observations));
        weighted.resize(static_cast<std::size_t>(in.observations));
        by_parts<2>(in, f, projected.data());
        g.into(weighted)(weights = in.weight);
    }
    gradbench::json output() const {
        return {{"reproj_error", {{"elements", {projected[0], projected[1]}}, {"repeated", in.observations}}},
            {"w_err", {{"element", weighted[0]}, {"repeated", in.observations}}}};
    }
};

// The sparse matrix in rows, as the suite's SparseMat: two rows of 15 numbers for each observation, then a row for each weight.
struct jacobian {
    input const& in;
    xg::function<decltype(blocks)> f{blocks};
    xg::function<decltype(weight_slopes)> g{weight_slopes};
    std::unique_ptr<std::int32_t[]> rows, columns;
    std::unique_ptr<double[]> values;

    explicit jacobian(input const& given) : in(given) {}
    void compute() {
        auto const p = static_cast<std::size_t>(in.observations);
        // New memory, as the suite's programs take it.
        rows = std::make_unique_for_overwrite<std::int32_t[]>(3 * p + 1);
        columns = std::make_unique_for_overwrite<std::int32_t[]>(31 * p);
        values = std::make_unique_for_overwrite<double[]>(31 * p);
        rows[0] = 0;
        by_parts<30>(in, f, values.get());
        g.into(xg::array(values.get() + 30 * p, in.observations))(weights = in.weight);
        auto const first_point = static_cast<std::int32_t>(11 * in.cameras);
        auto const first_weight = static_cast<std::int32_t>(first_point + 3 * in.points);
        for (std::size_t i = 0; i < p; ++i) {
            for (std::size_t k = 0; k < 2; ++k) {
                std::int32_t* const to = columns.get() + 15 * (2 * i + k);
                for (int c = 0; c < 11; ++c) to[c] = 11 * in.camera[i] + c;
                for (int c = 0; c < 3; ++c) to[11 + c] = first_point + 3 * in.point[i] + c;
                to[14] = first_weight + static_cast<std::int32_t>(i);
                rows[2 * i + k + 1] = static_cast<std::int32_t>(15 * (2 * i + k + 1));
            }
            columns[30 * p + i] = first_weight + static_cast<std::int32_t>(i);
            rows[2 * p + i + 1] = static_cast<std::int32_t>(30 * p + i + 1);
        }
    }
    // The first 30 elements and the last one of each list.
    gradbench::json output() const {
        auto const some = [](auto const& list, std::size_t count) {
            auto made = gradbench::json(std::vector(list.get(), list.get() + 30));
            made.push_back(list[count - 1]);
            return made;
        };
        auto const p = static_cast<std::size_t>(in.observations);
        return {{"rows", some(rows, 3 * p + 1)}, {"cols", some(columns, 31 * p)}, {"vals", some(values, 31 * p)}};
    }
};
}

int main(int argc, char** argv) {
    return gradbench::answer_all(
        argc, argv, {{"objective", gradbench::run<input, objective>}, {"jacobian", gradbench::run<input, jacobian>}});
}
