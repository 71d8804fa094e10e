// SPDX-License-Identifier: MIT
// einsum compared with NumPy for many forms of subscripts, to the last bit: its plans, and larger products with tails.
#include "ops/product_operands.hpp"

#include <xgrad/ops/einsum.hpp>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using test::product::named;
inline constexpr xg::dim batch{"batch"};
inline constexpr xg::dim time_steps{"time"};

template<xg::fixed_string Subscripts, class... A>
constexpr auto einsum_of(A const&... x) {
    return named<Subscripts, static_cast<int>(sizeof...(A))>(xg::einsum<Subscripts>(x...));
}
template<class Y, class T, auto... D>
constexpr bool has_shape =
    xg::value_of<Y>.dims == xg::value_of<decltype(xg::input<"y", T, D...>)>.dims && xg::value_of<Y>.type == xg::dtype_of<T>;
}

TEST_CASE("einsum of two operands has NumPy's numbers") {
    using of = test::product::operands<double>;
    test::product::compare(
        std::tuple{einsum_of<"bqd,bkd->bqk">(of::a, of::b), einsum_of<"bqd,bkd->kqb">(of::a, of::b), einsum_of<"bqd,bkd">(of::a, of::b),
            einsum_of<"bqd,bkd->dqb">(of::a, of::b), einsum_of<"ij,jk->ik">(of::m, of::n), einsum_of<"ij,jk->ki">(of::m, of::n),
            einsum_of<"ij,ik->jk">(of::m, of::m), einsum_of<"ij,kj">(of::m, of::s), einsum_of<"ji,jk">(of::s, of::n),
            einsum_of<"ij,j->i">(of::m, of::v), einsum_of<"i,ij->j">(of::v, of::n), einsum_of<"i,i->">(of::v, of::v),
            einsum_of<"i,j->ij">(of::v, of::z), einsum_of<"i,j->ji">(of::v, of::z), einsum_of<"ij,ij->">(of::m, of::m),
            einsum_of<"ij,ij->i">(of::m, of::m), einsum_of<"ij,ji->i">(of::s, of::s)},
        of::a, of::b, of::m, of::n, of::s, of::v, of::z);
    test::product::compare(
        std::tuple{einsum_of<"bij,bj->bi">(of::b, of::c), einsum_of<"bij,bi->bj">(of::b, of::d),
            einsum_of<"...qd,...kd->...qk">(of::o, of::p), einsum_of<"...d,...d->...">(of::a, of::e), einsum_of<"...d,d...">(of::e, of::r),
            einsum_of<"abc,cd->abd">(of::t, of::n), einsum_of<"abc,dca->bd">(of::t, of::r), einsum_of<"bqhd,bkhd->bhqk">(of::h, of::g),
            einsum_of<"ij,kl->ijkl">(of::m, of::n), einsum_of<"iij,jk->ki">(of::t, of::n)},
        of::a, of::b, of::m, of::n, of::t, of::h, of::g, of::o, of::p, of::c, of::d, of::e, of::r);
}

TEST_CASE_TEMPLATE("einsum of one operand and of several has NumPy's numbers", T, float, double) {
    using of = test::product::operands<T>;
    test::product::compare(std::tuple{einsum_of<"ii">(of::s), einsum_of<"ii->i">(of::s), einsum_of<"iij->ji">(of::t),
                               einsum_of<"iii->i">(of::k), einsum_of<"ij->">(of::m), einsum_of<"ij->j">(of::m), einsum_of<"ba">(of::m),
                               einsum_of<"i...->...">(of::a), einsum_of<"ij,jk,kl->il">(of::m, of::s, of::n),
                               einsum_of<"i,ij,j->">(of::v, of::s, of::v), einsum_of<"ij,ij,jk->k">(of::m, of::m, of::n),
                               einsum_of<"li,ij,jk,ka->al">(of::m, of::s, of::s, of::n), einsum_of<"i,i,i->i">(of::v, of::v, of::v)},
        of::a, of::m, of::n, of::s, of::v, of::t, of::k);
}

TEST_CASE("einsum of whole numbers") {
    using of = test::product::operands<std::int32_t>;
    test::product::compare(
        std::tuple{einsum_of<"bqd,bkd->kqb">(of::a, of::b), einsum_of<"ij,ik->jk">(of::m, of::m), einsum_of<"i,ij->j">(of::v, of::n),
            einsum_of<"ij,ij->">(of::m, of::m), einsum_of<"bij,bj->bi">(of::b, of::c), einsum_of<"abc,dca->bd">(of::t, of::r)},
        of::a, of::b, of::m, of::n, of::v, of::t, of::c, of::r);
    constexpr auto h = xg::input<"h", xg::bfloat16, batch, 4>;
    static_assert(has_shape<decltype(xg::einsum<"ij,ik">(h, h)), float, 4, 4>);
    static_assert(has_shape<decltype(xg::einsum<"ij->ji">(h)), xg::bfloat16, 4, batch>);
}

TEST_CASE("a product is the matmul that a program would write; spaces do not count") {
    constexpr auto q = xg::input<"q", float, batch, time_steps, 32>;
    constexpr auto k = xg::input<"k", float, batch, time_steps, 32>;
    constexpr auto w = xg::input<"w", float, 32, 8>;
    constexpr auto m = xg::input<"m", float, time_steps, 32>;
    static_assert(std::is_same_v<decltype(xg::einsum<" bqd, bkd -> bqk ">(q, k)), decltype(xg::matmul<false, true>(q, k))>);
    static_assert(std::is_same_v<decltype(xg::einsum<"bqd,bqe->bde">(q, k)), decltype(xg::matmul<true, false>(q, k))>);
    static_assert(std::is_same_v<decltype(xg::einsum<"bqd,bke->bkqde">(q, k)), decltype(xg::einsum<"...qd,...ke->...kqde">(q, k))>);
    static_assert(std::is_same_v<decltype(xg::einsum<"ij,jk">(m, w)), decltype(xg::matmul(m, w))>);
    static_assert(std::is_same_v<decltype(xg::einsum<"ij,jk->ki">(m, w)), decltype(xg::matmul<true, true>(w, m))>);
    static_assert(std::is_same_v<decltype(xg::einsum<"ji,jk->ik">(m, m)), decltype(xg::matmul<true, false>(m, m))>);
    static_assert(has_shape<decltype(xg::einsum<"bqd,de->bqe">(q, w)), float, batch, time_steps, 8>);
    static_assert(has_shape<decltype(xg::einsum<"bqd,bqd">(q, k)), float>);
    static_assert(has_shape<decltype(xg::einsum<"Zqa,aB">(q, w)), float, 8, batch, time_steps>);
}

TEST_CASE("larger products with tails, and axes without elements") {
    constexpr auto q = xg::input<"q", float, batch, 33, 70>;
    constexpr auto k = xg::input<"k", float, batch, 17, 70>;
    constexpr auto x = xg::input<"x", float, batch, time_steps, 3>;
    constexpr auto y = xg::input<"y", float, 5, time_steps>;
    xg::function f{xg::outputs(xg::einsum<"bqd,bkd->bkq">(q, k), xg::einsum<"bqd,bkd->qkd">(q, k), xg::einsum<"bqd,bkd->qk">(q, k),
        xg::einsum<"bqd,bd->bq">(q, xg::sum<1>(k)), xg::einsum<"btj,it->bij">(x, y), xg::einsum<"btj,it->ti">(x, y))};
    for (std::int64_t const n : {3, 0}) {
        auto const Q = test::numbers<float>({n, 33, 70}), K = test::numbers<float>({n, 17, 70}, -1, 1, 2);
        auto const X = test::numbers<float>({n, 2 * n, 3}), Y = test::numbers<float>({5, 2 * n}, -1, 1, 3);
        auto const [products, squares, matrix, vector, named_axes, sums] = f(q = Q, k = K, x = X, y = Y);
        CHECK((products.shape() == std::array<std::int64_t, 3>{n, 17, 33}));
        auto const sum_over = [](std::int64_t count, auto const& term) {
            double r = 0;
            for (std::int64_t i = 0; i < count; ++i) r += static_cast<double>(term(i));
            return static_cast<long double>(r);
        };
        auto const at_q = [&](auto b, auto i, auto d) { return Q[(b * 33 + i) * 70 + d]; };
        auto const at_k = [&](auto b, auto j, auto d) { return K[(b * 17 + j) * 70 + d]; };
        test::check_near(
            "bkq", products,
            [&](auto i) { return sum_over(70, [&](auto d) { return at_q(i / 561, i % 33, d) * at_k(i / 561, i / 33 % 17, d); }); }, 1e-5);
        test::check_near(
            "qkd", squares,
            [&](auto i) { return sum_over(n, [&](auto b) { return at_q(b, i / 1190, i % 70) * at_k(b, i / 70 % 17, i % 70); }); }, 1e-5);
        test::check_near(
            "qk", matrix,
            [&](auto i) { return sum_over(n * 70, [&](auto l) { return at_q(l / 70, i / 17, l % 70) * at_k(l / 70, i % 17, l % 70); }); },
            1e-5);
        test::check_near(
            "bq", vector,
            [&](auto i) { return sum_over(70 * 17, [&](auto l) { return at_q(i / 33, i % 33, l / 17) * at_k(i / 33, l % 17, l / 17); }); },
            1e-4);
        test::check_near(
            "bij", named_axes,
            [&](auto i) { return sum_over(2 * n, [&](auto t) { return X[(i / 15 * 2 * n + t) * 3 + i % 3] * Y[i / 3 % 5 * 2 * n + t]; }); },
            1e-5);
        test::check_near(
            "ti", sums,
            [&](auto i) {
                return sum_over(3 * n, [&](auto l) { return X[(l / 3 * 2 * n + i / 5) * 3 + l % 3] * Y[i % 5 * 2 * n + i / 5]; });
            },
            1e-5);
    }
}
