// SPDX-License-Identifier: MIT
// A file on its way into a store: compared with it first, then copied.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/io/stored_tensors.hpp>

#include <cstring>
#include <span>
#include <string>
#include <string_view>

XGRAD_NAMESPACE_BEGIN

namespace detail {

/// A variable, its name in a file, and whether the file has the transposed matrix.
struct renamed_variable {
    std::string_view here, there;
    bool transposed;
};

/// A file and the store that it shall go into. Everything is compared, what differs is collected for one message; only then `finish` changes the store.
class restoration {
    variable_store& store_;
    std::string const& path_;
    bool only_variables_;
    sequence<renamed_variable> const* renamed_;   // the variables that are taken, or null for all
    tensor_file file_;
    stored_tensors here_;
    sequence<bool> known_;   // of the tensors of the file
    std::string wrong_;
    // The state of random streams: steps are as many as those of the trainers, or counted.
    std::uint64_t seed_, steps_;
    bool counted_ = true;

    void differ(std::initializer_list<message_part> parts);
    tensor_entry const* known(std::string_view name);
    int compared() const;
    // As what tensor k of the store is in the file; without a name where it is left as it is.
    renamed_variable in_file(int k) const;
    // Empty where there is none.
    std::string_view value(std::string_view key) const;

    // What a whole checkpoint must agree in besides its tensors.
    void check_metadata();
    void check_rule(int k, std::string_view name, stored_slots const* slots);

public:
    restoration(variable_store& store, std::string const& path, bool only_variables, sequence<renamed_variable> const* renamed = nullptr);
    /// A list of integers for `assign`, which is false where it is broken.
    template<class Assign>
    void read_numbers(std::string_view of, std::string_view what, std::string_view broken, Assign const& assign) {
        std::string const name = message({of, "/", what});
        tensor_entry const* const found = known(name);
        if (found == nullptr) differ({"\"", name, "\", the ", what, " that are saved with the variables, are missing in the file"});
        else if (found->type != dtype::int64 || found->rank != 1)
            differ({"\"", name, "\" is ", tensor_kind(*found), " in the file and no list of ", what});
        else if (!assign(std::span(static_cast<std::int64_t const*>(found->data), static_cast<std::size_t>(found->extents[0]))))
            differ({"\"", name, "\" in the file ", broken});
    }
    /// Restores the store. Throws checkpoint_error where anything differs, and nothing has been changed then.
    void finish();
    /// What the caller of save gave.
    template<class Metadata>
    Metadata metadata() const {
        Metadata all;
        for (auto const& m : file_.metadata())
            if (!m.name.starts_with(checkpoint_prefix)) all.emplace(m.name, m.value);
        return all;
    }
};

#if XGRAD_COMPILED != 1
XGRAD_COLD XGRAD_HOST void restoration::differ(std::initializer_list<message_part> parts) { append(wrong_, {"\n  ", message(parts)}); }
XGRAD_COLD XGRAD_HOST tensor_entry const* restoration::known(std::string_view name) {
    tensor_entry const* const found = find_entry(file_.tensors(), name);
    if (found != nullptr) known_.at[found - file_.tensors().at] = true;
    return found;
}
XGRAD_COLD XGRAD_HOST int restoration::compared() const { return only_variables_ ? here_.variables : here_.list.count; }
XGRAD_COLD XGRAD_HOST renamed_variable restoration::in_file(int k) const {
    std::string_view const name = here_.list.at[k].name;
    if (renamed_ == nullptr) return {name, name, false};
    for (auto const& r : *renamed_)
        if (r.here == name) return r;
    return {};
}
/// Rows become columns: from [columns, rows] to [rows, columns].
XGRAD_COLD XGRAD_HOST void copy_transposed(void* to, void const* from, std::int64_t rows, std::int64_t columns, std::size_t element) {
    auto* out = static_cast<std::byte*>(to);
    auto const* const in = static_cast<std::byte const*>(from);
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j, out += element)
            std::memcpy(out, in + static_cast<std::size_t>(j * rows + i) * element, element);
}
XGRAD_COLD XGRAD_HOST std::string_view restoration::value(std::string_view key) const {
    metadata_entry const* const found = find_entry(file_.metadata(), key);
    return found != nullptr ? found->value : std::string_view();
}
XGRAD_COLD XGRAD_HOST void restoration::check_metadata() {
    if (std::string_view const version = value("xgrad.checkpoint"); version.empty())
        differ({"the file was not written by xgrad::save (its metadata have no \"xgrad.checkpoint\")"});
    else if (version != "1") differ({"the file is a checkpoint of version \"", version, "\", this xgrad reads version 1"});
    std::string_view const seed = value("xgrad.seed"), steps = value("xgrad.steps");
    if (!read_number(seed, seed_)) differ({"the metadata \"xgrad.seed\" hold \"", seed, "\", which is not a seed"});
    counted_ = !steps.empty();
    if (counted_ && (!read_number(steps, steps_) || steps_ >> 63 != 0))
        differ({"the metadata \"xgrad.steps\" hold \"", steps, "\", which is not a number of steps"});
    int const trainers = store_.optimizers().count;
    for (int k = 0; k < (trainers > 0 ? trainers : 1); ++k)
        for (int n = 0; n < store_.variables().count; ++n) {
            auto const* slots = trainers > 0 ? store_.optimizers().at[k]->find(n) : nullptr;
            check_rule(k, store_.variables().at[n].name, slots);
        }
}
XGRAD_COLD XGRAD_HOST void restoration::check_rule(int k, std::string_view name, stored_slots const* slots) {
    auto const named = [](std::string_view r) { return r.empty() ? message({"no rule"}) : message({"the rule ", r}); };
    auto const compare = [&](std::string const& ours, std::string const& there) {
        if (ours == there) return true;
        differ({"variable \"", name, "\" is trained by ", ours, " here and by ", there, " in the file",
            k > 0 ? message({" (trainer ", k + 1, ")"}) : std::string()});
        return false;
    };
    std::string_view const kind = value(metadata_key("kind", k, name));
    if (compare(named(slots != nullptr ? slots->rule : std::string_view()), named(value(metadata_key("rule", k, name)))) &&
        slots != nullptr && !kind.empty())   // files of the first days have none
        compare(kind_of(*slots), message({kind}));
}
XGRAD_COLD XGRAD_HOST restoration::restoration(
    variable_store& store, std::string const& path, bool only_variables, sequence<renamed_variable> const* renamed)
    : store_(store), path_(path), only_variables_(only_variables), renamed_(renamed), file_(path), here_(store),
      known_(file_.tensors().count, false), seed_(store.seed), steps_(static_cast<std::uint64_t>(store.steps)) {
    store.expect_no_run("restore(owner, path)", only_variables ? store_access::change : store_access::step);
    for (int k = 0; k < compared(); ++k) {
        tensor_entry const& t = here_.list.at[k];
        auto const [name, there, transposed] = in_file(k);
        if (there.empty()) continue;
        std::int64_t const turned[2] = {t.rank == 2 ? t.extents[1] : 0, t.rank == 2 ? t.extents[0] : 0};
        tensor_entry as_turned = t;
        as_turned.extents = turned;
        tensor_entry const& wanted = transposed ? as_turned : t;
        std::string const called = there == t.name ? std::string() : message({", where it is called \"", there, "\""});
        tensor_entry const* const found = known(there);
        if (found == nullptr) differ({"\"", t.name, "\" is ", tensor_kind(t), " here and missing in the file", called});
        else if (transposed && t.rank != 2)
            differ({"\"", t.name, "\" is ", tensor_kind(t), " here; only a matrix can be taken transposed"});
        else if (!same_kind(*found, wanted))
            differ({"\"", t.name, "\" is ", tensor_kind(t), " here and ", tensor_kind(*found), " in the file", called,
                t.rank == 2 && same_kind(*found, transposed ? t : as_turned)
                    ? transposed ? message({"; it needs no xgrad::transposed"})
                                 : message({"; restore(owner, path, xgrad::variables_as{{\"", t.name, "\", xgrad::transposed(\"", there,
                                       "\")}}) takes it transposed"})
                : found->type == dtype::literal ? message({"; xgrad does not compute with ", found->foreign})
                                                : std::string()});
        else if (k >= here_.before_steps && *static_cast<std::int64_t const*>(found->data) < 0)
            differ({"\"", t.name, "\" is negative in the file"});
    }
    if (store_.variables().count == 0) differ({"the owner has no variables, so there is nothing to restore"});
    if (renamed_ != nullptr && renamed_->count == 0)
        differ({"variables_as{} names no variables, so nothing would be restored; write variables_as{{\"here\", \"in the file\"}}"});
    for (int n = 0; renamed_ != nullptr && n < renamed_->count; ++n) {
        bool is_variable = false;
        for (int k = 0; k < here_.variables; ++k) is_variable = is_variable || here_.list.at[k].name == renamed_->at[n].here;
        if (!is_variable) differ({"there is no variable \"", renamed_->at[n].here, "\" here"});
        else if (renamed_->at[n].there.empty()) differ({"\"", renamed_->at[n].here, "\" has no name in the file"});
    }
}
XGRAD_COLD XGRAD_HOST void restoration::finish() {
    if (renamed_ == nullptr)   // else shapes say it themselves: variables that stay may have other sizes
        for (auto const& b : store_.sizes()) {
            metadata_entry const* const there = find_entry(file_.metadata(), message({"xgrad.size.", b.info->name}));
            if (there != nullptr && there->value != message({b.size}))
                differ({"the dimension \"", b.info->name, "\" has ", b.size, " elements here and ", there->value,
                    " in the file; make the owner with that size, or grow() it first"});
        }
    if (!only_variables_) {
        for (int k = 0; k < file_.tensors().count; ++k)
            if (tensor_entry const& t = file_.tensors().at[k]; !known_.at[k])
                differ({"\"", t.name, "\" is ", tensor_kind(t), " in the file and unknown here",
                    t.type == dtype::int64 && t.rank == 1
                        ? "; keys, positions of batches and other state follow the path: restore(owner, path, batches)"
                        : ""});
        check_metadata();
    }
    if (!wrong_.empty())
        raise_parts<checkpoint_error>({path_, ": does not fit what it should be restored into; nothing has been changed:", wrong_,
            only_variables_ ? ""
                            : "\n  (restore(owner, path, xgrad::variables_only) takes the variables and leaves optimizer, step and seed)"});
    for (int k = 0; k < compared(); ++k) {
        renamed_variable const as = in_file(k);
        tensor_entry const *const found = known(as.there), &t = here_.list.at[k];
        if (found == nullptr || found->begin == found->end) continue;
        if (as.transposed) copy_transposed(t.data, found->data, t.extents[0], t.extents[1], size_of(t.type));
        else std::memcpy(t.data, found->data, static_cast<std::size_t>(found->end - found->begin));
    }
    store_.seed = seed_;
    store_.steps = counted_ ? static_cast<std::int64_t>(steps_) : sum_of_steps(store_);
}
#endif

}   // namespace detail

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
