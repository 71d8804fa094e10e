// SPDX-License-Identifier: MIT
// Calls and branches with their gradients at all lengths, compared with their bodies written out.
#include <support/function_of.hpp>
#include <support/tensor.hpp>

#include <array>
#include <tuple>

namespace {
namespace xg = xgrad;
using test::function_of, test::list_of;
inline constexpr xg::dim batch{"batch"};
constexpr auto p = xg::input<"p", bool>;

/// Rows of 37: whole SIMD batches and a tail.
template<class T>
struct of_type {
    static constexpr auto x = xg::input<"x", T, batch, 37>;
    static constexpr auto w = xg::input<"w", T, 37>;
    static constexpr auto m = xg::input<"m", T, 37, 5>;
    static constexpr auto s = xg::input<"s", T>;
    static constexpr auto smooth_of(auto h, auto by) {
        auto const y = xg::tanh(h * w) + by;
        return std::tuple{y, xg::sum<0>(y * h), xg::matmul(y, m), xg::mean(h) * by};
    }
    static constexpr auto rough_of(auto h, auto by) {
        return std::tuple{xg::abs(h) * by, xg::max<0>(h), xg::softmax(xg::matmul(h, m)), xg::sum(xg::square(h)) + by};
    }
    struct smooth : xg::region {
        static constexpr auto value(auto h, auto by) { return smooth_of(h, by); }
    };
    struct rough : xg::region {
        static constexpr auto value(auto h, auto by) { return rough_of(h, by); }
    };
    template<class Results, class... W>
    static constexpr auto with_gradients(Results const& r, W const&... of_w) {
        auto const loss = xg::sum(xg::square(std::get<0>(r))) + xg::sum(std::get<1>(r)) + xg::sum(std::get<2>(r)) + std::get<3>(r);
        return list_of(std::tuple_cat(r, xg::gradients(loss, x, m, s, of_w...)));
    }
};
template<class T>
struct alike {
    template<class A, class B>
    static void check(A const& a, B const& b) {
        if constexpr (std::is_arithmetic_v<A>) compare(a, b);
        else {
            REQUIRE(std::size(a) == std::size(b));
            auto const* other = b.data();
            for (T const e : a) compare(e, *other++);
        }
    }
    static void compare(T a, T b) {
        CHECK(static_cast<double>(a) == doctest::Approx(static_cast<double>(b)).epsilon(std::is_same_v<T, float> ? 2e-5 : 1e-13).scale(1));
    }
};
}

TEST_CASE_TEMPLATE("branches and calls are their bodies written out, with their gradients", T, float, double) {
    using of = of_type<T>;
    auto const branch = of::with_gradients(xg::cond<typename of::smooth, typename of::rough>(p, of::x, of::s), of::w);
    auto const smooth = of::with_gradients(of::smooth_of(of::x, of::s), of::w);
    auto const rough = of::with_gradients(of::rough_of(of::x, of::s));
    function_of<std::remove_const_t<decltype(branch)>, true> f{branch};
    function_of<std::remove_const_t<decltype(smooth)>, true> g{smooth};
    function_of<std::remove_const_t<decltype(rough)>, true> h{rough};
    auto const equal = [](auto const& a, auto const& b) {
        [&]<std::size_t... K>(std::index_sequence<K...>) { (alike<T>::check(std::get<K>(a), std::get<K>(b)), ...); }(
            std::make_index_sequence<8>{});
    };
    auto const w = test::numbers<T>({37}, -1, 1, 2), m = test::numbers<T>({37, 5}, -1, 1, 3);
    T const by = T(0.75);
    for (std::int64_t n : {1, 9, 33, 4}) {
        auto const x = test::numbers<T>({n, 37}, -1, 1, static_cast<std::uint64_t>(n));
        auto const of_smooth = g(of::x = x, of::w = w, of::m = m, of::s = by);
        equal(f(p = true, of::x = x, of::w = w, of::m = m, of::s = by), of_smooth);
        if constexpr (sizeof(T) == 8) {   // the rest does not depend on the type
            function_of<std::remove_const_t<decltype(branch)>, false> plain{branch};
            constexpr auto call = of::with_gradients(xg::call<typename of::smooth>(of::x, of::s), of::w);
            function_of<std::remove_const_t<decltype(call)>, true> c{call};
            equal(c(of::x = x, of::w = w, of::m = m, of::s = by), of_smooth);
            equal(plain(p = true, of::x = x, of::w = w, of::m = m, of::s = by), of_smooth);
        }
        auto const taken = f(p = false, of::x = x, of::w = w, of::m = m, of::s = by);
        equal(std::tuple_cat(h(of::x = x, of::m = m, of::s = by), std::tuple(std::array<T, 37>{})), taken);   // this body does not read w
    }
}
