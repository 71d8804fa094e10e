// SPDX-License-Identifier: MIT
// Steps over small bodies in registers: loops, calls and branches. Rows are read and written where the step has its operands.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/compile/number_program.hpp>
#include <xgrad/kernels/long_sums.hpp>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// Where a step has its operands and outputs.
struct number_memory {
    std::byte* const* operands;
    std::byte* const* outputs;
    std::int64_t length;   // of what a loop stacks
    call_fault* fault;
};
/// The number of iterations, or the index of a branch.
template<class Body>
XGRAD_KERNEL std::int64_t control_in(number_memory const& m) {
    constexpr region_form const& f = Body::form;
    using T = cpp_type_t<f.operand[f.inputs()]->type>;
    T x;
    std::memcpy(&x, m.operands[f.inputs()], sizeof(T));
    return static_cast<std::int64_t>(x);
}

/// Carry K of a loop, in the type of its memory.
template<class Body, int K>
struct number_carry {
    number_row<cpp_type_t<Body::form.operand[K]->type>, small_elements(Body::form.operand[K]->dims)> row;
};
/// A sum over the iterations. Sums of floats over many iterations continue in double, as in region_turns.
template<class Body, int K>
struct number_sum {
    static constexpr value_info info = *Body::form.result[K];
    using T = cpp_type_t<info.type>;
    static constexpr int count = small_elements(info.dims);
    static constexpr bool may_be_long = kernels::sums_in_double<T>;
    number_row<T, count> row;
    number_row<double, may_be_long ? count : 1> total;

    XGRAD_KERNEL void start() {
        row.fill(T(0));
        if constexpr (may_be_long) total.fill(0);
    }
    XGRAD_KERNEL void move() {
        if constexpr (may_be_long) {
            total.add(converted<double>(row));
            row.fill(T(0));
        }
    }
    XGRAD_KERNEL void finish(bool is_long) {
        if constexpr (may_be_long)
            if (is_long) {
                move();
                row = converted<T>(total);
            }
    }
};
template<class Body, class Carries, class Outputs>
struct number_state;
/// A body and what its loop keeps: Carry are its carries, Output the outputs after them.
template<class Body, int... Carry, int... Output>
struct number_state<Body, std::integer_sequence<int, Carry...>, std::integer_sequence<int, Output...>> : number_carry<Body, Carry>...,
                                                                                                         number_sum<Body, Output>... {
    static constexpr region_form const& f = Body::form;
    static constexpr auto const& draft = Body::region::draft;
    static constexpr bool is_live(int k) { return Body::live.has(k); }
    static constexpr bool keeps_rows = [] {
        bool any = false;
        for (int k = 0; k < f.stacked; ++k) any = any || is_live(k);
        return any;
    }();
    static constexpr bool sums_floats = ((Output >= f.stacked && is_live(Output) && number_sum<Body, Output>::may_be_long) || ...);

    number_memory const& m;
    number_registers<Body> r;

    XGRAD_KERNEL explicit number_state(number_memory const& memory) : m(memory) {}

    template<int K>
    XGRAD_KERNEL auto& carry() {
        return static_cast<number_carry<Body, K>&>(*this).row;
    }
    // The bytes of output K of one iteration.
    template<int K>
    static constexpr std::int64_t bytes = decltype(number_sum<Body, K>::row)::bytes;
    template<int K>
    XGRAD_KERNEL std::byte* output() const {
        return m.outputs[f.carries + K];
    }
    // Whether the body reads operand K.
    template<int K>
    static constexpr bool reads = Body::needed.of[draft.operand[K]] && Body::operand_of_node(draft.operand[K]) == K;
    template<int K>
    XGRAD_KERNEL void load_operand([[maybe_unused]] std::int64_t turn) {
        if constexpr (reads<K>) {
            auto& row = r.template at<draft.operand[K]>();
            row.load(m.operands[K] + turn * row.bytes);
        }
    }
    template<int... K>
    XGRAD_KERNEL void load_operands(std::integer_sequence<int, K...>) {
        (load_operand<f.carries + f.slices + K>(0), ...);
    }
    template<int... K>
    XGRAD_KERNEL void load_slices([[maybe_unused]] std::int64_t turn, std::integer_sequence<int, K...>) {
        (load_operand<f.carries + K>(turn), ...);
    }
    template<int K>
    XGRAD_KERNEL void store_output(std::int64_t turn) {
        if constexpr (!is_live(K)) return;
        else if constexpr (K < f.emitted()) value_of_node<Body, draft.result[K]>(r).store(output<K>() + turn * bytes<K>);
        else if constexpr (K >= f.stacked) static_cast<number_sum<Body, K>&>(*this).row.add(value_of_node<Body, draft.result[K]>(r));
    }
    template<int K>
    XGRAD_KERNEL void store_history(std::int64_t turn) {
        if constexpr (is_live(f.emitted() + K)) carry<K>().store(output<f.emitted() + K>() + turn * bytes<f.emitted() + K>);
    }
    template<int K>
    XGRAD_KERNEL void clear_output(std::int64_t from, std::int64_t to) {
        constexpr int extra = f.kept != nullptr ? f.kept->extra : 0;
        if constexpr (K < f.emitted() - extra && is_live(K)) {
            auto const n = static_cast<std::size_t>((to - from) * bytes<K>);
            if (n > 0) std::memset(output<K>() + from * bytes<K>, 0, n);
        }
    }
    template<int K>
    XGRAD_KERNEL void finish_output(bool is_long) {
        if constexpr (K >= f.stacked && is_live(K)) {
            number_sum<Body, K>& sum = *this;
            sum.finish(is_long);
            sum.row.store(output<K>());
        }
    }
    // Of a call: a result is what its one run computes.
    template<int K>
    XGRAD_KERNEL void store_result() {
        if constexpr (is_live(K)) value_of_node<Body, draft.result[K]>(r).store(output<K>());
    }
    XGRAD_KERNEL void store_results() { (store_result<Output>(), ...); }
    template<class Condition>
    XGRAD_KERNEL void give_carries_to(Condition& asks) {
        (asks.template take_carry<Carry>(carry<Carry>()), ...);
    }
    template<int K, class Row>
    XGRAD_KERNEL void take_carry(Row const& row) {
        if constexpr (reads<K>) r.template at<draft.operand[K]>() = row;
    }
    XGRAD_KERNEL void start() {
        (carry<Carry>().load(m.operands[Carry]), ...);
        (static_cast<number_sum<Body, Output>&>(*this).start(), ...);
        load_operands(std::make_integer_sequence<int, f.captures>{});
    }
    XGRAD_KERNEL bool turn(std::int64_t at) {
        (store_history<Carry>(at), ...);
        load_slices(at, std::make_integer_sequence<int, f.slices>{});
        give_carries_to(*this);
        if (!r.run(*m.fault)) return false;
        (store_output<Output>(at), ...);
        next();
        return true;
    }
    // All values are computed before a carry changes.
    XGRAD_KERNEL void next() { assign_carries(value_of_node<Body, draft.next[Carry]>(r)...); }
    template<class... Row>
    XGRAD_KERNEL void assign_carries(Row const&... row) {
        (void(carry<Carry>() = row), ...);
    }
    XGRAD_KERNEL void move_sums() { (static_cast<number_sum<Body, Output>&>(*this).move(), ...); }
    XGRAD_KERNEL void finish(bool is_long) {
        (carry<Carry>().store(m.outputs[Carry]), ...);
        (finish_output<Output>(is_long), ...);
    }
    XGRAD_KERNEL void clear_rest(std::int64_t count) { (clear_output<Output>(count, m.length), ...); }
};
template<class Body>
using number_state_of = number_state<Body, std::make_integer_sequence<int, Body::form.carries>,
    std::make_integer_sequence<int, Body::form.stacked + Body::form.summed>>;

/// All iterations of a loop. Returns false if their number is out of range.
template<class Body>
XGRAD_KERNEL bool run_number_loop(number_memory const& m) {
    constexpr region_form const& f = Body::form;
    std::int64_t count = m.length;
    if constexpr (f.control > 0) {
        count = control_in<Body>(m);
        if (count < 0 || count > m.length) {
            *m.fault = {Body::region::name, count, m.length};
            return false;
        }
    }
    number_state_of<Body> s(m);
    s.start();
    if constexpr (f.control > 0) s.clear_rest(count);
    bool const is_long = s.sums_floats && count > kernels::terms_in_float;
    for (std::int64_t n = 0; n < count;) {
        std::int64_t const end = is_long && n + kernels::terms_in_float < count ? n + kernels::terms_in_float : count;
        for (; n < end; ++n)
            if (!s.turn(f.backwards ? count - 1 - n : n)) return false;
        if constexpr (s.sums_floats)
            if (is_long && n % kernels::terms_in_float == 0) s.move_sums();
    }
    s.finish(is_long);
    return true;
}
/// Iterations while the condition holds. Returns false if there is no memory for the history of an iteration.
template<class Body, class Condition>
XGRAD_KERNEL bool run_number_until(number_memory const& m) {
    constexpr region_form const& f = Body::form;
    number_state_of<Body> s(m);
    number_state_of<Condition> asks(m);
    s.start();
    asks.load_operands(std::make_integer_sequence<int, Condition::form.captures>{});
    std::int64_t n = 0;
    for (;; ++n) {
        s.give_carries_to(asks);
        if (!asks.r.run(*m.fault)) return false;
        if (!value_of_node<Condition, Condition::region::draft.result[0]>(asks.r).at[0]) break;
        if (s.keeps_rows && n == m.length) {
            *m.fault = {Body::region::name, n + 1, n};
            return false;
        }
        if (!s.turn(n)) return false;
    }
    s.finish(false);
    if constexpr (s.is_live(f.stacked)) {
        auto const count = static_cast<std::int32_t>(n);
        std::memcpy(m.outputs[f.carries + f.stacked], &count, sizeof(count));
    }
    return true;
}
/// A body once: a call, or the body that a branch selects.
template<class Body>
XGRAD_KERNEL bool run_number_call(number_memory const& m) {
    number_state_of<Body> s(m);
    s.load_operands(std::make_integer_sequence<int, Body::form.captures>{});
    if (!s.r.run(*m.fault)) return false;
    s.store_results();
    return true;
}
template<class... Body>
struct number_bodies;
template<class First, class... Rest>
struct number_bodies<First, Rest...> {
    static constexpr region_form const& form = First::form;

    XGRAD_KERNEL static bool run(number_memory const& m) {
        if constexpr (form.policy == region_policy::loop) return run_number_loop<First>(m);
        else if constexpr (form.policy == region_policy::until) return run_number_until<First, Rest...>(m);
        else if constexpr (sizeof...(Rest) == 0) return run_number_call<First>(m);
        else return branch(m, control_in<First>(m), std::make_integer_sequence<int, sizeof...(Rest)>{});
    }

private:
    // An index out of range selects the last body, as in tf.switch_case.
    template<int... K>
    XGRAD_KERNEL static bool branch(number_memory const& m, std::int64_t index, std::integer_sequence<int, K...>) {
        bool good = true;
        bool const in_range = index >= 0 && index < static_cast<std::int64_t>(sizeof...(Rest));
        if (in_range && index == 0) return run_number_call<First>(m);
        (void)(one<K>(m, in_range ? index : static_cast<std::int64_t>(sizeof...(Rest)), good) || ...);
        return good;
    }
    template<int K>
    XGRAD_KERNEL static bool one(number_memory const& m, std::int64_t index, bool& good) {
        if (index != K + 1) return false;
        good = run_number_call<std::tuple_element_t<K, std::tuple<Rest...>>>(m);
        return true;
    }
};

/// A step over inner bodies in the body of node I. Its operands and outputs are in memory of this call.
template<class Body, int I>
struct inner_step {
    static constexpr table_view t = Body::table;
    static constexpr region_form form = form_of(*t[I].op->region, t.attrs(I));
    struct places {
        int operand[max_region_operands + 1], output[2 * max_region_outputs + 1], bytes;
    };
    static constexpr int padded_bytes(value_info const& v) {
        return (small_elements(v.dims) * static_cast<int>(size_of(v.type)) + 63) / 64 * 64;
    }
    static constexpr places place = [] {
        places p{};
        for (int k = 0; k < t[I].count; ++k) {
            p.operand[k] = p.bytes;
            p.bytes += padded_bytes(t[t.operand(I, k)].value);
        }
        for (int k = 0; k < form.outputs(); ++k) {
            p.output[k] = p.bytes;
            p.bytes += padded_bytes(form.output(k));
        }
        return p;
    }();
    alignas(64) std::byte memory[place.bytes + 64];

    template<int K>
    XGRAD_KERNEL std::byte const* output() const {
        return memory + place.output[K];
    }
    template<class Registers>
    XGRAD_KERNEL bool run(Registers& r, call_fault& fault) {
        return run_on(r, fault, std::make_integer_sequence<int, t[I].count>{}, std::make_integer_sequence<int, form.outputs()>{},
            std::make_integer_sequence<int, form.body_count>{});
    }

private:
    template<class Registers, int... In, int... Out, int... B>
    XGRAD_KERNEL bool run_on(Registers& r, call_fault& fault, std::integer_sequence<int, In...>, std::integer_sequence<int, Out...>,
        std::integer_sequence<int, B...>) {
        (value_of_node<Body, t.operand(I, In)>(r).store(memory + place.operand[In]), ...);
        std::byte* const operands[] = {memory + place.operand[In]..., nullptr};
        std::byte* const outputs[] = {memory + place.output[Out]..., nullptr};
        number_memory const m{operands, outputs, form.length.constant, &fault};
        return number_bodies<number_body<typename Body::template inner_body<I, B>::type>...>::run(m);
    }
};

/// The kernel of a step over bodies that run in registers.
template<class... Program>
struct number_kernel {
    using bodies = number_bodies<number_body<Program>...>;
    XGRAD_NOINLINE XGRAD_FLATTEN static void run(step_arguments const& a) {
        constexpr region_form const& f = bodies::form;
        std::byte* operands[f.operands() + 1];
        std::byte* outputs[f.outputs() + 1];
        for (int k = 0; k < f.operands(); ++k) operands[k] = a.operands[k].data;
        for (int k = 0; k < f.outputs(); ++k) outputs[k] = a.operands[f.operands() + k].data;
        call_fault fault{};
        number_memory const m{operands, outputs, a.extent[0], &fault};
        if (bodies::run(m)) return;
        *a.bad_index = true;
        *a.fault = fault;
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
