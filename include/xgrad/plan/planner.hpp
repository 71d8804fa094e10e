// SPDX-License-Identifier: MIT
// The planner: from a table, its outputs and updates to a plan. Everything here is constexpr work on tables.
#pragma once

#include <xgrad/plan/program.hpp>

XGRAD_NAMESPACE_BEGIN

// Not constexpr: where it is reached, the compiler prints its name and stops. Works without exceptions as well.
inline void the_number_of_elements_of_a_tensor_is_a_polynomial_with_too_many_terms_or_factors() {}

class planner : program_writer {
    struct final_step {
        plan_step step;
        std::vector<instruction> ins;
        std::vector<operand_slot> slots;   // with `row` the owner of the memory
        std::vector<parameter> params;
    };
    std::vector<extent> pool;
    std::vector<final_step> done;
    std::vector<int> input_rows, variable_rows, leaf_index, buffer_of;
    std::vector<int> last_reader, reader_count;
    std::vector<plan_buffer> buffers;
    std::vector<arena_block> blocks;

    constexpr short intern(extent const& e) {
        if (e.overflow) the_number_of_elements_of_a_tensor_is_a_polynomial_with_too_many_terms_or_factors();
        for (std::size_t i = 0; i < pool.size(); ++i)
            if (pool[i] == e) return static_cast<short>(i);
        pool.push_back(e);
        return static_cast<short>(pool.size() - 1);
    }
    constexpr operand_slot finish_slot(draft_slot const& d) {
        operand_slot s{};
        s.base = d.base;
        s.type = d.type;
        s.row = static_cast<short>(d.row);
        s.offset = intern(d.offset);
        if (d.base == operand_slot::where::input) s.index = static_cast<short>(leaf_index[d.row]);
        if (d.base == operand_slot::where::variable) s.index = static_cast<short>(leaf_index[d.row]);
        return s;
    }
    /// The memory of a row as rows at a distance `stride[0]` of contiguous elements.
    constexpr operand_slot row_slot(int row) {
        memory_view const v = locate(row);
        draft_slot d{operand_slot::where::buffer, v.base, t.type(row), v.offset};
        if (copied[v.base] == 0 && t.kind(v.base) == op_kind::input) d.base = operand_slot::where::input;
        if (copied[v.base] == 0 && t.kind(v.base) == op_kind::variable) d.base = operand_slot::where::variable;
        operand_slot s = finish_slot(d);
        s.stride[0] = intern(t.dims(row).rank > 0 ? v.stride[0] : static_extent(0));
        return s;
    }

    // Dimensions whose strides run on into each other become one; also the last outer one and the inner one, if nothing happens row by row.
    constexpr void finish_nest(final_step& f, step_program& p, step_draft const& d) {
        std::vector<extent> outer;
        extent inner = d.rank > 0 ? d.space[d.rank - 1] : static_extent(1);
        for (int k = 0; k + 1 < d.rank; ++k) outer.push_back(d.space[k]);
        int const last = d.rank - 1;
        std::vector<std::vector<extent>> stride(p.slots.size());   // outer dimensions, then the inner one
        for (std::size_t s = 0; s < p.slots.size(); ++s)
            for (int k = 0; k < d.rank; ++k) stride[s].push_back(p.slots[s].stride[k]);
        std::vector<std::size_t> kept;   // sums over outer dimensions too, which the kernel keeps in memory
        for (std::size_t i = 0; i < p.ins.size(); ++i)
            if (p.ins[i].kind == ins_kind::reduce && p.ins[i].outer != 0) kept.push_back(i);
        bool by_row = false;
        for (auto const& i : p.ins)
            by_row = by_row || i.level == 1 || (i.kind == ins_kind::reduce && i.inner != 0 && i.outer == 0 && last > 0);
        for (int k = static_cast<int>(outer.size()) - 1; k >= 0; --k) {
            bool const into_inner = k == static_cast<int>(outer.size()) - 1;
            if (into_inner && by_row) continue;
            extent const& next = into_inner ? inner : outer[k + 1];
            bool mergeable = true;
            for (auto const& s : stride) mergeable = mergeable && s[k] == s[k + 1] * next;
            for (auto const& i : p.ins)
                if (i.kind == ins_kind::reduce) {
                    bool const a = (i.outer >> k & 1) != 0, b = into_inner ? i.inner != 0 : (i.outer >> (k + 1) & 1) != 0;
                    mergeable = mergeable && a == b;
                }
            if (!mergeable) continue;
            for (auto& s : stride) s.erase(s.begin() + k);
            if (into_inner) inner = outer[k] * inner;
            else outer[k + 1] = outer[k] * outer[k + 1];
            outer.erase(outer.begin() + k);
            for (auto& i : p.ins)
                if (i.kind == ins_kind::reduce) {
                    int const low = i.outer & ((1 << k) - 1), high = i.outer >> (k + 1);
                    i.outer = static_cast<unsigned char>(into_inner ? low : low | high << k);
                }
        }
        for (std::size_t k : kept) {   // what became a sum over the inner dimension alone ends in a register
            instruction const r = p.ins[k];
            if (r.outer != 0 || r.inner == 0) continue;
            instruction i{};
            i.kind = ins_kind::store;
            i.memory = r.memory;
            i.level = 1;
            i.phase = static_cast<signed char>(r.phase + 1);
            i.a = static_cast<short>(k);
            i.slot = r.slot;
            p.ins.push_back(i);
            if (i.phase + 1 > p.phases) p.phases = i.phase + 1;
        }
        plan_step& step = f.step;
        step.phases = static_cast<short>(p.phases);
        step.outer_rank = static_cast<short>(outer.size());
        for (std::size_t k = 0; k < outer.size(); ++k) step.extent[k] = intern(outer[k]);
        step.inner = intern(inner);
        step.static_inner = inner.is_static() ? inner.constant : -1;
        for (std::size_t s = 0; s < p.slots.size(); ++s) {
            operand_slot o = finish_slot(p.slots[s]);
            for (std::size_t k = 0; k < outer.size(); ++k) o.stride[k] = intern(stride[s][k]);
            o.inner = intern(d.rank > 0 ? stride[s].back() : static_extent(0));
            f.slots.push_back(o);
        }
    }
    constexpr void finish_product(final_step& f, step_program& p, step_draft const& d) {
        plan_step& step = f.step;
        int const row = d.anchor;
        shape const& s = t.dims(row);
        for (auto const& slot : p.slots) {
            operand_slot o = finish_slot(slot);
            bool const rows = s.rank > 2 || !is_one(s.extents[0]), columns = s.rank > 2 || !is_one(s.extents[s.rank - 1]);
            o.stride[0] = intern(rows ? slot.stride[0] : static_extent(0));
            o.inner = intern(columns ? slot.stride[rows ? 1 : 0] : static_extent(0));
            f.slots.push_back(o);
        }
        step.operand_slots = static_cast<short>(f.slots.size());
        step.transpose_a = t.attrs(row).integer[0] != 0;
        step.transpose_b = t.attrs(row).integer[1] != 0;
        extent m = static_extent(1);
        for (int a = 0; a + 1 < s.rank; ++a) m = m * s.extents[a];
        extent const n = s.extents[s.rank - 1];
        extent k{};
        for (int side = 0; side < 2; ++side) {
            int const o = t.operand(row, side);
            shape const& x = t.dims(o);
            memory_view const v = locate(o);
            operand_slot slot = row_slot(o);
            bool& transposed = side == 0 ? step.transpose_a : step.transpose_b;
            if (side == 0) k = x.extents[transposed ? x.rank - 2 : x.rank - 1];
            int const first = x.rank - 2, second = x.rank - 1;
            bool const row_major = is_one(x.extents[second]) || v.stride[second] == static_extent(1);
            if (!row_major) transposed = !transposed;
            extent ld = v.stride[row_major ? first : second];
            if (ld == static_extent(0)) ld = x.extents[row_major ? second : first];   // one row
            slot.stride[0] = intern(ld);
            f.slots.push_back(slot);
        }
        step.extent[0] = intern(m);
        step.extent[1] = intern(n);
        step.extent[2] = intern(k);
        step.static_m = m.is_static() ? m.constant : -1;
        step.static_n = n.is_static() ? n.constant : -1;
        step.static_k = k.is_static() ? k.constant : -1;
    }
    constexpr void finish_rows(final_step& f, step_draft const& d) {   // gather, bag, scatter
        plan_step& step = f.step;
        int const row = d.anchor;
        bool const scatter = d.kind == step_kind::scatter;
        int const table = scatter ? row : t.operand(row, 0), ids = t.operand(row, 1);
        shape const& s = t.dims(table);
        extent length = static_extent(1);
        for (int a = 1; a < s.rank; ++a) length = length * s.extents[a];
        extent const bag = d.kind == step_kind::bag ? t.dims(ids).extents[t.dims(ids).rank - 1] : static_extent(1);
        extent count = static_extent(1);
        for (int a = 0; a < t.dims(ids).rank - (d.kind == step_kind::bag ? 1 : 0); ++a) count = count * t.dims(ids).extents[a];
        step.index_type = t.type(ids);
        step.extent[0] = intern(count);
        step.extent[1] = intern(bag);
        step.extent[2] = intern(s.extents[0]);
        step.inner = intern(length);
        step.static_inner = length.is_static() ? length.constant : -1;
        operand_slot rows = row_slot(scatter ? t.operand(row, 0) : row);
        if (!scatter && placed[row] < 0) rows.stride[0] = intern(length);   // also where the ids have several axes
        f.slots.push_back(row_slot(table));
        f.slots.push_back(row_slot(ids));
        f.slots.push_back(rows);
    }

    constexpr void finish_step(int index) {
        step_draft const& d = steps[index];
        write_program(index);
        step_program& p = programs.back();
        final_step f{};
        f.step.kind = d.kind;
        f.step.type = d.type;
        f.step.row = static_cast<short>(d.anchor >= 0 ? d.anchor : d.members.back().row);
        f.step.phases = static_cast<short>(p.phases);
        f.step.static_inner = f.step.static_m = f.step.static_n = f.step.static_k = -1;
        if (d.kind == step_kind::nest) finish_nest(f, p, d);
        else if (d.kind == step_kind::matmul) finish_product(f, p, d);
        else finish_rows(f, d);
        f.ins = p.ins;
        f.params = p.params;
        for (auto& q : f.params)
            if (q.is_size) q.size = intern(p.sizes[q.size]);
        done.push_back(f);
    }

    // Who reads each row, seen through views: the last step, and how many loops.
    constexpr void find_readers(std::vector<int> const& outputs) {
        last_reader.assign(t.count, -1);
        reader_count.assign(t.count, 0);
        for (int s = 0; s < static_cast<int>(steps.size()); ++s) {
            auto read = [&](int o, bool) {
                last_reader[o] = s;
                ++reader_count[o];
            };
            step_draft const& d = steps[s];
            if (d.anchor >= 0) for_sources(d.anchor, read);
            for (auto const& m : d.members) {
                if (is_leaf(m.row)) read(m.row, true);   // the copy of a variable that is asked for as a result
                if (m.copy_operand >= 0) read(owner(t.operand(m.row, m.copy_operand)), true);
                else for_sources(m.row, read);
            }
        }
        for (int r : outputs) ++reader_count[owner(r)];
    }
    // Values of indexed slices that repeat the gradient of a bag for each of its rows: the gradient itself, and how often.
    constexpr int bag_values(int row, extent& repeat) const {
        repeat = static_extent(1);
        if (t.kind(row) != op_kind::alias) return row;
        int const b = t.operand(row, 0);
        if (t.kind(b) != op_kind::broadcast) return row;
        int const g = t.operand(b, 0);
        shape const &s = t.dims(b), &x = t.dims(g);
        if (x.rank != s.rank || s.rank < 2 || !is_one(x.extents[1])) return row;
        for (int a = 0; a < s.rank; ++a)
            if (a != 1 && !(x.extents[a] == s.extents[a])) return row;
        repeat = s.extents[1];
        return g;
    }

    constexpr void finish_update(plan_update const& u, bool fused) {
        final_step f{};
        f.step.kind = step_kind::update;
        f.step.type = t.type(u.variable);
        f.step.row = static_cast<short>(u.variable);
        f.step.group = static_cast<short>(u.group);
        f.step.variable = static_cast<short>(leaf_index[u.variable]);
        f.step.sparse = u.dense < 0;
        f.step.fused = fused;
        f.step.static_inner = f.step.static_m = f.step.static_n = f.step.static_k = -1;
        shape const& s = t.dims(u.variable);
        if (u.dense >= 0) {
            f.step.inner = intern(s.size());
            if (!fused) f.slots.push_back(row_slot(u.dense));
        } else {
            extent repeat;
            int const values = bag_values(u.values, repeat);
            extent length = static_extent(1);
            for (int a = 1; a < s.rank; ++a) length = length * s.extents[a];
            f.step.inner = intern(length);
            f.step.static_inner = length.constant;
            f.step.extent[0] = intern(t.dims(u.indices).size());
            f.step.extent[1] = intern(repeat);
            f.step.extent[2] = intern(s.extents[0]);
            f.step.index_type = t.type(u.indices);
            f.slots.push_back(row_slot(values));
            f.slots.push_back(row_slot(u.indices));
        }
        done.push_back(f);
    }

    // Buffers and their lifetimes; blocks of the arena are used again after a buffer's last step.
    constexpr void place_buffers(std::vector<int> const& outputs) {
        buffer_of.assign(t.count, -1);
        int const end = static_cast<int>(done.size());
        for (int s = 0; s < end; ++s)
            for (auto& slot : done[s].slots) {
                if (slot.base != operand_slot::where::buffer) continue;
                int& b = buffer_of[slot.row];
                if (b < 0) {
                    b = static_cast<int>(buffers.size());
                    buffers.push_back({slot.row, t.type(slot.row), intern(t.dims(slot.row).size()), static_cast<short>(s), static_cast<short>(s), -1});
                }
                buffers[b].last = static_cast<short>(s);
                slot.index = static_cast<short>(b);
            }
        for (int r : outputs)
            if (int const b = buffer_of[locate(r).base]; b >= 0) buffers[b].last = static_cast<short>(end);
        std::vector<int> free_after;   // by block
        for (auto& b : buffers) {
            extent bytes = pool[b.size] * static_extent(static_cast<std::int64_t>(size_of(b.type)));
            int best = -1;
            for (std::size_t k = 0; k < blocks.size(); ++k) {
                if (free_after[k] >= b.first) continue;
                if (blocks[k].bytes == bytes) {
                    best = static_cast<int>(k);
                    break;
                }
                if (best < 0 && (blocks[k].bytes.dominates(bytes) || bytes.dominates(blocks[k].bytes))) best = static_cast<int>(k);
            }
            if (best < 0) {
                best = static_cast<int>(blocks.size());
                blocks.push_back({bytes});
                free_after.push_back(0);
            }
            if (bytes.dominates(blocks[best].bytes)) blocks[best].bytes = bytes;
            free_after[best] = b.last;
            b.place = static_cast<short>(best);
        }
    }

public:
    constexpr planner(table_view const& table, plan_options o) : program_writer(table, o) {
        intern(static_extent(0));
        intern(static_extent(1));
    }

    /// Fills `out`. `inputs` and `variables` are all leaf rows in the order of their first appearance.
    template<class Storage>
    constexpr void run(std::vector<int> const& outputs, std::vector<plan_update> const& updates, Storage& out) {
        plan_roots roots{outputs, outputs, {}};
        for (auto const& u : updates) {
            extent repeat;
            int const gradient = u.dense >= 0 ? u.dense : bag_values(u.values, repeat);
            (u.dense >= 0 ? roots.whole : roots.by_rows).push_back(gradient);
            if (u.dense < 0) roots.whole.push_back(u.indices);
            for (auto const& o : updates)   // a gradient that is itself a variable: its value before that one's update
                if (owner(gradient) == o.variable && (u.dense < 0 || o.variable != u.variable)) roots.outputs.push_back(gradient);
        }
        leaf_index.assign(t.count, -1);
        for (int i = 0; i < t.count; ++i) {
            if (t.kind(i) != op_kind::input && t.kind(i) != op_kind::variable) continue;
            auto& list = t.kind(i) == op_kind::input ? input_rows : variable_rows;
            leaf_index[i] = static_cast<int>(list.size());
            list.push_back(i);
        }
        form_steps(roots);
        // where each update goes: after the gradient and the last reader of the old value
        find_readers(outputs);
        int const n = static_cast<int>(steps.size());
        std::vector<int> after(updates.size(), 0), fused(updates.size(), 0);
        for (std::size_t k = 0; k < updates.size(); ++k) {
            plan_update const& u = updates[k];
            int at = -1;
            int const last = last_reader[u.variable];
            if (u.dense >= 0) at = ready[owner(u.dense)];
            else {
                extent repeat;
                at = ready[owner(bag_values(u.values, repeat))];
                if (int const q = ready[owner(u.indices)]; q > at) at = q;
            }
            int const g = u.dense >= 0 ? owner(u.dense) : -1;
            if (options.gate == gating::none && options.fuse && u.fusible && g >= 0 && t.kind(g) == op_kind::matmul && copied[g] == 0 && placed[g] < 0 && steps[step_of[g]].members.empty() &&
                last < at && t.dims(g).rank == 2 && t.dims(g) == t.dims(u.variable) && reader_count[g] == 0) {
                fused[k] = 1;
                stored[g] = 0;
            }
            after[k] = options.gate == gating::graph ? n - 1 : (last > at ? last : at);
        }
        std::vector<std::vector<int>> due(static_cast<std::size_t>(n) + 1);
        for (std::size_t k = 0; k < updates.size(); ++k) due[static_cast<std::size_t>(after[k] + 1)].push_back(static_cast<int>(k));
        for (int s = -1; s < n; ++s) {
            if (s >= 0) finish_step(s);
            // one that runs inside the product's tiles comes right behind it
            for (int k : due[static_cast<std::size_t>(s + 1)])
                if (fused[k] != 0) finish_update(updates[k], true);
            for (int k : due[static_cast<std::size_t>(s + 1)])
                if (fused[k] == 0) finish_update(updates[k], false);
        }
        place_buffers(outputs);
        write(out, outputs);
    }

private:
    template<class Storage>
    constexpr void write(Storage& out, std::vector<int> const& outputs) {
        for (auto& f : done) {
            plan_step& s = out.steps[out.step_count];
            s = f.step;
            s.first_ins = static_cast<short>(out.ins_count);
            s.ins_count = static_cast<short>(f.ins.size());
            for (auto const& i : f.ins) out.ins[out.ins_count++] = i;
            s.first_slot = static_cast<short>(out.slot_count);
            s.slot_count = static_cast<short>(f.slots.size());
            for (auto const& o : f.slots) out.slots[out.slot_count++] = o;
            s.first_param = static_cast<short>(out.param_count);
            s.param_count = static_cast<short>(f.params.size());
            for (auto const& p : f.params) out.params[out.param_count++] = p;
            ++out.step_count;
        }
        for (int r : outputs) {
            operand_slot s = row_slot(r);
            if (s.base == operand_slot::where::buffer) s.index = static_cast<short>(buffer_of[s.row]);
            s.row = static_cast<short>(r);
            out.outputs[out.output_count++] = s;
        }
        for (auto const& b : buffers) out.buffers[out.buffer_count++] = b;
        for (auto const& b : blocks) out.blocks[out.block_count++] = b;
        for (auto const& e : pool) out.polynomials[out.polynomial_count++] = e;
        for (int r : input_rows) out.inputs[out.input_count++] = r;
        for (int r : variable_rows) out.variables[out.variable_count++] = r;
    }
};

XGRAD_NAMESPACE_END
