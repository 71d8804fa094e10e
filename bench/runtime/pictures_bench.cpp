// SPDX-License-Identifier: MIT
// Pools and resized pictures, forward and backward, next to PyTorch (by against_torch).
#include "served.hpp"

#include <xgrad/all.hpp>
#include <xgrad/ops/images/resize.hpp>
#include <xgrad/ops/pooling/average_pool.hpp>
#include <xgrad/ops/pooling/max_pool.hpp>

#include <memory>

namespace {
namespace xg = xgrad;

/// f of pictures [batch, size, size, channels], and the gradient of Σ g f(x).
template<std::int64_t Batch, std::int64_t Size, std::int64_t Channels, class F>
void pictures(bench::served& all, std::string const& name, F f) {
    constexpr auto x = xg::input<"x", float, Batch, Size, Size, Channels>;
    constexpr auto y = f(x);
    using result = decltype(xg::function{y});
    constexpr std::int64_t places = F::places;
    constexpr auto g = xg::input<"g", float, Batch, places, places, Channels>;
    constexpr auto loss = xg::sum(g * y);
    constexpr auto results = xg::outputs(y, xg::gradient_of(loss, x));
    auto forward = std::make_shared<result>(xg::function{y});
    auto both = std::make_shared<decltype(xg::function{results})>(xg::function{results});
    forward->reserve();
    both->reserve();
    auto const a = std::make_shared<std::vector<float>>(bench::numbers(std::size_t(Batch * Size * Size * Channels), 1)),
               b = std::make_shared<std::vector<float>>(bench::numbers(std::size_t(Batch * places * places * Channels), 2));
    auto const picture = [a] { return xg::array(a->data(), Batch, Size, Size, Channels); };
    std::string const title = name + ", " + std::to_string(Size) + "x" + std::to_string(Size) + "x" + std::to_string(Channels) +
                              ", batch " + std::to_string(Batch);
    all.row({title + ", forward", [=] { return double((*forward)(x = picture()).data()[77]); }, forward->arena_bytes()});
    all.row({title + ", forward and backward",
        [=] {
            auto const [r, dx] = (*both)(x = picture(), g = xg::array(b->data(), Batch, places, places, Channels));
            return double(r.data()[77]) + double(dx.data()[77]);
        },
        both->arena_bytes()});
}
struct average_two {
    static constexpr std::int64_t places = 16;
    constexpr auto operator()(auto const& x) const { return xg::average_pool2d<2>(x); }
};
struct average_three {
    static constexpr std::int64_t places = 32;
    constexpr auto operator()(auto const& x) const {
        return xg::average_pool2d<3, xg::pool_window{.strides = 1, .padding = xg::window_padding(1)}>(x);
    }
};
struct average_all {
    static constexpr std::int64_t places = 4;
    constexpr auto operator()(auto const& x) const { return xg::adaptive_average_pool2d<4>(x); }
};
struct largest_two {
    static constexpr std::int64_t places = 16;
    constexpr auto operator()(auto const& x) const { return xg::max_pool2d<2>(x); }
};
struct bilinear_double {
    static constexpr std::int64_t places = 64;
    constexpr auto operator()(auto const& x) const { return xg::resize2d<64, 64>(x); }
};
struct nearest_double {
    static constexpr std::int64_t places = 64;
    constexpr auto operator()(auto const& x) const {
        return xg::resize2d<64, 64, xg::interpolation::nearest, xg::coordinates::asymmetric>(x);
    }
};
struct bilinear_smaller {
    static constexpr std::int64_t places = 20;
    constexpr auto operator()(auto const& x) const { return xg::resize2d<20, 20>(x); }
};
struct bicubic_double {
    static constexpr std::int64_t places = 64;
    constexpr auto operator()(auto const& x) const { return xg::resize2d<64, 64, xg::interpolation::bicubic_torch>(x); }
};
}   // namespace

int main(int argc, char** argv) {
    bench::served all(argc, argv, "pools and resized pictures");
    pictures<32, 32, 16>(all, "average pool 2", average_two{});
    pictures<32, 32, 16>(all, "average pool 3, stride 1", average_three{});
    pictures<32, 32, 16>(all, "adaptive average pool 4", average_all{});
    pictures<32, 32, 16>(all, "max pool 2", largest_two{});
    pictures<32, 32, 3>(all, "bilinear to 64x64", bilinear_double{});
    pictures<32, 32, 16>(all, "bilinear to 64x64", bilinear_double{});
    pictures<32, 32, 16>(all, "bilinear to 20x20", bilinear_smaller{});
    pictures<32, 32, 16>(all, "nearest to 64x64", nearest_double{});
    pictures<32, 32, 16>(all, "bicubic to 64x64", bicubic_double{});
    return all.finish();
}
