// SPDX-License-Identifier: MIT
// ht of GradBench: hand tracking. Errors of points on a hand that 26 numbers pose, and their Jacobian.
#include "protocol.hpp"

#include <xgrad/all.hpp>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace {
namespace xg = xgrad;
using namespace xg::literals;

constexpr int bones = 22, levels = 5;   // wrist, five fingers of four bones, forearm
constexpr auto pose = xg::input<"pose", double, 26>;
constexpr auto directions = xg::input<"directions", double, 26, 26>;   // a row with a 1 for each number of the pose
constexpr auto base_relatives = xg::input<"base_relatives", double, bones, 4, 4>;
constexpr auto inverse_absolutes = xg::input<"inverse_absolutes", double, bones, 4, 4>;
constexpr auto parents = xg::input<"parents", std::int32_t, bones>;   // `bones`: none
constexpr auto identity = xg::input<"identity", double, 1, 4, 4>;      // the matrix of no parent
constexpr auto mirror = xg::input<"mirror", double, 3>;               // -1 in place of the first 1 if the hand is mirrored
// The numbers of theta that bend and turn each bone; 26: none.
constexpr auto bend = xg::input<"bend", std::int32_t, bones>;
constexpr auto turn = xg::input<"turn", std::int32_t, bones>;

template<int Rows, int Columns, class... E>
constexpr auto matrices(E... e) {   // [bones, Rows, Columns] of elements [bones]
    return xg::reshape<bones, Rows, Columns>(xg::concat<1>(xg::expand_dims<1>(e)...));
}
constexpr auto products(auto a, auto b) {   // of the matrices of each bone
    return xg::sum<2>(xg::expand_dims<3>(a) * xg::expand_dims<1>(b));
}
constexpr auto relatives(auto theta) {
    auto const angles = xg::concat<0>(theta, xg::broadcast_to<1>(xg::constant<double, 0>));
    auto const x = xg::gather(angles, bend);
    auto const z = xg::gather(angles, turn);
    auto const zero = xg::broadcast_to<bones>(xg::constant<double, 0>);
    auto const one = xg::broadcast_to<bones>(xg::constant<double, 1>);
    auto const turned = matrices<4, 4>(xg::cos(z), -xg::sin(z) * xg::cos(x), xg::sin(z) * xg::sin(x), zero, xg::sin(z),
        xg::cos(z) * xg::cos(x), -xg::cos(z) * xg::sin(x), zero, zero, xg::sin(x), xg::cos(x), zero, zero, zero, zero, one);
    return products(base_relatives, turned);
}
template<int Level>
constexpr auto absolutes(auto theta) {
    if constexpr (Level == 1) return relatives(theta);
    else {
        auto const above = xg::gather(xg::concat<0>(absolutes<Level - 1>(theta), identity), parents);
        return products(above, relatives(theta));
    }
}
template<int I>
constexpr auto number(auto x) {
    return xg::slice<0, I, I + 1>(x);
}
constexpr auto rotation(auto theta) {   // of the whole hand, by an axis and an angle
    auto const axis = xg::slice<0, 0, 3>(theta);
    auto const length = xg::sqrt(xg::sum(xg::square(axis)));
    auto const turns = xg::greater_equal(length, 0.0001_c);
    auto const n = axis / xg::select(turns, length, 1_c);
    auto const [x, y, z] = std::tuple{number<0>(n), number<1>(n), number<2>(n)};
    auto const s = xg::select(turns, xg::sin(length), 0_c);
    auto const c = xg::select(turns, xg::cos(length), 1_c);
    auto const d = 1_c - c;
    return xg::reshape<3, 3>(xg::concat<0>(x * x + (1_c - x * x) * c, x * y * d - z * s, x * z * d + y * s, x * y * d + z * s,
        y * y + (1_c - y * y) * c, y * z * d - x * s, x * z * d - y * s, z * y * d + x * s, z * z + (1_c - z * z) * c));
}
// What a vertex is multiplied with: its weight of each bone times its four coordinates. Then the place of the hand is added.
constexpr auto transforms(auto theta) {   // [bones * 4, 3]
    auto const moved = products(absolutes<levels>(theta), inverse_absolutes);
    auto const by_row = xg::reshape<bones * 4, 3>(xg::transpose<0, 2, 1>(xg::slice<1, 0, 3>(moved)));
    return xg::matmul(by_row * mirror, xg::transpose<1, 0>(rotation(theta)));
}
constexpr auto place(auto theta) { return xg::slice<0, 3, 6>(theta); }
// The derivatives of both along each number of the pose.
struct along : xg::region {
    static constexpr auto value(auto theta, auto direction) {
        return xg::carry(theta).emit(xg::jvp(transforms(theta), theta, direction), xg::jvp(place(theta), theta, direction));
    }
};
constexpr auto derivatives = xg::scan<along>(xg::carry(pose), directions);

constexpr auto posed = xg::outputs(transforms(pose), place(pose));
// Next to each other: [bones * 4, 3 * 26] and [3 * 26].
constexpr auto posed_with_slopes = xg::outputs(transforms(pose), place(pose),
    xg::reshape<bones * 4, 78>(xg::transpose<1, 2, 0>(std::get<1>(derivatives))),
    xg::reshape<78>(xg::transpose<1, 0>(std::get<2>(derivatives))));

inline constexpr xg::dim vertices{"vertices"};
inline constexpr xg::dim points{"points"};
constexpr auto base_positions = xg::input<"base_positions", double, vertices, 4>;
constexpr auto weights = xg::input<"weights", double, vertices, bones>;
constexpr auto corners = xg::input<"corners", std::int32_t, points, 3>;   // vertices of a triangle
constexpr auto vertex = xg::input<"vertex", std::int32_t, points>;
constexpr auto us = xg::input<"us", double, points, 2>;   // shares of the first two corners
constexpr auto measured = xg::input<"measured", double, points, 3>;
constexpr auto moves = xg::input<"moves", double, bones * 4, 3>;   // transforms()
constexpr auto shift = xg::input<"shift", double, 3>;              // place

constexpr auto weighted(auto ids) {   // [points, bones * 4]
    auto const each = xg::expand_dims<2>(xg::gather(weights, ids)) * xg::expand_dims<1>(xg::gather(base_positions, ids));
    return xg::reshape<points, bones * 4>(each);
}
// Where a corner is; with slopes in place of moves, its derivatives.
constexpr auto slopes = xg::input<"slopes", double, bones * 4, 78>;
constexpr auto shift_slopes = xg::input<"shift_slopes", double, 78>;

// The vertices themselves, or points of triangles.
constexpr auto simple_errors = measured - (xg::matmul(weighted(vertex), moves) + shift);
constexpr auto simple_slopes = -(xg::matmul(weighted(vertex), slopes) + shift_slopes);
template<int K>
constexpr auto share() {
    auto const u = xg::slice<1, 0, 1>(us);
    auto const v = xg::slice<1, 1, 2>(us);
    if constexpr (K == 0) return u;
    else if constexpr (K == 1) return v;
    else return 1_c - u - v;
}
template<int K>
constexpr auto corner() {
    return weighted(xg::squeeze<1>(xg::slice<1, K, K + 1>(corners)));
}
constexpr auto blend = share<0>() * corner<0>() + share<1>() * corner<1>() + share<2>() * corner<2>();
constexpr auto errors = measured - (xg::matmul(blend, moves) + shift);
// A direction of the shares moves the point by them alone.
template<int K>
constexpr auto by_share() {
    auto const one = xg::broadcast_to<points, 1>(xg::constant<double, 1>);
    auto const zero = xg::broadcast_to<points, 1>(xg::constant<double, 0>);
    if constexpr (K == 0) return xg::jvp(errors, us, xg::concat<1>(one, zero));
    else return xg::jvp(errors, us, xg::concat<1>(zero, one));
}
constexpr auto by_pose = xg::reshape<points, 3, 26>(-(xg::matmul(blend, slopes) + shift_slopes));
constexpr auto rows = xg::concat<2>(xg::expand_dims<2>(by_share<0>()), xg::expand_dims<2>(by_share<1>()), by_pose);   // [points, 3, 28]

struct input {
    std::vector<double> theta, relatives, inverses, mirror{1, 1, 1}, positions, weights, points, us, identity, directions;
    std::vector<std::int32_t> parents, bend, turn, vertex, corners;
    std::int64_t vertices, count;

    explicit input(gradbench::json const& j) : theta(j.at("theta")), identity(16), directions(26 * 26), bend(bones, 26), turn(bones, 26) {
        auto const &data = j.at("data"), &model = data.at("model");
        for (auto const& m : model.at("base_relatives"))
            for (double const x : gradbench::flat(m)) relatives.push_back(x);
        for (auto const& m : model.at("inverse_base_absolutes"))
            for (double const x : gradbench::flat(m)) inverses.push_back(x);
        if (model.at("is_mirrored").get<bool>()) mirror[0] = -1;
        positions = gradbench::flat(model.at("base_positions"));
        weights = gradbench::flat(model.at("weights"));
        points = gradbench::flat(data.at("points"));
        if (j.contains("us")) us = gradbench::flat(j.at("us"));
        vertices = static_cast<std::int64_t>(positions.size() / 4);
        count = static_cast<std::int64_t>(points.size() / 3);
        std::vector<int> level;
        for (std::int32_t const parent : model.at("parents")) {
            level.push_back(parent < 0 ? 1 : level.at(static_cast<std::size_t>(parent)) + 1);
            if (level.back() > levels) throw std::invalid_argument("ht: a bone has more than four bones above it");
            parents.push_back(parent < 0 ? bones : parent);
        }
        if (parents.size() != bones) throw std::invalid_argument("ht: the hand has not 22 bones");
        for (std::size_t i = 0; i < 4; ++i) identity[5 * i] = 1;
        for (std::size_t i = 0; i < 26; ++i) directions[27 * i] = 1;
        for (std::size_t finger = 0; finger < 5; ++finger) {   // its first bone stays, the second turns too
            auto const at = static_cast<std::int32_t>(6 + 4 * finger);
            bend[4 * finger + 2] = at;
            turn[4 * finger + 2] = at + 1;
            bend[4 * finger + 3] = at + 2;
            bend[4 * finger + 4] = at + 3;
        }
        vertex = data.at("correspondences").get<std::vector<std::int32_t>>();
        if (us.empty()) return;
        auto const triangles = model.at("triangles").get<std::vector<std::array<std::int32_t, 3>>>();
        for (std::int32_t const t : vertex) corners.insert(corners.end(), triangles.at(static_cast<std::size_t>(t)).begin(),
            triangles.at(static_cast<std::size_t>(t)).end());
    }
};

template<class F, class... More>
auto call_for_pose(F& f, input const& in, More... more) {
    return f(pose = in.theta, base_relatives = xg::array(in.relatives, bones, 4, 4),
        inverse_absolutes = xg::array(in.inverses, bones, 4, 4), parents = in.parents, identity = xg::array(in.identity, 1, 4, 4),
        mirror = in.mirror, bend = in.bend, turn = in.turn, more...);
}
// Calls `f(first, count)` for some points at a time, so that the rows of their weights stay in the cache.
template<class F>
void by_parts(input const& in, F f) {
    constexpr std::int64_t part = 128;
    for (std::int64_t i = 0; i < in.count; i += part) f(i, std::min(part, in.count - i));
}

struct objective {
    input const& in;
    xg::function<decltype(posed)> pose_hand{posed};
    xg::function<decltype(simple_errors)> simple{simple_errors};
    xg::function<decltype(errors)> complicated{errors};
    std::vector<double> result;

    explicit objective(input const& given) : in(given) {}
    void compute() {
        result.resize(in.points.size());
        auto const [moved, placed] = call_for_pose(pose_hand, in);
        by_parts(in, [&](std::int64_t i, std::int64_t n) {
            auto const to = xg::array(result.data() + 3 * i, n, 3);
            auto const from = xg::array(in.points.data() + 3 * i, n, 3);
            auto const all_weights = xg::array(in.weights, in.vertices, bones);
            auto const all_positions = xg::array(in.positions, in.vertices, 4);
            if (in.us.empty())
                simple.into(to)(measured = from, weights = all_weights, base_positions = all_positions,
                    vertex = xg::array(in.vertex.data() + i, n), moves = moved, shift = placed);
            else
                complicated.into(to)(measured = from, weights = all_weights, base_positions = all_positions,
                    corners = xg::array(in.corners.data() + 3 * i, n, 3), us = xg::array(in.us.data() + 2 * i, n, 2), moves = moved,
                    shift = placed);
        });
    }
    gradbench::json output() const { return result; }
};
struct jacobian {
    input const& in;
    xg::function<decltype(posed_with_slopes)> pose_hand{posed_with_slopes};
    xg::function<decltype(simple_slopes)> simple{simple_slopes};
    xg::function<decltype(rows)> complicated{rows};
    std::vector<double> result;

    explicit jacobian(input const& given) : in(given) {}
    std::int64_t columns() const { return in.us.empty() ? 26 : 28; }
    void compute() {
        result.resize(static_cast<std::size_t>(3 * in.count * columns()));
        auto const [moved, placed, moved_slopes, placed_slopes] = call_for_pose(pose_hand, in, directions = xg::array(in.directions, 26, 26));
        by_parts(in, [&](std::int64_t i, std::int64_t n) {
            double* const to = result.data() + 3 * i * columns();
            auto const all_weights = xg::array(in.weights, in.vertices, bones);
            auto const all_positions = xg::array(in.positions, in.vertices, 4);
            if (in.us.empty())
                simple.into(xg::array(to, n, 78))(weights = all_weights, base_positions = all_positions,
                    vertex = xg::array(in.vertex.data() + i, n), slopes = moved_slopes, shift_slopes = placed_slopes);
            else
                complicated.into(xg::array(to, n, 3, 28))(measured = xg::array(in.points.data() + 3 * i, n, 3), weights = all_weights, base_positions = all_positions,
                    corners = xg::array(in.corners.data() + 3 * i, n, 3), us = xg::array(in.us.data() + 2 * i, n, 2), moves = moved,
                    shift = placed, slopes = moved_slopes, shift_slopes = placed_slopes);
        });
    }
    gradbench::json output() const { return gradbench::nested(result, static_cast<std::size_t>(columns())); }
};
}

int main(int argc, char** argv) {
    return gradbench::answer_all(
        argc, argv, {{"objective", gradbench::run<input, objective>}, {"jacobian", gradbench::run<input, jacobian>}});
}
