// SPDX-License-Identifier: MIT
// The verifier on plans that were damaged in one place: every kind of damage, at every step, instruction, operand, buffer and polynomial.
// A run of the damaged plan on shadow memory shows whether it reads invalid memory. The verifier must report exactly these plans.
#include <plan/shadow_memory.hpp>

#include <xgrad/plan/verify/text.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <map>
#include <set>
#include <string>

namespace {
namespace xg = xgrad;
using namespace xg::literals;
using xg::planner::plan_rule;
static_assert(std::string_view(name_of(xg::planner::step_kind::kernel)) == "kernel");   // findings are read by people
static_assert(std::string_view(name_of(xg::planner::step_kind::region)) == "region");
static_assert(std::string_view(name_of(xg::planner::step_kind::check)) == "check");
inline constexpr xg::dim batch{"batch"};

namespace small_mlp {
constexpr auto x = xg::input<"x", float, batch, 3>;
constexpr auto y = xg::input<"y", std::int32_t, batch>;
constexpr auto hidden = xg::relu(xg::matmul(x, xg::variable<"w1", float, 3, 4>) + xg::variable<"b1", float, 4>);
constexpr auto loss = xg::mean(xg::sparse_softmax_cross_entropy(xg::matmul(hidden, xg::variable<"w2", float, 4, 2>), y));
using training = decltype(xg::minimize(loss, xg::adam{}))::program_type;
using gated = decltype(xg::minimize<xg::gating::graph>(loss, xg::adam{}))::program_type;
}
namespace lookups {   // one by computed indices, and a gradient by rows that no lookup has read
constexpr auto table = xg::variable<"table", float, 5, 2>;
constexpr auto other = xg::variable<"other", float, 6, 2>;
constexpr auto ids = xg::input<"ids", std::int32_t, batch, 2>;
constexpr auto x = xg::input<"x", float, batch, 2>;
constexpr auto computed = xg::cast<std::int32_t>(xg::sum<1>(x));
constexpr auto joined = xg::concat<1>(xg::tanh(x), xg::gather(table, computed), xg::embedding_bag(table, ids));
constexpr auto loss = xg::mean(xg::square(xg::matmul(joined, xg::variable<"w", float, 6, 2>)));
constexpr auto slices =
    xg::indexed_slices<std::remove_const_t<decltype(x)>, std::remove_const_t<decltype(computed)>, xg::typed_literal<float, 0>>{};
using training =
    decltype(xg::apply_gradients(xg::gradient_descent{}, loss, xg::with_variable(std::get<0>(xg::gradients(loss, table)), table),
        xg::with_variable(xg::gradient_of(loss, xg::variable<"w", float, 6, 2>), xg::variable<"w", float, 6, 2>),
        xg::with_variable(slices, other)))::program_type;
}
namespace computed_ids {   // in memory from the lookup to the update, which comes last
constexpr auto x = xg::input<"x", float, batch, 2>;
constexpr auto rows = xg::gather(xg::variable<"table", float, 5, 2>, xg::cast<std::int32_t>(xg::sum<1>(x)));
constexpr auto loss = xg::mean(xg::square(xg::matmul(xg::tanh(rows * x), xg::variable<"w", float, 2, 2>)));
using gated = decltype(xg::minimize<xg::gating::graph>(loss, xg::gradient_descent{}))::program_type;
}
namespace regression {   // one pass over the matrix
constexpr auto x = xg::input<"x", double, batch, 3>;
constexpr auto w = xg::variable<"w", double, 3, 1>;
constexpr auto r = xg::squeeze<1>(xg::matmul(x, w)) + xg::variable<"b", double> - xg::input<"y", double, batch>;
using training = decltype(xg::minimize(xg::mean(xg::square(r)), xg::gradient_descent{}))::program_type;
}
namespace mixture {   // lanes along another dimension
constexpr auto x = xg::input<"x", double, batch, 2>;
constexpr auto weight = xg::variable<"weight", double, 4>;
constexpr auto log_scale = xg::variable<"log_scale", double, 4>;
constexpr auto distance = xg::sum<2>(xg::square(xg::expand_dims<1>(x) - xg::variable<"mean", double, 4, 2>));
constexpr auto part = weight - xg::log_sum_exp(weight) - 0.5_c * distance * xg::exp(-2_c * log_scale) - 2_c * log_scale;
constexpr auto loss = -xg::mean(xg::log_sum_exp<1>(part));
using training = decltype(xg::minimize(loss, xg::gradient_descent{}))::program_type;
}
namespace loop {
struct cell : xg::region {
    static constexpr auto value(auto h, auto row) { return xg::carry(xg::tanh(h * xg::variable<"u", float, 3> + row)); }
};
inline constexpr xg::dim turns{"turns"};
constexpr auto last = std::get<0>(xg::scan<cell>(xg::carry(xg::variable<"h", float, 3>), xg::input<"x", float, turns, 3>));
using training = decltype(xg::minimize(xg::mean(xg::square(last)), xg::gradient_descent{}))::program_type;
}
namespace branch {   // one of two bodies, with its gradient; a call in one of them; a loop with a condition
constexpr auto u = xg::variable<"u", float, 3>;
struct block : xg::region {
    static constexpr auto value(auto h) { return std::tuple{xg::tanh(h * u), xg::sum<1>(h)}; }
};
struct calls : xg::region {
    static constexpr auto value(auto h) { return xg::call<block>(h + 1_c); }
};
struct small_yet : xg::region {
    static constexpr auto value(auto h) { return xg::less(xg::sum(h), 9_c); }
};
struct grows : xg::region {
    static constexpr auto value(auto h) { return xg::carry(h * 1.5_c + 1_c); }
};
constexpr auto x = xg::input<"x", float, batch, 3>;
constexpr auto taken = xg::cond<calls, block>(xg::input<"p", bool>, x* xg::variable<"h", float, 3>);
constexpr auto last = std::get<0>(xg::while_loop<small_yet, grows, 5>(xg::carry(std::get<1>(taken))));
using training = decltype(xg::minimize(xg::mean(xg::square(std::get<0>(taken))) + xg::mean(last), xg::gradient_descent{}))::program_type;
}
namespace new_values {   // an average of new weights, a table of them looked up by rows that nothing else looks at, two stages in sequence
constexpr auto w = xg::variable<"w", float, 5, 2>;
constexpr auto v = xg::variable<"v", float, 2, 2>;
constexpr auto average = xg::non_trainable<"average", float, 5, 2>;
constexpr auto sums = xg::non_trainable<"sums", float, 2>;
constexpr auto last = xg::non_trainable<"last", float, 5, 2>;
constexpr auto x = xg::input<"x", float, batch, 5>;
constexpr auto ids = xg::input<"ids", std::int32_t, batch>;
constexpr auto loss = xg::mean(xg::square(xg::matmul(xg::tanh(xg::matmul(x, w)), v)));
constexpr auto some = xg::sum<0>(xg::gather(xg::updated(average), xg::slice<0, 0, batch>(ids)) * xg::gather(w, ids));
template<xg::gating Gate>
using training =
    typename decltype(xg::minimize<Gate>(loss, xg::gradient_descent{}, xg::assign(average, average + 0.5_c * (xg::updated(w) - w)),
        xg::assign(sums, some + xg::sum<0>(xg::updated(v))), xg::assign(last, xg::updated(w))))::program_type;
}
namespace second_updates {   // constraints after the rule, one of them in the tiles of a product; an average of values before and after it
constexpr auto w = xg::variable<"w", float, 5, 2>;
constexpr auto v = xg::variable<"v", float, 2, 2>;
constexpr auto average = xg::non_trainable<"average", float, 5, 2>;
constexpr auto sums = xg::non_trainable<"sums", float, 2>;
constexpr auto x = xg::input<"x", float, batch, 5>;
constexpr auto loss = xg::mean(xg::square(xg::matmul(xg::tanh(xg::matmul(x, w)), v)));
template<xg::gating Gate>
using training = typename decltype(xg::minimize<Gate>(loss, xg::gradient_descent{}, xg::assign(w, xg::maximum(xg::updated(w), 0_c)),
    xg::assign(v, xg::matmul(xg::updated(v), v)), xg::assign(average, xg::updated(w) + xg::updated(xg::updated(w)) - w),
    xg::assign(sums, xg::sum<0>(xg::updated(xg::updated(v)) - xg::updated(v)))))::program_type;
}
namespace shapes {
constexpr auto x = xg::input<"x", float, batch, 4>;
constexpr auto y = xg::exp(xg::slice<1, 0, 2>(x) * xg::slice<1, 2, 4>(x));
constexpr auto joined = xg::concat<1>(y, xg::softmax(x), xg::slice<1, 0, 4, 2>(x));
constexpr auto best = xg::top_k<2>(xg::transpose(xg::matmul<true, false>(joined, x)));
constexpr auto outputs = xg::outputs(xg::sum<0>(joined), std::get<0>(best), xg::slice<0, 1, batch>(joined), xg::mean<0>(x));
using values = xg::program<std::remove_const_t<decltype(outputs)>>;
}

namespace handed_on {   // by a lookup and by a function on rows, whose other output is a result
constexpr auto x = xg::input<"x", double, batch, 5>;
constexpr auto rows = xg::softmax(xg::gather(xg::input<"table", float, 7, 8>, xg::input<"ids", std::int32_t, batch, 2>) * 2_c);
constexpr auto best = xg::top_k<4>(x);
constexpr auto outputs = xg::outputs(rows, std::get<0>(best) + xg::input<"b", double, 4>, std::get<1>(best));
using values = xg::program<std::remove_const_t<decltype(outputs)>>;
}

// A plan that may be changed.
struct plan_copy {
    std::vector<xg::planner::plan_step> steps;
    std::vector<xg::planner::instruction> ins;
    std::vector<xg::planner::step_operand> operands, outputs;
    std::vector<xg::planner::parameter> params;
    std::vector<xg::planner::plan_buffer> buffers;
    std::vector<xg::planner::arena_block> blocks;
    std::vector<xg::extent> polynomials;
    std::vector<int> inputs, variables;

    template<class T>
    static std::vector<T> copy(T const* p, int n) {
        return {p, p + n};
    }
    explicit plan_copy(xg::planner::plan_view const& p)
        : steps(copy(p.steps, p.step_count)), ins(copy(p.ins, p.ins_count)), operands(copy(p.operands, p.operand_count)),
          outputs(copy(p.outputs, p.output_count)), params(copy(p.params, p.param_count)), buffers(copy(p.buffers, p.buffer_count)),
          blocks(copy(p.blocks, p.block_count)), polynomials(copy(p.polynomials, p.polynomial_count)),
          inputs(copy(p.inputs, p.input_count)), variables(copy(p.variables, p.variable_count)) {}
    template<class T>
    static int count(std::vector<T> const& v) {
        return static_cast<int>(v.size());
    }
    template<class T>
    static bool same(std::vector<T> const& v, T const* p, int n) {
        return count(v) == n && std::memcmp(v.data(), p, v.size() * sizeof(T)) == 0;
    }
    bool equals(xg::planner::plan_view const& p) const {
        return same(steps, p.steps, p.step_count) && same(ins, p.ins, p.ins_count) && same(operands, p.operands, p.operand_count) &&
               same(outputs, p.outputs, p.output_count) && same(buffers, p.buffers, p.buffer_count) &&
               same(blocks, p.blocks, p.block_count) && same(polynomials, p.polynomials, p.polynomial_count);
    }
    xg::planner::plan_view view() const {
        return {steps.data(), ins.data(), operands.data(), params.data(), buffers.data(), blocks.data(), polynomials.data(), inputs.data(),
            variables.data(), outputs.data(), count(steps), count(ins), count(operands), count(params), count(buffers), count(blocks),
            count(polynomials), count(inputs), count(variables), count(outputs)};
    }
};

struct subject {
    char const* name;
    xg::table_view table;
    xg::planner::plan_view plan;
    xg::planner::plan_request asked;
    int least;   // size of a dimension that a call takes
};
template<class P>
subject subject_of(char const* name, int least = 0) {
    using R = typename P::request;
    return {
        name, P::table.view(), xg::planner::view_of(P::plan), {R::outputs, R::output_count, R::updates, R::update_count, P::gate}, least};
}
std::vector<subject> const& subjects() {
    static std::vector<subject> const all{subject_of<small_mlp::training>("mlp"), subject_of<small_mlp::gated>("gated mlp"),
        subject_of<lookups::training>("lookups"), subject_of<computed_ids::gated>("computed ids"),
        subject_of<regression::training>("regression"), subject_of<mixture::training>("mixture"),
        subject_of<new_values::training<xg::gating::none>>("new values"),
        subject_of<new_values::training<xg::gating::graph>>("gated new values"),
        subject_of<second_updates::training<xg::gating::none>>("second updates"),
        subject_of<second_updates::training<xg::gating::graph>>("gated second updates"), subject_of<loop::training>("loop"),
        subject_of<branch::training>("branch"), subject_of<handed_on::values>("handed on"), subject_of<shapes::values>("shapes", 1)};
    return all;
}

/// What became of the damaged plans of one kind.
struct tally {
    int found = 0, harmless = 0;
    std::set<plan_rule> rules;
};

class damage {
    subject const& s_;
    std::map<std::string, tally>& kinds_;

    char const* run(plan_copy const& c) const {
        for (std::int64_t n : {3, 2, 1, 0, 5, 64})
            if (char const* const what = n < s_.least ? nullptr : test::shadow_memory(s_.table, c.view(), s_.asked, n).run()) return what;
        return nullptr;
    }

public:
    damage(subject const& s, std::map<std::string, tally>& kinds) : s_(s), kinds_(kinds) {}
    plan_copy whole() const { return plan_copy(s_.plan); }
    int nodes() const { return s_.table.count; }
    xg::planner::variable_value value_of(int node) const { return xg::planner::value_of_variable(s_.table, node); }

    /// `must`: rules, one of which is to be found wherever it is not harmless.
    void check(std::string const& kind, int at, plan_copy const& c, std::set<plan_rule> const& must = {}) {
        if (c.equals(s_.plan)) return;   // there is nothing of this kind to damage
        xg::planner::plan_finding const f = xg::planner::verify_plan(s_.table, c.view(), s_.asked);
        tally& t = kinds_[kind];
        CAPTURE(std::string(s_.name));
        CAPTURE(kind);
        CAPTURE(at);
        if (f) {
            std::string const words = text_of(f, s_.table, c.view());
            CAPTURE(words);
            ++t.found;
            t.rules.insert(f.rule);
            if (!must.empty()) CHECK(must.count(f.rule) == 1);
            if (f.rule == plan_rule::unwritten || f.rule == plan_rule::out_of_bounds || f.rule == plan_rule::early_update ||
                f.rule == plan_rule::unchecked_index)
                CHECK(run(c) != nullptr);   // no false alarm
        } else {
            ++t.harmless;
            char const* const wrong = run(c);
            std::string const missed = wrong != nullptr ? wrong : "";
            CHECK(missed == "");
        }
    }
};
using steps = std::vector<xg::planner::plan_step>;
using where = xg::planner::step_operand::where;

void damage_steps(damage& d) {
    plan_copy const whole = d.whole();
    int const n = plan_copy::count(whole.steps);
    for (int i = 0; i < n; ++i) {
        auto const at = static_cast<std::size_t>(i);
        auto change = [&](char const* kind, std::set<plan_rule> const& must, auto f) {
            plan_copy c = whole;
            f(c.steps[at], c);
            d.check(kind, i, c, must);
        };
        change("a step dropped", {}, [&](auto&, auto& c) { c.steps.erase(c.steps.begin() + i); });
        change("a step done twice", {}, [&](auto&, auto& c) { c.steps.insert(c.steps.begin() + i, whole.steps[at]); });
        for (int k = 0; k < i; ++k)
            change("a step moved forward", {}, [&](auto&, auto& c) {
                c.steps.erase(c.steps.begin() + i);
                c.steps.insert(c.steps.begin() + k, whole.steps[at]);
            });
        for (int e = 0; e < 4; ++e)
            for (int q = 0; q < plan_copy::count(whole.polynomials); ++q)
                if (whole.steps[at].extent[e] != 0 && q != whole.steps[at].extent[e])
                    change("another extent", {}, [&](auto& s, auto&) { s.extent[e] = static_cast<short>(q); });
        for (int q = 0; q < plan_copy::count(whole.polynomials); ++q)
            if (q != whole.steps[at].inner) change("another inner extent", {}, [&](auto& s, auto&) { s.inner = static_cast<short>(q); });
        change("a pass fewer", {}, [](auto& s, auto&) { --s.phases; });
        change("an outer dimension fewer", {},
            [](auto& s, auto&) { s.outer_rank = static_cast<signed char>(s.outer_rank > 0 ? s.outer_rank - 1 : 0); });
        change("factors transposed", {}, [](auto& s, auto&) { s.transpose_a = !s.transpose_a; });
        change("the second factor transposed", {}, [](auto& s, auto&) { s.transpose_b = !s.transpose_b; });
        change("another static length", {plan_rule::disagrees, plan_rule::malformed}, [](auto& s, auto&) { s.static_inner = 77; });
        change("other static rows", {plan_rule::disagrees, plan_rule::malformed}, [](auto& s, auto&) { s.static_m = 77; });
        change("other static columns", {plan_rule::disagrees, plan_rule::malformed}, [](auto& s, auto&) { s.static_n = 77; });
        change("another static depth", {plan_rule::disagrees, plan_rule::malformed}, [](auto& s, auto&) { s.static_k = 77; });
        change("not run together", {}, [](auto& s, auto&) { s.loop_at = s.back_at = 0; });
        change("run by no other step", {}, [](auto& s, auto&) { s.joined_to = 0; });
        change("run by a step before", {}, [](auto& s, auto&) { s.joined_to = static_cast<short>(s.joined_to > 0 ? s.joined_to + 1 : 0); });
        change("an update of no product", {}, [](auto& s, auto&) { s.update_at = 0; });
        change("run in parts", {plan_rule::malformed}, [](auto& s, auto&) { s.in_parts = true; });
        change("run together with one fewer", {},
            [](auto& s, auto&) { s.back_at = static_cast<short>(s.back_at > 0 ? s.back_at - 1 : s.back_at); });
        change("not in the tiles", {}, [](auto& s, auto&) { s.fused = false; });
        change("in the tiles", {}, [](auto& s, auto&) { s.fused = s.kind == xg::planner::step_kind::update; });
        change("another rule", {},
            [](auto& s, auto&) { s.group = static_cast<short>(s.group + (s.kind == xg::planner::step_kind::update ? 1 : 0)); });
        for (int v = 0; v < plan_copy::count(whole.variables); ++v)
            if (whole.steps[at].kind == xg::planner::step_kind::update && v != whole.steps[at].variable) {
                change("another variable", {plan_rule::lost_update}, [&](auto& s, auto&) { s.variable = static_cast<short>(v); });
                change("another variable and its node", {}, [&](auto& s, auto& c) {
                    s.variable = static_cast<short>(v);
                    s.node = static_cast<short>(c.variables[static_cast<std::size_t>(v)]);
                });
            }
        change("operands counted wrong", {}, [](auto& s, auto&) { ++s.read_count; });
        change("a body fewer", {plan_rule::disagrees}, [](auto& s, auto&) {
            if (s.kind == xg::planner::step_kind::region) --s.body_count;
        });
        change("the bodies of another step", {plan_rule::disagrees}, [](auto& s, auto&) {
            if (s.kind == xg::planner::step_kind::region) ++s.first_body;
        });
        change("iterations before it, for random numbers", {plan_rule::disagrees}, [](auto& s, auto&) {
            if (s.kind == xg::planner::step_kind::region) s.extent[1] = s.extent[1] == 0 ? 1 : 0;
        });
        change("another number of iterations, for random numbers", {plan_rule::disagrees}, [](auto& s, auto&) {
            if (s.kind == xg::planner::step_kind::region) s.extent[2] = 0;
        });
        change("an operand fewer", {},
            [](auto& s, auto&) { s.operand_count = static_cast<short>(s.operand_count > 0 ? s.operand_count - 1 : 0); });
        change("indices of another type", {plan_rule::disagrees}, [](auto& s, auto&) {
            if (s.kind == xg::planner::step_kind::check) s.index_type = xg::dtype::int64;
        });
        change("a variable of another element type in memory", {plan_rule::lost_update}, [](auto& s, auto&) {
            if (s.kind == xg::planner::step_kind::update) s.memory = xg::dtype::bfloat16;
        });
        change("a rule in another element type", {plan_rule::lost_update}, [](auto& s, auto&) {
            if (s.kind == xg::planner::step_kind::update) s.type = xg::dtype::bfloat16;
        });
        change("an instruction fewer", {}, [](auto& s, auto&) { s.ins_count = static_cast<short>(s.ins_count > 0 ? s.ins_count - 1 : 0); });
        change("lanes elsewhere", {}, [](auto& s, auto&) { s.lane = static_cast<short>(s.lane >= 0 ? s.lane + 1 : s.lane); });
        change("more rows or sums than room", {}, [](auto& s, auto&) { s.block_rows = static_cast<short>(s.block_rows > 0 ? 1 : 0); });
    }
}

void damage_operands(damage& d) {
    plan_copy const whole = d.whole();
    int const polynomials = plan_copy::count(whole.polynomials);
    for (int i = 0; i < plan_copy::count(whole.operands); ++i) {
        auto const at = static_cast<std::size_t>(i);
        auto change = [&](char const* kind, std::set<plan_rule> const& must, auto f) {
            plan_copy c = whole;
            f(c.operands[at]);
            d.check(kind, i, c, must);
        };
        for (int q = 0; q < polynomials; ++q) {
            auto const e = static_cast<short>(q);
            if (e != whole.operands[at].offset) change("another offset", {}, [&](auto& o) { o.offset = e; });
            if (e != whole.operands[at].inner) change("another inner stride", {}, [&](auto& o) { o.inner = e; });
            for (int k = 0; k < 2; ++k)
                if (e != whole.operands[at].stride[k]) change("another stride", {}, [&](auto& o) { o.stride[k] = e; });
        }
        if (!whole.operands[at].has_memory()) continue;
        for (int b = 0; b < plan_copy::count(whole.buffers); ++b)
            if (whole.operands[at].base != where::buffer || b != whole.operands[at].index) {
                change("another buffer", {plan_rule::disagrees, plan_rule::unwritten}, [&](auto& o) {
                    o.base = where::buffer;
                    o.index = static_cast<short>(b);
                });
                change("another buffer and its node", {}, [&](auto& o) {
                    o.base = where::buffer;
                    o.index = static_cast<short>(b);
                    o.node = whole.buffers[static_cast<std::size_t>(b)].node;
                });
            }
        for (int v = 0; v < plan_copy::count(whole.variables); ++v)
            if (whole.operands[at].base != where::variable || v != whole.operands[at].index)
                change("a variable instead", {}, [&](auto& o) {
                    o.base = where::variable;
                    o.index = static_cast<short>(v);
                    o.node = static_cast<short>(whole.variables[static_cast<std::size_t>(v)]);
                });
        if (whole.operands[at].base == where::variable) {
            xg::planner::variable_value const value = d.value_of(whole.operands[at].node);
            change("another value of a variable", {plan_rule::disagrees}, [](auto& o) { ++o.version; });
            for (int r = 0; r < d.nodes(); ++r)
                if (xg::planner::variable_value const other = d.value_of(r);
                    other.variable == value.variable && other.version != value.version)
                    change("another value of a variable and its node", {plan_rule::early_update}, [&](auto& o) {
                        o.version = static_cast<signed char>(other.version);
                        o.node = static_cast<short>(r);
                    });
        }
        change("another element type", {plan_rule::disagrees}, [](auto& o) { o.type = xg::dtype::boolean; });
        change("no memory", {}, [](auto& o) { o.base = where::position; });
        change("an index out of range", {plan_rule::malformed}, [](auto& o) { o.index = 1000; });
    }
}

void damage_programs(damage& d) {
    plan_copy const whole = d.whole();
    for (int i = 0; i < plan_copy::count(whole.ins); ++i) {
        auto const at = static_cast<std::size_t>(i);
        auto change = [&](char const* kind, auto f) {
            plan_copy c = whole;
            f(c.ins[at]);
            d.check(kind, i, c);
        };
        change("a later register", [](auto& k) { ++k.a; });
        change("an earlier register", [](auto& k) { --k.a; });
        change("another second register", [](auto& k) { ++k.b; });
        change("once instead of often", [](auto& k) { --k.level; });
        change("more often", [](auto& k) { ++k.level; });
        change("a pass later", [](auto& k) { ++k.phase; });
        change("a pass earlier", [](auto& k) { --k.phase; });
        change("the next operand", [](auto& k) { ++k.operand; });
        change("the operand before", [](auto& k) { --k.operand; });
        change("summed over other dimensions", [](auto& k) { k.outer = static_cast<unsigned char>(k.outer ^ 1U); });
        change("another access", [](auto& k) { k.inner = static_cast<unsigned char>(k.inner == 1 ? 2 : 1); });
        change("other lanes", [](auto& k) { k.inner = static_cast<unsigned char>(k.inner ^ 4U); });
        change("memory of another type", [](auto& k) { k.memory = xg::dtype::int64; });
        change("a load instead of a store", [](auto& k) {
            if (k.kind == xg::planner::ins_kind::store) k.kind = xg::planner::ins_kind::load;
        });
        change("a store instead of a load", [](auto& k) {
            if (k.kind == xg::planner::ins_kind::load) k.kind = xg::planner::ins_kind::store;
        });
    }
}

void damage_memory(damage& d) {
    plan_copy const whole = d.whole();
    for (int i = 0; i < plan_copy::count(whole.buffers); ++i) {
        auto const at = static_cast<std::size_t>(i);
        auto change = [&](char const* kind, std::set<plan_rule> const& must, auto f) {
            plan_copy c = whole;
            f(c.buffers[at]);
            d.check(kind, i, c, must);
        };
        for (int b = 0; b < plan_copy::count(whole.blocks); ++b)
            if (b != whole.buffers[at].place)
                change("in another block", {plan_rule::shared_bytes}, [&](auto& q) { q.place = static_cast<short>(b); });
        for (int q = 0; q < plan_copy::count(whole.polynomials); ++q)
            if (q != whole.buffers[at].size) change("another size", {}, [&](auto& b) { b.size = static_cast<short>(q); });
        change("elements of another type", {plan_rule::disagrees}, [](auto& q) { q.type = xg::dtype::int32; });
        change("another node", {}, [](auto& q) { ++q.node; });
        change("a part of its node", {}, [](auto& q) { q.passing = true; });
        change("all of its node", {plan_rule::disagrees}, [](auto& q) { q.passing = false; });
    }
    for (int i = 0; i < plan_copy::count(whole.blocks); ++i) {
        plan_copy c = whole;
        xg::extent& bytes = c.blocks[static_cast<std::size_t>(i)].bytes;
        bytes = bytes - xg::static_extent(1);
        d.check("a byte less in a block", i, c, {plan_rule::shared_bytes});
    }
    for (int i = 2; i < plan_copy::count(whole.polynomials); ++i)
        for (int by : {-1, 1}) {
            plan_copy c = whole;
            xg::extent& e = c.polynomials[static_cast<std::size_t>(i)];
            e = e + xg::static_extent(by);
            d.check(by < 0 ? "a smaller number" : "a larger number", i, c);
        }
    for (int i = 0; i < plan_copy::count(whole.outputs); ++i) {
        plan_copy c = whole;
        c.outputs.erase(c.outputs.begin() + i);
        d.check("a result dropped", i, c, {plan_rule::disagrees});
        c = whole;
        c.outputs[static_cast<std::size_t>(i)].offset = 1;
        d.check("a result from its second element on", i, c, {plan_rule::out_of_bounds});
        for (int b = 0; b < plan_copy::count(whole.buffers); ++b)
            if (b != whole.outputs[static_cast<std::size_t>(i)].index) {
                c = whole;
                c.outputs[static_cast<std::size_t>(i)].index = static_cast<short>(b);
                d.check("another result", i, c);
            }
    }
}

}   // namespace

TEST_CASE("right plans have no finding") {
    for (subject const& s : subjects()) {
        CAPTURE(std::string(s.name));
        std::string const words = text_of(xg::planner::verify_plan(s.table, s.plan, s.asked), s.table, s.plan);
        CHECK(words == "nothing");
        for (std::int64_t n : {1, 2, 3, 5, 16}) CHECK(test::shadow_memory(s.table, s.plan, s.asked, n).run() == nullptr);
    }
}

TEST_CASE("damaged plans are found where the damage matters") {
    std::map<std::string, tally> kinds;
    for (subject const& s : subjects()) {
        damage d(s, kinds);
        damage_steps(d);
        damage_operands(d);
        damage_programs(d);
        damage_memory(d);
    }
    CHECK(kinds.size() >= 25);
    int found = 0, harmless = 0;
    for (auto const& [kind, t] : kinds) {
        CAPTURE(kind);
        CHECK(t.found > 0);
        found += t.found;
        harmless += t.harmless;
        std::string rules;
        for (plan_rule r : t.rules) rules += std::string(rules.empty() ? "" : ", ") + name_of(r);
        MESSAGE(kind << ": " << t.found << " found, " << t.harmless << " harmless; " << rules);
    }
    MESSAGE(found << " found, " << harmless << " harmless");
}

// It runs in constant evaluation too.
static_assert(!xg::planner::verify_plan(regression::training::table.view(), xg::planner::view_of(regression::training::plan),
    {regression::training::request::outputs, regression::training::request::output_count, regression::training::request::updates,
        regression::training::request::update_count, xg::gating::none}));
