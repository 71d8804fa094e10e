// SPDX-License-Identifier: MIT
// Lookups and pooling by a user's kernel, each followed by a bias and relu, compared with hand-written code.
#include "frame.hpp"
#include "hand/lookups.hpp"

#include <xgrad/xgrad.hpp>

#include <cmath>

namespace {
namespace xg = xgrad;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim entries{"entries"};

struct pool_op : xg::kernel_op {   // [h + 2, w + 2, c]: the largest of 3 x 3 neighbours
    static constexpr std::string_view name = "pool";
    static constexpr bool in_order = true;
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) {
        xg::value_info r = v[0];
        for (int axis : {0, 1}) r.dims.extents[axis] = r.dims.extents[axis] - xg::static_extent(2);
        return r;
    }
    static constexpr xg::extent turns(xg::kernel_operands const& v) { return v.dims(1).extents[0]; }
    static void run(xg::kernel_part const& part, xg::tensor_view<float const, 3> x, xg::tensor_view<float, 3> y) {
        std::int64_t const channels = x.shape(2);
        for (std::int64_t i = part.first; i < part.last; ++i)
            for (std::int64_t j = 0; j < y.shape(1); ++j) {
                float* const to = &y(i, j, 0);
                float const* const rows[]{&x(i, j, 0), &x(i + 1, j, 0), &x(i + 2, j, 0)};
                for (std::int64_t c = 0; c < channels; ++c) {
                    float most = rows[0][c];
                    for (int p = 0; p < 3; ++p)
                        for (int q = 0; q < 3; ++q) {
                            float const v = rows[p][q * channels + c];
                            most = v > most ? v : most;
                        }
                    to[c] = most;
                }
            }
    }
};
inline constexpr xg::kernel_function<pool_op> pool{};

template<class View>
void agree(bench::suite& suite, std::string const& name, View const& ours, float const* theirs) {
    double largest = 0;
    for (std::int64_t i = 0; i < ours.size(); ++i) largest = std::max(largest, std::abs(double(ours.data()[i]) - double(theirs[i])));
    suite.agree(name, "the numbers", largest, 0, 1e-6);
}
template<int Width>
void lookup(bench::suite& suite, int rows, int n) {
    std::string const name =
        "lookup of " + std::to_string(n) + " of " + std::to_string(rows / 1000) + "k rows of " + std::to_string(Width) + ", bias, relu";
    if (!suite.wanted(name)) return;
    hand::lookups<Width> hand(rows, n);
    constexpr auto table = xg::input<"table", float, entries, Width>;
    constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
    constexpr auto bias = xg::input<"bias", float, Width>;
    xg::function f{xg::relu(xg::gather(table, ids) + bias)};
    auto const ours = [&] {
        return f(table = xg::array(static_cast<float const*>(hand.table), rows, Width), ids = hand.ids,
            bias = xg::array(static_cast<float const*>(hand.bias), Width));
    };
    auto const result = ours();
    hand.run();
    agree(suite, name, result, hand.out);
    suite.row(
        name, [&] { bench::keep(ours()); }, [&] { hand.run(); });
}
template<int Size, int Channels>
void pooled(bench::suite& suite) {
    std::string const name = "3 x 3 maxima of " + std::to_string(Size) + " x " + std::to_string(Size) + " x " + std::to_string(Channels) +
                             " by a user's kernel, bias, relu";
    if (!suite.wanted(name)) return;
    hand::pooling hand(Size, Size, Channels);
    constexpr auto image = xg::input<"image", float, Size + 2, Size + 2, Channels>;
    constexpr auto bias = xg::input<"bias", float, Channels>;
    xg::function f{xg::relu(pool(image) + bias)};
    auto const ours = [&] {
        return f(image = xg::array(static_cast<float const*>(hand.image), Size + 2, Size + 2, Channels),
            bias = xg::array(static_cast<float const*>(hand.bias), Channels));
    };
    auto const result = ours();
    hand.run();
    agree(suite, name, result, hand.out);
    suite.row(
        name, [&] { bench::keep(ours()); }, [&] { hand.run(); });
}
}   // namespace

int main(int argc, char** argv) {
    bench::suite suite(argc, argv, "lookups and pooling with a loop behind them");
    lookup<32>(suite, 1000, 16);
    lookup<32>(suite, 1000, 256);
    lookup<32>(suite, 1000, 8192);
    lookup<32>(suite, 1000, 65536);
    lookup<128>(suite, 1000, 8192);
    lookup<32>(suite, 1000000, 65536);
    pooled<56, 64>(suite);
    pooled<224, 64>(suite);
    return suite.finish();
}
