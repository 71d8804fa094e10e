// SPDX-License-Identifier: MIT
// The values of a table node by node, each node in full: what a plan must give, found without a planner.
#pragma once

#include "body_tables.hpp"
#include "recipe.hpp"

#include <algorithm>
#include <cmath>

namespace random_graphs {

struct tensor {
    std::vector<std::int64_t> dims;
    std::vector<double> v;
    bool known = false;
};
inline std::int64_t count_of(std::vector<std::int64_t> const& d) {
    std::int64_t n = 1;
    for (auto e : d) n *= e;
    return n;
}

/// The type in which an element-wise node computes.
inline dtype computing_type(xg::table_view const& t, int i) {
    dtype d = t.type(i);
    if (d == dtype::boolean) {
        d = dtype::float32;
        for (int k = 0; k < t.nodes[i].count; ++k)
            if (t.type(t.operand(i, k)) != dtype::boolean) d = t.type(t.operand(i, k));
    }
    return d == dtype::boolean || d == dtype::literal ? dtype::float32 : xg::computed_type(d);
}

/// The rows of a function on rows.
inline void run_row_function(xg::op_info const& op, std::vector<std::vector<double>> const& in, std::vector<std::vector<double>>& out) {
    auto place = [](double x, std::size_t n) { return static_cast<std::size_t>(bits_of(x) % n); };
    if (op.name == "take_from_row")
        for (std::size_t j = 0; j < out[0].size(); ++j) out[0][j] = in[0].empty() ? 0 : in[0][place(in[1][j], in[0].size())];
    else if (op.name == "put_in_row") {
        for (double& e : out[0]) e = 0;
        for (std::size_t j = 0; j < in[0].size() && !out[0].empty(); ++j) out[0][place(in[1][j], out[0].size())] = in[0][j];
    } else if (op.name == "top_k") {
        std::vector<int> order(in[0].size());
        for (std::size_t j = 0; j < order.size(); ++j) order[j] = static_cast<int>(j);
        std::stable_sort(order.begin(), order.end(),
            [&](int a, int b) { return grain(in[0][static_cast<std::size_t>(a)]) > grain(in[0][static_cast<std::size_t>(b)]); });
        for (std::size_t j = 0; j < out[0].size(); ++j) {
            out[0][j] = in[0][static_cast<std::size_t>(order[j])];
            out[1][j] = order[j];
        }
    } else if (op.name == "sort") {
        std::vector<int> order(in[0].size());
        for (std::size_t j = 0; j < order.size(); ++j) order[j] = static_cast<int>(j);
        std::stable_sort(order.begin(), order.end(),
            [&](int a, int b) { return grain(in[0][static_cast<std::size_t>(a)]) < grain(in[0][static_cast<std::size_t>(b)]); });
        for (std::size_t j = 0; j < order.size(); ++j) {
            out[0][j] = in[0][static_cast<std::size_t>(order[j])];
            out[1][j] = order[j];
        }
    } else if (op.name == "flip") out[0].assign(in[0].rbegin(), in[0].rend());
    else if (op.name == "prod" || op.name == "product_of_others") {   // an element that all of them choose
        std::uint64_t h = op.hash;
        for (auto const& row : in)
            for (double x : row) h = mix(h, static_cast<std::uint64_t>(grain(x)));
        for (std::size_t j = 0; j < out[0].size(); ++j)
            out[0][j] = in[0].empty() ? 1 : in[mix(h, j) % in.size()][mix(h, j + 1) % in[0].size()];
    } else throw std::runtime_error("no function on rows is known as " + std::string(op.name));
}

class evaluation {
    xg::table_view t_;
    std::int64_t const* sizes_;
    std::uint64_t turn_;
    std::vector<tensor> value_;
    std::map<int, std::vector<tensor>> several_;   // outputs of operations with several
    static constexpr std::int64_t most = 200000;

    std::vector<std::int64_t> dims_of(xg::shape const& s) const {
        std::vector<std::int64_t> d;
        for (int a = 0; a < s.rank; ++a) d.push_back(evaluate(s.extents[a], sizes_));
        if (count_of(d) > most) throw too_much{};
        return d;
    }
    tensor const& in(int i, int k) { return of(t_.operand(i, k)); }
    template<class F>
    static void each(std::vector<std::int64_t> const& d, F f) {   // f(indices), row-major
        std::vector<std::int64_t> at(d.size(), 0);
        for (std::int64_t n = count_of(d); n > 0; --n) {
            f(at);
            for (std::size_t a = d.size(); a-- > 0;) {
                if (++at[a] < d[a]) break;
                at[a] = 0;
            }
        }
    }
    static std::size_t offset(std::vector<std::int64_t> const& d, std::vector<std::int64_t> const& at) {
        std::int64_t n = 0;
        for (std::size_t a = 0; a < d.size(); ++a) n = n * d[a] + at[a];
        return static_cast<std::size_t>(n);
    }
    // Element of `x` for a position of a broadcast result.
    static std::size_t broadcast_offset(std::vector<std::int64_t> const& d, xg::shape const& s, std::vector<std::int64_t> const& at) {
        std::int64_t n = 0;
        std::size_t const shift = at.size() - d.size();
        for (std::size_t a = 0; a < d.size(); ++a) n = n * d[a] + (xg::is_one(s.extents[a]) ? 0 : at[a + shift]);
        return static_cast<std::size_t>(n);
    }
    void elementwise(int i, tensor& r) {
        operation_facts const& f = facts_of(t_[i].op);
        dtype const type = computing_type(t_, i);
        int const n = t_.nodes[i].count;
        tensor const* x[3]{};
        for (int k = 0; k < n; ++k) x[k] = &in(i, k);
        std::size_t e = 0;
        each(r.dims, [&](auto const& at) {
            double v[3]{};
            for (int k = 0; k < n; ++k)
                v[k] = convert(t_.type(t_.operand(i, k)), type, x[k]->v[broadcast_offset(x[k]->dims, t_.dims(t_.operand(i, k)), at)]);
            double const y = apply(f, type, v, n);
            r.v[e++] = t_.type(i) == dtype::boolean ? (y != 0 ? 1.0 : 0.0) : y;
        });
    }
    void reduce(int i, tensor& r) {
        tensor const& x = in(i, 0);
        auto const m = t_[i].op->combine;
        auto const axes = t_.attrs(i).as<xg::reduction_attributes>().axes;
        std::fill(r.v.begin(), r.v.end(), identity(m, t_.type(i)));
        std::size_t e = 0;
        each(x.dims, [&](auto const& at) {
            std::int64_t n = 0;
            for (std::size_t a = 0; a < x.dims.size(); ++a)
                if (!axes.has(static_cast<int>(a))) n = n * x.dims[a] + at[a];
            double& to = r.v[static_cast<std::size_t>(n)];
            to = combine(m, t_.type(i), to, x.v[e++]);
        });
    }
    void matmul(int i, tensor& r) {
        tensor const &a = in(i, 0), &b = in(i, 1);
        auto const how = t_.attrs(i).as<xg::product_attributes>();
        bool const ta = how.transpose_a, tb = how.transpose_b;
        std::int64_t const columns = r.dims.back(), k = b.dims[tb ? 1 : 0];
        std::int64_t const rows = columns > 0 ? count_of(r.dims) / columns : 0;
        for (std::int64_t y = 0; y < rows; ++y)
            for (std::int64_t x = 0; x < columns; ++x) {
                double sum = 0;
                for (std::int64_t p = 0; p < k; ++p)
                    sum += a.v[static_cast<std::size_t>(ta ? p * rows + y : y * k + p)] *
                           b.v[static_cast<std::size_t>(tb ? x * k + p : p * columns + x)];
                r.v[static_cast<std::size_t>(y * columns + x)] = sum;
            }
    }
    std::int64_t index_at(tensor const& ids, std::size_t p, std::int64_t rows) {
        auto const id = static_cast<std::int64_t>(ids.v[p]);
        if (id >= 0 && id < rows) return id;
        bad_index = true;
        return -1;
    }
    void look_up(int i, tensor& r) {
        tensor const &table = in(i, 0), &ids = in(i, 1);
        bool const bag = t_[i].op->name == "embedding_bag";
        std::int64_t const rows = table.dims[0], count = count_of(ids.dims), size = bag ? ids.dims.back() : 1;
        std::int64_t row = 1;
        for (std::size_t a = 1; a < table.dims.size(); ++a) row *= table.dims[a];
        std::fill(r.v.begin(), r.v.end(), 0);
        for (std::int64_t p = 0; p < count; ++p) {
            std::int64_t const id = index_at(ids, static_cast<std::size_t>(p), rows);
            for (std::int64_t j = 0; id >= 0 && j < row; ++j) {
                double& to = r.v[static_cast<std::size_t>(p / size * row + j)];
                double const from = table.v[static_cast<std::size_t>(id * row + j)];
                to = bag ? combine(xg::monoid::sum, t_.type(i), to, from) : from;
            }
        }
    }
    void scatter(int i, tensor& r) {
        tensor const &values = in(i, 0), &ids = in(i, 1);
        std::fill(r.v.begin(), r.v.end(), 0);
        std::int64_t const rows = r.dims[0];
        std::int64_t row = 1;
        for (std::size_t a = 1; a < r.dims.size(); ++a) row *= r.dims[a];
        for (std::int64_t p = 0; p < count_of(ids.dims); ++p) {
            std::int64_t const id = index_at(ids, static_cast<std::size_t>(p), rows);
            for (std::int64_t j = 0; id >= 0 && j < row; ++j) {
                double& to = r.v[static_cast<std::size_t>(id * row + j)];
                to = combine(xg::monoid::sum, t_.type(i), to, values.v[static_cast<std::size_t>(p * row + j)]);
            }
        }
    }
    void move(int i, tensor& r) {   // transpose, slice, broadcast
        tensor const& x = in(i, 0);
        xg::attributes const a = t_.attrs(i);
        std::vector<std::int64_t> from(x.dims.size());
        std::size_t e = 0;
        each(r.dims, [&](auto const& at) {
            switch (t_.kind(i)) {
            case xg::op_kind::transpose:
                for (std::size_t k = 0; k < at.size(); ++k)
                    from[static_cast<std::size_t>(a.as<xg::permutation_attributes>().order.at[k])] = at[k];
                break;
            case xg::op_kind::slice: {
                auto const how = a.as<xg::slice_attributes>();
                auto const axis = static_cast<std::size_t>(how.axis);
                from = at;
                from[axis] = evaluate(slice_begin(a), sizes_) + at[axis] * how.step;
                break;
            }
            default: r.v[e++] = x.v[broadcast_offset(x.dims, t_.dims(t_.operand(i, 0)), at)]; return;
            }
            r.v[e++] = x.v[offset(x.dims, from)];
        });
    }
    void concat(int i, tensor& r) {
        auto const axis = static_cast<std::size_t>(t_.attrs(i).as<xg::axis_attributes>().axis);
        std::int64_t begin = 0;
        for (int k = 0; k < t_.nodes[i].count; ++k) {
            tensor const& x = in(i, k);
            std::size_t e = 0;
            each(x.dims, [&](auto at) {
                at[axis] += begin;
                r.v[offset(r.dims, at)] = x.v[e++];
            });
            begin += x.dims[axis];
        }
    }
    std::vector<tensor> empty_outputs(int i) {
        std::vector<tensor> out(static_cast<std::size_t>(t_.output_count(i)));
        for (int k = 0; k < t_.output_count(i); ++k) {
            tensor& o = out[static_cast<std::size_t>(k)];
            o.dims = dims_of(t_.output(i, k).dims);
            o.v.assign(static_cast<std::size_t>(count_of(o.dims)), 0);
        }
        return out;
    }
    std::vector<tensor> row_function(int i) {
        std::vector<tensor> out = empty_outputs(i);
        for (int k = 0; k < t_.nodes[i].count; ++k) in(i, k);
        xg::shape const& first = t_.dims(t_.operand(i, 0));
        std::int64_t rows = 1;
        for (int a = 0; a + 1 < first.rank; ++a) rows *= evaluate(first.extents[a], sizes_);
        auto length = [&](tensor const& x) { return static_cast<int>(x.dims.size()) == first.rank ? x.dims.back() : 1; };
        for (std::int64_t y = 0; y < rows; ++y) {
            std::vector<std::vector<double>> x, z;
            for (int k = 0; k < t_.nodes[i].count; ++k) {
                tensor const& o = in(i, k);
                x.emplace_back(o.v.begin() + y * length(o), o.v.begin() + (y + 1) * length(o));
            }
            for (tensor const& o : out) z.emplace_back(static_cast<std::size_t>(length(o)));
            run_row_function(*t_[i].op, x, z);
            for (std::size_t k = 0; k < out.size(); ++k) std::copy(z[k].begin(), z[k].end(), out[k].v.begin() + y * length(out[k]));
        }
        return out;
    }
    static tensor slice_of_turn(tensor const& whole, std::int64_t turn) {
        tensor r;
        r.dims.assign(whole.dims.begin() + 1, whole.dims.end());
        std::int64_t const n = count_of(r.dims);
        r.v.assign(whole.v.begin() + turn * n, whole.v.begin() + (turn + 1) * n);
        return r;
    }
    void give(evaluation& e, int i, body_table const& body, std::vector<tensor> const& carries, std::int64_t turn) {
        xg::region_form const& f = table_of_body(t_[i].op, t_.attrs(i)).form;
        for (int k = 0; k < f.inputs(); ++k)
            e.set(body.operand[k], k < f.carries   ? carries[static_cast<std::size_t>(k)]
                                   : f.is_slice(k) ? slice_of_turn(in(i, k), turn)
                                                   : in(i, k));
    }
    // Output k of a step over bodies. Other outputs are not computed: what is out of range in them does not count.
    tensor region(int i, int k) {
        body_table const& body = table_of_body(t_[i].op, t_.attrs(i));
        xg::region_form const& f = body.form;
        std::vector<tensor> carries;
        for (int n = 0; n < f.operands(); ++n) in(i, n);   // also where there are no turns
        for (int n = 0; n < f.carries; ++n) carries.push_back(in(i, n));
        tensor out = empty_outputs(i)[static_cast<std::size_t>(k)];
        std::int64_t const length = evaluate(f.length, sizes_);
        auto const control = f.control > 0 ? static_cast<std::int64_t>(in(i, f.inputs()).v[0]) : length;
        if (f.policy == xg::region_policy::call || f.policy == xg::region_policy::branch) {
            body_table const& taken = table_of_body(t_[i].op, t_.attrs(i), selected_body(f, static_cast<double>(control)));
            evaluation e(taken.view(), sizes_, turn_);
            give(e, i, taken, carries, 0);
            out.v = e.of(taken.result[k]).v;
            bad_index = bad_index || e.bad_index;
            return out;
        }
        bool const until = f.policy == xg::region_policy::until;
        if (!until && (control < 0 || control > length)) {
            bad_index = true;
            return out;
        }
        std::int64_t n = 0;
        for (; until || n < control; ++n) {
            std::int64_t const turn = f.backwards ? control - 1 - n : n;
            std::uint64_t const iteration = iteration_of(turn_, length, turn);
            if (until) {
                body_table const& condition = table_of_body(t_[i].op, t_.attrs(i), condition_body);
                evaluation e(condition.view(), sizes_, iteration);
                give(e, i, condition, carries, turn);
                if (e.of(condition.result[0]).v[0] == 0) break;
                if (n > 100) throw too_much{};
            }
            evaluation e(body.view(), sizes_, iteration);
            give(e, i, body, carries, turn);
            std::vector<tensor> next;
            for (int c = 0; c < f.carries; ++c) next.push_back(e.of(body.next[c]));
            int const result = k - f.carries;
            if (result >= 0 && result < f.stacked + f.summed) {
                tensor const& x = e.of(body.result[result]);
                auto const size = static_cast<std::int64_t>(x.v.size());
                if (until && turn >= length) {   // the history is full
                    bad_index = true;
                    return out;
                }
                for (std::int64_t j = 0; j < size; ++j)
                    if (result < f.stacked) out.v[static_cast<std::size_t>(turn * size + j)] = x.v[static_cast<std::size_t>(j)];
                    else out.v[static_cast<std::size_t>(j)] += x.v[static_cast<std::size_t>(j)];
            }
            bad_index = bad_index || e.bad_index;
            carries = next;
        }
        if (int const c = k - f.stacked; k >= f.stacked && k < f.carries + f.stacked && f.keeps_last(c)) {
            std::vector<double> const& last = carries[static_cast<std::size_t>(c)].v;
            std::copy(last.begin(), last.end(), out.v.begin() + n * static_cast<std::int64_t>(last.size()));
        }
        if (k < f.carries) return carries[static_cast<std::size_t>(k)];
        if (k == f.carries + f.stacked + f.summed) out.v[0] = static_cast<double>(n);
        return out;
    }
    tensor find(int i) {
        tensor r;
        r.dims = dims_of(t_.dims(i));
        r.v.assign(static_cast<std::size_t>(count_of(r.dims)), 0);
        xg::attributes const a = t_.attrs(i);
        switch (t_.kind(i)) {
        case xg::op_kind::constant: r.v[0] = a.as<xg::constant_attributes>().value; break;
        case xg::op_kind::size: r.v[0] = static_cast<double>(evaluate(a.extents[0], sizes_)); break;
        case xg::op_kind::elementwise: elementwise(i, r); break;
        case xg::op_kind::reduce: reduce(i, r); break;
        case xg::op_kind::matmul: matmul(i, r); break;
        case xg::op_kind::alias: r.v = in(i, 0).v; break;
        case xg::op_kind::composite: r.v = in(i, t_.nodes[i].count - 1).v; break;
        case xg::op_kind::broadcast:
        case xg::op_kind::transpose:
        case xg::op_kind::slice: move(i, r); break;
        case xg::op_kind::concat: concat(i, r); break;
        case xg::op_kind::index:
            for (std::size_t e = 0; e < r.v.size(); ++e) r.v[e] = static_cast<double>(e % static_cast<std::size_t>(r.dims.back()));
            break;
        case xg::op_kind::random:
            for (std::size_t e = 0; e < r.v.size(); ++e) r.v[e] = random_number(a.name_hash, turn_, static_cast<std::int64_t>(e));
            break;
        case xg::op_kind::kernel:
            if (!xg::planner::reports_indices(*t_[i].op)) r = row_function(i)[0];
            else if (t_[i].op->name == "scatter") scatter(i, r);
            else look_up(i, r);
            break;
        case xg::op_kind::part: {
            int const from = t_.operand(i, 0), output = static_cast<int>(a.as<xg::part_attributes>().output);
            if (t_.kind(from) == xg::op_kind::region) {
                r = region(from, output);
                break;
            }
            auto const found = several_.find(from);
            auto const& all = found != several_.end() ? found->second : (several_[from] = row_function(from));
            r = all[static_cast<std::size_t>(output)];
            break;
        }
        default: throw std::runtime_error("a node without a value: " + std::string(t_[i].op->name));
        }
        for (double e : r.v)
            if (std::isfinite(e)) largest = std::max(largest, std::abs(e));
        r.known = true;
        return r;
    }

public:
    struct too_much {};
    bool bad_index = false;
    double largest = 1;

    evaluation(xg::table_view const& t, std::int64_t const* sizes, std::uint64_t turn = 0)
        : t_(t), sizes_(sizes), turn_(turn), value_(static_cast<std::size_t>(t.count)) {}
    void set(int index, tensor x) {
        value_[static_cast<std::size_t>(index)] = std::move(x);
        value_[static_cast<std::size_t>(index)].known = true;
    }
    tensor const& of(int index) {
        if (!value_[static_cast<std::size_t>(index)].known) {
            tensor r = find(index);
            value_[static_cast<std::size_t>(index)] = std::move(r);
        }
        return value_[static_cast<std::size_t>(index)];
    }
};

}   // namespace random_graphs
