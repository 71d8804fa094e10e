// SPDX-License-Identifier: MIT
// Compares a store with tensors that are to be restored into it, from a file or from memory.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/io/stored_tensors.hpp>

#include <cstring>
#include <string>
#include <string_view>

XGRAD_NAMESPACE_BEGIN

namespace detail {

/// The differences between a store and such tensors, collected for one message. It does not change the store.
class comparison {
    variable_store& store_;
    stored_tensors here_;
    sequence<tensor_entry> const& there_;        // sorted by name
    sequence<metadata_entry> const& metadata_;   // sorted by key
    std::string_view place_;                     // "file" or "snapshot", for messages
    sequence<bool> known_;                       // for each of there_: whether something of the store has this name
    std::string wrong_;

    void compare_rule(int k, std::string_view name, stored_slots const* slots);

public:
    comparison(variable_store& store, sequence<tensor_entry> const& there, sequence<metadata_entry> const& metadata, std::string_view place)
        : store_(store), here_(store), there_(there), metadata_(metadata), place_(place), known_(there.count, false) {}

    stored_tensors const& here() const { return here_; }
    std::string const& wrong() const { return wrong_; }
    void differ(std::initializer_list<message_part> parts);
    /// The tensor of that name, or null.
    tensor_entry const* find(std::string_view name) const { return find_entry(there_, name); }
    tensor_entry const* known(std::string_view name);
    /// The value of a metadata key, or an empty text.
    std::string_view value(std::string_view key) const;
    /// Compares tensor k of the store with the tensor called `there`, or with its transposed matrix.
    void compare(int k, std::string_view there, bool transposed = false);
    void compare_sizes();
    void compare_rules();
    /// Reports tensors that the store does not know. Call it after all comparisons. `integers` is added for lists of integers.
    void expect_no_others(std::string_view integers = {});
};

#if XGRAD_COMPILED != 1
XGRAD_COLD XGRAD_HOST void comparison::differ(std::initializer_list<message_part> parts) { append(wrong_, {"\n  ", message(parts)}); }
XGRAD_COLD XGRAD_HOST tensor_entry const* comparison::known(std::string_view name) {
    tensor_entry const* const found = find(name);
    if (found != nullptr) known_.at[found - there_.at] = true;
    return found;
}
XGRAD_COLD XGRAD_HOST std::string_view comparison::value(std::string_view key) const {
    metadata_entry const* const found = find_entry(metadata_, key);
    return found != nullptr ? found->value : std::string_view();
}
XGRAD_COLD XGRAD_HOST void comparison::compare(int k, std::string_view there, bool transposed) {
    tensor_entry const& t = here_.list.at[k];
    std::int64_t const turned[2] = {t.rank == 2 ? t.extents[1] : 0, t.rank == 2 ? t.extents[0] : 0};
    tensor_entry as_turned = t;
    as_turned.extents = turned;
    tensor_entry const& wanted = transposed ? as_turned : t;
    std::string const called = there == t.name ? std::string() : message({", where it is called \"", there, "\""});
    tensor_entry const* const found = known(there);
    if (found == nullptr) differ({"\"", t.name, "\" is ", tensor_kind(t), " here and missing in the ", place_, called});
    else if (transposed && t.rank != 2) differ({"\"", t.name, "\" is ", tensor_kind(t), " here; only a matrix can be taken transposed"});
    else if (!same_kind(*found, wanted))
        differ({"\"", t.name, "\" is ", tensor_kind(t), " here and ", tensor_kind(*found), " in the ", place_, called,
            t.rank == 2 && same_kind(*found, transposed ? t : as_turned)
                ? transposed ? message({"; it needs no xgrad::transposed"})
                             : message({"; restore(owner, path, xgrad::variables_as{{\"", t.name, "\", xgrad::transposed(\"", there,
                                   "\")}}) takes it transposed"})
            : found->type == dtype::literal ? message({"; xgrad does not compute with ", found->foreign})
                                            : std::string()});
    else if (k >= here_.before_steps && *static_cast<std::int64_t const*>(found->data) < 0)
        differ({"\"", t.name, "\" is negative in the ", place_});
}
XGRAD_COLD XGRAD_HOST void comparison::compare_sizes() {
    for (auto const& b : store_.sizes()) {
        metadata_entry const* const there = find_entry(metadata_, message({"xgrad.size.", b.info->name}));
        if (there != nullptr && there->value != message({b.size}))
            differ({"the dimension \"", b.info->name, "\" has ", b.size, " elements here and ", there->value, " in the ", place_,
                "; make the owner with that size, or grow() it first"});
    }
}
XGRAD_COLD XGRAD_HOST void comparison::compare_rules() {
    int const trainers = store_.optimizers().count;
    for (int k = 0; k < (trainers > 0 ? trainers : 1); ++k)
        for (int n = 0; n < store_.variables().count; ++n) {
            auto const* slots = trainers > 0 ? store_.optimizers().at[k]->find(n) : nullptr;
            compare_rule(k, store_.variables().at[n].name, slots);
        }
}
XGRAD_COLD XGRAD_HOST void comparison::compare_rule(int k, std::string_view name, stored_slots const* slots) {
    auto const named = [](std::string_view r) { return r.empty() ? message({"no rule"}) : message({"the rule ", r}); };
    auto const compare = [&](std::string const& ours, std::string const& there) {
        if (ours == there) return true;
        differ({"variable \"", name, "\" is trained by ", ours, " here and by ", there, " in the ", place_,
            k > 0 ? message({" (trainer ", k + 1, ")"}) : std::string()});
        return false;
    };
    std::string_view const kind = value(metadata_key("kind", k, name));
    if (compare(named(slots != nullptr ? slots->rule : std::string_view()), named(value(metadata_key("rule", k, name)))) &&
        slots != nullptr && !kind.empty())   // the first versions did not write it
        compare(kind_of(*slots), message({kind}));
}
XGRAD_COLD XGRAD_HOST void comparison::expect_no_others(std::string_view integers) {
    for (int k = 0; k < there_.count; ++k)
        if (tensor_entry const& t = there_.at[k]; !known_.at[k])
            differ({"\"", t.name, "\" is ", tensor_kind(t), " in the ", place_, " and unknown here",
                t.type == dtype::int64 && t.rank == 1 ? integers : std::string_view()});
}
#endif

}   // namespace detail

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
