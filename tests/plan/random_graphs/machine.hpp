// SPDX-License-Identifier: MIT
// Runs a plan step by step, as exec and kernels do, one element at a time.
#pragma once

#include "nests.hpp"
#include "region_run.hpp"

namespace random_graphs {

/// Rule 0 is descent, rule 1 sets the value: what reads a variable afterwards reads something else.
inline double updated(int rule, double old, double gradient) { return rule == 1 ? gradient : old - 0.25 * gradient; }

class machine {
    xg::table_view t_;
    plan const& p_;
    std::int64_t const* sizes_;
    bool fuse_;
    std::uint64_t turn_;
    std::int64_t rows_at_once_;   // of steps that run together
    bool bad_index_ = false, changed_ = false;

    std::int64_t value(int polynomial) const { return m.value(polynomial); }
    place operand(xg::planner::plan_step const& s, int k) const {
        if (k >= s.operand_count) throw fault("a step without an operand");
        return m.resolve(p_.operands[s.first_operand + k]);
    }
    void change(int variable, int rule, std::int64_t e, double gradient) {
        if (variable < 0 || variable >= p_.variable_count) throw fault("an update of no variable");
        tensor& v = *m.variables[static_cast<std::size_t>(variable)];
        if (e < 0 || e >= static_cast<std::int64_t>(v.v.size())) throw fault("an update beyond its variable");
        double& x = v.v[static_cast<std::size_t>(e)];
        x = stored(t_.type(p_.variables[variable]), updated(rule, x, gradient));
        changed_ = true;
    }

    // ---- products
    struct product {
        xg::planner::plan_step const& s;
        xg::planner::plan_step const* update;   // in its tiles, or null
        std::vector<place> operands;
        std::int64_t rows, columns, inner;
    };
    product product_of(int step) const {
        xg::planner::plan_step const& s = p_.steps[step];
        product r{
            s, s.update_at > 0 ? &p_.steps[step + s.update_at] : nullptr, {}, value(s.extent[0]), value(s.extent[1]), value(s.extent[2])};
        for (int k = 0; k < s.operand_count; ++k) r.operands.push_back(operand(s, k));
        if (s.read_count + 2 != s.operand_count) throw fault("a product without its operands");
        for (auto [fixed, now] : {std::pair{s.static_m, r.rows}, std::pair{s.static_n, r.columns}, std::pair{s.static_k, r.inner}})
            if (fixed >= 0 && fixed != now) throw fault("a static extent of a product that is none");
        return r;
    }
    double left(product const& p, std::int64_t i, std::int64_t k) const {
        place const& a = p.operands[static_cast<std::size_t>(p.s.read_count)];
        return m.read(a, a.offset + (p.s.transpose_a ? k * a.stride[0] + i : i * a.stride[0] + k));
    }
    double right(product const& p, std::int64_t k, std::int64_t j) const {
        place const& b = p.operands[static_cast<std::size_t>(p.s.read_count + 1)];
        return m.read(b, b.offset + (p.s.transpose_b ? j * b.stride[0] + k : k * b.stride[0] + j));
    }
    void take(product const& p, std::int64_t row, std::int64_t column, double sum) {
        if (p.update != nullptr) return change(p.update->variable, p.update->group, row * p.columns + column, sum);
        std::vector<double> r(static_cast<std::size_t>(p.s.ins_count));
        for (int k = 0; k < p.s.ins_count; ++k) {
            xg::planner::instruction const& i = p_.ins[p.s.first_ins + k];
            double& x = r[static_cast<std::size_t>(k)];
            bool const access = i.kind == xg::planner::ins_kind::load || i.kind == xg::planner::ins_kind::store;
            std::int64_t e = 0;
            place const* o = nullptr;
            if (access) {
                o = &p.operands[static_cast<std::size_t>(i.operand)];
                if (i.memory != o->type) throw fault("an access of another element type than its operand");
                if (p.columns > 1 && i.inner < 2 && o->inner != i.inner)
                    throw fault("an access of a product that is not as its operand says");
                e = o->offset + (i.kind == xg::planner::ins_kind::load && i.level == 0 ? 0 : row) * o->stride[0] + column * o->inner;
            }
            short const from[3]{i.a, i.b, i.c};
            int const reads = i.kind == xg::planner::ins_kind::apply ? i.arity : i.kind == xg::planner::ins_kind::store ? 1 : 0;
            for (int q = 0; q < reads; ++q)
                if (from[q] < 0 || from[q] >= k) throw fault("a register that is read before it is written");
            switch (i.kind) {
            case xg::planner::ins_kind::accumulator:
                if (k != 0) throw fault("a product that is not in the first register");
                x = sum;
                break;
            case xg::planner::ins_kind::load: x = convert(i.memory, p.s.type, m.read(*o, e)); break;
            case xg::planner::ins_kind::parameter: {
                xg::planner::parameter const& a = p_.params[p.s.first_param + i.operand];
                x = a.is_size ? static_cast<double>(value(a.size)) : a.value;
                break;
            }
            case xg::planner::ins_kind::apply: {
                double v[3]{};
                for (int q = 0; q < reads; ++q) v[q] = r[static_cast<std::size_t>(from[q])];
                x = apply(facts_of(i.op), p.s.type, v, reads);
                break;
            }
            case xg::planner::ins_kind::store: m.write(*o, e, convert(p.s.type, i.memory, r[static_cast<std::size_t>(i.a)])); break;
            default: throw fault("an instruction that a product does not have");
            }
        }
    }
    void multiply(product const& p, std::int64_t first, std::int64_t end) {
        for (std::int64_t i = first; i < end; ++i)
            for (std::int64_t j = 0; j < p.columns; ++j) {
                double sum = 0;
                for (std::int64_t k = 0; k < p.inner; ++k) sum += left(p, i, k) * right(p, k, j);
                take(p, i, j, sum);
            }
    }
    // A product with a vector, a loop, the transposed product: a few rows at a time.
    void stream(int step) {
        int const last = step + p_.steps[step].back_at;
        product const p = product_of(step), t = product_of(last);
        nest_run nest(m, t_, p_, p_.steps[step + p_.steps[step].loop_at], turn_);
        std::vector<double> sums(static_cast<std::size_t>(t.rows));
        nest.begin();
        nest.new_row();
        std::int64_t first = 0;
        do {
            std::int64_t const end = std::min(first + rows_at_once_, p.rows);
            multiply(p, first, end);
            nest.pass(0, first, end, first > 0);
            for (std::int64_t k = first; k < end; ++k)
                for (std::int64_t i = 0; i < t.rows; ++i) sums[static_cast<std::size_t>(i)] += left(t, i, k) * right(t, k, 0);
            first = end;
        } while (first < p.rows);
        for (int phase = 1; phase < p_.steps[step + p_.steps[step].loop_at].phases; ++phase) nest.pass(phase, 0, 0);
        for (std::int64_t i = 0; i < t.rows; ++i) take(t, i, 0, sums[static_cast<std::size_t>(i)]);
    }

    // ---- kernels of operations
    std::int64_t size(xg::planner::plan_step const& s, int k) const { return value(p_.params[s.first_param + k].size); }
    bool find(place const& ids, std::int64_t p, std::int64_t rows, std::int64_t& id) {
        id = static_cast<std::int64_t>(m.read(ids, ids.offset + p));
        if (id >= 0 && id < rows) return true;
        bad_index_ = true;
        return false;
    }
    // The iterations from `first` up to, not including, `end`, as for all kernels that pass elements on.
    void look_up(xg::planner::plan_step const& s, std::int64_t first, std::int64_t end) {
        place const table = operand(s, 0), ids = operand(s, 1), out = operand(s, 2);
        bool const sums = s.op->name == "embedding_bag";
        std::int64_t const length = size(s, 1), rows = size(s, 2), bag = size(s, 3), step = out.inner == length ? out.stride[0] : length;
        for (std::int64_t i = first; i < end; ++i) {
            if (sums)
                for (std::int64_t j = 0; j < length; ++j) m.write(out, out.offset + i * step + j, 0);
            for (std::int64_t k = 0; k < bag; ++k) {
                std::int64_t id = 0;
                if (!find(ids, i * bag + k, rows, id)) return;
                for (std::int64_t j = 0; j < length; ++j) {
                    std::int64_t const to = out.offset + i * step + j;
                    double const x = m.read(table, table.offset + id * length + j);
                    m.write(out, to, sums ? combine(xg::monoid::sum, s.type, m.read(out, to), x) : x);
                }
            }
        }
    }
    void scatter(xg::planner::plan_step const& s) {
        place const values = operand(s, 0), ids = operand(s, 1), out = operand(s, 2);
        std::int64_t const n = size(s, 0), length = size(s, 1), rows = size(s, 2);
        for (std::int64_t j = 0; j < rows * length; ++j) m.write(out, out.offset + j, 0);
        for (std::int64_t i = 0; i < n; ++i) {
            std::int64_t id = 0;
            if (!find(ids, i, rows, id)) return;
            for (std::int64_t j = 0; j < length; ++j) {
                std::int64_t const to = out.offset + id * length + j;
                m.write(
                    out, to, combine(xg::monoid::sum, s.type, m.read(out, to), m.read(values, values.offset + i * values.stride[0] + j)));
            }
        }
    }
    void update(xg::planner::plan_step const& s) {
        if (s.fused) return;   // done by the product before it
        place const g = operand(s, 0);
        std::int64_t const length = value(s.inner);
        if (!s.sparse) {
            if (length != static_cast<std::int64_t>(m.variables[static_cast<std::size_t>(s.variable)]->v.size()))
                throw fault("an update of another size than its variable");
            for (std::int64_t e = 0; e < length; ++e) change(s.variable, s.group, e, m.read(g, g.offset + e));
            return;
        }
        place const ids = operand(s, 1);
        std::int64_t const n = value(s.extent[0]), inner = value(s.extent[1]), rows = value(s.extent[2]);
        if (value(s.extent[3]) * inner != n && n > 0) throw fault("slices of another number than indices");
        std::map<std::int64_t, std::vector<double>> sums;
        for (std::int64_t p = 0; p < n; ++p) {
            auto const id = static_cast<std::int64_t>(m.read(ids, ids.offset + p));
            if (id < 0 || id >= rows) throw fault("an update at an index that nobody has looked at");
            auto& sum = sums[id];
            sum.resize(static_cast<std::size_t>(length));
            for (std::int64_t j = 0; j < length; ++j)
                sum[static_cast<std::size_t>(j)] += m.read(g, g.offset + p / inner * g.stride[0] + p % inner * g.stride[1] + j);
        }
        for (auto const& [id, sum] : sums)
            for (std::int64_t j = 0; j < length; ++j) change(s.variable, s.group, id * length + j, sum[static_cast<std::size_t>(j)]);
    }
    void check(xg::planner::plan_step const& s) {
        place const ids = operand(s, 0);
        std::int64_t id = 0;
        for (std::int64_t p = 0; p < value(s.extent[0]); ++p)
            if (!find(ids, p, value(s.extent[2]), id)) return;
    }
    void row_function(xg::planner::plan_step const& s, std::int64_t first, std::int64_t end) {
        for (std::int64_t i = first; i < end; ++i) {
            std::vector<std::vector<double>> in, out;
            for (int k = 0; k < s.operand_count; ++k) {
                place const o = operand(s, k);
                std::int64_t const length = size(s, k + 1);
                auto& x = k < s.read_count ? in.emplace_back() : out.emplace_back(static_cast<std::size_t>(length));
                for (std::int64_t j = 0; k < s.read_count && j < length; ++j) x.push_back(m.read(o, o.offset + i * length + j));
            }
            run_row_function(*s.op, in, out);
            for (int k = s.read_count; k < s.operand_count; ++k) {
                place const o = operand(s, k);
                std::int64_t const length = size(s, k + 1);
                for (std::int64_t j = 0; o.has_memory() && j < length; ++j)
                    m.write(o, o.offset + i * length + j, out[static_cast<std::size_t>(k - s.read_count)][static_cast<std::size_t>(j)]);
            }
        }
    }
    void kernel(xg::planner::plan_step const& s) { kernel_turns(s, 0, size(s, 0)); }
    void kernel_turns(xg::planner::plan_step const& s, std::int64_t first, std::int64_t end) {
        if (!xg::planner::reports_indices(*s.op)) row_function(s, first, end);
        else if (s.op->name == "scatter") scatter(s);
        else look_up(s, first, end);
    }
    // A kernel and the loop after it, some iterations at a time.
    void hand_on(int step) {
        xg::planner::plan_step const &s = p_.steps[step], &behind = p_.steps[step + s.loop_at];
        std::int64_t const kernel = value(s.extent[1]), other = value(s.extent[2]), piece = value(s.extent[3]);
        if (kernel < 1 || other < 1 || piece < 1) throw fault("a kernel that hands on nothing");
        std::int64_t const each = kernel > other ? kernel / other : 1, loop_each = other > kernel ? other / kernel : 1;
        std::int64_t const all = size(s, 0), units = std::min(rows_at_once_, kernel / each);
        std::int64_t const length = value(behind.outer_rank > 0 ? behind.extent[0] : behind.inner);
        if (all * loop_each != length * each) throw fault("a loop that is longer or shorter than the kernel before it");
        nest_run nest(m, t_, p_, behind, turn_);
        nest.begin();
        for (std::int64_t first = 0; first < all && !bad_index_; first += units * each) {
            std::int64_t const end = std::min(all, first + units * each);
            m.passing_first = first * piece;
            m.passing_end = end * piece;
            kernel_turns(s, first, end);
            if (!bad_index_) nest.part(first / each * loop_each, end / each * loop_each);
        }
        nest.finish();
    }

    // ---- bodies
    tensor copy(place const& o, std::int64_t from, std::int64_t n) const {
        tensor r;
        for (std::int64_t e = 0; e < n; ++e) r.v.push_back(m.read(o, o.offset + from + e));
        return r;
    }
    void put(place const& o, std::int64_t from, std::vector<double> const& x) {
        for (std::size_t e = 0; o.has_memory() && e < x.size(); ++e) m.write(o, o.offset + from + static_cast<std::int64_t>(e), x[e]);
    }
    region_run region_of(xg::planner::plan_step const& s) const {
        region_run r{s, t_.attrs(s.node), form_of(*s.op->region, t_.attrs(s.node)), 0, {}};
        if (s.operand_count != r.f.operands() + r.f.outputs()) throw fault("a step over bodies without all its operands");
        if (s.body_count != r.f.body_count) throw fault("a step over more or fewer bodies than it has");
        for (int k = s.read_count + r.f.carries, bit = 0; k < s.operand_count; ++k, ++bit)
            if (p_.operands[s.first_operand + k].has_memory()) r.live |= std::uint64_t{1} << bit;
        for (int k = 0; k < s.operand_count; ++k) r.operands.push_back(operand(s, k));
        return r;
    }
    // One run of a body. False if an index is out of range.
    bool run_body(region_run const& r, machine& body, body_program const& program, std::vector<tensor> const& carries, std::int64_t turn,
        std::uint64_t iteration) {
        std::vector<tensor> in(static_cast<std::size_t>(program.steps.input_count));
        body.m.inputs.clear();
        for (int i = 0; i < program.steps.input_count; ++i)
            for (int k = 0; k < r.f.inputs(); ++k)
                if (program.table->operand[k] == program.steps.inputs[i]) {
                    place const& o = r.operand(k);
                    in[static_cast<std::size_t>(i)] =
                        k < r.f.carries ? carries[static_cast<std::size_t>(k)] : copy(o, r.f.is_slice(k) ? turn * o.inner : 0, o.inner);
                }
        for (tensor const& x : in) body.m.inputs.push_back(&x);
        body.turn_ = iteration;
        body.m.forget();
        bad_index_ = !body.run();
        body.m.inputs.clear();
        return !bad_index_;
    }
    machine machine_of(body_program const& program) const {
        return {program.table->view(), program.steps, sizes_, fuse_, 0, rows_at_once_};
    }
    void run_once(region_run const& r) {
        double const index = r.f.control > 0 ? m.read(r.operand(r.f.inputs()), r.operand(r.f.inputs()).offset) : 0;
        body_program const& program = program_of_body(r.s.op, r.a, selected_body(r.f, index), r.live, fuse_);
        machine body = machine_of(program);
        if (!run_body(r, body, program, {}, 0, turn_)) return;
        for (int k = 0, output = 0; k < r.f.summed; ++k)
            if (r.is_live(k)) put(r.result(k), 0, body.m.output(output++, r.result(k).inner));
    }
    void loop(region_run const& r) {
        xg::region_form const& f = r.f;
        body_program const& program = program_of_body(r.s.op, r.a, 0, r.live, fuse_);
        std::vector<tensor> carries;
        for (int k = 0; k < f.carries; ++k) {
            place const& o = r.operand(k);
            if (o.inner != r.result(k).inner) throw fault("a carry of another size in the end");
            carries.push_back(copy(o, 0, o.inner));
            put(r.result(k), 0, carries.back().v);
        }
        for (int k = f.carries + f.stacked; k < f.outputs(); ++k)
            put(r.result(k), 0, std::vector<double>(static_cast<std::size_t>(r.result(k).inner)));
        bool const until = f.policy == xg::region_policy::until;
        std::int64_t const length = value(r.s.extent[0]);
        place const* const given = f.control > 0 ? &r.operand(f.inputs()) : nullptr;
        std::int64_t const count = given != nullptr ? static_cast<std::int64_t>(m.read(*given, given->offset)) : length;
        if (!until && (count < 0 || count > length)) {
            bad_index_ = true;
            return;
        }
        for (int k = f.carries; !until && k < f.carries + f.emitted(); ++k)
            for (std::int64_t turn = count; turn < length; ++turn)
                put(r.result(k), turn * r.result(k).inner, std::vector<double>(static_cast<std::size_t>(r.result(k).inner)));
        machine body = machine_of(program);
        std::int64_t n = 0;
        for (; until || n < count; ++n) {
            std::int64_t const turn = f.backwards ? count - 1 - n : n;
            std::uint64_t const iteration = iteration_of(turn_, length, turn);
            if (until) {
                body_program const& asks = program_of_body(r.s.op, r.a, condition_body, 1, fuse_);
                machine condition = machine_of(asks);
                if (!run_body(r, condition, asks, carries, turn, iteration)) return;
                if (condition.m.output(0, 1)[0] == 0) break;
                if (r.keeps_history() && n == length) {
                    bad_index_ = true;
                    return;
                }
            }
            for (int k = 0; k < f.carries; ++k) {
                place const& o = r.result(f.carries + f.emitted() + k);
                put(o, turn * o.inner, carries[static_cast<std::size_t>(k)].v);
            }
            if (!run_body(r, body, program, carries, turn, iteration)) return;
            int output = f.carries;
            for (int k = 0; k < f.stacked + f.summed; ++k) {
                if (!r.is_live(k) || r.is_history(k)) continue;
                place const& o = r.result(f.carries + k);
                std::vector<double> x = body.m.output(output++, o.inner);
                for (std::int64_t e = 0; k >= f.stacked && e < o.inner; ++e) x[static_cast<std::size_t>(e)] += m.read(o, o.offset + e);
                put(o, k < f.stacked ? turn * o.inner : 0, x);
            }
            for (int k = 0; k < f.carries; ++k) {
                carries[static_cast<std::size_t>(k)].v = body.m.output(k, r.result(k).inner);
                put(r.result(k), 0, carries[static_cast<std::size_t>(k)].v);
            }
        }
        for (int k = 0; k < f.carries; ++k)
            if (place const& o = r.result(f.history(k)); f.keeps_last(k)) put(o, count * o.inner, carries[static_cast<std::size_t>(k)].v);
        if (f.counts > 0) put(r.result(f.outputs() - 1), 0, {static_cast<double>(n)});
    }
    void run_region(xg::planner::plan_step const& s) {
        region_run const r = region_of(s);
        if (r.f.policy == xg::region_policy::call || r.f.policy == xg::region_policy::branch) run_once(r);
        else loop(r);
    }

public:
    memory m;

    machine(xg::table_view const& t, plan const& p, std::int64_t const* sizes, bool fuse, std::uint64_t turn, std::int64_t rows_at_once)
        : t_(t), p_(p), sizes_(sizes), fuse_(fuse), turn_(turn), rows_at_once_(rows_at_once), m(t, p, sizes) {}

    /// False where an index was out of range; nothing may have been updated then.
    bool run() {
        for (int k = 0; k < p_.step_count && !bad_index_; ++k) {
            xg::planner::plan_step const& s = p_.steps[k];
            if (s.in_pass() && s.loop_at == 0) continue;
            if (s.hands_on()) {
                hand_on(k);
                continue;
            }
            if (s.back_at > 0) {
                stream(k);
                continue;
            }
            switch (s.kind) {
            case xg::planner::step_kind::nest: nest_run(m, t_, p_, s, turn_).run_all(); break;
            case xg::planner::step_kind::matmul: {
                product const p = product_of(k);
                multiply(p, 0, p.rows);
                break;
            }
            case xg::planner::step_kind::kernel: kernel(s); break;
            case xg::planner::step_kind::update: update(s); break;
            case xg::planner::step_kind::check: check(s); break;
            case xg::planner::step_kind::region: run_region(s); break;
            }
        }
        if (bad_index_ && changed_) throw fault("an update ran before an index was looked at");
        return !bad_index_;
    }
};

}   // namespace random_graphs
