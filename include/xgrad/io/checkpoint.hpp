// SPDX-License-Identifier: MIT
// Checkpoints: save and restore of variables, slots, optimizer scalars, global step and seed as safetensors.
#pragma once

#include <xgrad/store/variable_store.hpp>
#include <xgrad/io/safetensors.hpp>
#include <xgrad/sparse/vocabulary.hpp>

#include <charconv>
#include <concepts>
#include <cstring>
#include <map>
#include <vector>

XGRAD_NAMESPACE_BEGIN

/// Flag of restore(): take the variables and nothing else.
struct variables_only_flag {};
inline constexpr variables_only_flag variables_only{};

namespace detail {

inline constexpr std::string_view checkpoint_prefix = "xgrad.";   // of the metadata that are xgrad's own

/// A tensor of a checkpoint and where it lives in the store.
struct checkpoint_entry {
    tensor_record tensor;
    void* target;
    enum : unsigned char { variable, of_optimizer, step } what;
};

// All tensors of a store. Names as in TensorFlow: "w", "w/Adam", "w/Adam_1", "beta1_power", "global_step"; a name that is taken gets the first free
// suffix _1, _2, ... Variables come first, so that theirs never change, then what the trainers keep, in the order in which they were made.
template<class Store>   // templates, so that a program that saves nothing does not pay for them
XGRAD_COLD std::vector<checkpoint_entry> checkpoint_entries(Store& store) {
    using entry = checkpoint_entry;
    std::vector<entry> list;
    std::map<std::string, int> taken;
    auto const add = [&](std::string const& wanted, dtype type, std::vector<std::int64_t> shape, void* data, auto what) {
        std::string name = wanted;
        for (int k = 1; !taken.emplace(name, 0).second; ++k) name = wanted + "_" + std::to_string(k);
        list.push_back({{std::move(name), type, std::move(shape), data}, data, what});
    };
    auto const add_part = [&](std::string const& name, stored_part const& p, auto what) {
        add(name, p.type, {p.extents, p.extents + p.rank}, p.data, what);
    };
    for (auto const& v : store.variables()) add_part(std::string(v.name), part_of(v), entry::variable);
    for (auto const* o : store.optimizers())
        for (auto const& slots : o->all()) {
            auto const& v = store.variables().at[slots.variable];
            for (int s = 0; s < slots.slot_count; ++s)
                add_part(std::string(v.name) + "/" + std::string(slots.rule), part_of(slots, s, v), entry::of_optimizer);
        }
    for (auto* o : store.optimizers())
        for (int k = 0; k < o->powers.count; ++k)
            add(std::string(o->power_names.at[k]), dtype::float64, {}, &o->powers.at[k], entry::of_optimizer);
    for (auto* o : store.optimizers()) add("global_step", dtype::int64, {}, &o->global_step, entry::step);
    if (store.optimizers().count == 0) add("global_step", dtype::int64, {}, &store.steps, entry::step);
    return list;
}

/// Under which metadata the rules of trainer k are: "rule.", "rule_1.", ...
inline std::string rule_key(std::string const& what, int k) { return (k == 0 ? what : what + "_" + std::to_string(k)) + "."; }
/// What a rule does: its own name and what becomes of rows that do not occur. Rules that share TensorFlow's name, such as adam and lazy_adam, differ in it.
inline std::string kind_of(stored_slots const& slots) { return std::string(slots.kind) + (slots.lazy ? " (lazy)" : " (exact)"); }
/// The steps of all trainers that are there.
template<class Store>
std::int64_t sum_of_steps(Store const& store) {
    std::int64_t n = store.optimizers().count == 0 ? store.steps : 0;
    for (auto const* o : store.optimizers()) n += o->global_step;
    return n;
}
/// A number without sign in metadata; false where the text is something else.
inline bool read_number(std::string const& text, std::uint64_t& number) {
    number = 0;
    for (char const c : text) number = number * 10 + static_cast<std::uint64_t>(c - '0');
    return text == std::to_string(number);
}

template<class Store, class Metadata>
XGRAD_COLD void save_store(Store& store, std::string const& path, Metadata metadata, std::vector<vocabulary const*> const& words) {
    for (auto const& [key, value] : metadata)
        if (key.starts_with(checkpoint_prefix))
            raise<io_error>(path + ": the metadata \"" + key + "\" begin with \"xgrad.\", which is kept for xgrad's own");
    metadata.emplace("xgrad.checkpoint", "1");
    metadata["xgrad.seed"] = std::to_string(store.seed);
    if (store.steps != sum_of_steps(store)) metadata["xgrad.steps"] = std::to_string(store.steps);
    for (int k = 0; k < store.optimizers().count; ++k)
        for (auto const& slots : store.optimizers().at[k]->all()) {
            std::string const name(store.variables().at[slots.variable].name);
            metadata["xgrad." + rule_key("rule", k) + name] = slots.rule;
            metadata["xgrad." + rule_key("kind", k) + name] = kind_of(slots);
        }
    for (auto const& b : store.sizes()) metadata["xgrad.size." + std::string(b.info->name)] = std::to_string(b.size);
    std::vector<tensor_record> tensors;
    for (auto& e : checkpoint_entries(store)) tensors.push_back(std::move(e.tensor));
    for (auto const* w : words) {
        for (auto const& t : tensors)
            if (t.name == w->name() + "/keys") raise<io_error>(path + ": two tensors would have the name \"" + t.name + "\"");
        tensors.push_back({w->name() + "/keys", dtype::int64, {w->size()}, w->keys().data()});
    }
    write_safetensors(path, tensors, metadata);
}

/// Collects what does not fit, for one message.
class checkpoint_differences {
    std::string text_;

public:
    XGRAD_COLD void add(std::string const& line) { text_ += "\n  " + line; }
    bool any() const { return !text_.empty(); }
    std::string const& text() const { return text_; }
};

XGRAD_COLD inline std::string checkpoint_kind(dtype type, std::vector<std::int64_t> const& shape) {
    return std::string(to_string(type)) + shape_text(shape);
}

// The state of random streams.
struct random_position {
    std::uint64_t seed;
    std::uint64_t steps;   // or as many as those of the trainers
    bool counted = true;
};
// What a whole checkpoint must agree in besides its tensors.
template<class Store, class Metadata>
XGRAD_COLD random_position check_checkpoint_metadata(Store const& store, Metadata const& found, checkpoint_differences& wrong) {
    auto const value = [&](std::string const& key) {
        auto const at = found.find("xgrad." + key);
        return at == found.end() ? std::string() : at->second;
    };
    if (std::string const version = value("checkpoint"); version != "1")
        wrong.add(version.empty() ? std::string("the file was not written by xgrad::save (its metadata have no \"xgrad.checkpoint\")")
                                  : "the file is a checkpoint of version \"" + version + "\", this xgrad reads version 1");
    random_position at{};
    std::string const seed = value("seed"), steps = value("steps");
    if (!read_number(seed, at.seed)) wrong.add("the metadata \"xgrad.seed\" hold \"" + seed + "\", which is no seed");
    at.counted = !steps.empty();
    if (at.counted && (!read_number(steps, at.steps) || at.steps >> 63 != 0))
        wrong.add("the metadata \"xgrad.steps\" hold \"" + steps + "\", which is no number of steps");
    auto const named = [](std::string_view r) { return r.empty() ? std::string("no rule") : "the rule " + std::string(r); };
    int const trainers = store.optimizers().count;
    for (int k = 0; k < (trainers > 0 ? trainers : 1); ++k)
        for (int n = 0; n < store.variables().count; ++n) {
            auto const* slots = trainers > 0 ? store.optimizers().at[k]->find(n) : nullptr;
            std::string_view const here = slots != nullptr ? slots->rule : std::string_view();
            std::string const name(store.variables().at[n].name), rule = value(rule_key("rule", k) + name),
                                                                  kind = value(rule_key("kind", k) + name);
            auto const differ = [&](std::string const& ours, std::string const& there) {
                wrong.add("variable \"" + name + "\" is trained by " + ours + " here and by " + there + " in the file" +
                          (k > 0 ? " (trainer " + std::to_string(k + 1) + ")" : ""));
            };
            if (rule != here) differ(named(here), named(rule));
            else if (slots != nullptr && !kind.empty() && kind != kind_of(*slots))
                differ(kind_of(*slots), kind);   // files of the first days have none
        }
    return at;
}

template<class Metadata, class Store>
XGRAD_COLD Metadata restore_store(Store& store, std::string const& path, bool only_variables, std::vector<vocabulary*> const& words) {
    basic_safetensors_file<Metadata> const file(path);
    checkpoint_differences wrong;
    std::vector<checkpoint_entry> const entries = checkpoint_entries(store);
    std::map<std::string_view, int> known;
    for (auto const& e : entries) {
        if (only_variables && e.what != checkpoint_entry::variable) continue;
        known.emplace(e.tensor.name, 0);
        stored_tensor const* const found = file.find(e.tensor.name);
        std::string const here = "\"" + e.tensor.name + "\" is " + checkpoint_kind(e.tensor.type, e.tensor.shape) + " here";
        if (found == nullptr) wrong.add(here + " and missing in the file");
        else if (found->type != e.tensor.type || found->shape != e.tensor.shape)
            wrong.add(here + " and " + checkpoint_kind(found->type, found->shape) + " in the file");
        else if (e.what == checkpoint_entry::step && *static_cast<std::int64_t const*>(found->data) < 0)
            wrong.add("\"" + e.tensor.name + "\" is negative in the file");
    }
    std::vector<vocabulary> restored;   // beside `words`
    std::vector<std::string> key_names;
    for (auto const* w : words) key_names.push_back(w->name() + "/keys");
    for (std::size_t i = 0; i < words.size(); ++i) {
        restored.emplace_back(words[i]->name());
        known.emplace(key_names[i], 0);
        stored_tensor const* const found = file.find(key_names[i]);
        if (found == nullptr) wrong.add("\"" + key_names[i] + "\", the keys of a vocabulary, are missing in the file");
        else if (found->type != dtype::int64 || found->shape.size() != 1)
            wrong.add("\"" + key_names[i] + "\" is " + checkpoint_kind(found->type, found->shape) + " in the file and no list of keys");
        else {
            std::vector<std::int64_t> keys(static_cast<std::size_t>(found->shape[0]));
            if (found->bytes != 0) std::memcpy(keys.data(), found->data, found->bytes);
            if (!restored[i].assign(keys)) wrong.add("\"" + key_names[i] + "\" in the file has a key twice");
        }
    }
    for (auto const& b : store.sizes()) {   // why shapes differ
        std::string const name(b.info->name), here = std::to_string(b.size);
        auto const at = file.metadata().find("xgrad.size." + name);
        if (at != file.metadata().end() && at->second != here)
            wrong.add("the dimension \"" + name + "\" has " + here + " elements here and " + at->second +
                      " in the file; make the owner with that size, or grow() it first");
    }
    random_position at{store.seed, static_cast<std::uint64_t>(store.steps)};
    if (!only_variables) {
        for (auto const& t : file.tensors())
            if (!known.contains(t.name))
                wrong.add("\"" + t.name + "\" is " + checkpoint_kind(t.type, t.shape) + " in the file and unknown here");
        at = check_checkpoint_metadata(store, file.metadata(), wrong);
    }
    if (wrong.any())
        raise<checkpoint_error>(
            path + ": does not fit what it should be restored into; nothing has been changed:" + wrong.text() +
            (only_variables ? ""
                            : "\n  (restore(owner, path, xgrad::variables_only) takes the variables and leaves optimizer, step and seed)"));
    for (auto const& e : entries)
        if (!only_variables || e.what == checkpoint_entry::variable)
            if (stored_tensor const* const found = file.find(e.tensor.name); found->bytes != 0)
                std::memcpy(e.target, found->data, found->bytes);
    for (std::size_t i = 0; i < words.size(); ++i) std::swap(*words[i], restored[i]);
    store.seed = at.seed;
    store.steps = at.counted ? static_cast<std::int64_t>(at.steps) : sum_of_steps(store);
    Metadata extra;
    for (auto const& [key, value] : file.metadata())
        if (!key.starts_with(checkpoint_prefix)) extra.emplace(key, value);
    return extra;
}

}   // namespace detail

/// Writes a trainer (or xg::variables) to `path` as safetensors: variables, slots, optimizer scalars, global step, seed and the names and kinds of the rules,
/// with `metadata` of the caller beside them (its keys must not begin with "xgrad."). The file appears whole or not at all. Hyper-parameters are not
/// saved. Do not call it while a step runs. Throws io_error.
template<class Owner>
void save(Owner& owner, std::string const& path, std::map<std::string, std::string> const& metadata = {}) {
    constexpr bool owns = requires { owner.store().variables(); };
    static_assert(owns, "xgrad::save(owner, path): owner must be a trainer (minimize, apply_gradients) or xgrad::variables");
    // Nothing is written through the addresses.
    if constexpr (owns) detail::save_store(const_cast<variable_store&>(owner.store()), path, metadata, {});
}
/// The same with the keys of vocabularies, each as the tensor "name/keys": `save(train, path, {}, users_seen)`.
template<class Owner, std::same_as<vocabulary>... V>
    requires(sizeof...(V) > 0)
void save(Owner& owner, std::string const& path, std::map<std::string, std::string> const& metadata, V const&... words) {
    constexpr bool owns = requires { owner.store().variables(); };
    static_assert(owns, "xgrad::save(owner, path): owner must be a trainer (minimize, apply_gradients) or xgrad::variables");
    if constexpr (owns) detail::save_store(const_cast<variable_store&>(owner.store()), path, metadata, {&words...});
}

/// Restores what save wrote and returns the caller's metadata; training then goes on with the same bits. Everything is compared first: if a name,
/// shape, element type or rule differs, checkpoint_error lists all differences and nothing has been changed; io_error if the file cannot be read.
/// Vocabularies that were saved with it stand behind the path: `restore(train, path, users_seen)`.
template<class Owner, std::same_as<vocabulary>... V>
std::map<std::string, std::string> restore(Owner& owner, std::string const& path, V&... words) {
    constexpr bool owns = requires { owner.store().variables(); };
    static_assert(owns, "xgrad::restore(owner, path): owner must be a trainer (minimize, apply_gradients) or xgrad::variables");
    if constexpr (owns) return detail::restore_store<std::map<std::string, std::string>>(owner.store(), path, false, {&words...});
    else return {};
}

/// The size of a named dimension of variables in a checkpoint, to make an owner with it: `minimize(loss, adam{}, features = saved_size(path, features))`.
/// Throws io_error, or checkpoint_error where no variable of the file has that dimension.
template<std::size_t N>
std::int64_t saved_size(std::string const& path, dim<N> const& dimension) {
    basic_safetensors_file<std::map<std::string, std::string>> const file(path);
    std::string const name(dimension.name.view());
    auto const at = file.metadata().find("xgrad.size." + name);
    std::int64_t size = -1;
    if (at != file.metadata().end() && std::from_chars(at->second.data(), at->second.data() + at->second.size(), size).ec == std::errc() &&
        size >= 0)
        return size;
    raise<checkpoint_error>(path + ": no variable in it has the dimension \"" + name + "\"");
}

/// Restores the variables alone, also from files by others and of models with more variables; slots, step and seed stay. Every variable of the owner
/// must be in the file with its shape and element type, else checkpoint_error, and nothing has been changed.
template<class Owner>
std::map<std::string, std::string> restore(Owner& owner, std::string const& path, variables_only_flag) {
    constexpr bool owns = requires { owner.store().variables(); };
    static_assert(
        owns, "xgrad::restore(owner, path, variables_only): owner must be a trainer (minimize, apply_gradients) or xgrad::variables");
    if constexpr (owns) return detail::restore_store<std::map<std::string, std::string>>(owner.store(), path, true, {});
    else return {};
}

XGRAD_NAMESPACE_END
