// SPDX-License-Identifier: MIT
// Which values a body keeps for its gradient: those that the gradient reads and that cost more than reading memory.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/grad/reads.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// What computing a value again would cost, beyond a read of its operands.
enum class recompute_cost : int { none, elementwise, pass, product, region };
constexpr recompute_cost cost_of(table_builder const& b, int i) {
    op_info const& op = *b.nodes[i].op;
    switch (op.kind) {
    case op_kind::elementwise: return op.transcendental ? recompute_cost::elementwise : recompute_cost::none;
    case op_kind::kernel: return op.kernel->reports_indices ? recompute_cost::none : recompute_cost::pass;   // lookups are reads
    case op_kind::reduce: return recompute_cost::pass;
    case op_kind::matmul: return recompute_cost::product;
    case op_kind::region: return recompute_cost::region;
    case op_kind::part: return cost_of(b, b.operands[b.nodes[i].first_operand]);
    default: return recompute_cost::none;
    }
}
/// Finds the values that the gradient of a body reads.
/// * The gradient with respect to everything is derived once, to see what it reads of the body.
/// * A value of which nothing below is costly is computed again. So is a cheap function of one costly value, which is kept instead.
/// * If there are more values than operands that a step may have, the cheaper ones are computed again.
class kept_search {
    struct value_list {
        static constexpr int room = 64;
        kept_value at[room]{};
        int count = 0;   // may be larger: then there are too many anyway
        constexpr void push(kept_value const& v) {
            if (count < room) at[count] = v;
            ++count;
        }
    };
    table_builder& b_;
    region_info const& r_;
    region_form f_;
    region_nodes base_{};
    int first_ = 0, end_ = 0;   // the nodes of the body after its leaves
    sequence<int> read_;        // by the gradient
    value_list part_read_;      // outputs of the body's steps that only the gradient reads
    sequence<int> costly_;      // whether a node or one below it is
    kept_values late_{};        // only late products
    bit_set<max_region_operands + max_region_outputs> all_{};

    constexpr int operands_of(int i) const { return b_.nodes[i].count; }
    constexpr int operand(int i, int k) const { return b_.operands[b_.nodes[i].first_operand + k]; }
    // The last operand of a composite is its value.
    constexpr int first_read(int i) const { return b_.nodes[i].op->kind == op_kind::composite ? b_.nodes[i].count - 1 : 0; }
    constexpr bool can_be_kept(value_info const& v) const {
        if (v.type == dtype::literal || v.type == dtype::boolean || is_half(v.type)) return false;
        return !f_.loops() || v.dims.rank < max_rank;
    }
    // A loop that may end early leaves rows of its history as they are. A kernel with several outputs, such as attention, writes all.
    constexpr bool is_written(int i) const {
        if (b_.nodes[i].op->region == nullptr) return true;
        region_form const f = form_of(*b_.nodes[i].op->region, b_.attrs(i));
        return f.policy != region_policy::until && (f.policy != region_policy::loop || f.control == 0);
    }
    // The gradient with respect to everything.
    constexpr gradient_bits all_bits() {
        all_ = {};
        for (int k = 0; k < f_.inputs(); ++k)
            if (is_floating(f_.operand[k]->type)) all_.add(k);
        for (int k = 0; k < r_.emitted; ++k)
            if (is_floating(f_.result[k]->type)) all_.add(f_.first_output_bit() + f_.carries + k);
        return f_.bits_in(all_.words);
    }
    // The operands of the gradient, and of the gradient's gradient.
    constexpr int gradient_operands() const { return 2 * f_.carries + f_.slices + f_.captures + r_.emitted + (f_.control + f_.counts > 0); }
    constexpr int second_operands(region_form const& g) const {
        return 2 * g.carries + g.slices + g.captures + g.emitted() + g.summed + g.control;
    }
    constexpr int room() {
        int const first = max_region_operands - gradient_operands(),
                  second = max_region_operands - second_operands(next_form(f_, all_bits()));
        int const outputs = max_region_outputs - f_.outputs(), n = second >= 0 && second < first ? second : first;
        int const least = n < outputs ? n : outputs;
        return least < kept_values::most ? least : kept_values::most;
    }
    static constexpr std::int64_t least_late = 256;   // elements of a matrix; the sum of a small one takes less memory than a stack
    // Whether a carry or a slice has this shape, so that its rows for all iterations are in memory anyway.
    constexpr bool is_held(shape const& dims) const {
        for (int k = 0; k < f_.carries + f_.slices; ++k)
            if (f_.operand[k]->dims == dims) return true;
        return false;
    }
    constexpr bool is_late_product(int i, int matrix) const {
        table_node const& n = b_.nodes[i];
        if (n.op->kind != op_kind::matmul || n.op->infer_output != nullptr || n.count != 2 || operand(i, 1) != matrix) return false;
        int const left = operand(i, 0);
        value_info const &l = b_.nodes[left].value, &v = n.value, &m = b_.nodes[matrix].value;
        if (left == matrix || l.type != v.type || m.type != v.type || l.dims.rank == max_rank) return false;
        for (int k = f_.carries + f_.slices; k < f_.inputs(); ++k)
            if (base_.operand[k].index == left) return false;
        attributes const a = b_.attrs(i);
        if (a.as<product_attributes>().transpose_a || !is_held(l.dims) || !m.dims.is_static()) return false;
        if (m.dims.size().constant < least_late) return false;
        extent rows = f_.length;
        for (int k = 0; k + 1 < l.dims.rank; ++k) rows = rows * l.dims.extents[k];
        extent const &columns = v.dims.extents[v.dims.rank - 1], &inner = l.dims.extents[l.dims.rank - 1];
        if (rows.overflow) return false;
        constexpr int most_columns = 8;   // for each column of the left factor
        if (columns == inner || (columns.is_static() && inner.is_static() && columns.constant <= most_columns * inner.constant))
            return true;
        return v.dims.is_static() && m.dims.size().constant >= v.dims.size().constant;
    }
    // How often each node is the right factor of a late product; negative: it has another use.
    constexpr void count_late_uses(sequence<int>& uses) const {
        for (int i = first_; i < end_; ++i)
            for (int k = 0; k < operands_of(i); ++k) {
                int& of_operand = uses.at[operand(i, k)];
                if (k == 1 && is_late_product(i, operand(i, 1))) of_operand += of_operand >= 0;
                else of_operand = -1;
            }
        for (int i = 0; i < f_.carries; ++i) uses.at[base_.next[i].index] = -1;
        for (int i = 0; i < r_.emitted; ++i) uses.at[base_.result[i].index] = -1;
    }
    constexpr void add_late(int i, int k) {
        late_product p{};
        int const left = operand(i, 0);
        p.node = i - first_;
        p.matrix = k;
        p.left = -1;
        for (int c = 0; c < f_.carries + f_.slices; ++c)
            if (base_.operand[c].index == left) p.left = c;
        p.left_node = left - first_;
        p.emits_left = p.left < 0 || f_.control > 0;   // rows after the last iteration may hold anything
        p.op = b_.nodes[i].op;
        p.slice = slice_of_sum(sum_of(i));
        p.twin = late_of_sum(sum_of(i));
        p.transpose_b = b_.attrs(i).as<product_attributes>().transpose_b;
        p.left_value = b_.nodes[left].value;
        p.value = b_.nodes[i].value;
        late_.late[late_.late_count++] = p;
    }
    // The only reader of node i, or -1. A result of the body counts as a reader.
    constexpr int only_reader(int i) const {
        int found = -1, count = 0;
        for (int n = first_; n < end_; ++n)
            for (int k = 0; k < operands_of(n); ++k)
                if (operand(n, k) == i) {
                    found = n;
                    ++count;
                }
        for (int k = 0; k < f_.carries; ++k) count += base_.next[k].index == i;
        for (int k = 0; k < r_.emitted; ++k) count += base_.result[k].index == i;
        return count == 1 ? found : -1;
    }
    // The sum of which node i is a term, if nothing else reads it: all such terms have one gradient.
    constexpr int sum_of(int i) const {
        for (int next = only_reader(i); next >= 0 && b_.nodes[next].op == op_register<op::add>::info; next = only_reader(i)) {
            if (!(b_.nodes[next].value.dims == b_.nodes[i].value.dims)) break;
            i = next;
        }
        return i;
    }
    // Whether a value below this sum, with only that sum above it, is kept for the gradient alone.
    constexpr bool keeps_term(kept_values const& r, int sum) const {
        for (int k = 0; k < r.count; ++k)
            if (int const i = r.at[k].node + first_; r.at[k].extra && r.at[k].part < 0 && i != sum && sum_of(i) == sum) return true;
        return false;
    }
    constexpr int slice_of_sum(int sum) const {
        for (int k = f_.carries; k < f_.carries + f_.slices; ++k)
            if (int const i = base_.operand[k].index; b_.nodes[i].value.dims == b_.nodes[sum].value.dims && sum_of(i) == sum) return k;
        return -1;
    }
    constexpr int late_of_sum(int sum) const {
        for (int k = 0; k < late_.late_count; ++k)
            if (sum_of(late_.late[k].node + first_) == sum) return k;
        return -1;
    }
    // Finds the late products. Every use of such a matrix is the right factor of one.
    // Only of `loop`: a loop with a condition may have far fewer iterations than there is memory for.
    constexpr void find_late() {
        f_.kept = &late_;
        if (f_.policy != region_policy::loop) return;
        sequence<int> uses(end_, zero_elements);
        count_late_uses(uses);
        for (int k = f_.carries + f_.slices; k < f_.inputs(); ++k) {
            int const matrix = base_.operand[k].index, before = late_.late_count, count = uses.at[matrix];
            if (b_.nodes[matrix].value.dims.rank != 2 || count <= 0 || before + count > kept_values::most_late) continue;
            for (int i = first_; i < end_; ++i)
                if (operands_of(i) == 2 && operand(i, 1) == matrix) add_late(i, k);
            region_form const g = next_form(f_, all_bits());
            if (g.outputs() + late_.late_count > max_region_outputs || second_operands(g) > max_region_operands) late_.late_count = before;
        }
    }
    constexpr void find_read() {
        region_nodes out{};
        build_gradient(b_, f_, all_bits(), base_, out);
        region_form const g = next_form(f_, all_bits());
        sequence<int> reached(b_.node_count, zero_elements);
        sequence<int> read(end_, zero_elements);
        auto reach = [&](symbol s) {
            if (s.index < end_) read.at[s.index] = 1;
            else reached.at[s.index] = 1;
        };
        for (int i = 0; i < g.carries; ++i) reach(out.next[i]);
        for (int i = 0; i < g.stacked + g.summed; ++i)
            if (i < g.emitted() || i >= g.stacked) reach(out.result[i]);
        for (int i = b_.node_count; i-- > end_;) {
            if (reached.at[i] == 0) continue;
            if (b_.nodes[i].op->kind == op_kind::part && operand(i, 0) < end_) {
                int const output = static_cast<int>(b_.attrs(i).as<part_attributes>().output);
                part_read_.push({operand(i, 0) - first_, output, 0, true, {}, b_.nodes[i].value});
                continue;
            }
            for (int k = first_read(i); k < operands_of(i); ++k) reach(b_.at(operand(i, k)));
        }
        read_.swap(read);
    }
    constexpr void find_costly(recompute_cost least) {
        sequence<int> costly(end_, zero_elements);
        for (int i = first_; i < end_; ++i) {
            bool any = cost_of(b_, i) >= least;
            for (int k = first_read(i); k < operands_of(i); ++k) any = any || costly.at[operand(i, k)] != 0;
            costly.at[i] = any;
        }
        costly_.swap(costly);
    }
    constexpr void select(recompute_cost least, value_list& found) {
        find_costly(least);
        sequence<int> needed(end_, zero_elements);
        for (int i = 0; i < end_; ++i) needed.at[i] = read_.at[i];
        for (int k = 0; k < part_read_.count && k < value_list::room; ++k) {
            kept_value const& p = part_read_.at[k];
            if (can_be_kept(p.value) && is_written(p.node + first_)) found.push(p);
            else needed.at[p.node + first_] = 1;
        }
        for (int i = end_; i-- > first_;) {
            if (needed.at[i] == 0 || costly_.at[i] == 0) continue;
            int below = 0;
            for (int k = first_read(i); k < operands_of(i); ++k) below += costly_.at[operand(i, k)];
            op_kind const kind = b_.nodes[i].op->kind;
            bool const computes = cost_of(b_, i) >= least || (kind == op_kind::elementwise && below > 1);
            if (computes && can_be_kept(b_.nodes[i].value) && !(kind == op_kind::region)) {
                found.push({i - first_, -1, 0, true, {}, b_.nodes[i].value});
                continue;
            }
            for (int k = first_read(i); k < operands_of(i); ++k) needed.at[operand(i, k)] = 1;
        }
    }
    // The carries that the gradient reads neither directly nor to compute a value again.
    constexpr operand_set unread_carries(kept_values const& r) const {
        auto kept = [&](int node, int part) {
            for (int k = 0; k < r.count; ++k)
                if (r.at[k].node == node - first_ && r.at[k].part == part) return true;
            return false;
        };
        sequence<int> reached(end_, zero_elements);
        for (int i = 0; i < end_; ++i) reached.at[i] = read_.at[i];
        for (int k = 0; k < part_read_.count && k < value_list::room; ++k)
            if (kept_value const& p = part_read_.at[k]; !kept(p.node + first_, p.part)) reached.at[p.node + first_] = 1;
        for (int i = end_; i-- > first_;)
            if (reached.at[i] != 0 && !kept(i, -1))
                for (int k = first_read(i); k < operands_of(i); ++k) reached.at[operand(i, k)] = 1;
        operand_set unread{};
        for (int c = 0; c < f_.carries && part_read_.count <= value_list::room; ++c)
            if (reached.at[base_.operand[c].index] == 0) unread.add(c);
        return unread;
    }
    // The operands to which a gradient of the values in `r` passes.
    constexpr void find_paths(kept_values& r) const {
        for (int first = 0; r.count > 0 && first < f_.inputs(); first += 64) {
            sequence<std::uint64_t> paths(end_, zero_elements);
            for (int k = first; k < f_.inputs() && k < first + 64; ++k)
                if (has_gradient(f_.operand[k]->type)) paths.at[base_.operand[k].index] = std::uint64_t{1} << (k - first);
            for (int i = first_; i < end_; ++i)
                if (reverse_sweep::passes(b_.nodes[i]))
                    for (int k = 0; k < operands_of(i); ++k) paths.at[i] |= paths.at[operand(i, k)];
            for (int k = 0; k < r.count; ++k) r.at[k].paths.add_bits(paths.at[r.at[k].node + first_], first);
        }
    }
    // Sets the outputs, and to which operands a gradient passes.
    constexpr kept_values numbered(value_list const& found, int most) {
        kept_values r = late_;
        for (int i = 0; i < found.count && r.count < most; ++i) {
            kept_value v = found.at[i];
            v.output = f_.carries + r_.emitted + r.extra;
            for (int k = r_.emitted; v.part < 0 && k-- > 0;)
                if (base_.result[k].index == v.node + first_) {
                    v.output = f_.carries + k;
                    v.extra = false;
                }
            for (int c = 0; v.part < 0 && v.extra && is_long_history(v.value) && c < f_.carries; ++c)
                if (base_.next[c].index == v.node + first_) {
                    v.carry = c;
                    v.extra = false;
                }
            r.extra += v.extra;
            r.at[r.count++] = v;
        }
        for (int i = 0; i < r.late_count; ++i) r.late[i].has_kept = keeps_term(r, sum_of(r.late[i].node + first_));
        find_paths(r);
        r.unread = unread_carries(r);
        for (int k = 0; k < r.count; ++k)
            if (kept_value& v = r.at[k]; v.carry >= 0) v.output = f_.carries + r_.emitted + r.extra + v.carry;
        return r;
    }
    // A history that can have one more row. The last row is that of all iterations, and bodies in registers have shorter rows.
    constexpr bool is_long_history(value_info const& v) const {
        constexpr std::int64_t longest_short = 64;
        extent const size = (f_.length + static_extent(1)) * v.dims.size();
        bool const is_short = v.dims.is_static() && v.dims.size().constant < longest_short;
        return f_.policy == region_policy::loop && f_.control == 0 && !is_short && !size.overflow;
    }

public:
    /// `r` as if nothing were kept.
    constexpr kept_search(table_builder& b, region_info const& r) : b_(b), r_(r), f_(first_form(r)) {}
    constexpr kept_values run() {
        if (f_.inputs() > max_region_operands || gradient_operands() > max_region_operands || f_.outputs() > max_region_outputs) return {};
        build_body(b_, r_, 0, base_);
        first_ = base_.first;
        end_ = b_.node_count;
        find_late();
        for (int i = 0; i < late_.late_count; ++i) xgrad::detail::find_late(b_, late_.late[i], base_, i);
        int const most = room();
        if (most <= 0) return late_;
        find_read();
        for (auto least : {recompute_cost::elementwise, recompute_cost::pass, recompute_cost::product, recompute_cost::region}) {
            value_list found;
            select(least, found);
            if (found.count <= most || least == recompute_cost::region) return numbered(found, most);
        }
        return {};
    }
};

template<region_info const& Body>
constexpr kept_values find_kept() {
    table_storage<14 * count_region_nodes(Body, 0) + 160> storage{};
    table_builder b(storage);
    return kept_search(b, Body).run();
}
template<class Bodies>
inline constexpr kept_values values_kept_by = find_kept<Bodies::as_written>();

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
