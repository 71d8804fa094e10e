// SPDX-License-Identifier: MIT
// Steps that leave a table as dense ones would, at the cost of the rows that occur: rows that did not are brought up to date before they are read again.
#pragma once

#include <xgrad/train/idle_rows.hpp>
#include <xgrad/train/minimize.hpp>
#include <xgrad/train/table_steps.hpp>

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
/// The tables of a program whose rows fall behind, and whether a step can bring the rows up to date before it reads them.
template<class P>
struct idle_tables : table_steps<P, falls_behind> {
    static consteval bool are_linear() { return table_steps<P, has_power>::count() == idle_tables::count(); }
    /// Each is read by lookups of one input alone, that which its update takes too.
    static consteval bool are_looked_up() {
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
            if (ids.base != where::input || !idle_tables::is_only_read_by(i, by_these)) return false;
        }
        return true;
    }
};

}   // namespace detail

/// Steps of a trainer after which tables are what dense steps would make of them, up to rounding, though a step touches only the rows that occur: a row that has
/// been idle for k steps is brought up to date when it is looked up again, by the kth power of the linear map that an idle step is:
///
///     auto train = xg::minimize(loss, xg::momentum{.learning_rate = 0.1});
///     xg::catch_up step{train};
///     for (auto const& b : batches) step(ids = b.ids, y = b.labels);
///     step.finish();   // before anything else reads or moves the table, and before a checkpoint that is saved without step.counts
///     save(train, path, {}, step.counts);  restore(train, path, step.counts);   // rows that are behind stay so
///
/// Rules: momentum, with Nesterov or without, gradient_descent, and chains of these with l2_regularization and decoupled_decay. Variables with dense gradients, and tables that a
/// rule moves exactly, are moved as by the trainer. Where a hyper-parameter is another one than in the step before, all rows take what they have missed first:
/// a pass over the table, so a schedule should change now and then and not in each step.
/// Source: the just-in-time regularization of Carpenter 2008 (Lazy Sparse Stochastic Gradient Descent for Regularized Multinomial Logistic Regression), as powers of a matrix.
/// Keeps 8 bytes for each row. A step allocates nothing, unless the table has grown.
template<class P>
class catch_up {
    using list = detail::idle_tables<P>;
    using every_table = std::make_index_sequence<static_cast<std::size_t>(list::count())>;
    static constexpr bool linear = list::are_linear(), looked_up = list::are_looked_up();
    static_assert(linear,
        "xgrad::catch_up(trainer): a rule that moves a table has idle steps without a closed form; it must be momentum, gradient_descent, or a chain of one with "
        "l2_regularization and decoupled_decay, without clipping, for variables of float or double");
    static_assert(looked_up,
        "xgrad::catch_up(trainer): a table must be read by lookups of one input alone, gather(table, ids), or rows would be read before they are brought up to date; "
        "of computed ids, scan, outputs and assignments of the table take lazy or dense steps");

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

    /// How many steps each row has taken, and what an idle step is: what a checkpoint keeps of rows that are behind.
    class row_counts {
        friend class catch_up;
        trainer<P>* train_;
        std::string label_;
        typename rows_tuple<every_table>::type rows_;
        std::int64_t now_, replaced_;   // the trainer's, as these counts know them

        template<class Self, class F>
        static void each(Self& self, F const& f) {   // f(number, rows, variable)
            std::apply([&](auto&... rows) { (f(rows, self.train_->store().variables().at[rows.variable]), ...); }, self.rows_);
        }
        static row_counts none(trainer<P>& train, std::string_view label) {
            row_counts all;
            all.train_ = &train;
            all.label_ = std::string(label);
            all.now_ = train.global_step();
            all.replaced_ = train.optimizer().replaced;
            [&]<std::size_t... K>(std::index_sequence<K...>) {
                ((std::get<K>(all.rows_).variable = train.store().index_of(train.state_->run.plan().variables[update<K>.variable].hash)),
                    ...);
            }(every_table{});
            return all;
        }
        row_counts() = default;

    public:
        // For checkpoints: what is saved, as what, and back.
        static constexpr std::string_view saved_as = "counts", broken = "does not count the steps of the rows of these tables";
        std::string_view name() const { return label_; }
        std::vector<std::int64_t> numbers() const {
            std::vector<std::int64_t> all{now_};
            each(*this, [&](auto const& rows, stored_variable const& v) { rows.save(all, v, now_); });
            return all;
        }
        row_counts blank() const { return none(*train_, label_); }
        /// These in place of all, for a trainer into which the file is being restored; false where they cannot be, and nothing has been changed then.
        bool assign(std::span<std::int64_t const> numbers) {
            if (numbers.empty() || numbers[0] < 0) return false;
            row_counts other = blank();
            other.now_ = numbers[0];
            ++other.replaced_;
            numbers = numbers.subspan(1);
            bool fits = true;
            each(other, [&](auto& rows, stored_variable const& v) { fits = fits && rows.load(numbers, v, other.now_); });
            if (!fits || !numbers.empty()) return false;
            *this = std::move(other);
            return true;
        }
    };

private:
    trainer<P>& train_;

    auto& state() { return *train_.state_; }
    // f(number, rows, variable, slots)
    template<class F>
    void each(F const& f) {
        [&]<std::size_t... K>(std::index_sequence<K...>) { (visit_table<K>(f), ...); }(every_table{});
    }
    template<std::size_t K, class F>
    void visit_table(F const& f) {
        auto& rows = std::get<K>(counts.rows_);
        stored_variable const& v = train_.store().variables().at[rows.variable];
        f(std::integral_constant<std::size_t, K>{}, rows, v, state().slots_of(train_.store(), v));
    }
    // What the update reads of indices, once a call is bound.
    template<std::size_t K, class F>
    void with_indices(F const& f) {
        step_arguments const& a = state().run.arguments()[list::step_of(static_cast<int>(K))];
        f(reinterpret_cast<cpp_type_t<update<K>.index_type> const*>(a.operands[1].data), a.extent[0]);
    }
    void require() {
        bool own = train_.global_step() == counts.now_ && train_.optimizer().replaced == counts.replaced_;
        each([&](auto, auto& rows, stored_variable const&, stored_slots const& s) { own = own && s.taken == rows.taken(); });
        if (!own)
            raise<binding_error>(
                "xgrad::catch_up: the trainer has been moved past this object, by a step of its own, a checkpoint, reset_optimizer() or another catch_up; "
                "call finish() before, and make a new catch_up behind it; a checkpoint that was saved with its counts is restored with them, "
                "restore(train, path, step.counts)");
    }
    // So that others who make rows anew can say that these have missed nothing.
    template<class Rows>
    void attach(Rows& rows, aligned_buffer<std::int64_t>* from, aligned_buffer<std::int64_t>* to) {
        for (stored_slots& s : state().slots.all())
            if (s.variable == rows.variable && (from == nullptr || s.taken == from)) s.taken = to;
    }

public:
    row_counts counts;

    /// The trainer outlives it, and its tables are up to date now. `label`: in checkpoints.
    explicit catch_up(trainer<P>& train, std::string_view label = "catch_up") : train_(train), counts(row_counts::none(train, label)) {
        each([&](auto, auto& rows, stored_variable const& v, stored_slots const&) {
            rows.measure(v, counts.now_);
            attach(rows, nullptr, rows.taken());
        });
    }
    catch_up(catch_up const&) = delete;
    catch_up& operator=(catch_up const&) = delete;
    ~catch_up() {
        each([&](auto, auto& rows, stored_variable const&, stored_slots const&) { attach(rows, rows.taken(), nullptr); });
    }

    /// One training step. Returns the outputs before the update. Throws as a step of the trainer, and binding_error where the trainer has been moved otherwise since the
    /// last one; then no value has changed but by what rows had missed.
    template<class... B>
    auto operator()(B const&... bindings) {
        require();
        auto const a = train_.arguments_of(bindings...);
        auto& s = state();
        if (status const wrong = s.settle_rules(); !wrong) s.run.fail(wrong);
        double* const next = train_.begin(typename trainer<P>::every_group{});
        if (status const wrong = train_.bind(a, true); !wrong) s.run.fail(wrong);   // indices among it
        each([&](auto, auto& rows, stored_variable const& v, stored_slots const&) { rows.measure(v, counts.now_); });
        each([&]<std::size_t K>(std::integral_constant<std::size_t, K>, auto& rows, stored_variable const& v, stored_slots const& slots) {
            auto const& scalars = s.template scalars_of<static_cast<std::size_t>(update<K>.group), cpp_type_t<update<K>.type>>();
            rows.begin(scalars, v, slots, counts.now_);
            with_indices<K>([&](auto const* ids, std::int64_t count) { rows.bring_those(ids, count, v, slots, counts.now_); });
        });
        if (status const wrong = train_.template finish<0>(s.run.arguments(), next, typename trainer<P>::every_group{}); !wrong)
            s.run.fail(wrong);
        ++counts.now_;
        each([&]<std::size_t K>(std::integral_constant<std::size_t, K>, auto& rows, stored_variable const&, stored_slots const&) {
            with_indices<K>([&](auto const* ids, std::int64_t count) { rows.count_those(ids, count, counts.now_); });
        });
        return detail::results<P>(s.run);
    }
    /// Brings all rows up to date: before train.value(table), a checkpoint, a function or another trainer of the same variables. Steps may follow.
    /// Throws binding_error where the trainer has been moved otherwise since the last step.
    void finish() {
        require();
        each([&](auto, auto& rows, stored_variable const& v, stored_slots const& slots) {
            rows.measure(v, counts.now_);
            rows.bring_all(v, slots, counts.now_);
        });
    }
};

XGRAD_NAMESPACE_END
