// SPDX-License-Identifier: MIT
// What all ranks must have in common, and the state that rank 0 sends to the others.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/replicas/accumulators/partial_shape.hpp>
#include <xgrad/replicas/ranks/rank_message.hpp>
#include <xgrad/replicas/sync/sync_options.hpp>
#include <xgrad/train/step_driver.hpp>

#include <algorithm>
#include <string>
#include <vector>

XGRAD_NAMESPACE_BEGIN
namespace detail {

/// The longest wait before rank 0 checks whether a worker is lost, or needs a sign of life.
inline std::chrono::nanoseconds patience_of(std::chrono::nanoseconds deadline) {
    if (!has_deadline(deadline)) return std::chrono::nanoseconds::max();
    return std::max<std::chrono::nanoseconds>(deadline / 8, std::chrono::microseconds(100));
}

/// How long rank 0, and a rank that leaves before the run because of a stop, wait for each other's last message. It is longer than a
/// message takes.
inline constexpr std::chrono::nanoseconds time_to_answer = std::chrono::seconds(1);

/// A hash of the steps of a program. Programs that differ in an operation, an input or a rule have different hashes. Names of variables do
/// not matter.
template<class P>
consteval std::uint64_t hash_of_program() {
    std::uint64_t h = 0;
    auto const& p = P::plan;
    for (int s = 0; s < p.step_count; ++s)
        h = hash_mix(
            h, static_cast<planner::step_numbers const&>(p.steps[s]).hash() + (p.steps[s].op == nullptr ? 0 : p.steps[s].op->hash));
    for (int i = 0; i < p.ins_count; ++i) h = hash_mix(h, p.ins[i].op == nullptr ? 1 : p.ins[i].op->hash);
    for (int i = 0; i < p.param_count; ++i) h = hash_mix(h, std::bit_cast<std::uint64_t>(p.params[i].value));
    return h;
}
inline void describe(std::string& text, stored_variable const& v) {
    append(text, {"the variable \"", v.name, "\": ", to_string(v.type), " "});
    text += text_of_shape(v.extents, v.rank);
    text += '\n';
}
inline void describe_sync(std::string& text, sync_options const& o) {
    append(text, {"replicas_to_aggregate: ", o.replicas_to_aggregate, "\n"});
    append(text, {"initial_tokens: ", o.initial_tokens, "\n"});
    append(text, {"reduction: ", o.reduction == reduction::mean ? "mean" : "sum", "\n"});
    append(text, {"sort_and_sum: ", o.sort_and_sum ? "true" : "false", "\n"});
    append(text, {"owners: ", o.owners, "\n"});
    append(text, {"message_bytes: ", static_cast<std::int64_t>(o.message_bytes), "\n"});
}
/// The description of a rank: one line for each item in which ranks must agree. The items whose differences say most come first.
template<class P, class Options, class Describe>
std::string describe(trainer<P>& train, Options const& o, Describe const& describe_options) {
    std::string text;
    for (stored_variable const& v : train.store().variables()) describe(text, v);
    for (stored_slots const& s : train.optimizer().all())
        append(text, {"the rule of \"", train.store().variables().at[s.variable].name, "\": ", s.kind, "\n"});
    if constexpr (scales_loss<typename P::rules>) append(text, {"the loss scale: ", std::to_string(step_driver::loss_scale(train)), "\n"});
    describe_options(text, o);
    append(text, {"min_workers: ", o.min_workers, "\n"});
    append(text, {"the deadline in ns: ", static_cast<std::int64_t>(o.deadline.count()), "\n"});
    append(text, {"the hash of the program: ", hash_of_program<P>(), "\n"});
    return text;
}
inline std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }
/// Reduces both texts to the first line in which they differ; false if they are equal.
inline bool first_difference(std::string_view& a, std::string_view& b) {
    while (!a.empty() || !b.empty()) {
        std::string_view const x = first_line(a), y = first_line(b);
        if (x != y || a.empty() || b.empty()) {
            a = a.empty() ? "nothing more" : x;
            b = b.empty() ? "nothing more" : y;
            return true;
        }
        a.remove_prefix(x.size() + 1);
        b.remove_prefix(y.size() + 1);
    }
    return false;
}
/// Whether two lines are about the same variable and differ only in its shape.
inline bool is_of_shapes(std::string_view a, std::string_view b) {
    auto const x = a.find('['), y = b.find('[');
    return a.starts_with("the variable") && x != a.npos && y != b.npos && a.substr(0, x) == b.substr(0, y);
}

/// Memory that holds part of a trainer's state, for sending and receiving.
struct state_piece {
    void* data;
    std::size_t bytes;
};
inline state_piece piece_of(stored_variable const& v) { return {v.data, static_cast<std::size_t>(v.size) * size_of(v.type)}; }

/// The variables in the store `in` that updates `first` .. `end` - 1 of a program move.
template<class P>
std::vector<state_piece> moved_variables(trainer<P>& train, variable_store const& in, int first, int end) {
    runtime_plan const& plan = step_driver::state(train).run.plan();
    std::vector<state_piece> pieces;
    for (stored_variable const& v : in.variables())
        for (int i = first; i < end; ++i)
            if (plan.variables[plan.steps[i].variable].hash == v.hash) {
                pieces.push_back(piece_of(v));
                break;
            }
    return pieces;
}

/// The same variables of the trainer, with their slots.
template<class P>
std::vector<state_piece> state_of_share(trainer<P>& train, int first, int end) {
    std::vector<state_piece> pieces = moved_variables(train, train.store(), first, end);
    std::size_t const variables = pieces.size();
    for (stored_slots const& s : step_driver::state(train).slots.all()) {
        stored_variable const& v = train.store().variables().at[s.variable];
        bool mine = false;
        for (std::size_t k = 0; k < variables; ++k) mine = mine || pieces[k].data == v.data;
        for (int k = 0; mine && k < s.slot_count; ++k) {
            stored_part const p = part_of(s, k, v);
            pieces.push_back({p.data, p.bytes()});
        }
    }
    return pieces;
}

/// What an update needs from the rules, as step_driver::begin leaves it: their step scalars, and the optimizer scalars after the update.
template<class P>
std::vector<state_piece> prepared_values(trainer<P>& train) {
    auto& state = step_driver::state(train);
    std::vector<state_piece> pieces;
    auto const add = [&](auto& scalars) {
        static_assert(std::is_trivially_copyable_v<std::remove_reference_t<decltype(scalars)>>);
        pieces.push_back({&scalars, sizeof scalars});
    };
    std::apply([&](auto&... scalars) { (add(scalars), ...); }, state.scalars);
    pieces.push_back({state.next_powers(), static_cast<std::size_t>(state.slots.powers.count) * sizeof(double)});
    return pieces;
}

/// The whole state of a trainer that ranks exchange.
struct replica_state {
    std::vector<state_piece> variables;   // of the trainer's store
    std::vector<state_piece> slots;       // slots and all other state of the rules

    template<class P>
    explicit replica_state(trainer<P>& train) {
        variable_store& store = train.store();
        optimizer_state& o = step_driver::state(train).slots;
        for (stored_variable const& v : store.variables()) variables.push_back(piece_of(v));
        for (stored_slots const& s : o.all())
            for (int k = 0; k < s.slot_count; ++k) {
                stored_part const p = part_of(s, k, store.variables().at[s.variable]);
                slots.push_back({p.data, p.bytes()});
            }
        slots.push_back({o.powers.at, static_cast<std::size_t>(o.powers.count) * sizeof(double)});
        slots.push_back({&o.global_step, sizeof o.global_step});
        slots.push_back({&store.seed, sizeof store.seed});
        slots.push_back({&store.steps, sizeof store.steps});
    }
    void add_all(outgoing& message) const {
        for (state_piece const& p : variables) message.add(p.data, p.bytes);
        for (state_piece const& p : slots) message.add(p.data, p.bytes);
    }
    /// Reads the state from a message of another rank.
    void read_all(incoming& message) const {
        for (state_piece const& p : variables) message.read(p.data, p.bytes);
        for (state_piece const& p : slots) message.read(p.data, p.bytes);
    }
};

}   // namespace detail
XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
