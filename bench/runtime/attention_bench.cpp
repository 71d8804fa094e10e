// SPDX-License-Identifier: MIT
// Attention next to PyTorch (by against_torch), and normalization next to hand-written loops too.
#include "hand/norms.hpp"
#include "served.hpp"

#include <xgrad/all.hpp>

#include <memory>

namespace {
namespace xg = xgrad;
using namespace xg::literals;

template<std::int64_t Length>
void attention(bench::served& all) {
    constexpr std::int64_t batch = 8, heads = 4, width = 64;
    constexpr auto q = xg::input<"q", float, batch, heads, Length, width>;
    constexpr auto k = xg::input<"k", float, batch, heads, Length, width>;
    constexpr auto v = xg::input<"v", float, batch, heads, Length, width>;
    constexpr auto w = xg::input<"w", float, batch, heads, Length, width>;
    constexpr auto y = xg::scaled_dot_product_attention(q, k, v);
    constexpr auto sum = xg::sum(w * y);
    using numbers = std::vector<float>;
    auto const data = std::make_shared<std::vector<numbers>>();
    for (std::uint64_t seed = 1; seed <= 4; ++seed) data->push_back(bench::numbers(std::size_t(batch * heads * Length * width), seed));
    auto const array = [data](int i) { return xg::array((*data)[std::size_t(i)].data(), batch, heads, Length, width); };
    auto forward = std::make_shared<decltype(xg::function{y})>(xg::function{y});
    constexpr auto results = xg::outputs(y, xg::gradient_of(sum, q), xg::gradient_of(sum, k), xg::gradient_of(sum, v));
    auto both = std::make_shared<decltype(xg::function{results})>(xg::function{results});
    forward->reserve();
    both->reserve();
    std::string const name = "attention " + std::to_string(Length) + "x64, 4 heads, batch 8, ";
    all.row({name + "forward", [=] { return double((*forward)(q = array(0), k = array(1), v = array(2)).data()[77]); },
        forward->arena_bytes()});
    all.row({name + "forward and backward",
        [=] {
            auto const [a, da, db, dc] = (*both)(q = array(0), k = array(1), v = array(2), w = array(3));
            return double(a.data()[77]) + double(da.data()[77]) + double(db.data()[77]) + double(dc.data()[77]);
        },
        both->arena_bytes()});
}

/// A normalization of x [rows, features] and its gradients, next to Hand.
template<std::int64_t Rows, std::int64_t Features, bool Batch, class Hand>
void normalization(bench::served& all, std::string const& name) {
    constexpr auto x = xg::input<"x", float, Rows, Features>;
    constexpr auto g = xg::input<"g", float, Rows, Features>;
    constexpr auto gamma = xg::input<"gamma", float, Features>;
    constexpr auto beta = xg::input<"beta", float, Features>;
    constexpr auto y = [=] {
        if constexpr (Batch) return xg::relu(std::get<0>(xg::fused_batch_norm(x, gamma, beta, 1e-5_c)));
        else return xg::layer_norm(x, gamma, beta, 1e-5_c);
    }();
    struct all_data {
        std::vector<float> x = bench::numbers(Rows * Features, 1), g = bench::numbers(Rows * Features, 2),
                           gamma = bench::numbers(Features, 3), beta = bench::numbers(Features, 4);
        Hand hand;
    };
    auto const d = std::make_shared<all_data>();
    constexpr auto loss = xg::sum(g * y);
    constexpr auto results = xg::outputs(y, xg::gradient_of(loss, x), xg::gradient_of(loss, gamma), xg::gradient_of(loss, beta));
    auto f = std::make_shared<decltype(xg::function{results})>(xg::function{results});
    f->reserve();
    auto const sum = [](auto const* a, auto const* dx, auto const* dgamma, auto const* dbeta) {
        return double(a[77]) + double(dx[77]) + double(dgamma[7]) + double(dbeta[7]);
    };
    all.row({name,
        [=] {
            auto const [a, dx, dgamma, dbeta] = (*f)(x = xg::array(d->x.data(), Rows, Features), g = xg::array(d->g.data(), Rows, Features),
                gamma = xg::array(d->gamma.data(), Features), beta = xg::array(d->beta.data(), Features));
            return sum(a.data(), dx.data(), dgamma.data(), dbeta.data());
        },
        f->arena_bytes(), {},
        [=] {
            d->hand.forward(d->x.data(), d->gamma.data(), d->beta.data(), 1e-5f);
            d->hand.backward(d->x.data(), d->gamma.data(), d->g.data());
            return sum(d->hand.y.data(), d->hand.dx.data(), d->hand.dgamma.data(), d->hand.dbeta.data());
        }});
}
}   // namespace

int main(int argc, char** argv) {
    bench::served all(argc, argv, "attention and normalization");
    attention<64>(all);
    attention<256>(all);
    attention<1024>(all);
    normalization<512, 256, false, hand::layer_norm<512, 256>>(all, "layer norm 512x256, forward and backward");
    normalization<32 * 16 * 16, 32, true, hand::batch_norm_relu<32 * 16 * 16, 32>>(all, "batch norm, relu 8192x32, forward and backward");
    return all.finish();
}
