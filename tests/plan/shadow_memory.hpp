// SPDX-License-Identifier: MIT
// Runs a plan on memory that knows only which buffer wrote each byte last, element by element in the order of the kernels, at given sizes.
// The verifier must have found every read of anything else, or beyond the memory.
#pragma once

#include <xgrad/xgrad.hpp>
#include <xgrad/plan/verify.hpp>

#include <algorithm>
#include <array>
#include <vector>

namespace test {
namespace xg = xgrad;

class shadow_memory {
    using where = xg::planner::step_operand::where;
    xg::table_view t_;
    xg::planner::plan_view p_;
    xg::planner::plan_request r_;
    std::int64_t size_;   // of every named dimension
    std::vector<std::int64_t> values_;
    struct mark {   // the buffer that wrote a byte, and the position of its step
        int buffer = -1, step = -1;
        std::int64_t row = -1, phase = 0, element = -1;
    };
    mark now_;
    std::vector<std::vector<mark>> owner_;   // of each byte of each block
    std::vector<int> updates_;               // of each variable: how many have run
    xg::planner::node_stages stages_;
    std::vector<std::array<std::int64_t, 5>> looked_;
    std::int64_t passing_first_ = 0, passing_end_ = 0;   // elements that a kernel passes on at the time
    char const* broken_ = nullptr;

    std::int64_t value(int e) const { return values_[static_cast<std::size_t>(e)]; }
    std::int64_t size_of_extent(xg::extent const& e) const {
        return e.evaluate([&](xg::dim_info const&) { return size_; });
    }
    std::int64_t size_of_node(int node) const {
        std::int64_t n = 1;
        for (int a = 0; a < t_.dims(node).rank; ++a) n *= size_of_extent(t_.dims(node).extents[a]);
        return n;
    }
    void fail(char const* what) {
        if (broken_ == nullptr) broken_ = what;
    }
    void touch(xg::planner::step_operand const& o, std::int64_t element, bool writes) {
        if (broken_ != nullptr || !o.has_memory()) return;
        if (o.base != where::buffer) {
            int const node = o.base == where::input ? p_.inputs[o.index] : p_.variables[o.index];
            if (element < 0 || element >= size_of_node(node)) return fail("beyond an array");
            if (writes) return fail("writes into an array");
            if (o.base == where::variable && updates_[static_cast<std::size_t>(o.index)] != o.version)
                fail(updates_[static_cast<std::size_t>(o.index)] < o.version ? "reads a new value that is not there" : "reads a new value");
            return;
        }
        xg::planner::plan_buffer const& b = p_.buffers[o.index];
        auto const bytes = static_cast<std::int64_t>(xg::size_of(b.type));
        auto& block = owner_[static_cast<std::size_t>(b.place)];
        if (b.passing) {
            bool const here = element >= passing_first_ && element < passing_end_;
            if (writes && (now_.step < 0 || !p_.steps[now_.step].hands_on())) return fail("writes what a kernel hands on");
            if (!here && writes) return;   // of other iterations
            if (!here) return fail("reads what is not handed on");
            element -= passing_first_;
        }
        if (element >= value(b.size) || (element + 1) * bytes > static_cast<std::int64_t>(block.size())) return fail("beyond a block");
        if (element < 0 || element >= (b.passing ? size_of_node(b.node) : value(b.size))) return fail("beyond a buffer");
        for (std::int64_t k = element * bytes; k < (element + 1) * bytes; ++k) {
            mark& m = block[static_cast<std::size_t>(k)];
            if (writes) {
                m = now_;
                m.buffer = o.index;
            } else if (m.buffer != o.index) return fail("reads what is not there");
            else if (m.step == now_.step && m.row >= 0 &&
                     (m.row != now_.row || (m.phase == now_.phase && m.element >= 0 && m.element != now_.element)))
                return fail("reads what another turn of the same loop makes");
        }
    }
    xg::planner::step_operand const& operand(xg::planner::plan_step const& s, int k) {
        static constexpr xg::planner::step_operand none{};
        if (k >= 0 && k < s.operand_count && s.first_operand + k < p_.operand_count) return p_.operands[s.first_operand + k];
        fail("an operand that is not there");
        return none;
    }
    void rows(xg::planner::plan_step const& s, int k, std::int64_t count, std::int64_t stride, std::int64_t length, bool writes) {
        xg::planner::step_operand const& o = operand(s, k);
        for (std::int64_t i = 0; i < count; ++i)
            for (std::int64_t j = 0; j < length; ++j) touch(o, value(o.offset) + i * stride + j, writes);
    }
    static bool keeps_sums(xg::planner::instruction const& i) {
        return i.kind == xg::planner::ins_kind::reduce && (i.outer != 0 || i.inner == 0);
    }

    void run_instruction(xg::planner::plan_step const& s, xg::planner::instruction const& i, std::int64_t const* outer, std::int64_t j) {
        bool const sums = keeps_sums(i);
        if (i.kind != xg::planner::ins_kind::load && i.kind != xg::planner::ins_kind::store && !sums) return;
        xg::planner::step_operand const& o = operand(s, i.operand);
        bool const product = s.kind == xg::planner::step_kind::matmul;
        std::int64_t at = value(o.offset);
        for (int d = 0; i.level > 0 && d < (product ? 1 : s.outer_rank); ++d) at += outer[d] * value(o.stride[d]);
        if (i.level == 2 && !(sums && i.inner != 0)) at += j * (!sums && (i.inner & 3) == 1 ? 1 : value(o.inner));
        touch(o, at, i.kind != xg::planner::ins_kind::load);
    }
    void run_level(xg::planner::plan_step const& s, int level, int phase, std::int64_t const* outer, std::int64_t j) {
        for (int k = 0; k < s.ins_count; ++k) {
            xg::planner::instruction const& i = p_.ins[s.first_ins + k];
            if (!keeps_sums(i) && i.level == level && (level == 0 || i.phase == phase)) run_instruction(s, i, outer, j);
        }
    }
    template<class F>
    void for_outer(xg::planner::plan_step const& s, F f) {
        std::int64_t index[xg::max_rank - 1]{};
        for (int d = 0; d < s.outer_rank; ++d)
            if (value(s.extent[d]) < 1) return;
        for (int d = 0; d >= 0;) {
            f(index);
            for (d = s.outer_rank - 1; d >= 0; --d) {
                if (++index[d] < value(s.extent[d])) break;
                index[d] = 0;
            }
        }
    }
    void finish_sums(xg::planner::plan_step const& s) {
        for (int k = 0; k < s.ins_count; ++k) {
            xg::planner::instruction const& i = p_.ins[s.first_ins + k];
            if (!keeps_sums(i)) continue;
            xg::planner::plan_step kept = s;   // without the dimensions that are summed over
            kept.outer_rank = s.outer_rank;
            for (int d = 0; d < s.outer_rank; ++d)
                if ((i.outer >> d & 1) != 0) kept.extent[d] = 1;   // the polynomial 1
            for_outer(kept, [&](std::int64_t const* outer) {
                for (std::int64_t j = 0, n = i.level == 2 && i.inner == 0 ? value(s.inner) : 1; j < n; ++j) run_instruction(s, i, outer, j);
            });
        }
    }
    /// All iterations of the outermost loop, or those from `first` up to, not including, `end`.
    void run_nest(xg::planner::plan_step const& s, std::int64_t first = 0, std::int64_t end = -1) {
        now_.row = now_.element = -1;
        run_level(s, 0, 0, nullptr, 0);
        bool const rows = s.outer_rank > 0;
        for_outer(s, [&](std::int64_t const* outer) {
            ++now_.row;
            if (rows && end >= 0 && (outer[0] < first || outer[0] >= end)) return;
            std::int64_t const last = !rows && end >= 0 ? end : value(s.inner);
            for (int phase = 0; phase < s.phases; ++phase) {
                now_.phase = phase;
                now_.element = -1;
                run_level(s, 1, phase, outer, 0);
                for (now_.element = rows ? 0 : first; now_.element < last; ++now_.element) run_level(s, 2, phase, outer, now_.element);
            }
        });
        finish_sums(s);
    }
    /// A kernel and the loop after it, two iterations at a time.
    void run_handed_on(int index) {
        xg::planner::plan_step const& s = p_.steps[index];
        if (index + s.loop_at >= p_.step_count) return fail("a step that is not there");
        xg::planner::plan_step const& loop = p_.steps[index + s.loop_at];
        std::int64_t const kernel = value(s.extent[1]), other = value(s.extent[2]), piece = value(s.extent[3]);
        if (kernel < 1 || other < 1 || piece < 1) return fail("no turns at a time");
        std::int64_t const each = kernel > other ? kernel / other : 1, loop_each = other > kernel ? other / kernel : 1;
        std::int64_t const all = value(s.extent[0]), length = value(loop.outer_rank > 0 ? loop.extent[0] : loop.inner);
        std::int64_t first = 0, loop_first = 0;
        do {
            std::int64_t const end = std::min(all, first + 2 * each), loop_end = end == all ? length : loop_first + 2 * loop_each;
            passing_first_ = first * piece;
            passing_end_ = end * piece;
            now_ = {-1, index, -1, 0, -1};
            run(index);
            now_ = {-1, index + s.loop_at, -1, 0, -1};
            run_nest(loop, loop_first, loop_end);
            first = end;
            loop_first = loop_end;
        } while (first < all);
    }
    void run_tiles(xg::planner::plan_step const& s, std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i)
            for (std::int64_t j = 0; j < value(s.extent[1]); ++j) {
                now_.row = i;
                now_.element = j;
                for (int k = 0; k < s.ins_count; ++k) run_instruction(s, p_.ins[s.first_ins + k], &i, j);
            }
    }
    void read_factor(xg::planner::plan_step const& s, int side, std::int64_t first, std::int64_t last) {   // rows as they are stored
        int const k = s.read_count + side;
        bool const turned = side == 0 ? s.transpose_a : s.transpose_b;
        std::int64_t const length = value(side == 0 ? (turned ? s.extent[0] : s.extent[2]) : (turned ? s.extent[2] : s.extent[1]));
        xg::planner::step_operand const& o = operand(s, k);
        for (std::int64_t i = first; i < last; ++i)
            for (std::int64_t j = 0; j < length; ++j) touch(o, value(o.offset) + i * value(o.stride[0]) + j, false);
    }
    std::int64_t factor_rows(xg::planner::plan_step const& s, int side) const {
        return value(side == 0 ? (s.transpose_a ? s.extent[2] : s.extent[0]) : (s.transpose_b ? s.extent[1] : s.extent[2]));
    }
    void run_product(xg::planner::plan_step const& s) {
        for (int side : {0, 1}) read_factor(s, side, 0, factor_rows(s, side));
        run_tiles(s, 0, value(s.extent[0]));
    }
    void run_streamed(int index) {
        if (index + std::max(p_.steps[index].loop_at, p_.steps[index].back_at) >= p_.step_count) return fail("a step that is not there");
        xg::planner::plan_step const &s = p_.steps[index], &loop = p_.steps[index + s.loop_at], &back = p_.steps[index + s.back_at];
        read_factor(s, 1, 0, factor_rows(s, 1));
        run_level(loop, 0, 0, nullptr, 0);
        for (std::int64_t i = 0; i < value(s.extent[0]); ++i) {
            read_factor(s, 0, i, i + 1);
            run_tiles(s, i, i + 1);
            if (i == 0) run_level(loop, 1, 0, nullptr, 0);
            run_level(loop, 2, 0, nullptr, i);
            read_factor(back, 0, i, i + 1);
            touch(operand(back, back.read_count + 1), value(operand(back, back.read_count + 1).offset) + i, false);
        }
        if (value(s.extent[0]) == 0) run_level(loop, 1, 0, nullptr, 0);
        for (int phase = 1; phase < loop.phases; ++phase) run_level(loop, 1, phase, nullptr, 0);
        run_tiles(back, 0, value(back.extent[0]));
        finish_product(index + s.back_at);
    }
    // Update u has run.
    bool is_done(xg::planner::plan_update const& u) const {
        xg::planner::variable_value const of = xg::planner::value_of_variable(t_, u.variable);
        for (int v = 0; v < p_.variable_count; ++v)
            if (p_.variables[v] == of.variable && updates_[static_cast<std::size_t>(v)] > of.version) return true;
        return false;
    }
    void update(xg::planner::plan_step const& s) {
        int& version = updates_[static_cast<std::size_t>(s.variable)];
        if (version != xg::planner::value_of_variable(t_, s.node).version) fail("updates twice, or another value than it should");
        ++version;
    }
    void finish_product(int index) {   // an update that takes the tiles
        int const at = index + p_.steps[index].update_at;
        if (at > index && at < p_.step_count && p_.steps[at].fused) update(p_.steps[at]);
    }
    // All operands are read, all outputs are written; then what other iterations, or other parts of a body, still read.
    void run_region(int index) {
        xg::planner::plan_step const& s = p_.steps[index];
        xg::region_form const form = form_of(*t_[s.node].op->region, t_.attrs(s.node));
        int bodies = 0;
        for (int i = 0; i < index; ++i) bodies += p_.steps[i].body_count;
        if (s.body_count != form.body_count || s.first_body != bodies) fail("runs other bodies than its own");
        for (int n = 1; n <= s.update_at; ++n)
            if (index + n >= p_.step_count || p_.steps[index + n].joined_to != n) fail("updates by rows what is no update after it");
        auto const access = [&](int k, bool turns, bool writes) {
            int const result = k - s.read_count;
            bool const last = writes && turns && result >= form.stacked && form.keeps_last(result - form.stacked);
            rows(s, k, (turns ? value(s.extent[0]) : 1) + last, value(operand(s, k).stride[0]), value(operand(s, k).inner), writes);
        };
        for (int k = 0; k < s.read_count; ++k) access(k, form.is_slice(k), false);
        for (int k = s.read_count; k < s.operand_count; ++k) {
            int const result = k - s.read_count;
            access(k, result >= form.carries && result < form.carries + form.stacked, true);
        }
        for (int k = form.carries; k < form.inputs(); ++k) access(k, form.is_slice(k), false);
    }
    std::int64_t size(xg::planner::plan_step const& s, int k) const { return value(p_.params[s.first_param + k].size); }
    bool may_fail(xg::planner::plan_step const& s) const {
        if (s.kind == xg::planner::step_kind::check) return true;
        if (s.kind == xg::planner::step_kind::region) return t_[s.node].op->region->may_fail;
        if (s.kind != xg::planner::step_kind::kernel || !xg::planner::reports_indices(*s.op)) return false;
        int ids = xg::planner::indices_of(t_, s.node);   // an input is compared when it is bound: the tables have static extents
        while (t_.kind(ids) == xg::op_kind::alias || t_.kind(ids) == xg::op_kind::transpose) ids = t_.operand(ids, 0);
        return t_.kind(ids) != xg::op_kind::input;
    }
    // Only the first step that looks at these indices, for this number of rows, may find one out of range.
    bool looks_first(xg::planner::plan_step const& s) {
        if (!may_fail(s)) return false;
        if (s.kind == xg::planner::step_kind::region) return true;
        xg::planner::step_operand const& o = operand(s, s.kind == xg::planner::step_kind::check ? 0 : 1);
        bool const looks_up = s.kind == xg::planner::step_kind::kernel;
        std::array<std::int64_t, 5> const key{static_cast<int>(o.base), o.index, value(o.offset),
            looks_up ? size(s, 2) : value(s.extent[2]), looks_up ? size(s, 0) * (s.param_count > 3 ? size(s, 3) : 1) : value(s.extent[0])};
        if (std::find(looked_.begin(), looked_.end(), key) != looked_.end()) return false;
        looked_.push_back(key);
        return true;
    }
    bool has_looked(xg::planner::plan_step const& s) {
        xg::planner::step_operand const& o = operand(s, 1);
        std::array<std::int64_t, 5> const key{static_cast<int>(o.base), o.index, value(o.offset), value(s.extent[2]), value(s.extent[0])};
        return o.base == where::input || std::find(looked_.begin(), looked_.end(), key) != looked_.end();
    }
    // Like the kernels of this corpus: lookups, and functions on rows, which get the length of each row at run time.
    void run_kernel(xg::planner::plan_step const& s) {
        if (!xg::planner::reports_indices(*s.op)) {
            for (int k = 0; k < s.operand_count; ++k)
                if (operand(s, k).has_memory()) rows(s, k, size(s, 0), size(s, k + 1), size(s, k + 1), k >= s.read_count);
            return;
        }
        std::int64_t const n = size(s, 0), length = size(s, 1), all = size(s, 2), out = value(operand(s, 2).inner);
        if (s.op->name == "scatter") {
            rows(s, 1, 1, 0, n, false);
            rows(s, 0, n, value(operand(s, 0).stride[0]), length, false);
            return rows(s, 2, 1, 0, all * length, true);
        }
        rows(s, 0, 1, 0, all * length, false);
        rows(s, 1, 1, 0, n * size(s, 3), false);
        rows(s, 2, n, out == length ? value(operand(s, 2).stride[0]) : length, length, true);
    }
    void run(int index) {
        xg::planner::plan_step const& s = p_.steps[index];
        if (looks_first(s) && std::any_of(updates_.begin(), updates_.end(), [](int n) { return n > 0; }))
            fail("an index is found after an update");
        for (int u = 0; u < r_.update_count && r_.gate == xg::gating::graph && s.kind != xg::planner::step_kind::update; ++u)
            if (is_done(r_.updates[u]) && stages_.at(s.node) <= stages_.at(r_.updates[u])) fail("runs behind an update");
        switch (s.kind) {
        case xg::planner::step_kind::nest: return run_nest(s);
        case xg::planner::step_kind::matmul: run_product(s); return finish_product(index);
        case xg::planner::step_kind::kernel: return run_kernel(s);
        case xg::planner::step_kind::check: return rows(s, 0, 1, 0, value(s.extent[0]), false);
        case xg::planner::step_kind::region: return run_region(index);
        case xg::planner::step_kind::update:
            if (s.fused) return;
            if (s.joined_to != 0 && (s.joined_to > index || p_.steps[index - s.joined_to].update_at < s.joined_to)) fail("is never run");
            if (!s.sparse) rows(s, 0, 1, 0, value(s.inner), false);
            else {
                xg::planner::step_operand const& o = operand(s, 0);
                for (std::int64_t n = 0; n < value(s.extent[0]); ++n)
                    for (std::int64_t j = 0; j < value(s.inner); ++j)
                        touch(o,
                            value(o.offset) + n / value(s.extent[1]) * value(o.stride[0]) + n % value(s.extent[1]) * value(o.stride[1]) + j,
                            false);
                rows(s, 1, 1, 0, value(s.extent[0]), false);
                if (!has_looked(s)) fail("writes rows by indices that nothing has looked at");
            }
            return update(s);
        }
    }

public:
    shadow_memory(xg::table_view const& t, xg::planner::plan_view const& p, xg::planner::plan_request const& r, std::int64_t size)
        : t_(t), p_(p), r_(r), size_(size), updates_(static_cast<std::size_t>(p.variable_count) + 1),
          stages_(xg::planner::stages_of(t, r)) {
        for (int k = 0; k < p.polynomial_count; ++k) values_.push_back(size_of_extent(p.polynomials[k]));
        for (int b = 0; b < p.block_count; ++b)
            owner_.emplace_back(static_cast<std::size_t>(std::max(size_of_extent(p.blocks[b].bytes), std::int64_t{0})));
    }
    /// What goes wrong, or null.
    char const* run() {
        for (int k = 0; k < p_.polynomial_count; ++k)   // a call refuses such sizes
            if (p_.polynomials[k].has_both_signs() && value(k) < 0) return nullptr;
        for (int i = 0; i < p_.step_count; ++i)
            if (now_ = {-1, i, -1, 0, -1}; p_.steps[i].hands_on()) run_handed_on(i);
            else if (p_.steps[i].back_at > 0) run_streamed(i);
            else if (!p_.steps[i].in_pass()) run(i);
        now_ = {-1, -2, -1, 0, -1};
        for (int k = 0; k < p_.output_count; ++k)
            for (std::int64_t n = 0; n < size_of_node(r_.outputs[k]); ++n) touch(p_.outputs[k], value(p_.outputs[k].offset) + n, false);
        for (int u = 0; u < r_.update_count; ++u)
            if (!is_done(r_.updates[u])) fail("a variable stays as it is");
        return broken_;
    }
};

}   // namespace test
