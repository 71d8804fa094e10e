// SPDX-License-Identifier: MIT
// Steps that leave a table as dense ones would, at the cost of the rows that occur: rows that did not are brought up to date before they are read again.
#pragma once

#include <xgrad/kernels/slot_pointers.hpp>
#include <xgrad/train/minimize.hpp>

#include <array>
#include <limits>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The rows of one table, of which each has taken some number of the steps so far. A step without a gradient is a linear map of an element and its slots, so
/// that k of them are its kth power; it is found by what the update body makes of the unit vectors.
template<class Rule, class T>
class idle_rows {
    static constexpr int n = slot_count<Rule> + 1;   // the element first
    using matrix = std::array<double, n * n>;
    std::array<matrix, 63> powers_{};   // 1, 2, 4 … idle steps
    sequence<std::int64_t> taken_;      // steps of each row

    static matrix product(matrix const& a, matrix const& b) {
        matrix c{};
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                for (int k = 0; k < n; ++k) c[i * n + j] += a[i * n + k] * b[k * n + j];
        return c;
    }
    static matrix idle_step(typename Rule::template scalars<T> const& s) {
        matrix all{};
        for (int j = 0; j < n; ++j) {
            double v[n + 1]{};
            v[j] = 1;
            Rule::update(s, v[0], 0.0, v + 1);
            for (int i = 0; i < n; ++i) all[i * n + j] = v[i];
        }
        return all;
    }
    matrix power(std::int64_t k) const {
        matrix all{};
        for (int i = 0; i < n; ++i) all[i * n + i] = 1;
        for (int bit = 0; k >> bit != 0; ++bit)
            if (k >> bit & 1) all = product(powers_[bit], all);
        return all;
    }

    std::int64_t last_ = 0;   // how many steps `missed_` is of
    matrix missed_{};

    void bring(stored_variable const& v, stored_slots const& s, std::int64_t row, std::int64_t now) {
        std::int64_t const k = now - taken_.at[row];
        if (k == 0) return;
        if (k != last_) {
            missed_ = power(k);
            last_ = k;
        }
        taken_.at[row] = now;
        std::int64_t const length = v.size / v.extents[0];
        T* at[n]{static_cast<T*>(v.data) + row * length};
        for (int i = 1; i < n; ++i) at[i] = static_cast<T*>(s.slots[i - 1]) + row * length;
        using V = simd::batch<T>;
        constexpr auto width = static_cast<std::int64_t>(V::size);
        auto const move = [&, m = missed_](std::int64_t e, auto const& load, auto const& store) {
            V old[n];
            for (int i = 0; i < n; ++i) old[i] = load(at[i] + e);
            for (int i = 0; i < n; ++i) {
                V sum = V(static_cast<T>(m[i * n])) * old[0];
                for (int j = 1; j < n; ++j) sum += V(static_cast<T>(m[i * n + j])) * old[j];
                store(at[i] + e, sum);
            }
        };
        std::int64_t e = 0;
        for (; e + width <= length; e += width)
            move(
                e, [](T const* p) { return simd::load(p); }, [](T* p, V x) { simd::store(p, x); });
        if (auto const rest = static_cast<std::size_t>(length - e); rest > 0)
            move(
                e, [&](T const* p) { return simd::load_partial(p, rest); }, [&](T* p, V x) { simd::store_partial(p, x, rest); });
    }
    void prefetch(stored_variable const& v, stored_slots const& s, std::int64_t row) const {
        std::int64_t const length = v.size / v.extents[0];
        kernels::detail::prefetch_row(static_cast<T const*>(v.data) + row * length, length);
        for (int i = 1; i < n; ++i) kernels::detail::prefetch_row(static_cast<T const*>(s.slots[i - 1]) + row * length, length);
    }

public:
    /// Rows that have been added since the last step have missed nothing. Throws std::bad_alloc, and nothing has changed.
    void measure(stored_variable const& v, std::int64_t now) {
        if (taken_.count == v.extents[0]) return;
        sequence<std::int64_t> taken(static_cast<int>(v.extents[0]), now);
        for (int r = 0; r < std::min(taken_.count, taken.count); ++r) taken.at[r] = taken_.at[r];
        taken_.swap(taken);
    }
    /// All rows.
    void bring_all(stored_variable const& v, stored_slots const& s, std::int64_t now) {
        for (std::int64_t r = 0; r < taken_.count; ++r) bring(v, s, r, now);
    }
    /// Once the scalars of a step are known: where an idle step is another one than before, all rows take what they have missed of the old ones.
    void begin(typename Rule::template scalars<T> const& scalars, stored_variable const& v, stored_slots const& s, std::int64_t now) {
        matrix const next = idle_step(scalars);
        if (next == powers_[0]) return;
        bring_all(v, s, now);
        powers_[0] = next;
        for (std::size_t bit = 1; bit < powers_.size(); ++bit) powers_[bit] = product(powers_[bit - 1], powers_[bit - 1]);
        last_ = 0;
    }
    template<class Index>
    void bring_those(Index const* rows, std::int64_t count, stored_variable const& v, stored_slots const& s, std::int64_t now) {
        constexpr std::int64_t near = 24, far = 48;   // rows ahead: of what is written, and of what says whether it is
        for (std::int64_t k = 0; k < count; ++k) {
            if (k + far < count) __builtin_prefetch(taken_.at + rows[k + far], 1);
            if (k + near < count && taken_.at[rows[k + near]] != now) prefetch(v, s, static_cast<std::int64_t>(rows[k + near]));
            bring(v, s, static_cast<std::int64_t>(rows[k]), now);
        }
    }
    /// They have taken the step themselves.
    template<class Index>
    void count_those(Index const* rows, std::int64_t count, std::int64_t behind) {
        for (std::int64_t k = 0; k < count; ++k) taken_.at[rows[k]] = behind;
    }
};

/// The tables of a program whose rows fall behind: which updates they are, and whether a step can bring the rows up to date before it reads them.
template<class P>
struct idle_tables {
    template<class R>
    static constexpr bool falls_behind = R::sparse == sparse_semantics::lazy && !std::is_same_v<R, set_value>;
    template<class R>
    static constexpr bool has_power = [] {
        bool own = true;
        for (slot_info const& s : rule_slots<R>) own = own && s.type == dtype::literal;
        return own && idle_is_linear<R> && moves_elements<R> && power_count<R> == 0;
    }();
    template<class Says>
    static consteval bool of_group(int group, Says says) {
        return [&]<std::size_t... G>(std::index_sequence<G...>) {
            return ((group == static_cast<int>(G) && says(std::type_identity<std::tuple_element_t<G, typename P::rules>>{})) || ...);
        }(std::make_index_sequence<std::tuple_size_v<typename P::rules>>{});
    }
    static consteval bool is_table(int i) {
        planner::plan_step const s = P::plan.steps[i];
        return s.kind == planner::step_kind::update && s.sparse &&
               of_group(s.group, []<class R>(std::type_identity<R>) { return falls_behind<R>; });
    }
    static consteval int count() {
        int all = 0;
        for (int i = 0; i < P::plan.step_count; ++i) all += is_table(i);
        return all;
    }
    static consteval int step_of(int k) {
        int i = 0;
        for (;; ++i)
            if (is_table(i) && k-- == 0) return i;
    }
    static consteval bool are_linear() {
        for (int i = 0; i < P::plan.step_count; ++i)
            if (is_table(i)) {
                planner::plan_step const s = P::plan.steps[i];
                if (s.memory != s.type || !of_group(s.group, []<class R>(std::type_identity<R>) { return has_power<R>; })) return false;
            }
        return true;
    }
    static consteval bool is_lookup(planner::plan_step const& s, planner::step_operand const& ids) {
        if (s.kind != planner::step_kind::kernel ||
            (s.op->name != std::string_view("gather") && s.op->name != std::string_view("embedding_bag")))
            return false;
        for (int k = 0; k < s.operand_count; ++k)
            if (planner::step_operand const o = P::plan.operands[s.first_operand + k];
                o.base == planner::step_operand::where::input && o.index == ids.index)
                return true;
        return false;
    }
    /// Each is read by lookups of one input alone, that which its update takes too.
    static consteval bool are_looked_up() {
        using where = planner::step_operand::where;
        for (int i = 0; i < P::plan.step_count; ++i) {
            if (!is_table(i)) continue;
            planner::plan_step const u = P::plan.steps[i];
            planner::step_operand const ids = P::plan.operands[u.first_operand + 1];
            if (ids.base != where::input) return false;
            for (int j = 0; j < P::plan.step_count; ++j) {
                planner::plan_step const s = P::plan.steps[j];
                if (s.kind == planner::step_kind::scan || (j != i && s.kind == planner::step_kind::update && s.variable == u.variable))
                    return false;
                for (int k = 0; k < s.operand_count; ++k)
                    if (planner::step_operand const o = P::plan.operands[s.first_operand + k];
                        o.base == where::variable && o.index == u.variable)
                        if (!is_lookup(s, ids)) return false;
            }
            for (int k = 0; k < P::plan.output_count; ++k)
                if (P::plan.outputs[k].base == where::variable && P::plan.outputs[k].index == u.variable) return false;
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
///     step.finish();   // before anything else reads, saves or moves the table
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
        "l2_regularization and decoupled_decay, for variables of float or double");
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
    trainer<P>& train_;
    typename rows_tuple<every_table>::type rows_;
    std::int64_t now_;   // steps of the trainer

    auto& state() { return *train_.state_; }
    template<class F>
    void each(F const& f) {
        [&]<std::size_t... K>(std::index_sequence<K...>) { (visit_table<K>(f), ...); }(every_table{});
    }
    // f(number, rows, variable, slots)
    template<std::size_t K, class F>
    void visit_table(F const& f) {
        stored_variable const& v = *train_.store().find(state().run.plan().variables[update<K>.variable].hash);
        f(std::integral_constant<std::size_t, K>{}, std::get<K>(rows_), v, state().slots_of(train_.store(), v));
    }
    // What the update reads of indices, once a call is bound.
    template<std::size_t K, class F>
    void with_indices(F const& f) {
        step_arguments const& a = state().run.arguments()[list::step_of(static_cast<int>(K))];
        f(reinterpret_cast<cpp_type_t<update<K>.index_type> const*>(a.operands[1].data), a.extent[0]);
    }
    void require() const {
        if (train_.global_step() != now_)
            raise<binding_error>(
                "xgrad::catch_up: the trainer has been moved past this object, by a step of its own, a checkpoint or reset_optimizer(); call finish() "
                "before, and make a new catch_up behind it");
    }

public:
    /// The trainer outlives it, and its tables are up to date now.
    explicit catch_up(trainer<P>& train) : train_(train), now_(train.global_step()) {
        each([&](auto, auto& rows, stored_variable const& v, stored_slots const&) { rows.measure(v, now_); });
    }
    catch_up(catch_up const&) = delete;
    catch_up& operator=(catch_up const&) = delete;

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
        each([&](auto, auto& rows, stored_variable const& v, stored_slots const&) { rows.measure(v, now_); });
        each([&]<std::size_t K>(std::integral_constant<std::size_t, K>, auto& rows, stored_variable const& v, stored_slots const& slots) {
            auto const& scalars = s.template scalars_of<static_cast<std::size_t>(update<K>.group), cpp_type_t<update<K>.type>>();
            rows.begin(scalars, v, slots, now_);
            with_indices<K>([&](auto const* ids, std::int64_t count) { rows.bring_those(ids, count, v, slots, now_); });
        });
        if (status const wrong = train_.template finish<0>(s.run.arguments(), next, typename trainer<P>::every_group{}); !wrong)
            s.run.fail(wrong);
        ++now_;
        each([&]<std::size_t K>(std::integral_constant<std::size_t, K>, auto& rows, stored_variable const&, stored_slots const&) {
            with_indices<K>([&](auto const* ids, std::int64_t count) { rows.count_those(ids, count, now_); });
        });
        return detail::results<P>(s.run);
    }
    /// Brings all rows up to date: before train.value(table), a checkpoint, a function or another trainer of the same variables. Steps may follow.
    /// Throws binding_error where the trainer has been moved otherwise since the last step.
    void finish() {
        require();
        each([&](auto, auto& rows, stored_variable const& v, stored_slots const& slots) {
            rows.measure(v, now_);
            rows.bring_all(v, slots, now_);
        });
    }
};

XGRAD_NAMESPACE_END
