// SPDX-License-Identifier: MIT
// One random node after the other: every operation on operands that exist or are made for it.
#pragma once

#include "bodies.hpp"
#include "build.hpp"

namespace random_graphs {

template<class Op>
inline constexpr xg::op_info const* op_of = xg::op_register<Op>::info;

namespace op_lists {
using op = xg::op_info const*;
inline constexpr op unary[]{op_of<xg::op::neg>, op_of<xg::op::neg>, op_of<xg::op::square>, op_of<xg::op::sqrt>, op_of<xg::op::abs>,
    op_of<xg::op::sign>, op_of<xg::op::exp>, op_of<xg::op::expm1>, op_of<xg::op::log>, op_of<xg::op::log1p>, op_of<xg::op::sin>,
    op_of<xg::op::cos>, op_of<xg::op::tanh>, op_of<xg::op::sigmoid>, op_of<xg::op::softplus>, op_of<xg::op::relu>,
    op_of<xg::op::log_or_zero>, op_of<xg::op::erf>};
inline constexpr op binary[]{op_of<xg::op::add>, op_of<xg::op::add>, op_of<xg::op::sub>, op_of<xg::op::mul>, op_of<xg::op::mul>,
    op_of<xg::op::mul>, op_of<xg::op::div>, op_of<xg::op::maximum>, op_of<xg::op::minimum>, op_of<xg::op::pow>,
    op_of<xg::op::sigmoid_cross_entropy>};
inline constexpr op comparisons[]{op_of<xg::op::greater>, op_of<xg::op::greater_equal>, op_of<xg::op::less>, op_of<xg::op::less_equal>,
    op_of<xg::op::equal>, op_of<xg::op::not_equal>};
inline constexpr op casts[]{op_of<xg::op::cast<float>>, op_of<xg::op::cast<double>>, op_of<xg::op::cast<std::int32_t>>,
    op_of<xg::op::cast<std::int64_t>>, op_of<xg::op::cast<bool>>, op_of<xg::op::cast<xg::bfloat16>>, op_of<xg::op::cast<xg::float16>>};
inline constexpr op reductions[]{op_of<xg::op::sum>, op_of<xg::op::sum>, op_of<xg::op::max>, op_of<xg::op::mean>,
    op_of<xg::op::log_sum_exp>, op_of<xg::op::softmax>, op_of<xg::op::prod>};
}

/// Adds one random node, or says -1 where an operation refuses what was chosen.
class node_maker {
protected:
    recipe r_;
    dice d_;
    graph_builder g_;
    std::vector<xg::extent> palette_;
    dtype main_ = dtype::float32;
    int names_ = 0;
    bool has_calls_ = false;   // and branches, and loops with a condition
    static constexpr std::int64_t most = 3000;

    static std::string_view name(int k) {
        static std::vector<std::string> const all = [] {
            std::vector<std::string> v;
            for (int i = 0; i < 400; ++i) v.push_back("x" + std::to_string(i));
            return v;
        }();
        return all[static_cast<std::size_t>(k % 400)];
    }
    int count() const { return static_cast<int>(r_.nodes.size()); }
    node& at(int k) { return r_.nodes[static_cast<std::size_t>(k)]; }
    xg::shape const& dims_of(int k) { return at(k).value.dims; }
    std::int64_t elements(xg::shape const& s) const {
        std::int64_t n = 1;
        for (int a = 0; a < s.rank; ++a) n *= std::max<std::int64_t>(evaluate(s.extents[a], r_.sizes), 1);
        return n;
    }
    // The new node, or -1 where it is refused.
    int add(node n) {
        for (int i : n.in)
            if (i < 0) return -1;
        if (!g_.add(n)) return -1;
        n.value = g_.info(count());
        bool fits = n.value.dims.rank <= 5 && elements(n.value.dims) <= most;
        for (int a = 0; a < n.value.dims.rank; ++a)
            fits = fits && !n.value.dims.extents[a].overflow && evaluate(n.value.dims.extents[a], r_.sizes) >= 0;
        if (!fits) {
            g_.at.pop_back();
            return -1;
        }
        if (!is_leaf(n) && !n.in.empty()) {
            node const& from = at(n.in[0]);
            bool const view = n.op->kind == xg::op_kind::alias || n.op->kind == xg::op_kind::transpose ||
                              n.op->kind == xg::op_kind::slice || n.op->kind == xg::op_kind::broadcast ||
                              (n.op->converts && xg::is_integer(n.value.type));
            n.is_id = view && from.is_id;
            n.limit = from.limit;
            if (n.op->kind == xg::op_kind::concat) {
                n.is_id = true;
                for (int i : n.in) n.is_id = n.is_id && at(i).is_id && at(i).limit == n.limit;
            }
        }
        r_.nodes.push_back(n);
        return count() - 1;
    }
    int apply(xg::op_info const* op, std::vector<int> in, node_attributes const& a = {}) {
        node n{op, std::move(in)};
        n.attrs = a;
        return add(n);
    }
    int leaf(dtype type, xg::shape const& s, bool is_variable = false) {
        if (elements(s) > most || names_ >= 399) return -1;
        bool const variable = is_variable || (type != dtype::boolean && d_.chance(0.4));
        node n{variable ? op_of<xg::op::variable> : op_of<xg::op::input>, {}};
        n.attrs = given_name(name(names_++));
        if (variable) n.attrs.words = given(xg::variable_attributes{true}).words;
        n.value = {type, s, xg::fault::none};
        return add(n);
    }
    int ids(xg::shape const& s, xg::extent const& limit) {
        node n{op_of<xg::op::input>, {}};
        n.attrs = given_name(name(names_++));
        n.value = {d_.chance(0.7) ? dtype::int32 : dtype::int64, s, xg::fault::none};
        n.is_id = true;
        n.limit = limit;
        n.odd = d_.chance(0.03);
        return add(n);
    }
    int constant(dtype type) {
        static constexpr double values[]{0, 1, 2, 3, 1, 0.5, -1};
        node n{op_of<xg::op::constant>, {}};
        n.value = {type, {}, xg::fault::none};
        n.attrs = given(xg::constant_attributes{values[d_.below(xg::is_floating(type) ? 7 : 4)]});
        return add(n);
    }
    xg::extent some_extent() { return d_.any(palette_); }
    xg::shape some_shape(int rank) {
        xg::shape s{};
        for (; s.rank < rank; ++s.rank) s.extents[s.rank] = d_.chance(0.12) ? xg::static_extent(1) : some_extent();
        return s;
    }
    // Broadcasts with `s`: axes dropped, made 1, or widened.
    xg::shape beside(xg::shape s) {
        int const drop = d_.chance(0.4) ? d_.below(s.rank + 1) : 0;
        for (int i = 0; i + drop < s.rank; ++i) s.extents[i] = s.extents[i + drop];
        s.rank -= drop;
        for (int a = 0; a < s.rank; ++a)
            if (is_one(s.extents[a]) ? d_.chance(0.3) : false) s.extents[a] = some_extent();
            else if (d_.chance(0.25)) s.extents[a] = xg::static_extent(1);
        return s;
    }
    template<class Good>
    int pick(Good good) {
        std::vector<int> all;
        for (int k = 0; k < count(); ++k)
            if (good(at(k))) all.push_back(k);
        if (all.empty()) return -1;
        std::size_t const n = all.size();
        return d_.chance(0.5) && n > 3 ? all[n - 1 - static_cast<std::size_t>(d_.below(3))] : d_.any(all);
    }
    int number() {
        return pick([](node const& n) { return n.value.type != dtype::boolean && n.value.type != dtype::literal; });
    }
    int floating(int rank = 0) {
        return pick([&](node const& n) { return xg::has_gradient(n.value.type) && n.value.dims.rank >= rank; });
    }
    int any() {
        return pick([](node const& n) { return n.value.type != dtype::literal; });
    }
    // A second operand for `a`.
    int partner(int a) {
        dtype const type = at(a).value.type;
        double const u = unit(d_.next());
        if (u < 0.5)
            if (int const k = pick([&](node const& n) {
                    xg::shape s = dims_of(a);
                    return n.value.type == type && broadcast_into(s, n.value.dims);
                });
                k >= 0)
                return k;
        if (u > 0.85) return constant(d_.chance(0.6) ? dtype::literal : xg::computed_type(type));
        return leaf(type, beside(dims_of(a)));
    }
    int like(dtype type, xg::shape const& s) {
        if (d_.chance(0.6))
            if (int const k = pick([&](node const& n) { return n.value.type == type && n.value.dims == s; }); k >= 0) return k;
        return leaf(type, s);
    }

    int elementwise() {
        int const a = number();
        if (a < 0) return -1;
        double const u = unit(d_.next());
        if (u < 0.35) return apply(d_.of(op_lists::unary), {a});
        int const b = partner(a);
        if (b < 0) return -1;
        bool const swapped = d_.chance(0.5);
        if (u < 0.85) return apply(d_.of(op_lists::binary), {swapped ? b : a, swapped ? a : b});
        int const c = apply(d_.of(op_lists::comparisons), {a, b});
        return c < 0 || u < 0.93 ? c : apply(op_of<xg::op::select>, {c, swapped ? b : a, swapped ? a : b});
    }
    int boolean() {
        auto truth = [&] { return pick([](node const& n) { return n.value.type == dtype::boolean; }); };
        int a = truth();
        if (a < 0) a = leaf(dtype::boolean, some_shape(d_.below(3)));
        if (a < 0) return -1;
        switch (d_.below(4)) {
        case 0: return apply(op_of<xg::op::logical_not>, {a});
        case 1: return apply(d_.chance(0.5) ? op_of<xg::op::logical_and> : op_of<xg::op::logical_or>, {a, truth()});
        case 2: return apply(d_.of(op_lists::casts), {a});
        default: {
            int const x = number();
            return x < 0 ? -1 : apply(op_of<xg::op::select>, {a, x, partner(x)});
        }
        }
    }
    int reduce() {
        int const a = number();
        if (a < 0 || dims_of(a).rank == 0) return -1;
        int const rank = dims_of(a).rank, all = (1 << rank) - 1;
        int const axes = d_.chance(0.25) ? all : d_.chance(0.35) ? 1 << (rank - 1) : 1 + d_.below(all);
        bool const keep = d_.chance(0.4);
        auto const* op = d_.of(op_lists::reductions);
        return apply(op, {a}, reduction(axes, keep && op != op_of<xg::op::softmax>));
    }
    int reshape(int a) {
        xg::shape s = dims_of(a);
        switch (d_.below(4)) {
        case 0: s = xg::shape{1, {s.size()}}; break;
        case 1: {   // two axes are one
            if (s.rank < 2) return -1;
            int const k = d_.below(s.rank - 1);
            s.extents[k] = s.extents[k] * s.extents[k + 1];
            for (int i = k + 1; i + 1 < s.rank; ++i) s.extents[i] = s.extents[i + 1];
            --s.rank;
            break;
        }
        case 2: {   // one axis is two
            if (s.rank == 0 || s.rank > 4) return -1;
            int const k = d_.below(s.rank), f = 1 + d_.below(4);
            xg::extent const e = s.extents[k];
            if (!e.is_static() || e.constant % f != 0) return -1;
            for (int i = s.rank++; i > k + 1; --i) s.extents[i] = s.extents[i - 1];
            bool const first = d_.chance(0.5);
            s.extents[k] = xg::static_extent(first ? f : e.constant / f);
            s.extents[k + 1] = xg::static_extent(first ? e.constant / f : f);
            break;
        }
        default: {   // axes of extent 1 come and go
            xg::shape n{};
            for (int i = 0; i < s.rank; ++i) {
                if (d_.chance(0.25) && n.rank < 5) n.extents[n.rank++] = xg::static_extent(1);
                if ((!is_one(s.extents[i]) || d_.chance(0.5)) && n.rank < 6) n.extents[n.rank++] = s.extents[i];
            }
            s = n;
        }
        }
        return apply(op_of<xg::op::reshape>, {a}, given_shape(s));
    }
    int slice(int a) {
        xg::shape const& s = dims_of(a);
        if (s.rank == 0) return -1;
        int const axis = d_.below(s.rank);
        xg::extent const& e = s.extents[axis];
        std::int64_t const step = d_.chance(0.3) ? 2 + d_.below(2) : 1, size = std::max<std::int64_t>(evaluate(e, r_.sizes), 0);
        xg::extent begin = xg::static_extent(d_.below(static_cast<int>(std::min<std::int64_t>(size, 4)) + 1)), end = e;
        if (e.is_static()) end = xg::static_extent(begin.constant + d_.below(static_cast<int>(size - begin.constant) + 1));
        else if (d_.chance(0.5)) end = d_.chance(0.5) ? e - xg::static_extent(1) : begin + xg::static_extent(d_.below(3));
        xg::extent const span = end - begin;
        bool const checked = !e.is_static() || !span.is_static();
        if (evaluate(span, r_.sizes) < 0 || evaluate(e - begin - span, r_.sizes) < 0) return -1;
        return apply(op_of<xg::op::slice>, {a}, slice_of(axis, begin, span, step, checked));
    }
    int view() {
        int const a = any();
        if (a < 0) return -1;
        xg::shape const s = dims_of(a);
        switch (d_.below(8)) {
        case 0:
        case 1:
        case 2: {
            if (s.rank < 2) return -1;
            int p[6]{0, 1, 2, 3, 4, 5};
            for (int i = s.rank - 1; i > 0; --i) std::swap(p[i], p[d_.below(i + 1)]);
            xg::permutation_attributes t{};
            for (int i = 0; i < s.rank; ++i) t.order.push(p[i]);
            return apply(op_of<xg::op::transpose>, {a}, given(t));
        }
        case 3:
        case 4: return slice(a);
        case 5: return reshape(a);
        case 6: {
            xg::shape wide = s;
            for (int i = 0; i < s.rank; ++i)
                if (is_one(s.extents[i]) && d_.chance(0.7)) wide.extents[i] = some_extent();
            if (d_.chance(0.5) && s.rank < 4) {
                for (int i = wide.rank++; i > 0; --i) wide.extents[i] = wide.extents[i - 1];
                wide.extents[0] = some_extent();
            }
            return apply(op_of<xg::op::broadcast_to>, {a}, given_shape(wide));
        }
        default: {
            int const axis = d_.below(s.rank + 1);
            if (d_.chance(0.2)) return apply(op_of<xg::op::stop_gradient>, {a});
            if (d_.chance(0.3)) return apply(op_of<xg::op::squeeze>, {a}, along_axis(axis));
            return apply(op_of<xg::op::expand_dims>, {a}, along_axis(axis));
        }
        }
    }
    int concat() {
        int const a = any();
        if (a < 0 || dims_of(a).rank == 0) return -1;
        int const axis = d_.below(dims_of(a).rank);
        std::vector<int> in{a};
        for (int more = 1 + d_.below(3); more > 0; --more) {
            xg::shape const s = dims_of(a);
            int k = pick([&](node const& n) {
                bool same = n.value.type == at(a).value.type && n.value.dims.rank == s.rank;
                for (int i = 0; same && i < s.rank; ++i) same = i == axis || n.value.dims.extents[i] == s.extents[i];
                return same;
            });
            if (d_.chance(0.3)) {
                xg::shape other = s;
                other.extents[axis] = some_extent();
                k = leaf(at(a).value.type, other);
            }
            if (k < 0) return -1;
            in.insert(d_.chance(0.5) ? in.begin() : in.end(), k);
        }
        return apply(op_of<xg::op::concat>, in, along_axis(axis));
    }
    int matmul() {
        int const a = floating(2);
        if (a < 0) return -1;
        xg::shape const s = dims_of(a);
        bool const ta = s.rank == 2 && d_.chance(0.4), tb = d_.chance(0.4);
        xg::extent const k = s.extents[s.rank - (ta ? 2 : 1)];
        dtype const type = at(a).value.type;
        int b =
            pick([&](node const& n) { return n.value.type == type && n.value.dims.rank == 2 && n.value.dims.extents[tb ? 1 : 0] == k; });
        if (b < 0 || d_.chance(0.4)) {
            xg::extent const c = d_.chance(0.2) ? xg::static_extent(1) : some_extent();
            b = leaf(type, xg::shape{2, {tb ? c : k, tb ? k : c}});
        }
        return b < 0 ? -1 : apply(op_of<xg::op::matmul>, {a, b}, given(xg::product_attributes{ta, tb}));
    }
    int look_up() {
        int const table = number();
        if (table < 0 || dims_of(table).rank == 0) return -1;
        bool const bag = d_.chance(0.35);
        xg::extent const rows = dims_of(table).extents[0];
        int i = pick([&](node const& n) { return n.is_id && n.limit == rows; });
        if (d_.chance(0.02)) i = pick([](node const& n) { return xg::is_integer(n.value.type); });
        else if (d_.chance(0.1)) i = pick([](node const& n) { return n.is_id; });   // of another table
        if (i < 0 || d_.chance(0.4)) i = ids(some_shape((bag ? 1 : 0) + d_.below(3 - (bag ? 1 : 0))), rows);
        if (i < 0 || (bag && dims_of(i).rank == 0)) return -1;
        return apply(bag ? op_of<xg::op::embedding_bag> : op_of<xg::op::gather>, {table, i});
    }
    int of_rows() {
        switch (d_.below(7)) {
        case 0: {   // one_hot
            int const i = pick([](node const& n) { return xg::is_integer(n.value.type); });
            auto const depth = given(xg::op::one_hot_attributes{1 + d_.below(5)});
            return i < 0 ? -1 : apply(main_ != dtype::float64 ? op_of<xg::op::one_hot<float>> : op_of<xg::op::one_hot<double>>, {i}, depth);
        }
        case 1: {
            int const a = floating(1);
            return a < 0 ? -1 : apply(op_of<xg::op::softmax_cross_entropy>, {a, like(at(a).value.type, dims_of(a))});
        }
        case 2: {
            int const a = floating(1);
            if (a < 0) return -1;
            xg::shape s = dims_of(a);
            xg::extent const classes = s.extents[--s.rank];
            int const l = classes.is_static() && classes.constant > 0 ? ids(s, classes) : -1;
            return l < 0 ? -1 : apply(op_of<xg::op::sparse_softmax_cross_entropy>, {a, l});
        }
        case 3: {
            int const a = floating();
            auto const stream = given_name(d_.chance(0.5) ? "r" : "s");
            return a < 0 ? -1 : apply(op_of<xg::op::uniform_like>, {a}, stream);
        }
        case 4: {
            int const a = number();
            if (a < 0 || dims_of(a).rank == 0) return -1;
            node n{op_of<xg::op::sort>, {a}};
            n.part = d_.below(2);
            return add(n);
        }
        case 5: {
            int const a = number();
            if (a < 0 || dims_of(a).rank == 0) return -1;
            int const axis = d_.below(dims_of(a).rank);
            xg::op::flip::attributes how{};
            how.axes.push(axis);
            if (axis > 0 && d_.chance(0.3)) how.axes.push(d_.below(axis));
            return apply(op_of<xg::op::flip>, {a}, given(how));
        }
        default: {
            int const a = number();
            if (a < 0 || dims_of(a).rank == 0) return -1;
            xg::extent const e = dims_of(a).extents[dims_of(a).rank - 1];
            if (!e.is_static() || e.constant < 1) return -1;
            node n{op_of<xg::op::top_k>, {a}};
            n.attrs = given(xg::op::top_k::attributes{1 + d_.below(static_cast<int>(std::min<std::int64_t>(e.constant, 4)))});
            n.part = d_.below(2);
            return add(n);
        }
        }
    }
    int gradient() {
        int const y = floating();
        if (y < 0) return -1;
        node n{op_of<xg::op::gradient>, {y}};
        n.ys = 1;
        if (int const other = floating(); d_.chance(0.1) && other >= 0) {
            n.in.push_back(other);
            n.ys = 2;
        }
        for (int more = 1 + d_.below(2); more > 0; --more) {
            int const x = floating();
            if (x < 0) break;
            n.in.push_back(x);
            ++n.xs;
        }
        n.x = d_.below(n.xs);
        if (n.ys == 1 && d_.chance(0.2))
            if (int const seed = like(at(y).value.type, dims_of(y)); seed >= 0) n.in.push_back(seed);
        return add(n);
    }
    int region() {
        xg::node_info const& info = has_calls_ ? *d_.of(bodies::others) : *d_.of(bodies::loops);
        node n{info.op, {}};
        for (int k = 0; k < info.count; ++k) {
            xg::value_info const& v = info.operands[k]->value;
            bool const is_ids = k == bodies::ids_of(&info), is_turns = k == bodies::turns_of(&info);
            int const x = is_ids     ? ids(v.dims, xg::named_extent(&dims[2]))
                          : is_turns ? ids(v.dims, info.op->region->length + xg::static_extent(1))
                                     : like(v.type, v.dims);
            if (x < 0) return -1;
            if ((is_ids || is_turns) && at(x).value.type != dtype::int32) return -1;
            n.in.push_back(x);
        }
        n.part = d_.below(info.op->region->carries + info.op->region->emitted);   // not a value that only a gradient reads
        int const made = add(n);
        return made >= 0 && has_calls_ ? gradients_of_region(made) : made;
    }
    // A result, or a gradient of it of order 1 or 2, which is an output.
    int gradients_of_region(int y) {
        std::vector<int> xs;
        for (int i : at(y).in)
            if (xg::has_gradient(at(i).value.type)) xs.push_back(i);
        for (int order = d_.below(3); order > 0 && !xs.empty() && xg::has_gradient(at(y).value.type); --order) {
            node n{op_of<xg::op::gradient>, {y, d_.any(xs)}};
            n.ys = n.xs = 1;
            int const made = add(n);
            if (made < 0) break;
            y = made;
        }
        if (d_.chance(0.7)) r_.outputs.push_back(y);
        return y;
    }

    int general() {
        double const u = unit(d_.next());
        if (has_calls_ && u > 0.85 && u < 0.9) return region();
        if (u < 0.30) return elementwise();
        if (u < 0.35) return boolean();
        if (u < 0.37) {
            int const a = any();
            return a < 0 ? -1 : apply(d_.of(op_lists::casts), {a});
        }
        if (u < 0.49) return reduce();
        if (u < 0.69) return view();
        if (u < 0.75) return concat();
        if (u < 0.83) return matmul();
        if (u < 0.88) return look_up();
        if (u < 0.93) return of_rows();
        if (u < 0.975) return gradient();
        if (u < (has_calls_ ? 0.998 : 0.985)) return region();
        static constexpr dtype others[]{dtype::int32, dtype::int32, dtype::float64, dtype::bfloat16, dtype::float16};
        return leaf(d_.chance(0.8) ? main_ : d_.of(others), some_shape(d_.below(4)));
    }

    node_maker(std::uint64_t seed, table_room& room) : d_{mix(seed, 0x5eed)}, g_(room), has_calls_(mix(seed, 0xca11) % 4 == 0) {
        r_.seed = seed;
    }
    ~node_maker() = default;
};

}   // namespace random_graphs
