// SPDX-License-Identifier: MIT
// The content of a checkpoint of a store: its tensors with their names, and the metadata about rules and steps.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/io/tensor_file.hpp>
#include <xgrad/store/variable_store.hpp>

#include <string>
#include <string_view>

XGRAD_NAMESPACE_BEGIN

namespace detail {

inline constexpr std::string_view checkpoint_prefix = "xgrad.";   // of metadata that are reserved for xgrad

/// Texts that do not move in memory.
class kept_texts {
    sequence<std::string*> all_;

public:
    kept_texts() = default;
    kept_texts(kept_texts const&) = delete;
    kept_texts& operator=(kept_texts const&) = delete;
    ~kept_texts();
    std::string_view keep(std::initializer_list<message_part> parts);
};

/// All tensors of a store.
///
/// * Names are those of TensorFlow: "w", "w/Adam", "w/Adam_1", "beta1_power", "global_step". A name that is taken gets the first free
///   suffix _1, _2, ...
/// * Variables come first, so that their names never change. Then come the tensors of the trainers, in the order in which these were
///   made.
struct stored_tensors {
    sequence<tensor_entry> list;
    int variables;      // number of variables, which come first
    int before_steps;   // number of tensors before the steps, which come last
    kept_texts texts;
    sequence<std::int64_t> pairs;   // the first two extents of each variable, each twice: extents of slots of pairs

    explicit stored_tensors(variable_store& store);

private:
    void add(std::string_view wanted, dtype type, int rank, std::int64_t const* extents, void* data);
    bool taken(std::string_view name) const;
};

/// Adds what tensors do not show: the rules of all variables and the sizes of named dimensions. Texts live as long as `texts` or the
/// program.
void add_rules_and_sizes(variable_store const& store, kept_texts& texts, sequence<metadata_entry>& metadata);
/// The metadata key about variable v of trainer k: "xgrad.rule.v", "xgrad.rule_1.v", ...
std::string metadata_key(std::string_view what, int k, std::string_view v);
/// The name of a rule and its sparse semantics. Rules that share a name in TensorFlow, such as adam and lazy_adam, differ in it.
std::string kind_of(stored_slots const& slots);
/// The sum of the steps of all trainers of the store.
std::int64_t sum_of_steps(variable_store const& store);
/// Reads a number without sign from metadata. Returns false if the text is not such a number.
bool read_number(std::string_view text, std::uint64_t& number);

std::string tensor_kind(tensor_entry const& t);
bool same_kind(tensor_entry const& a, tensor_entry const& b);

#if XGRAD_COMPILED != 1
XGRAD_COLD XGRAD_HOST kept_texts::~kept_texts() {
    for (auto* text : all_) delete text;
}
XGRAD_COLD XGRAD_HOST std::string_view kept_texts::keep(std::initializer_list<message_part> parts) {
    all_.push(nullptr);
    return *(all_.last() = new std::string(message(parts)));
}
XGRAD_COLD XGRAD_HOST stored_tensors::stored_tensors(variable_store& store) {
    for (auto const& v : store.variables()) {
        add(v.name, v.type, v.rank, v.extents, v.data);
        for (int d : {0, 0, 1, 1}) pairs.push(v.extents[d]);
    }
    variables = list.count;
    for (auto const* o : store.optimizers())
        for (auto const& slots : o->all()) {
            auto const& v = store.variables().at[slots.variable];
            for (int s = 0; s < slots.slot_count; ++s) {
                axis_range const axes = axes_of(slots.slot_infos[s].scope, v.rank);
                add(texts.keep({v.name, "/", slots.rule}), slots.slot_infos[s].type_for(v.type), axes.count,
                    axes.step == 0 ? pairs.at + 4 * slots.variable + 2 * axes.first : v.extents + axes.first, slots.slots[s]);
            }
        }
    for (auto* o : store.optimizers())
        for (int k = 0; k < o->powers.count; ++k) add(o->power_names.at[k], dtype::float64, 0, nullptr, &o->powers.at[k]);
    before_steps = list.count;
    for (auto* o : store.optimizers()) add("global_step", dtype::int64, 0, nullptr, &o->global_step);
    if (store.optimizers().count == 0) add("global_step", dtype::int64, 0, nullptr, &store.steps);
}
XGRAD_COLD XGRAD_HOST void stored_tensors::add(std::string_view wanted, dtype type, int rank, std::int64_t const* extents, void* data) {
    std::string_view name = wanted;
    for (int k = 1; taken(name); ++k) name = texts.keep({wanted, "_", k});
    list.push({name, type, static_cast<std::size_t>(rank), extents, data});
}
XGRAD_COLD XGRAD_HOST bool stored_tensors::taken(std::string_view name) const {   // linear search: a program has some hundred variables
    for (auto const& t : list)
        if (t.name == name) return true;
    return false;
}
XGRAD_COLD XGRAD_HOST void add_rules_and_sizes(variable_store const& store, kept_texts& texts, sequence<metadata_entry>& metadata) {
    for (int k = 0; k < store.optimizers().count; ++k)
        for (auto const& slots : store.optimizers().at[k]->all()) {
            std::string_view const name = store.variables().at[slots.variable].name;
            metadata.push({texts.keep({metadata_key("rule", k, name)}), slots.rule});
            metadata.push({texts.keep({metadata_key("kind", k, name)}), texts.keep({kind_of(slots)})});
        }
    for (auto const& b : store.sizes()) metadata.push({texts.keep({"xgrad.size.", b.info->name}), texts.keep({b.size})});
}
XGRAD_COLD XGRAD_HOST std::string metadata_key(std::string_view what, int k, std::string_view v) {
    return k == 0 ? message({checkpoint_prefix, what, ".", v}) : message({checkpoint_prefix, what, "_", k, ".", v});
}
XGRAD_COLD XGRAD_HOST std::string kind_of(stored_slots const& slots) { return message({slots.kind, slots.lazy ? " (lazy)" : " (exact)"}); }
XGRAD_COLD XGRAD_HOST std::int64_t sum_of_steps(variable_store const& store) {
    std::int64_t n = store.optimizers().count == 0 ? store.steps : 0;
    for (auto const* o : store.optimizers()) n += o->global_step;
    return n;
}
XGRAD_COLD XGRAD_HOST bool read_number(std::string_view text, std::uint64_t& number) {
    number = 0;
    for (char const c : text) number = number * 10 + static_cast<std::uint64_t>(c - '0');
    return text == message({number});
}
XGRAD_COLD XGRAD_HOST std::string tensor_kind(tensor_entry const& t) {
    return message({t.type == dtype::literal ? t.foreign : to_string(t.type), shape_text(t.extents, t.rank)});
}
XGRAD_COLD XGRAD_HOST bool same_kind(tensor_entry const& a, tensor_entry const& b) {
    bool same = a.type == b.type && a.rank == b.rank;
    for (std::size_t d = 0; same && d < a.rank; ++d) same = a.extents[d] == b.extents[d];
    return same;
}
#endif

}   // namespace detail

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
