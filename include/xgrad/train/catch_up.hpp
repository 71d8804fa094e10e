// SPDX-License-Identifier: MIT
// Steps that leave a table as dense steps would, at the cost of the rows that occur. Other rows are brought up to date before
// they are read again.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/train/tables/idle_rows.hpp>
#include <xgrad/train/minimize.hpp>
#include <xgrad/train/step_driver.hpp>
#include <xgrad/train/tables/table_steps.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

struct falls_behind {
    template<class R>
    static constexpr bool of(planner::plan_step const&) {
        return R::sparse == sparse_semantics::lazy && !std::is_same_v<R, set_value>;
    }
};
struct has_power {
    template<class R>
    static constexpr bool of(planner::plan_step const& s) {
        bool own = falls_behind::of<R>(s) && s.memory == s.type;
        for (slot_info const& slot : rule_slots<R>) own = own && slot.type == dtype::literal;
        return own && idle_is_linear<R> && moves_elements<R> && power_count<R> == 0;
    }
};
/// The tables of a program whose idle rows miss steps, and whether a step can bring rows up to date before it reads them.
template<class P>
struct idle_tables : table_steps<P, falls_behind> {
    /// The first table whose rule has no closed form; empty if all are right.
    static constexpr std::string_view first_not_linear() {
        for (int i = 0; i < P::plan.step_count; ++i)
            if (idle_tables::is_table(i) && !table_steps<P, has_power>::is_table(i)) return idle_tables::name_of(i);
        return {};
    }
    /// The first table that is not read only by lookups of the input that its update takes too; empty if all are right.
    static constexpr std::string_view first_read_otherwise() {
        using where = planner::step_operand::where;
        for (int i = 0; i < P::plan.step_count; ++i) {
            if (!idle_tables::is_table(i)) continue;
            planner::step_operand const ids = P::plan.operands[P::plan.steps[i].first_operand + 1];
            auto const by_these = [&](planner::plan_step const& s) {
                bool found = false;
                for (int k = 0; k < s.operand_count; ++k)
                    if (planner::step_operand const o = P::plan.operands[s.first_operand + k];
                        o.base == where::input && o.index == ids.index)
                        found = true;
                return found && looks_up_rows(s);
            };
            if (ids.base != where::input || !idle_tables::is_only_read_by(i, by_these)) return idle_tables::name_of(i);
        }
        return {};
    }
};
// The name is a template argument, so the compiler prints it.
template<fixed_string Name>
struct table_without_closed_form {
    static_assert(sizeof(Name) == 0,
        "xgrad::catch_up(trainer): a rule has no closed form for idle steps of its table: table_without_closed_form<...> names "
        "it; write momentum or gradient_descent, also with l2_regularization or decoupled_decay");
};
template<fixed_string Name>
struct table_read_otherwise {
    static_assert(sizeof(Name) == 0,
        "xgrad::catch_up(trainer): a table is read otherwise than by gather(table, ids) with the ids of one input: "
        "table_read_otherwise<...> names it; train it in lazy or dense steps");
};
template<class P>
struct table_without_closed_form_of : table_without_closed_form<make_text([] { return idle_tables<P>::first_not_linear(); })> {};
template<class P>
struct table_read_otherwise_of : table_read_otherwise<make_text([] { return idle_tables<P>::first_read_otherwise(); })> {};

}   // namespace detail

/// Steps of a trainer that touch only the rows that occur and leave tables as dense steps would, up to rounding:
///
///     auto train = xg::minimize(loss, xg::momentum{.learning_rate = 0.1});
///     xg::catch_up step{train};
///     for (auto const& b : batches) step(ids = b.ids, y = b.labels);
///
/// An idle step of a row is a linear map. When a row that was idle for k steps is looked up again, it takes the kth power of that
/// map.
///
/// * Rules: momentum, with Nesterov or without, gradient_descent, and chains of these with l2_regularization and decoupled_decay.
/// * Variables with dense gradients, and tables that a rule moves exactly, are moved as by the trainer.
/// * If a hyper-parameter differs from that of the step before, all rows are brought up to date first. This is a pass over the
///   table, so a schedule should change now and then and not in each step.
/// * All rows are also brought up to date when this object ends, and before the variable or its slots are read. value(), save, and
///   calls of a function or of the trainer read them. A view that was taken before a step may show rows that are not up to date.
/// * It keeps 8 bytes for each row. A step allocates nothing, unless the table has grown.
///
/// Source: the just-in-time regularization of Carpenter 2008 (Lazy Sparse Stochastic Gradient Descent for Regularized Multinomial
/// Logistic Regression), as powers of a matrix.
template<class P>
class catch_up : held_rows {
    using list = detail::idle_tables<P>;
    using every_table = std::make_index_sequence<static_cast<std::size_t>(list::count())>;
    static constexpr bool linear = list::first_not_linear().empty(), looked_up = list::first_read_otherwise().empty();
    static_assert(sizeof(typename detail::said<linear>::template by<detail::table_without_closed_form_of<P>>) > 0);
    static_assert(sizeof(typename detail::said<looked_up>::template by<detail::table_read_otherwise_of<P>>) > 0);

    template<std::size_t K>
    static constexpr planner::plan_step update = P::plan.steps[list::step_of(static_cast<int>(K))];
    template<std::size_t K>
    using rows_of =
        detail::idle_rows<std::tuple_element_t<static_cast<std::size_t>(update<K>.group), typename P::rules>, cpp_type_t<update<K>.type>>;
    template<class Numbers>
    struct rows_tuple;
    template<std::size_t... K>
    struct rows_tuple<std::index_sequence<K...>> {
        using type = std::tuple<rows_of<K>...>;
    };

    trainer<P>& train_;
    typename rows_tuple<every_table>::type rows_;
    std::int64_t now_ = 0;   // the number of steps of the trainer

    auto& state() { return step_driver::state(train_); }
    // Calls f(number, rows, variable, slots) for each table.
    template<class F>
    void each(F const& f) {
        [&]<std::size_t... K>(std::index_sequence<K...>) { (visit_table<K>(f), ...); }(every_table{});
    }
    template<std::size_t K, class F>
    void visit_table(F const& f) {
        auto& rows = std::get<K>(rows_);
        f(std::integral_constant<std::size_t, K>{}, rows, train_.store().declared(rows.variable), *train_.optimizer().find(rows.variable));
    }
    // Calls f with the indices of the update of table K. The call must be bound.
    template<std::size_t K, class F>
    void with_indices(F const& f) {
        step_arguments const& a = state().run.arguments()[list::step_of(static_cast<int>(K))];
        f(reinterpret_cast<cpp_type_t<update<K>.index_type> const*>(a.operands[1].data), a.extent[0]);
    }
    static void bring_all(held_rows& h) {
        auto& self = static_cast<catch_up&>(h);
        self.each([&](auto, auto& rows, stored_variable const& v, stored_slots const& slots) { rows.bring_all(v, slots, self.now_); });
    }
    static std::byte* start_row(held_rows& h, int variable, int, std::int64_t row) {
        auto& self = static_cast<catch_up&>(h);
        self.each([&](auto, auto& rows, stored_variable const&, stored_slots const&) {
            if (rows.variable == variable) rows.start_row(row, self.now_);
        });
        return nullptr;
    }

public:
    /// The trainer must outlive this object.
    explicit catch_up(trainer<P>& train) : held_rows{&train.optimizer(), bring_all, start_row}, train_(train) {
        [&]<std::size_t... K>(std::index_sequence<K...>) {
            ((std::get<K>(rows_).variable = train.store().index_of(state().run.plan().variables[update<K>.variable].hash)), ...);
        }(every_table{});
    }
    catch_up(catch_up const&) = delete;
    catch_up& operator=(catch_up const&) = delete;
    ~catch_up() {
        if (train_.store().held() == this) train_.store().bring_back();
    }

    /// Runs one training step and returns the outputs before the update. Throws like a step of the trainer. After an exception
    /// rows may have been brought up to date; no value has changed otherwise.
    template<class... B>
    auto operator()(B const&... bindings) {
        auto& s = state();
        auto const [next, here] = step_driver::bind_held(train_, *this, bindings...);
        if (!here) {
            now_ = train_.global_step();
            each([&](auto, auto& rows, stored_variable const& v, stored_slots const&) { rows.start(v, now_); });
            train_.store().hold(this);
        }
        each([&]<std::size_t K>(std::integral_constant<std::size_t, K>, auto& rows, stored_variable const& v, stored_slots const& slots) {
            auto const& scalars = s.template scalars_of<static_cast<std::size_t>(update<K>.group), cpp_type_t<update<K>.type>>();
            rows.begin(scalars, v, slots, now_);
            with_indices<K>([&](auto const* ids, std::int64_t count) { rows.bring_those(ids, count, v, slots, now_); });
        });
        step_driver::run(train_, s.run.arguments(), next);
        ++now_;
        each([&]<std::size_t K>(std::integral_constant<std::size_t, K>, auto& rows, stored_variable const&, stored_slots const&) {
            with_indices<K>([&](auto const* ids, std::int64_t count) { rows.count_those(ids, count, now_); });
        });
        s.look_or_throw(train_.store());
        return detail::results<P>(s.run);
    }
};

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
