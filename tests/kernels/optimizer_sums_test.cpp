// SPDX-License-Identifier: MIT
// Reductions of a rule over all its variables, compared with loops over elements. Every width; whole, of the rows that occur, of all rows
// of a table. Then in a trainer, with a rule that also keeps numbers of rows.
#include <xgrad/xgrad.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "optim/table.hpp"

using namespace xgrad;

namespace {
/// Numbers are whole multiples of powers of two, so that sums in double are exact and their order does not matter.
template<sparse_semantics Sparse>
struct totals {
    static constexpr std::string_view name = "totals";
    static constexpr std::array slots{
        slot_info("n", dtype::bfloat16), slot_info("r", per::row), slot_info("sum", per::optimizer), slot_info("mean", per::optimizer)};
    static constexpr std::array reductions{reduction_info(per::optimizer), reduction_info(per::optimizer, reduction::mean)};
    static constexpr auto sparse = Sparse;
    double slot_init(int slot) const { return slot < 2 ? 2 : 0; }
    template<class T>
    struct scalars {
        T sum, mean;
    };
    template<class T>
    scalars<T> prepare(std::int64_t, double const* p) const {
        return {T(1), static_cast<T>(p[0])};
    }
    template<class T>
    scalars<T> prepare(std::int64_t, double const* p, double const* reduced) const {
        return {static_cast<T>(reduced[0] - p[0]), static_cast<T>(reduced[1])};
    }
    void advance_powers(double* p, std::int64_t, double const* reduced) const {
        p[0] = reduced[0];
        p[1] = reduced[1];
    }
    template<class T>
    static void advance_row(scalars<T> const& s, T* slot, T const*) {
        slot[1] = slot[1] + s.sum;
    }
    template<class T, class V>
    static void optimizer_terms(scalars<T> const& s, V param, V grad, V const* slot, V* term) {
        term[0] = param + grad * V(T(4)) + slot[0] + slot[1] + V(s.sum);   // slot[1], of the row, is 0
        term[1] = grad * grad;
    }
    template<class T, class V>
    static void update(scalars<T> const& s, V& param, V grad, V* slot) {
        slot[0] = grad;
        param = param - slot[1] + V(s.mean) * grad;
    }
};
using lazily = totals<sparse_semantics::lazy>;
using exactly = totals<sparse_semantics::exact>;
static_assert(UpdateRule<lazily> && optimizer_reductions<lazily> == 2 && !moves_elements<lazily>);
static_assert(moves_elements<prodigy> && optimizer_reductions<adam> == 0 && optimizer_reductions<lamb> == 0);

template<class T>
std::vector<T> numbers(int key, std::int64_t n) {
    std::vector<T> v;
    for (std::int64_t i = 0; i < n; ++i) v.push_back(static_cast<T>((i * 7 + key * 5) % 17 - 8) / 4);
    return v;
}
struct sums {
    double of[2] = {0, 0}, elements = 0;
    template<class T>
    void add(T param, T grad, T slot) {
        of[0] += static_cast<double>(param + grad * 4 + slot + 1);
        of[1] += static_cast<double>(grad * grad);
        elements += 1;
    }
    double mean() const { return elements > 0 ? of[1] / elements : 0; }
};
/// The rows of a sparse gradient as a dense one, and which there are.
template<class T>
struct summed {
    std::vector<T> dense;
    std::vector<bool> present;
    summed(std::vector<std::int32_t> const& indices, std::vector<T> const& values, std::int64_t rows, std::int64_t row)
        : dense(static_cast<std::size_t>(rows * row)), present(static_cast<std::size_t>(rows)) {
        for (std::size_t k = 0; k < indices.size(); ++k) {
            present[static_cast<std::size_t>(indices[k])] = true;
            for (std::int64_t e = 0; e < row; ++e)
                dense[static_cast<std::size_t>(indices[k] * row + e)] +=
                    values[k * static_cast<std::size_t>(row) + static_cast<std::size_t>(e)];
        }
    }
};
struct alignas(64) line {
    unsigned char bytes[64];
};
}   // namespace

TEST_CASE_TEMPLATE("sums over several variables, whole and by rows", T, float, double) {
    for (std::int64_t row : {0, 1, 2, 3, 7, 8, 15, 17, 33, 64}) {
        for (int n : {0, 1, 5, 20}) {
            std::int64_t const rows = 6;
            auto const param = numbers<T>(1, rows * row), grad = numbers<T>(2, rows * row), keep = numbers<T>(4, rows * row);
            auto const values = numbers<T>(3, n * row);
            std::vector<std::int32_t> indices;
            for (int k = 0; k < n; ++k) indices.push_back((k * k + n) % 6);
            std::vector<bfloat16> slot;
            for (T x : keep) slot.push_back(narrow_to<bfloat16>(x));
            slot.resize(slot.size() + 1);
            std::vector<T> of_rows(6, T(3)), p = param;
            p.resize(p.size() + 1);
            void* slots[] = {slot.data(), of_rows.data()};

            std::vector<line> work(sparse::group_bytes(n, rows) / 64 + 1), sort(sparse::sort_bytes(n) / 64 + 1);
            auto const groups = sparse::group_rows(indices.data(), n, rows, work.data());
            auto const sorted = sparse::sort_groups(groups, rows, sort.data());
            kernels::optimizer_sums<lazily> lazy_sums;
            kernels::optimizer_sums<exactly> exact_sums;
            lazily::scalars<T> const s{T(1), T(0)};
            exactly::scalars<T> const t{T(1), T(0)};
            lazy_sums.template add_dense<T>(s, p.data(), grad.data(), slots, row, rows);
            lazy_sums.template add_rows<T>(s, p.data(), slots, row, groups, {values.data(), row});
            exact_sums.template add_table<T>(t, p.data(), slots, row, rows, groups, sorted.rows, sorted.which, {values.data(), row});
            lazy_sums.finish();
            exact_sums.finish();

            sums lazy_expected, exact_expected;
            summed<T> const g(indices, values, rows, row);
            for (std::size_t i = 0; i < param.size(); ++i) {
                lazy_expected.add(param[i], grad[i], keep[i]);
                exact_expected.add(param[i], g.dense[i], keep[i]);
            }
            for (std::size_t i = 0; i < param.size(); ++i)
                if (g.present[i / static_cast<std::size_t>(row)]) lazy_expected.add(param[i], g.dense[i], keep[i]);
            INFO("rows of " << row << ", " << n << " slices");
            CHECK(lazy_sums.value[0] == lazy_expected.of[0]);
            CHECK(lazy_sums.value[1] == lazy_expected.mean());
            CHECK(exact_sums.value[0] == exact_expected.of[0]);
            CHECK(exact_sums.value[1] == exact_expected.mean());
            CHECK(std::equal(param.begin(), param.end(), p.begin()));
            CHECK(of_rows == std::vector<T>(6, T(3)));
        }
    }
}

TEST_CASE_TEMPLATE("prepare, the slots of rows and those of the optimizer get what all variables give", Rule, lazily, exactly) {
    constexpr dim count{"count"};
    constexpr auto m = variable<"m", double, 3, 5>;
    constexpr auto t = variable<"t", float, 4, 2>;
    constexpr auto g = input<"g", double, 3, 5>;
    constexpr auto ids = input<"ids", std::int32_t, count>;
    constexpr auto values = input<"values", float, count, 2>;
    auto train = minimize(sum(m * g) + cast<double>(sum(gather(t, ids) * values)), Rule{});
    std::vector<double> of_m(15), n_m(15, 2), r_m(3, 2);
    std::vector<float> of_t(8), n_t(8, 2), r_t(4, 2);
    double total = 0;
    for (int step = 0; step < 4; ++step) {
        auto const a = numbers<double>(step, 15);
        auto const b = numbers<float>(step + 1, 6);
        std::vector<std::int32_t> const at{2, step % 4, 2};
        train(g = array(a.data(), 3, 5), ids = at, values = array(b.data(), 3, 2));
        summed<float> const c(at, b, 4, 2);
        auto const moves = [&](std::size_t i) { return Rule::sparse == sparse_semantics::exact || c.present[i / 2]; };
        sums s;
        for (std::size_t i = 0; i < 15; ++i) s.add(of_m[i], a[i], n_m[i]);
        for (std::size_t i = 0; i < 8; ++i)
            if (moves(i)) s.add(of_t[i], c.dense[i], n_t[i]);
        for (double& r : r_m) r += s.of[0] - total;
        for (std::size_t i = 0; i < 8; i += 2)
            if (moves(i)) r_t[i / 2] += static_cast<float>(s.of[0] - total);
        for (std::size_t i = 0; i < 15; ++i) {
            n_m[i] = a[i];
            of_m[i] = of_m[i] - r_m[i / 5] + s.mean() * a[i];
        }
        for (std::size_t i = 0; i < 8; ++i) {
            if (!moves(i)) continue;
            n_t[i] = c.dense[i];
            of_t[i] = of_t[i] - r_t[i / 2] + static_cast<float>(s.mean()) * c.dense[i];
        }
        total = s.of[0];
        INFO("step " << step);
        CHECK(std::abs(train.optimizer().powers[0] - s.of[0]) <= 1e-4 * std::abs(s.of[0]));
        CHECK(std::abs(train.optimizer().powers[1] - s.mean()) <= 1e-6 * s.mean());
        for (std::int64_t i = 0; i < 15; ++i)
            CHECK(train.value(m).data()[i] == doctest::Approx(of_m[static_cast<std::size_t>(i)]).epsilon(1e-4));
        for (std::int64_t i = 0; i < 8; ++i)
            CHECK(train.value(t).data()[i] == doctest::Approx(of_t[static_cast<std::size_t>(i)]).epsilon(1e-3));
        CHECK(train.template slot<"r">(m)[1] == doctest::Approx(r_m[1]).epsilon(1e-4));
        CHECK(train.template slot<"r">(t)[3] == doctest::Approx(r_t[3]).epsilon(1e-4));
    }
}
