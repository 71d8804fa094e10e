// SPDX-License-Identifier: MIT
// The loop nests of a plan, run one element at a time: levels, passes, lanes, blocks and sums, like kernels/nests/nest.hpp and
// kernels/nests/lane_nest.hpp.
#pragma once

#include "memory.hpp"

namespace random_graphs {

class nest_run {
    memory& m_;
    xg::table_view t_;
    plan const& p_;
    xg::planner::plan_step const& s_;
    std::uint64_t turn_;
    std::vector<place> operand_;
    struct reg {
        double x;
        std::uint64_t when;   // row or element in which it holds
    };
    std::vector<reg> r_;
    std::vector<double> total_, part_;
    std::vector<std::vector<double>> kept_;
    std::int64_t extent_[xg::max_rank - 1]{}, at_[xg::max_rank - 1]{}, inner_;
    std::uint64_t row_ = 0, element_ = 0;
    int const all_outer_;

    xg::planner::instruction const& ins(int k) const { return p_.ins[s_.first_ins + k]; }
    int count() const { return s_.ins_count; }
    static bool sums_columns(xg::planner::instruction const& i) {
        return i.kind == xg::planner::ins_kind::reduce && i.level == 2 && i.inner == 0;
    }
    bool makes_total(xg::planner::instruction const& i) const {   // kept in a number, written at the end
        return i.outer != 0 && i.outer == all_outer_ && (i.inner != 0 || i.level == 1) && i.combine == xg::monoid::sum &&
               xg::is_floating(s_.type);
    }
    std::int64_t row_start(int operand) const { return operand_[static_cast<std::size_t>(operand)].at(at_, s_.outer_rank); }

    double get(int k) const {
        if (k < 0 || k >= count()) throw fault("a register that does not exist");
        xg::planner::instruction const& i = ins(k);
        reg const& r = r_[static_cast<std::size_t>(k)];
        std::uint64_t const now = i.level == 0 ? 1 : i.level == 1 || i.kind == xg::planner::ins_kind::reduce ? row_ : element_;
        if (r.when != now)
            throw fault(
                "register " + std::to_string(k) + " of the step of node " + std::to_string(s_.node) + " is read where it does not hold");
        return r.x;
    }
    void set(int k, double x) {
        xg::planner::instruction const& i = ins(k);
        r_[static_cast<std::size_t>(k)] = {x, i.level == 0 ? 1 : i.level == 1 || i.kind == xg::planner::ins_kind::reduce ? row_ : element_};
    }
    // Where an instruction finds its element j; what it says of the stride must be so.
    std::int64_t address(xg::planner::instruction const& i, std::int64_t j) const {
        place const& o = operand_[static_cast<std::size_t>(i.operand)];
        int const access = i.inner & 3;
        bool const memory_access = i.kind == xg::planner::ins_kind::load || i.kind == xg::planner::ins_kind::store;
        if (memory_access && i.memory != o.type) throw fault("an access of another element type than its operand");
        if (memory_access && i.level == 2 && inner_ > 1 && (access == 0 ? o.inner != 0 : access == 1 ? o.inner != 1 : false))
            throw fault("an access along the row that is not as its operand says");
        if (s_.lane >= 0 && extent_[s_.lane] > 1 && i.level > 0 && o.stride[s_.lane] != ((i.inner & 4) != 0 ? 1 : 0))
            throw fault("lanes that do not lie side by side");
        if (i.level == 0) return o.offset;
        return row_start(i.operand) + (i.level == 2 ? j * o.inner : 0);
    }
    void run(int k, std::int64_t j) {
        xg::planner::instruction const& i = ins(k);
        switch (i.kind) {
        case xg::planner::ins_kind::load:
            set(k, convert(i.memory, s_.type, m_.read(operand_[static_cast<std::size_t>(i.operand)], address(i, j))));
            break;
        case xg::planner::ins_kind::parameter: {
            xg::planner::parameter const& a = p_.params[s_.first_param + i.operand];
            set(k, a.is_size                 ? static_cast<double>(m_.value(a.size))
                   : xg::is_integer(s_.type) ? convert(dtype::float64, s_.type, a.value)
                                             : a.value);
            break;
        }
        case xg::planner::ins_kind::index:
        case xg::planner::ins_kind::random: {
            if (s_.lane >= 0) throw fault("a position in lanes");
            std::int64_t const e = i.level == 0 ? 0 : address(i, j);
            if (i.kind == xg::planner::ins_kind::index) set(k, static_cast<double>(e));
            else set(k, random_number(t_.attrs(p_.operands[s_.first_operand + i.operand].node).name_hash, turn_, e));
            break;
        }
        case xg::planner::ins_kind::apply: {
            double x[3]{};
            short const from[3]{i.a, i.b, i.c};
            for (int o = 0; o < i.arity; ++o) x[o] = get(from[o]);
            set(k, apply(facts_of(i.op), s_.type, x, i.arity));
            break;
        }
        case xg::planner::ins_kind::store:
            m_.write(operand_[static_cast<std::size_t>(i.operand)], address(i, j), convert(s_.type, i.memory, get(i.a)));
            break;
        case xg::planner::ins_kind::reduce: add(k, j); break;
        default: throw fault("an instruction that a nest does not have");
        }
    }
    void add(int k, std::int64_t j) {
        xg::planner::instruction const& i = ins(k);
        double const x = get(i.a);
        if (s_.lane >= 0 && i.outer != 0 && i.outer != all_outer_) throw fault("a sum over some outer dimensions in lanes");
        if (i.level == 2 && i.inner != 0) {
            double& sum = part_[static_cast<std::size_t>(k)];
            sum = combine(i.combine, s_.type, sum, x);
        } else if (s_.lane >= 0) {
            double& sum =
                i.level == 2 ? kept_[static_cast<std::size_t>(k)][static_cast<std::size_t>(j)] : total_[static_cast<std::size_t>(k)];
            sum = combine(i.combine, s_.type, sum, x);
        } else if (i.level == 2) accumulate_at(i, row_start(i.operand) + j, x);
        else accumulate(k, x);
    }
    void accumulate(int k, double x) {
        xg::planner::instruction const& i = ins(k);
        if (makes_total(i) || s_.lane >= 0)
            total_[static_cast<std::size_t>(k)] = combine(i.combine, s_.type, total_[static_cast<std::size_t>(k)], x);
        else accumulate_at(i, row_start(i.operand), x);
    }
    void accumulate_at(xg::planner::instruction const& i, std::int64_t e, double x) {
        place const& o = operand_[static_cast<std::size_t>(i.operand)];
        m_.write(o, e, combine(i.combine, i.memory, m_.read(o, e), convert(s_.type, i.memory, x)));
    }
    void prefill(xg::planner::instruction const& i) {
        if (i.outer == 0 || makes_total(i)) return;
        std::int64_t index[xg::max_rank - 1]{};
        for (int d = 0; d < s_.outer_rank; ++d)
            if ((i.outer >> d & 1) == 0 && extent_[d] == 0) return;
        std::int64_t const n = i.inner != 0 || i.level == 1 ? 1 : inner_;
        place const& o = operand_[static_cast<std::size_t>(i.operand)];
        while (true) {
            for (std::int64_t j = 0; j < n; ++j) m_.write(o, o.at(index, s_.outer_rank) + j, identity(i.combine, i.memory));
            int d = s_.outer_rank - 1;
            for (; d >= 0; --d) {
                if ((i.outer >> d & 1) != 0) continue;
                if (++index[d] < extent_[d]) break;
                index[d] = 0;
            }
            if (d < 0) return;
        }
    }
    bool next(int mask) {
        for (int d = s_.outer_rank - 1; d >= 0; --d) {
            if ((mask >> d & 1) == 0) continue;
            if (++at_[d] < extent_[d]) return true;
            at_[d] = 0;
        }
        return false;
    }

public:
    nest_run(memory& m, xg::table_view const& t, plan const& p, xg::planner::plan_step const& s, std::uint64_t turn)
        : m_(m), t_(t), p_(p), s_(s), turn_(turn), r_(static_cast<std::size_t>(s.ins_count)), total_(r_.size()), part_(r_.size()),
          kept_(r_.size()), inner_(m.value(s.inner)), all_outer_((1 << s.outer_rank) - 1) {
        for (int k = 0; k < s.operand_count; ++k) operand_.push_back(m.resolve(p.operands[s.first_operand + k]));
        for (int d = 0; d < s.outer_rank; ++d) extent_[d] = m.value(s.extent[d]);
        if (s.static_inner >= 0 && s.static_inner != inner_) throw fault("a static length that is none");
        if (s.lane >= 0 && (s.static_inner == -1 || s.lane >= s.outer_rank)) throw fault("lanes without rows");
        for (int k = 0; k < count(); ++k) {
            xg::planner::instruction const& i = ins(k);
            if (i.kind != xg::planner::ins_kind::reduce) continue;
            total_[static_cast<std::size_t>(k)] = identity(i.combine, s.type);
            if (s.lane >= 0) kept_[static_cast<std::size_t>(k)].assign(static_cast<std::size_t>(inner_), identity(i.combine, s.type));
            bool const of_row = i.inner != 0 && i.outer == 0;
            if (s.lane >= 0 && s.static_inner < 0 && i.level == 2 && i.inner == 0 && inner_ > s.block_rows)
                throw fault("more sums behind lanes than room");
            if (s.lane < 0 && s.block_rows > 0 && (!of_row || s.phases != 2)) throw fault("blocks of rows with other sums than of rows");
            if (i.inner != 0 && i.level == 1) throw fault("a value of a row that is summed along it");
        }
        std::int64_t rows = 1;
        for (int d = 0; d < s.outer_rank; ++d) rows *= extent_[d];
        if (s.lane < 0 && s.block_rows > 0 && rows > s.block_rows) throw fault("more rows in a block than room");
        for (int k = 0; k < count(); ++k)
            if (s.lane < 0 && s.block_rows > 0 && ins(k).level == 2 && ins(k).phase > 0) throw fault("blocks of rows with a second pass");
    }
    void begin() {
        if (s_.lane < 0)
            for (int k = 0; k < count(); ++k)
                if (ins(k).kind == xg::planner::ins_kind::reduce) prefill(ins(k));
        for (int k = 0; k < count(); ++k)
            if (ins(k).level == 0) run(k, 0);
    }
    /// The elements from `first` up to, not including, `end` of the current row in one pass. `goes_on`: sums continue from there.
    void pass(int phase, std::int64_t first, std::int64_t end, bool goes_on = false) {
        for (int k = 0; k < count(); ++k)
            if (ins(k).level == 1 && ins(k).phase == phase) run(k, 0);
        bool any = false;
        for (int k = 0; k < count(); ++k) any = any || (ins(k).level == 2 && ins(k).phase == phase);
        if (!any) return;
        for (int k = 0; k < count() && !goes_on; ++k)
            if (xg::planner::instruction const& i = ins(k); i.kind == xg::planner::ins_kind::reduce && i.level == 2 && i.phase == phase)
                part_[static_cast<std::size_t>(k)] = identity(i.combine, s_.type);
        for (std::int64_t j = first; j < end; ++j) {
            ++element_;
            for (int k = 0; k < count(); ++k)
                if (ins(k).level == 2 && ins(k).phase == phase) run(k, j);
        }
        for (int k = 0; k < count(); ++k) {
            xg::planner::instruction const& i = ins(k);
            if (i.kind != xg::planner::ins_kind::reduce || i.level != 2 || i.phase != phase || i.inner == 0) continue;
            if (i.outer == 0) set(k, part_[static_cast<std::size_t>(k)]);
            else accumulate(k, part_[static_cast<std::size_t>(k)]);
        }
    }
    void new_row() { ++row_; }
    void rows() {
        for (int d = 0; d < s_.outer_rank; ++d)
            if (extent_[d] <= 0) return;
        int const outside = s_.lane >= 0 ? all_outer_ & ~(1 << s_.lane) : all_outer_;
        for (std::int64_t l = 0, lanes = s_.lane >= 0 ? extent_[s_.lane] : 1; l < lanes; ++l) {
            if (s_.lane >= 0) at_[s_.lane] = l;
            do {
                ++row_;
                for (int phase = 0; phase < s_.phases; ++phase) pass(phase, 0, inner_);
            } while (next(outside));
        }
    }
    /// The iterations of the outermost loop from `first` up to, not including, `end`.
    void part(std::int64_t first, std::int64_t end) {
        if (s_.lane >= 0) throw fault("lanes in parts");
        if (s_.outer_rank == 0) {
            ++row_;
            for (int phase = 0; phase < s_.phases; ++phase) pass(phase, first, end);
            return;
        }
        std::int64_t const all = std::exchange(extent_[0], end);
        at_[0] = first;
        if (first < end) rows_from_here();
        extent_[0] = all;
    }
    void rows_from_here() {
        for (int d = 1; d < s_.outer_rank; ++d)
            if (extent_[d] <= 0) return;
        do {
            ++row_;
            for (int phase = 0; phase < s_.phases; ++phase) pass(phase, 0, inner_);
        } while (next(all_outer_));
    }
    void finish() {
        for (int k = 0; k < count(); ++k) {
            xg::planner::instruction const& i = ins(k);
            if (i.kind != xg::planner::ins_kind::reduce || i.outer == 0) continue;
            place const& o = operand_[static_cast<std::size_t>(i.operand)];
            if (s_.lane >= 0 && sums_columns(i))
                for (std::int64_t j = 0; j < inner_; ++j)
                    m_.write(o, o.offset + j * o.inner,
                        convert(s_.type, i.memory, kept_[static_cast<std::size_t>(k)][static_cast<std::size_t>(j)]));
            else if (s_.lane >= 0 || makes_total(i)) m_.write(o, o.offset, convert(s_.type, i.memory, total_[static_cast<std::size_t>(k)]));
        }
    }
    void run_all() {
        begin();
        rows();
        finish();
    }
};

}   // namespace random_graphs
