// SPDX-License-Identifier: MIT
// ba of GradBench: errors of projected points, and their sparse Jacobian: 2 x 15 numbers of each observation.
#include "protocol.hpp"

#include <xgrad/all.hpp>

#include <algorithm>

namespace {
namespace xg = xgrad;
using namespace xg::literals;

inline constexpr xg::dim n{"n"};   // cameras
inline constexpr xg::dim m{"m"};   // points
inline constexpr xg::dim p{"p"};   // observations
constexpr auto cameras = xg::input<"cameras", double, n, 11>;
constexpr auto points = xg::input<"points", double, m, 3>;
constexpr auto weights = xg::input<"weights", double, p>;
constexpr auto features = xg::input<"features", double, p, 2>;
constexpr auto seen = xg::input<"seen", std::int32_t, p, 2>;   // camera, point

template<int K>
constexpr auto column(auto table) {
    return xg::squeeze<1>(xg::slice<1, K, K + 1>(table));
}
constexpr auto cams = xg::gather(cameras, column<0>(seen));   // [p, 11]
constexpr auto pts = xg::gather(points, column<1>(seen));     // [p, 3]

template<int... K>
constexpr auto columns(auto table, std::integer_sequence<int, K...>) {
    return std::tuple{column<K>(table)...};
}
constexpr auto cam = columns(cams, std::make_integer_sequence<int, 11>{});
constexpr auto point = columns(pts, std::make_integer_sequence<int, 3>{});

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
    return std::tuple{weights * (px * bent * focus + u - column<0>(features)), weights * (py * bent * focus + v - column<1>(features))};
}
constexpr auto side_by_side(auto... x) { return xg::concat<1>(xg::expand_dims<1>(x)...); }
// Row i of the blocks of all observations at once: the sum of all errors i has the derivatives of each in the columns.
template<int Row>
constexpr auto row() {
    return std::apply([](auto... x) { return xg::gradients(xg::sum(std::get<Row>(errors())), xg::unconnected_zeros, x...); },
        std::tuple_cat(cam, point, std::tuple{weights}));
}
constexpr auto both_errors = std::apply([](auto... x) { return side_by_side(x...); }, errors());                             // [p, 2]
constexpr auto blocks = std::apply([](auto... x) { return side_by_side(x...); }, std::tuple_cat(row<0>(), row<1>()));        // [p, 30]
constexpr auto weight_errors = 1_c - weights * weights;                                                                     // [p]
constexpr auto weight_slopes = xg::gradient_of(xg::sum(weight_errors), weights);

struct input {
    std::int64_t cameras, points, observations;
    std::vector<double> camera_rows, point_rows, weight, feature;
    std::vector<std::int32_t> pair;

    explicit input(gradbench::json const& j) : cameras(j.at("n")), points(j.at("m")), observations(j.at("p")) {
        auto const repeat = [](std::int64_t times, std::vector<double> const& row) {
            std::vector<double> all;
            for (std::int64_t i = 0; i < times; ++i) all.insert(all.end(), row.begin(), row.end());
            return all;
        };
        camera_rows = repeat(cameras, j.at("cam"));
        point_rows = repeat(points, j.at("x"));
        weight = repeat(observations, {j.at("w").get<double>()});
        feature = repeat(observations, j.at("feat"));
        for (std::int64_t i = 0; i < observations; ++i) {
            pair.push_back(static_cast<std::int32_t>(i % cameras));
            pair.push_back(static_cast<std::int32_t>(i % points));
        }
    }
};
// Calls f on some hundred observations at a time, so that values between its loops stay in the cache.
template<class F>
void by_parts(input const& in, F const& f) {
    constexpr std::int64_t part = 256;
    for (std::int64_t i = 0; i < in.observations; i += part) f(i, std::min(part, in.observations - i));
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
        by_parts(in, [&](std::int64_t i, std::int64_t count) {
            f.into(xg::array(projected.data() + 2 * i, count, 2))(cameras = xg::array(in.camera_rows.data(), in.cameras, 11),
                points = xg::array(in.point_rows.data(), in.points, 3), weights = xg::array(in.weight.data() + i, count),
                features = xg::array(in.feature.data() + 2 * i, count, 2), seen = xg::array(in.pair.data() + 2 * i, count, 2));
        });
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
    std::vector<std::int32_t> rows, columns;
    std::vector<double> values;

    explicit jacobian(input const& given) : in(given) {}
    void compute() {
        auto const p = static_cast<std::size_t>(in.observations);
        // New memory, as the suite's programs take it.
        rows = std::vector<std::int32_t>(3 * p + 1);
        columns = std::vector<std::int32_t>(31 * p);
        values = std::vector<double>(31 * p);
        by_parts(in, [&](std::int64_t i, std::int64_t count) {
            f.into(xg::array(values.data() + 30 * i, count, 30))(cameras = xg::array(in.camera_rows.data(), in.cameras, 11),
                points = xg::array(in.point_rows.data(), in.points, 3), weights = xg::array(in.weight.data() + i, count),
                features = xg::array(in.feature.data() + 2 * i, count, 2), seen = xg::array(in.pair.data() + 2 * i, count, 2));
        });
        g.into(xg::array(values.data() + 30 * p, in.observations))(weights = in.weight);
        auto const first_point = static_cast<std::int32_t>(11 * in.cameras);
        auto const first_weight = static_cast<std::int32_t>(first_point + 3 * in.points);
        for (std::size_t i = 0; i < p; ++i) {
            for (std::size_t k = 0; k < 2; ++k) {
                std::int32_t* const to = columns.data() + 15 * (2 * i + k);
                for (int c = 0; c < 11; ++c) to[c] = 11 * in.pair[2 * i] + c;
                for (int c = 0; c < 3; ++c) to[11 + c] = first_point + 3 * in.pair[2 * i + 1] + c;
                to[14] = first_weight + static_cast<std::int32_t>(i);
                rows[2 * i + k + 1] = static_cast<std::int32_t>(15 * (2 * i + k + 1));
            }
            columns[30 * p + i] = first_weight + static_cast<std::int32_t>(i);
            rows[2 * p + i + 1] = static_cast<std::int32_t>(30 * p + i + 1);
        }
    }
    // The first 30 elements and the last one of each list.
    gradbench::json output() const {
        auto const some = [](auto const& list) {
            auto made = gradbench::json(std::vector(list.begin(), list.begin() + 30));
            made.push_back(list.back());
            return made;
        };
        return {{"rows", some(rows)}, {"cols", some(columns)}, {"vals", some(values)}};
    }
};
}

int main(int argc, char** argv) {
    return gradbench::answer_all(
        argc, argv, {{"objective", gradbench::run<input, objective>}, {"jacobian", gradbench::run<input, jacobian>}});
}
