// SPDX-License-Identifier: MIT
// Restores a store from a file: compares everything first, then copies.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/io/comparison.hpp>

#include <cstring>
#include <span>
#include <string>
#include <string_view>

XGRAD_NAMESPACE_BEGIN

namespace detail {

/// A variable, its name in a file, and whether the matrix is transposed in the file.
struct renamed_variable {
    std::string_view here, there;
    bool transposed;
};

/// A file and the store that it is restored into. All differences are collected for one message. Only then does `finish` change the
/// store.
class restoration {
    variable_store& store_;
    std::string const& path_;
    bool only_variables_;
    sequence<renamed_variable> const* renamed_;   // the variables to restore; null for all
    tensor_file file_;
    comparison with_;
    bool foreign_;   // the file was not written by xgrad::save
    bool variables_fit_ = true;
    std::string_view missing_;   // the first variable that the file lacks
    // The state of random streams. If the file has no count of steps, it is the sum over all trainers.
    std::uint64_t seed_, steps_;
    bool counted_ = true;

    int compared() const;
    // The name of tensor k of the store in the file. An empty name means that the tensor is not restored.
    renamed_variable in_file(int k) const;
    void check_metadata();
    std::string hint() const;

public:
    restoration(variable_store& store, std::string const& path, bool only_variables, sequence<renamed_variable> const* renamed = nullptr);
    /// Passes a list of integers to `assign`, which returns false if the list is broken.
    template<class Assign>
    void read_numbers(std::string_view of, std::string_view what, std::string_view broken, Assign const& assign) {
        std::string const name = message({of, "/", what});
        tensor_entry const* const found = with_.known(name);
        if (found == nullptr) with_.differ({"\"", name, "\", the ", what, " that are saved with the variables, are missing in the file"});
        else if (found->type != dtype::int64 || found->rank != 1)
            with_.differ({"\"", name, "\" is ", tensor_kind(*found), " in the file and no list of ", what});
        else if (!assign(std::span(static_cast<std::int64_t const*>(found->data), static_cast<std::size_t>(found->extents[0]))))
            with_.differ({"\"", name, "\" in the file ", broken});
    }
    /// Restores the store. Throws checkpoint_error if anything differs, and nothing has changed then.
    void finish();
    /// The metadata of the caller of save.
    template<class Metadata>
    Metadata metadata() const {
        Metadata all;
        for (auto const& m : file_.metadata())
            if (!m.name.starts_with(checkpoint_prefix)) all.emplace(m.name, m.value);
        return all;
    }
};

#if XGRAD_COMPILED != 1
XGRAD_COLD XGRAD_HOST int restoration::compared() const {
    return only_variables_ || foreign_ ? with_.here().variables : with_.here().list.count;
}
XGRAD_COLD XGRAD_HOST renamed_variable restoration::in_file(int k) const {
    std::string_view const name = with_.here().list.at[k].name;
    if (renamed_ == nullptr) return {name, name, false};
    for (auto const& r : *renamed_)
        if (r.here == name) return r;
    return {};
}
/// Copies a matrix and turns rows into columns: from [columns, rows] to [rows, columns].
XGRAD_COLD XGRAD_HOST void copy_transposed(void* to, void const* from, std::int64_t rows, std::int64_t columns, std::size_t element) {
    auto* out = static_cast<std::byte*>(to);
    auto const* const in = static_cast<std::byte const*>(from);
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j, out += element)
            std::memcpy(out, in + static_cast<std::size_t>(j * rows + i) * element, element);
}
XGRAD_COLD XGRAD_HOST void restoration::check_metadata() {
    if (std::string_view const version = with_.value("xgrad.checkpoint"); version != "1")
        with_.differ({"the file is a checkpoint of version \"", version, "\", this xgrad reads version 1"});
    std::string_view const seed = with_.value("xgrad.seed"), steps = with_.value("xgrad.steps");
    if (!read_number(seed, seed_))
        with_.differ({"the metadata ", seed.empty() ? message({"have no"}) : message({"say \"", seed, "\" for"}), " \"xgrad.seed\", ",
            seed.empty() ? "the seed of the owner" : "which is not a seed"});
    counted_ = !steps.empty();
    if (counted_ && (!read_number(steps, steps_) || steps_ >> 63 != 0))
        with_.differ({"the metadata \"xgrad.steps\" hold \"", steps, "\", which is not a number of steps"});
    with_.compare_rules();
}
XGRAD_COLD XGRAD_HOST restoration::restoration(
    variable_store& store, std::string const& path, bool only_variables, sequence<renamed_variable> const* renamed)
    : store_(store), path_(path), only_variables_(only_variables), renamed_(renamed), file_(path),
      with_(store, file_.tensors(), file_.metadata(), "file"), foreign_(!only_variables && with_.value("xgrad.checkpoint").empty()),
      seed_(store.seed), steps_(static_cast<std::uint64_t>(store.steps)) {
    store.expect_no_run("restore(owner, path)", only_variables ? store_access::change : store_access::step);
    int const variables = with_.here().variables;
    for (int k = 0; k < compared(); ++k) {
        if (k == variables) variables_fit_ = with_.wrong().empty();
        renamed_variable const as = in_file(k);
        if (as.there.empty()) continue;
        if (k < variables && missing_.empty() && with_.find(as.there) == nullptr) missing_ = as.here;
        with_.compare(k, as.there, as.transposed);
    }
    if (compared() == variables) variables_fit_ = with_.wrong().empty();
    if (variables == 0) with_.differ({"the owner has no variables, so there is nothing to restore"});
    if (renamed_ != nullptr && renamed_->count == 0)
        with_.differ({"variables_as{} names no variables, so nothing would be restored; write variables_as{{\"here\", \"in the file\"}}"});
    for (int n = 0; renamed_ != nullptr && n < renamed_->count; ++n) {
        bool is_variable = false;
        for (int k = 0; k < variables; ++k) is_variable = is_variable || with_.here().list.at[k].name == renamed_->at[n].here;
        if (!is_variable) with_.differ({"there is no variable \"", renamed_->at[n].here, "\" here"});
        else if (renamed_->at[n].there.empty()) with_.differ({"\"", renamed_->at[n].here, "\" has no name in the file"});
    }
}
/// The call that can restore this file, as a hint in an error.
XGRAD_COLD XGRAD_HOST std::string restoration::hint() const {
    if (renamed_ != nullptr) return {};
    if (!missing_.empty())
        return message({"\n  (restore(owner, path, xgrad::variables_as{{\"", missing_,
            "\", \"its name in the file\"}}) takes variables from tensors of other names)"});
    if (only_variables_ || !variables_fit_) return {};
    return message({"\n  (restore(owner, path, xgrad::variables_only) takes the variables and leaves optimizer, step and seed)"});
}
XGRAD_COLD XGRAD_HOST void restoration::finish() {
    if (renamed_ == nullptr) with_.compare_sizes();   // else only shapes count: variables that stay may have other sizes
    if (foreign_) with_.differ({"the file was not written by xgrad::save, so it has no optimizer, step and seed"});
    if (!only_variables_)
        with_.expect_no_others("; keys, positions of batches and other state follow the path: restore(owner, path, batches)");
    if (!only_variables_ && !foreign_) check_metadata();
    if (!with_.wrong().empty())
        raise_parts<checkpoint_error>(
            {path_, ": does not fit what it should be restored into; nothing has been changed:", with_.wrong(), hint()});
    for (int k = 0; k < compared(); ++k) {
        renamed_variable const as = in_file(k);
        tensor_entry const *const found = with_.find(as.there), &t = with_.here().list.at[k];
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
