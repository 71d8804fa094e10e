// SPDX-License-Identifier: MIT
// Costs against an interpreter that walks the loops of a plan, counts what is executed and marks every byte that is touched.
#include <doctest/doctest.h>

#include "plan/models.hpp"

#include <xgrad/inspect/cost.hpp>
#include <xgrad/inspect/describe.hpp>

#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace xg = xgrad;
using models::batch;
using models::time_steps;
using i64 = std::int64_t;

namespace {

struct counted {
    i64 flops = 0, read = 0, written = 0;
    bool operator==(counted const&) const = default;
};

/// Executes the steps of P for sizes, with indices 0, 1, 2, ... (none twice).
template<class P>
class interpreter {
    static constexpr auto const& plan = P::plan;
    static constexpr xg::table_view table = P::table.view();
    std::vector<xg::dim_size> sizes_;
    xg::planner::plan_step const* s_ = nullptr;
    counted total_;
    using memory = std::pair<int, i64>;                             // what kind and which
    std::map<memory, std::vector<unsigned char>> read_, written_;   // of this step, by byte

    i64 value(xg::extent const& e) const {
        return e.evaluate([&](xg::dim_info const& d) {
            for (auto const& s : sizes_)
                if (s.hash == d.hash) return s.size;
            return i64{-1};
        });
    }
    i64 pool(short i) const { return value(plan.polynomials[i]); }
    i64 elements_of(xg::planner::step_operand const& o) const {
        switch (o.base) {
        case xg::planner::step_operand::where::input: return value(table.dims(plan.inputs[o.index]).size());
        case xg::planner::step_operand::where::variable: return value(table.dims(plan.variables[o.index]).size());
        default: return pool(plan.buffers[o.index].size);
        }
    }
    void mark(bool write, memory m, i64 size, i64 elements, i64 at) {
        auto& bytes = (write ? written_ : read_)[m];
        bytes.resize(static_cast<std::size_t>(elements * size));
        REQUIRE(at >= 0);
        REQUIRE(at < elements);
        for (i64 b = 0; b < size; ++b) bytes[static_cast<std::size_t>(at * size + b)] = 1;
    }
    /// `role` tells the factors of a product from what its program reads.
    void touch(bool write, int operand, i64 at, int role = 0) {
        xg::planner::step_operand const& o = plan.operands[s_->first_operand + operand];
        if (o.base == xg::planner::step_operand::where::buffer && plan.buffers[o.index].passing) return;   // in the first cache
        mark(write, {static_cast<int>(o.base) + 10 * role, o.index}, static_cast<i64>(xg::size_of(o.type)), elements_of(o),
            pool(o.offset) + at);
    }
    void touch_rule(int slot, i64 at) {   // slot -1: the variable
        i64 const n = value(table.dims(s_->node).size()), size = static_cast<i64>(xg::size_of(s_->type));
        memory const m{slot < 0 ? static_cast<int>(xg::planner::step_operand::where::variable) : 100 + slot, s_->variable};
        mark(false, m, size, n, at);
        mark(true, m, size, n, at);
    }
    void end_step() {
        for (auto const& [m, bytes] : read_)
            for (auto b : bytes) total_.read += b;
        for (auto const& [m, bytes] : written_)
            for (auto b : bytes) total_.written += b;
        read_.clear();
        written_.clear();
    }
    i64 address(int operand, std::vector<i64> const& index, i64 j) const {
        xg::planner::step_operand const& o = plan.operands[s_->first_operand + operand];
        i64 at = j * pool(o.inner);
        for (std::size_t d = 0; d < index.size(); ++d) at += index[d] * pool(o.stride[d]);
        return at;
    }
    void instruction(xg::planner::instruction const& i, std::vector<i64> const& index, i64 j) {
        switch (i.kind) {
        case xg::planner::ins_kind::load: touch(false, i.operand, address(i.operand, index, j)); break;
        case xg::planner::ins_kind::store: touch(true, i.operand, address(i.operand, index, j)); break;
        case xg::planner::ins_kind::apply: total_.flops += i.op->flops; break;
        case xg::planner::ins_kind::random: total_.flops += table[plan.operands[s_->first_operand + i.operand].node].op->flops; break;
        case xg::planner::ins_kind::reduce:
            total_.flops += 1;
            if (i.outer != 0 || i.inner == 0) touch(true, i.operand, address(i.operand, index, i.inner != 0 ? 0 : j));
            break;
        default: break;
        }
    }
    void level(int l, int phase, std::vector<i64> const& index, i64 j) {
        for (int k = 0; k < s_->ins_count; ++k) {
            xg::planner::instruction const& i = plan.ins[s_->first_ins + k];
            if (i.level == l && (l == 0 || i.phase == phase)) instruction(i, index, j);
        }
    }
    void nest() {
        level(0, 0, {}, 0);
        std::vector<i64> index(static_cast<std::size_t>(s_->outer_rank));
        while (true) {
            for (int p = 0; p < s_->phases; ++p) {
                level(1, p, index, 0);
                for (i64 j = 0; j < pool(s_->inner); ++j) level(2, p, index, j);
            }
            int d = s_->outer_rank - 1;
            for (; d >= 0; --d) {
                auto& x = index[static_cast<std::size_t>(d)];
                if (++x < pool(s_->extent[d])) break;
                x = 0;
            }
            if (d < 0) break;
        }
    }
    void product() {
        i64 const m = pool(s_->extent[0]), n = pool(s_->extent[1]), k = pool(s_->extent[2]);
        int const a = s_->read_count;
        i64 const lda = pool(plan.operands[s_->first_operand + a].stride[0]),
                  ldb = pool(plan.operands[s_->first_operand + a + 1].stride[0]);
        level(0, 0, {}, 0);
        for (i64 i = 0; i < m; ++i) {
            level(1, 0, {i}, 0);
            for (i64 j = 0; j < n; ++j) {
                for (i64 q = 0; q < k; ++q) {
                    touch(false, a, s_->transpose_a ? q * lda + i : i * lda + q, 1);
                    touch(false, a + 1, s_->transpose_b ? j * ldb + q : q * ldb + j, 2);
                    total_.flops += 2;
                }
                level(2, 0, {i}, j);
            }
        }
    }
    void rows() {   // gather, bag, scatter: the n-th index is n
        auto const size = [&](int k) { return pool(plan.params[s_->first_param + k].size); };
        bool const scatter = s_->op->name == "scatter", gather = s_->op->name == "gather";
        i64 const n = size(0), row = size(1), bag = scatter ? 1 : size(3);
        xg::planner::step_operand const& by_index = plan.operands[s_->first_operand + (scatter ? 0 : 2)];
        i64 const step = pool(by_index.inner) == row ? pool(by_index.stride[0]) : row;
        for (i64 k = 0; scatter && k < size(2) * row; ++k) touch(true, 2, k);
        for (i64 i = 0; i < n * bag; ++i) {
            touch(false, 1, i);
            for (i64 j = 0; j < row; ++j) {
                touch(scatter, scatter ? 2 : 0, i * row + j);
                touch(!scatter, scatter ? 0 : 2, i / bag * step + j);
                total_.flops += !gather;
            }
        }
    }
    i64 row_of_values(i64 i) const {
        auto const& o = plan.operands[s_->first_operand];
        i64 const inner = pool(s_->extent[1]);
        return i / inner * pool(o.stride[0]) + i % inner * pool(o.stride[1]);
    }
    template<class Rule>
    void update() {
        i64 const row = pool(s_->inner), n = s_->sparse ? pool(s_->extent[0]) : 1;
        bool const all = s_->sparse && Rule::sparse == xg::sparse_semantics::exact;
        auto move = [&](i64 at) {
            for (int k = -1; k < xg::slot_count<Rule>; ++k) touch_rule(k, at);
            total_.flops += Rule::flops;
        };
        for (i64 i = 0; i < n; ++i) {
            if (s_->sparse) touch(false, 1, i);
            for (i64 j = 0; j < row; ++j) {
                if (!s_->fused) touch(false, 0, s_->sparse ? row_of_values(i) + j : j);
                if (!all) move(i * row + j);
            }
        }
        for (i64 i = 0; all && i < pool(s_->extent[2]) * row; ++i) move(i);
    }
    template<std::size_t... G>
    void update_by(std::index_sequence<G...>) {
        ((s_->group == static_cast<int>(G) ? update<std::tuple_element_t<G, typename P::rules>>() : void()), ...);
    }

public:
    template<class... D>
    explicit interpreter(D... sizes) : sizes_{sizes...} {}

    counted run() {
        for (int k = 0; k < plan.step_count; ++k) {
            s_ = &plan.steps[k];
            switch (s_->kind) {
            case xg::planner::step_kind::nest: nest(); break;
            case xg::planner::step_kind::matmul: product(); break;
            case xg::planner::step_kind::update: update_by(std::make_index_sequence<std::tuple_size_v<typename P::rules>>{}); break;
            case xg::planner::step_kind::check:
                for (i64 i = 0; i < pool(s_->extent[0]); ++i) touch(false, 0, i);
                break;
            default: rows();
            }
            end_step();
        }
        return total_;
    }
};

/// A number that counts what is done with it.
struct tally {
    using value_type = double;
    double x;
    static inline int flops = 0;
    explicit tally(double v = 0) : x(v) {}
    static tally made(double v) {
        ++flops;
        return tally(v);
    }
    friend tally operator+(tally a, tally b) { return made(a.x + b.x); }
    friend tally operator-(tally a, tally b) { return made(a.x - b.x); }
    friend tally operator*(tally a, tally b) { return made(a.x * b.x); }
    friend tally operator/(tally a, tally b) { return made(a.x / b.x); }
    friend bool operator>(tally a, tally b) { return a.x > b.x; }
    friend bool operator<=(tally a, tally b) { return a.x <= b.x; }
    friend bool operator==(tally a, tally b) { return a.x == b.x; }
    friend bool operator!=(tally a, tally b) { return a.x != b.x; }
    friend tally sqrt(tally a) { return made(std::sqrt(a.x)); }
    friend tally abs(tally a) { return made(std::abs(a.x)); }
    friend tally pow(tally a, tally b) { return made(std::pow(a.x, b.x)); }
    friend tally select(bool c, tally a, tally b) { return made(c ? a.x : b.x); }
};
template<class Rule>
int flops_of(Rule const& rule = {}) {
    double powers[]{0.9, 0.999};
    tally parameter(0.5), slot[]{tally(0.1), tally(0.2), tally(0.3), tally(0.4)};
    auto const scalars = rule.template prepare<double>(0, powers);
    tally::flops = 0;
    if constexpr (xg::rule_reductions<Rule>.count > 0) {
        tally reduced[]{tally(0.5), tally(0.75)};
        Rule::terms(scalars, parameter, tally(0.25), slot, reduced);
        tally::flops += xg::rule_reductions<Rule>.count;
        Rule::update(scalars, parameter, tally(0.25), slot, static_cast<tally const*>(reduced));
    } else Rule::update(scalars, parameter, tally(0.25), slot);
    return tally::flops;
}

template<class X, class... D>
void check(D... sizes) {
    using C = xg::program_cost<X>;
    counted const found = interpreter<xg::program_type_of<X>>(sizes...).run();
    CHECK(found.flops == C::flops(sizes...));
    CHECK(found.read == C::bytes_read(sizes...));
    CHECK(found.written == C::bytes_written(sizes...));
    CHECK(C::bytes(sizes...) == found.read + found.written);
}

// An update by computed indices that no lookup reads: a separate step checks them.
namespace unseen {
constexpr auto x = xg::input<"x", float, batch, 2>;
constexpr auto w = xg::variable<"w", float, 2>;
constexpr auto table = xg::variable<"table", float, 6, 2>;
constexpr auto ids = xg::cast<std::int32_t>(xg::sum<1>(x));
constexpr auto values = xg::square(x);
constexpr auto slices =
    xg::indexed_slices<std::remove_const_t<decltype(values)>, std::remove_const_t<decltype(ids)>, xg::typed_literal<float, 0>>{};
using training = decltype(xg::apply_gradients(xg::gradient_descent{}, xg::sum(x* w), xg::with_variable(slices, table)))::program_type;
}

struct product_op : xg::kernel_op {   // a [m, k], b [k, n]
    static constexpr std::string_view name = "product";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) {
        return {v[0].type, {2, {v[0].dims.extents[0], v[1].dims.extents[1]}}, xg::fault::none};
    }
    static constexpr xg::extent flops(xg::kernel_operands const& v) {
        return v.dims(0).size() * v.dims(1).extents[1] * xg::static_extent(2);
    }
    static void run(xg::kernel_part const&, xg::tensor_view<float const, 2>, xg::tensor_view<float const, 2>, xg::tensor_view<float, 2>) {}
};
struct pairs_op : xg::row_op {   // differences of all pairs of a row
    static constexpr std::string_view name = "pairs";
    static constexpr xg::value_info infer(xg::value_info const* v, int, xg::attributes const&, int) { return v[0]; }
    static constexpr xg::extent flops(xg::kernel_operands const& v) { return v.dims(0).size() * v.dims(0).extents[v.dims(0).rank - 1]; }
    static void row(std::span<float const>, std::span<float>) {}
};

}   // namespace

TEST_CASE("counts are those of an interpreter: classifier") {
    check<models::mlp::training>(batch = 3);
    check<models::mlp::gated>(batch = 2);
    check<models::mlp::plain>(batch = 2);
    check<models::mlp::inference>(batch = 1);
}
TEST_CASE("counts are those of an interpreter: static shapes") { check<models::tanh3::training>(); }
TEST_CASE("counts are those of an interpreter: lookups and sparse updates") {
    check<models::wide_and_deep::training>(batch = 7);
    check<models::sequence::training>(batch = 3, time_steps = 5);
    check<models::scattered::function>(batch = 4);
    check<unseen::training>(batch = 4);
}
TEST_CASE("counts are those of an interpreter: loops") {
    check<models::log_sum_exp::function>(batch = 4);
    check<models::linear_regression::training>(batch = 5);
    check<models::mixture::training>(batch = 6);
    check<models::chain::function>(batch = 9);
    check<models::residual::training>(batch = 2);
    check<models::with_dropout::training>(batch = 3);
}

TEST_CASE("flops of rules are what their bodies do") {
    CHECK(flops_of<xg::gradient_descent>() == xg::gradient_descent::flops);
    CHECK(flops_of<xg::momentum>() == xg::momentum::flops);
    CHECK(flops_of<xg::adagrad>() == xg::adagrad::flops);
    CHECK(flops_of<xg::adam>() == xg::adam::flops);
    CHECK(flops_of<xg::adamw>() == xg::adamw::flops);
    CHECK(flops_of<xg::lazy_adam>() == xg::lazy_adam::flops);
    CHECK(flops_of<xg::ftrl>() == xg::ftrl::flops);
    CHECK(flops_of<xg::rms_prop>() == xg::rms_prop::flops);
    CHECK(flops_of<xg::centered_rms_prop>() == xg::centered_rms_prop::flops);
    CHECK(flops_of<xg::lamb>() == xg::lamb::flops);
    CHECK(flops_of<xg::rowwise_adagrad>() == xg::rowwise_adagrad::flops);
}

namespace {
struct half_momentum : xg::momentum {
    static constexpr std::array<xg::slot_info, 1> slots{xg::slot_info("momentum", xg::dtype::bfloat16)};
};
}
TEST_CASE("slots cost what they are in memory") {
    constexpr auto w = xg::variable<"w", float, 6, 8>;
    constexpr auto dense = xg::sum(w * xg::input<"g", float, 6, 8>);
    constexpr auto sparse = xg::sum(xg::gather(w, xg::input<"ids", std::int32_t, batch>));
    constexpr auto written = [](auto const& loss, auto const& rule) {
        return xg::cost_of<decltype(xg::minimize(loss, rule))>.bytes_written(batch = 3);
    };
    auto const without = written(dense, xg::gradient_descent{}), rows_without = written(sparse, xg::gradient_descent{});
    CHECK(written(dense, xg::momentum{}) - without == 6 * 8 * 4);
    CHECK(written(dense, half_momentum{}) - without == 6 * 8 * 2);
    CHECK(written(dense, xg::rowwise_adagrad{}) - without == 6 * 4);
    CHECK(written(sparse, half_momentum{}) - rows_without == 3 * 8 * 2);
    CHECK(written(sparse, xg::rowwise_adagrad{}) - rows_without == 3 * 4);
    auto const train = xg::minimize(dense, xg::rowwise_adagrad{});
    CHECK(xg::summarize(train).find("rowwise_adagrad moves 48 with 6 slot values") != std::string::npos);
}
TEST_CASE("variables and inputs cost what they are in memory") {
    constexpr auto bytes = [](auto const& w) {
        auto const loss = xg::sum(w * xg::input<"g", float, 6, 8>);
        using trainer = decltype(xg::minimize(loss, xg::adam{}));
        return std::pair(xg::cost_of<trainer>.bytes_read(batch = 3), xg::cost_of<trainer>.bytes_written(batch = 3));
    };
    auto const wide = bytes(xg::variable<"w", float, 6, 8>), half = bytes(xg::variable<"w", xg::bfloat16, 6, 8>);
    CHECK(wide.first - half.first == 2 * 6 * 8 * 2);   // read by the loss and by the update
    CHECK(wide.second - half.second == 6 * 8 * 2);
    constexpr auto rows = [](auto const& t) {
        return xg::cost_of<decltype(xg::function{xg::gather(t, xg::input<"ids", std::int32_t, batch>)})>.bytes_read(batch = 3);
    };
    CHECK(rows(xg::variable<"t", float, 100, 8>) - rows(xg::variable<"t", xg::float16, 100, 8>) == 3 * 8 * 2);
}

TEST_CASE("costs are constants") {
    constexpr auto classifier = xg::cost_of<models::mlp::inference>;
    // two products, two additions, relu, and log-sum-exp over ten numbers
    static_assert(classifier.flops(batch = 1) == 2 * 784 * 128 + 2 * 128 * 10 + 128 + 128 + 10 + 10 * (1 + 1 + 12 + 1 + 1));
    static_assert(classifier.flops(batch = 64) == 64 * classifier.flops(batch = 1));
    static_assert(classifier.bytes_written(batch = 1) == 4 * (128 + 10 + 10 + 10));
    static_assert(xg::cost_of<models::tanh3::training>.flops() > 0);
    static_assert(xg::cost_of<models::tanh3::training>.flops_polynomial.is_static());
    static_assert(xg::cost_of<models::mlp::training>.arena_bytes(batch = 64) < xg::cost_of<models::mlp::plain>.arena_bytes(batch = 64));
    static_assert(xg::cost_of<xg::program_type_of<models::mlp::training>>.flops(batch = 3) ==
                  xg::cost_of<models::mlp::training const&>.flops(batch = 3));
    static_assert(xg::cost_of<models::chain::function>.bytes(batch = 100) == 800);
    // the steps sum up to the whole
    using C = xg::program_cost<models::chain::function>;
    static_assert(C::steps == 1);
    static_assert(C::step<0>.flops == C::flops_polynomial);
}

TEST_CASE("factors of several terms are multiplied out") {
    static constexpr xg::dim rows{"rows"};
    static constexpr xg::dim columns{"columns"};
    constexpr auto a = xg::concat<0>(xg::input<"c", float, rows, rows>, xg::input<"d", float, columns, rows>);   // [rows + columns, rows]
    using C = xg::program_cost<xg::program<xg::expression_list<decltype(xg::matmul(a, xg::matmul<true, false>(a, a)))>>>;
    static_assert(C::flops_polynomial.count == 2);   // of each product 2 (rows + columns) rows²
    static_assert(C::flops(rows = 2, columns = 3) == 2 * (2 * 5 * 2 * 2));
    static_assert(C::bytes_written(rows = 2, columns = 3) >= 4 * (2 * 2 + 5 * 2));
}

TEST_CASE("a kernel says what it computes by the shapes of its operands") {
    constexpr auto a = xg::input<"a", float, batch, 32>;
    using product = decltype(xg::kernel_function<product_op>{}(a, xg::input<"b", float, 32, 16>));
    static_assert(xg::cost_of<xg::program<xg::expression_list<product>>>.flops(batch = 8) == 2 * 8 * 32 * 16);
    using pairs = decltype(xg::row_function<pairs_op>{}(a));
    static_assert(xg::cost_of<xg::program<xg::expression_list<pairs>>>.flops(batch = 8) == 8 * 32 * 32);
}

TEST_CASE("the size of a dimension that is missing") {
    CHECK_THROWS_WITH_AS(
        static_cast<void>(xg::cost_of<models::sequence::training>.flops(batch = 3)), doctest::Contains("\"time\""), xg::value_error);
}

TEST_CASE("arena bytes are what is allocated") {
    auto train = xg::minimize(models::mlp::loss, xg::adam{});
    for (i64 n : {1, 7, 64, 1000}) {
        train.reserve(batch = n);
        CHECK(static_cast<i64>(train.arena_bytes()) == xg::cost_of<decltype(train)>.arena_bytes(batch = n));
    }
    auto fixed = xg::minimize(models::tanh3::loss, xg::momentum{.learning_rate = 0.01});
    fixed.reserve();
    CHECK(static_cast<i64>(fixed.arena_bytes()) == xg::cost_of<decltype(fixed)>.arena_bytes());
    xg::function f{xg::outputs(models::log_sum_exp::value, xg::gradient_of(models::log_sum_exp::value, models::log_sum_exp::x))};
    f.reserve(batch = 33);
    CHECK(static_cast<i64>(f.arena_bytes()) == xg::cost_of<decltype(f)>.arena_bytes(batch = 33));
    auto sequence = xg::minimize(models::sequence::loss, xg::adam{});
    sequence.reserve(batch = 5, time_steps = 11);
    CHECK(static_cast<i64>(sequence.arena_bytes()) == xg::cost_of<decltype(sequence)>.arena_bytes(batch = 5, time_steps = 11));
}
