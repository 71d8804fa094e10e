// SPDX-License-Identifier: MIT
// summarize: a plan in five lines.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/inspect/plan_text.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Appends piece by piece to one text. Building temporary texts first would add code to create and destroy them at each place.
class summary_writer {
    plan_text const& t_;
    dim_size const* sizes_;   // ends with an empty entry; null: no sizes
    std::string out_;

    XGRAD_COLD void say(std::initializer_list<message_part> parts) { append(out_, parts); }
    XGRAD_COLD void count(int n, std::string_view one, std::string_view many) { say({n, " ", n == 1 ? one : many}); }
    XGRAD_COLD void number(std::int64_t n) { say({grouped(n)}); }
    XGRAD_COLD void amount(cost_polynomial const& p) {
        if (p.is_static()) number(p.constant);
        else if (sizes_ != nullptr) number(evaluate(p, sizes_));
        else say({polynomial_text(p)});
    }
    /// Number of elements along axes of a shape.
    XGRAD_COLD static cost_polynomial elements(shape const& s, axis_range axes) {
        cost_polynomial n = cost_number(1);
        for (int d = 0; d < axes.count; ++d) n = multiply<12>(n, s.extents[axes.at(d)]);
        return n;
    }
    XGRAD_COLD static int add_intermediates(plan_text const& t, cost_polynomial& bytes) {
        int n = t.buffer_count;
        for (int b = 0; b < t.buffer_count; ++b)
            bytes.add(t.pool[t.buffers[b].size], static_cast<std::int64_t>(size_of(t.buffers[b].type)));
        for (int s = 0; s < t.step_count; ++s)
            for (int b = 0; b < t.steps[s].body_count; ++b) n += add_intermediates(t.body_of(s, b).plan(), bytes);
        return n;
    }
    /// " at batch = 64"
    XGRAD_COLD void given() {
        if (sizes_ == nullptr) return;
        char const* between = " at ";
        for (dim_size const* d = sizes_; d->hash != 0; ++d) {
            dim_info const* const q = dimension(d->hash);
            bool again = q == nullptr;
            for (dim_size const* before = sizes_; before != d; ++before) again = again || before->hash == d->hash;
            if (again) continue;
            say({between, q->name, " = ", d->size});
            between = ", ";
        }
    }
    /// The first dimension of that name in an input, or null.
    XGRAD_COLD dim_info const* dimension(std::uint64_t hash) const {
        for (int i = 0; i < t_.input_count; ++i)
            for (int a = 0; a < t_.inputs[i].dims.rank; ++a)
                for (auto const& term : t_.inputs[i].dims.extents[a].terms)
                    if (dim_info const* const q = term.dims[0]; q != nullptr && q->hash == hash) return q;
        return nullptr;
    }
    XGRAD_COLD void write_parameters() {
        cost_polynomial parameters{};
        for (int i = 0; i < t_.variable_count; ++i) parameters.add(elements(t_.variables[i].dims, {0, t_.variables[i].dims.rank}));
        say({"parameters "});
        amount(parameters);
        say({" in "});
        count(t_.variable_count, "variable", "variables");
        for (int g = 0; g < t_.rule_count; ++g) {
            cost_polynomial moved{}, held{};
            for (int s = 0; s < t_.step_count; ++s)
                if (planner::facts_of(t_.steps[s].kind).updates_variable && t_.steps[s].group == g) {
                    shape const& v = t_.variables[t_.steps[s].variable].dims;
                    moved.add(elements(v, {0, v.rank}));
                    for (int k = 0; k < t_.rules[g].slot_count; ++k) held.add(elements(v, axes_of(t_.rules[g].slots[k].scope, v.rank)));
                }
            say({"; ", t_.rules[g].name, " moves "});
            amount(moved);
            say({" with "});
            amount(held);
            say({" slot values"});
        }
    }
    /// Counts steps by name, kind by kind.
    XGRAD_COLD void write_steps() {
        say({"\nsteps      ", t_.step_count, ": "});
        char const* between = "";
        sequence<bool> counted(t_.step_count, false);
        for (kind_words const& kind : inspected_words.at)
            for (int s = 0; s < t_.step_count; ++s) {
                if (t_.steps[s].kind != kind.kind || counted.at[s]) continue;
                kernel_text const& words = words_of(t_, s);
                int n = 0;
                for (int k = s; k < t_.step_count; ++k)
                    if (t_.steps[k].kind == kind.kind && words_of(t_, k).many == words.many) {
                        counted.at[k] = true;
                        ++n;
                    }
                say({between});
                count(n, words.one, words.many);
                between = ", ";
            }
    }
    XGRAD_COLD void write_fused() {
        int loops = 0, products = 0, updates = 0, operations = 0, in_products = 0, fused = 0;
        for (int s = 0; s < t_.step_count; ++s) {
            planner::plan_step const& p = t_.steps[s];
            planner::kind_facts const& kind = planner::facts_of(p.kind);
            loops += kind.over_elements;
            products += kind.in_tiles;
            updates += kind.updates_variable;
            fused += p.fused;
            for (int k = 0; k < p.ins_count; ++k) {
                planner::ins_kind const i = t_.ins[p.first_ins + k].kind;
                bool const operation = i == planner::ins_kind::apply || i == planner::ins_kind::reduce || i == planner::ins_kind::random;
                operations += operation;
                in_products += operation && kind.in_tiles;
            }
        }
        say({"\nfused      "});
        count(operations - in_products, "operation", "operations");
        say({" in "});
        count(loops, "loop nest", "loop nests");
        if (products > 0) say({", ", in_products, " in the tiles of products"});
        if (updates > 0) {
            say({", ", fused, " of "});
            count(updates, "update", "updates");
            say({" in the product that makes the gradient"});
        }
    }
    XGRAD_COLD void write_arena() {
        cost_polynomial all{};
        int const intermediates = add_intermediates(t_, all);
        say({"\narena      "});
        if (sizes_ != nullptr || t_.arena->is_static()) {   // as it is allocated
            std::int64_t bytes = 0;
            dim_size const none{};
            for (int b = 0; b < t_.all_block_count; ++b)
                bytes += (evaluate(t_.all_blocks[b], sizes_ != nullptr ? sizes_ : &none) + 63) / 64 * 64;
            number(bytes);
        } else amount(*t_.arena);
        say({" bytes in "});
        count(t_.all_block_count, "block", "blocks");
        say({" for "});
        count(intermediates, "intermediate", "intermediates");
        say({" of "});
        amount(all);
        say({" bytes"});
        given();
    }
    XGRAD_COLD void write_cost() {
        say({"\ncost       "});
        if (!t_.fits) return say({"a polynomial of too many terms\n"});
        amount(t_.cost->flops);
        say({" flops, "});
        amount(t_.cost->read);
        say({" bytes read, "});
        amount(t_.cost->written);
        say({" bytes written in a call"});
        given();
        say({"\n"});
    }

public:
    summary_writer(plan_text const& t, dim_size const* sizes) : t_(t), sizes_(sizes) {}

    XGRAD_COLD std::string write() {
        write_parameters();
        write_steps();
        write_fused();
        write_arena();
        write_cost();
        return std::move(out_);
    }
};

std::string summary_text(plan_text const& t, dim_size const* sizes);
#if XGRAD_COMPILED != 1
XGRAD_HOST std::string summary_text(plan_text const& t, dim_size const* sizes) { return summary_writer(t, sizes).write(); }
#endif

}   // namespace detail

/// Five lines: parameters and slots, steps by kind, what is fused, arena, cost. With sizes (`summarize(train, batch = 64)`) the text has
/// numbers, without sizes polynomials in the named dimensions. Give all dimensions or none. Throws value_error if one is missing.
template<class X, class... D>
[[nodiscard("summarize returns text; print it: std::cout << summarize(train)")]] std::string summarize(X const&, D const&... sizes) {
    static_assert(detail::are_sizes<D...>, "xgrad: an argument is not the size of a named dimension; write its name and size: batch = 64");
    if constexpr (detail::is_program<program_type_of<X>> && detail::are_sizes<D...>) {
        dim_size const list[]{sizes..., {}};
        return detail::summary_text(detail::text_of<program_type_of<X>>(), sizeof...(D) > 0 ? list : nullptr);
    } else return {};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
