// SPDX-License-Identifier: MIT
// Steps of a trainer that keep each row of a table next to its slots in memory.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/train/minimize.hpp>
#include <xgrad/train/step_driver.hpp>
#include <xgrad/train/tables/table_steps.hpp>

#include <cstring>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Rules that touch only the rows that occur, and have slots per element of the variable's type.
struct has_rows_with_slots {
    template<class R>
    static constexpr int slots_beside(planner::plan_step const& s) {
        int n = 0;
        for (slot_info const& slot : rule_slots<R>)
            if (slot.scope == per::element) {
                if (slot.type_for(s.type) != s.type) return 0;
                ++n;
            }
        return n;
    }
    template<class R>
    static constexpr bool of(planner::plan_step const& s) {
        return R::sparse == sparse_semantics::lazy && s.memory == s.type && slots_beside<R>(s) > 0;
    }
};

/// The memory of one table. Each row is [row | slot | slot | …].
struct rows_with_slots {
    int step = -1;                       // the step of the plan that moves the table
    int variable = -1;                   // index in the store
    int slot_count = 0;                  // number of slots per element
    std::int64_t count = 0, bytes = 0;   // number of rows; bytes of one row of the variable
    aligned_buffer<std::byte> memory;
    void* slots[max_rule_slots];   // in the form that kernels take

    std::int64_t parts() const { return slot_count + 1; }
    std::byte* row(int part, std::int64_t r) { return memory.data() + (r * parts() + part) * bytes; }
    /// The part of a row in which slot k is stored; 0 if it is stored elsewhere.
    static int part_of_slot(stored_slots const& s, int k) {
        int part = 0;
        for (int i = 0; i <= k; ++i) part += s.slot_infos[i].scope == per::element;
        return s.slot_infos[k].scope == per::element ? part : 0;
    }
    /// Calls f(part, memory in the store) for the variable and its slots per element.
    template<class F>
    void each(stored_variable const& v, stored_slots const& s, F const& f) const {
        f(0, static_cast<std::byte*>(v.data));
        for (int k = 0; k < s.slot_count; ++k)
            if (int const part = part_of_slot(s, k); part > 0) f(part, static_cast<std::byte*>(s.slots[k]));
    }
    /// Allocates memory for all rows. Throws std::bad_alloc.
    void make_room(stored_variable const& v) {
        count = v.extents[0];
        bytes = count == 0 ? 0 : v.size / count * static_cast<std::int64_t>(size_of(v.type));
        if (auto const need = static_cast<std::size_t>(count * parts() * bytes); memory.size() < need) {
            aligned_buffer<std::byte> larger(need);
            memory.swap(larger);
        }
    }
    void take(stored_variable const& v, stored_slots const& s) {
        each(v, s, [&](int part, std::byte* from) {
            for (std::int64_t r = 0; r < count; ++r) std::memcpy(row(part, r), from + r * bytes, static_cast<std::size_t>(bytes));
        });
        for (int k = 0; k < s.slot_count; ++k) {
            int const part = part_of_slot(s, k);
            slots[k] = part > 0 ? row(part, 0) : s.slots[k];
        }
    }
    void give_back(stored_variable const& v, stored_slots const& s) {
        each(v, s, [&](int part, std::byte* to) {
            for (std::int64_t r = 0; r < count; ++r) std::memcpy(to + r * bytes, row(part, r), static_cast<std::size_t>(bytes));
        });
    }
};

}   // namespace detail

namespace detail {
/// The first table that another step than a lookup reads, or that two rules move; empty if all are right.
template<class P>
constexpr std::string_view first_used_otherwise() {
    using list = table_steps<P, has_rows_with_slots>;
    for (int k = 0; k < list::count(); ++k)
        if (int const step = list::step_of(k); !list::is_only_read_by(step, looks_up_rows)) return list::name_of(step);
    return {};
}
template<fixed_string Name>
struct table_used_otherwise {
    static_assert(sizeof(Name) == 0,
        "xgrad::interleaved_rows(trainer): a table is read otherwise than by gather and embedding_bag, or moved by several "
        "rules: table_used_otherwise<...> names it; call the trainer itself");
};
template<class P>
struct table_used_otherwise_of : table_used_otherwise<make_text([] { return first_used_otherwise<P>(); })> {};
}

/// Steps of a trainer that keep each row of a table next to its slots. The results are bitwise equal to those of the trainer's
/// steps.
///
///     the trainer:        w[0] w[1] w[2] …      m[0] m[1] m[2] …      v[0] v[1] v[2] …
///     interleaved_rows:   w[0] m[0] v[0]  w[1] m[1] v[1]  w[2] m[2] v[2] …
///
/// A short row and its slots then fill one or two cache lines, and not three or more.
///
///     auto train = xg::minimize(loss, xg::adagrad{.learning_rate = 0.1}, users = 10'000'000);
///     xg::interleaved_rows step{train};
///     for (auto const& b : batches) step(ids = b.ids, y = b.labels);
///
/// * It applies to variables that are read only by gather and embedding_bag. Their rule must touch only the rows that occur and
///   have slots per element. Other variables, and slots of another scope or type, keep their place.
/// * The first step copies the rows. Any other access to the variables copies all of them back: value(), slot(), a call of a
///   function or of the trainer, save, grow. The next step copies them again. Each copy is a pass over the tables, so do it
///   rarely.
/// * A view that was taken before a step shows the values before it.
/// * It needs the memory of the tables and their slots a second time. A step allocates nothing, unless a table has grown.
/// * docs/performance.md has the gain.
template<class P>
class interleaved_rows : held_rows {
    using list = detail::table_steps<P, detail::has_rows_with_slots>;
    static constexpr int count = list::count();
    static constexpr bool looked_up = detail::first_used_otherwise<P>().empty();
    static_assert(count > 0,
        "xgrad::interleaved_rows(trainer): no rule moves only those rows of a table that occur, with slots of its type; write "
        "lazy_adam, adagrad, momentum or ftrl, and gather(table, ids)");
    static_assert(sizeof(typename detail::said<looked_up>::template by<detail::table_used_otherwise_of<P>>) > 0);

    trainer<P>& train_;
    variable_store& store_;
    detail::rows_with_slots tables_[count > 0 ? count : 1];
    step_arguments steps_[P::plan.step_count];
    operand_argument operands_[P::plan.operand_count > 0 ? P::plan.operand_count : 1];

    auto& state() { return step_driver::state(train_); }
    template<class F>
    void each(F const& f) {   // calls f(table, variable, slots); does not bring rows back
        for (auto& t : tables_) f(t, store_.declared(t.variable), *train_.optimizer().find(t.variable));
    }
    template<int K>
    void describe() {
        constexpr planner::plan_step s = P::plan.steps[list::step_of(K)];
        tables_[K].step = list::step_of(K);
        tables_[K].variable = store_.index_of(state().run.plan().variables[s.variable].hash);
        tables_[K].slot_count =
            detail::has_rows_with_slots::slots_beside<std::tuple_element_t<static_cast<std::size_t>(s.group), typename P::rules>>(s);
    }

    static void give_back(held_rows& h) {
        auto& self = static_cast<interleaved_rows&>(h);
        self.each([](auto& t, stored_variable const& v, stored_slots const& s) { t.give_back(v, s); });
    }
    static std::byte* row_of(held_rows& h, int variable, int slot, std::int64_t r) {
        auto& self = static_cast<interleaved_rows&>(h);
        for (auto& t : self.tables_) {
            if (t.variable != variable || r >= t.count) continue;
            int const part = slot < 0 ? 0 : t.part_of_slot(*self.optimizer->find(variable), slot);
            return slot >= 0 && part == 0 ? nullptr : t.row(part, r);
        }
        return nullptr;
    }

    // Makes the arguments of a step, with the tables at their current place.
    void place() {
        step_arguments const* const given = state().run.arguments();
        for (int i = 0; i < P::plan.step_count; ++i) {
            planner::plan_step const& s = P::plan.steps[i];
            steps_[i] = given[i];
            steps_[i].operands = operands_ + s.first_operand;
            for (int k = 0; k < s.operand_count; ++k) operands_[s.first_operand + k] = given[i].operands[k];
        }
        for (auto& t : tables_) {
            planner::plan_step const& update = P::plan.steps[t.step];
            std::int64_t const apart = t.parts() * t.bytes / static_cast<std::int64_t>(size_of(update.type));
            step_arguments& a = steps_[t.step];
            a.parameter = t.row(0, 0);
            a.rule_slots = t.slots;
            a.row_step = apart;
            for (int k = 0; k < P::plan.operand_count; ++k)
                if (planner::step_operand const& o = P::plan.operands[k];
                    o.base == planner::step_operand::where::variable && o.index == update.variable) {
                    operands_[k].data = t.row(0, 0);
                    operands_[k].stride[0] = apart;
                }
        }
    }

public:
    /// The trainer must outlive this object.
    explicit interleaved_rows(trainer<P>& train) : held_rows{&train.optimizer(), give_back, row_of}, train_(train), store_(train.store()) {
        [&]<int... K>(std::integer_sequence<int, K...>) { (describe<K>(), ...); }(std::make_integer_sequence<int, count>{});
    }
    interleaved_rows(interleaved_rows const&) = delete;
    interleaved_rows& operator=(interleaved_rows const&) = delete;
    ~interleaved_rows() {
        if (store_.held() == this) store_.bring_back();
    }

    /// Runs one training step and returns the outputs before the update. Throws like a step of the trainer.
    template<class... B>
    auto operator()(B const&... bindings) {
        auto& s = state();
        auto const [next, here] = step_driver::bind_held(train_, *this, bindings...);
        if (!here) {
            each([](auto& t, stored_variable const& v, stored_slots const&) { t.make_room(v); });
            each([](auto& t, stored_variable const& v, stored_slots const& slots) { t.take(v, slots); });
            store_.hold(this);
        }
        place();
        step_driver::run(train_, steps_, next);
        s.look_or_throw(store_);
        return detail::results<P>(s.run);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
