// SPDX-License-Identifier: MIT
// Checkpoints: save and restore of variables, slots, optimizer scalars, global step and seed as safetensors.
#pragma once

#include <xgrad/io/tensor_file.hpp>
#include <xgrad/store/variable_store.hpp>

#include <concepts>
#include <cstring>
#include <map>
#include <string>
#include <type_traits>
#include <utility>

XGRAD_NAMESPACE_BEGIN

class vocabulary;   // of sparse/vocabulary.hpp

/// Flag of restore(): take the variables and nothing else.
struct variables_only_flag {};
inline constexpr variables_only_flag variables_only{};

namespace detail {

inline constexpr std::string_view checkpoint_prefix = "xgrad.";   // of the metadata that are xgrad's own

/// Texts that stay where they are.
class kept_texts {
    sequence<std::string*> all_;

public:
    kept_texts() = default;
    kept_texts(kept_texts const&) = delete;
    kept_texts& operator=(kept_texts const&) = delete;
    ~kept_texts();
    std::string_view keep(std::initializer_list<message_part> parts);
};

/// All tensors of a store. Names as in TensorFlow: "w", "w/Adam", "w/Adam_1", "beta1_power", "global_step"; a name that is taken gets the first free
/// suffix _1, _2, ... Variables come first, so that theirs never change, then what the trainers keep, in the order in which they were made.
struct stored_tensors {
    sequence<tensor_entry> list;
    int variables;      // the first ones
    int before_steps;   // from here on steps
    kept_texts texts;

    explicit stored_tensors(variable_store& store);

private:
    void add(std::string_view wanted, dtype type, axis_range axes, std::int64_t const* extents, void* data);
    bool taken(std::string_view name) const;
};

/// The keys of a vocabulary.
struct stored_keys {
    std::string_view name;
    std::int64_t const* keys;
    std::int64_t count;
};

/// The metadata about variable v of trainer k: "xgrad.rule.v", "xgrad.rule_1.v", ...
std::string metadata_key(std::string_view what, int k, std::string_view v);
/// What a rule does: its own name and what becomes of rows that do not occur. Rules that share TensorFlow's name, such as adam and lazy_adam, differ in it.
std::string kind_of(stored_slots const& slots);
/// The steps of all trainers that are there.
std::int64_t sum_of_steps(variable_store const& store);
/// A number without sign in metadata; false where the text is something else.
bool read_number(std::string_view text, std::uint64_t& number);

/// `header` has the caller's metadata.
void save_store(variable_store& store, std::string const& path, safetensors_header& header, std::initializer_list<stored_keys> words);

std::string tensor_kind(tensor_entry const& t);
bool same_kind(tensor_entry const& a, tensor_entry const& b);

/// A file and the store that it shall go into. Everything is compared, what differs is collected for one message; only then `finish` changes the store.
class restoration {
    variable_store& store_;
    std::string const& path_;
    bool only_variables_;
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
    // Empty where there is none.
    std::string_view value(std::string_view key) const;

    // What a whole checkpoint must agree in besides its tensors.
    void check_metadata();
    void check_rule(int k, std::string_view name, stored_slots const* slots);

public:
    restoration(variable_store& store, std::string const& path, bool only_variables);
    /// The keys of a vocabulary for `assign`, which is false where one occurs twice.
    template<class Assign>
    void read_keys(std::string const& vocabulary_name, Assign const& assign) {
        std::string const name = message({vocabulary_name, "/keys"});
        tensor_entry const* const found = known(name);
        if (found == nullptr) differ({"\"", name, "\", the keys of a vocabulary, are missing in the file"});
        else if (found->type != dtype::int64 || found->rank != 1)
            differ({"\"", name, "\" is ", tensor_kind(*found), " in the file and no list of keys"});
        else if (!assign(static_cast<std::int64_t const*>(found->data), found->extents[0]))
            differ({"\"", name, "\" in the file has a key twice"});
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

std::int64_t saved_size_of(std::string const& path, std::string_view dimension);

#if XGRAD_COMPILED != 1
XGRAD_COLD XGRAD_HOST kept_texts::~kept_texts() {
    for (auto* text : all_) delete text;
}
XGRAD_COLD XGRAD_HOST std::string_view kept_texts::keep(std::initializer_list<message_part> parts) {
    all_.push(nullptr);
    return *(all_.last() = new std::string(message(parts)));
}
XGRAD_COLD XGRAD_HOST stored_tensors::stored_tensors(variable_store& store) {
    for (auto const& v : store.variables()) add(v.name, v.type, {0, v.rank}, v.extents, v.data);
    variables = list.count;
    for (auto const* o : store.optimizers())
        for (auto const& slots : o->all()) {
            auto const& v = store.variables().at[slots.variable];
            for (int s = 0; s < slots.slot_count; ++s)
                add(texts.keep({v.name, "/", slots.rule}), slots.slot_infos[s].type_for(v.type), axes_of(slots.slot_infos[s].scope, v.rank),
                    v.extents, slots.slots[s]);
        }
    for (auto* o : store.optimizers())
        for (int k = 0; k < o->powers.count; ++k) add(o->power_names.at[k], dtype::float64, {}, nullptr, &o->powers.at[k]);
    before_steps = list.count;
    for (auto* o : store.optimizers()) add("global_step", dtype::int64, {}, nullptr, &o->global_step);
    if (store.optimizers().count == 0) add("global_step", dtype::int64, {}, nullptr, &store.steps);
}
XGRAD_COLD XGRAD_HOST void stored_tensors::add(
    std::string_view wanted, dtype type, axis_range axes, std::int64_t const* extents, void* data) {
    std::string_view name = wanted;
    for (int k = 1; taken(name); ++k) name = texts.keep({wanted, "_", k});
    list.push({name, type, static_cast<std::size_t>(axes.count), extents + axes.first, data});
}
XGRAD_COLD XGRAD_HOST bool stored_tensors::taken(std::string_view name) const {   // one by one: a program has some hundred variables
    for (auto const& t : list)
        if (t.name == name) return true;
    return false;
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
XGRAD_COLD XGRAD_HOST void save_store(
    variable_store& store, std::string const& path, safetensors_header& header, std::initializer_list<stored_keys> words) {
    for (auto const& m : header.metadata)
        if (m.name.starts_with(checkpoint_prefix))
            raise_parts<io_error>({path, ": the metadata \"", m.name, "\" begin with \"xgrad.\", which is kept for xgrad's own"});
    stored_tensors tensors(store);
    kept_texts& texts = tensors.texts;
    auto const add = [&](std::string_view key, std::string_view value) { header.metadata.push({key, value}); };
    add("xgrad.checkpoint", "1");
    add("xgrad.seed", texts.keep({store.seed}));
    if (store.steps != sum_of_steps(store)) add("xgrad.steps", texts.keep({store.steps}));
    for (int k = 0; k < store.optimizers().count; ++k)
        for (auto const& slots : store.optimizers().at[k]->all()) {
            std::string_view const name = store.variables().at[slots.variable].name;
            add(texts.keep({metadata_key("rule", k, name)}), slots.rule);
            add(texts.keep({metadata_key("kind", k, name)}), texts.keep({kind_of(slots)}));
        }
    for (auto const& b : store.sizes()) add(texts.keep({"xgrad.size.", b.info->name}), texts.keep({b.size}));
    header.tensors.swap(tensors.list);
    for (auto const& w : words) {
        std::string_view const name = texts.keep({w.name, "/keys"});
        for (auto const& t : header.tensors)
            if (t.name == name) raise_parts<io_error>({path, ": two tensors would have the name \"", name, "\""});
        // Nothing is written through the address.
        header.tensors.push({name, dtype::int64, 1, &w.count, const_cast<std::int64_t*>(w.keys)});
    }
    write_tensor_file(path, header);
}
XGRAD_COLD XGRAD_HOST std::string tensor_kind(tensor_entry const& t) { return message({to_string(t.type), shape_text(t.extents, t.rank)}); }
XGRAD_COLD XGRAD_HOST bool same_kind(tensor_entry const& a, tensor_entry const& b) {
    bool same = a.type == b.type && a.rank == b.rank;
    for (std::size_t d = 0; same && d < a.rank; ++d) same = a.extents[d] == b.extents[d];
    return same;
}
XGRAD_COLD XGRAD_HOST void restoration::differ(std::initializer_list<message_part> parts) { append(wrong_, {"\n  ", message(parts)}); }
XGRAD_COLD XGRAD_HOST tensor_entry const* restoration::known(std::string_view name) {
    tensor_entry const* const found = find_entry(file_.tensors(), name);
    if (found != nullptr) known_.at[found - file_.tensors().at] = true;
    return found;
}
XGRAD_COLD XGRAD_HOST int restoration::compared() const { return only_variables_ ? here_.variables : here_.list.count; }
XGRAD_COLD XGRAD_HOST std::string_view restoration::value(std::string_view key) const {
    metadata_entry const* const found = find_entry(file_.metadata(), key);
    return found != nullptr ? found->value : std::string_view();
}
XGRAD_COLD XGRAD_HOST void restoration::check_metadata() {
    if (std::string_view const version = value("xgrad.checkpoint"); version.empty())
        differ({"the file was not written by xgrad::save (its metadata have no \"xgrad.checkpoint\")"});
    else if (version != "1") differ({"the file is a checkpoint of version \"", version, "\", this xgrad reads version 1"});
    std::string_view const seed = value("xgrad.seed"), steps = value("xgrad.steps");
    if (!read_number(seed, seed_)) differ({"the metadata \"xgrad.seed\" hold \"", seed, "\", which is no seed"});
    counted_ = !steps.empty();
    if (counted_ && (!read_number(steps, steps_) || steps_ >> 63 != 0))
        differ({"the metadata \"xgrad.steps\" hold \"", steps, "\", which is no number of steps"});
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
XGRAD_COLD XGRAD_HOST restoration::restoration(variable_store& store, std::string const& path, bool only_variables)
    : store_(store), path_(path), only_variables_(only_variables), file_(path), here_(store), known_(file_.tensors().count, false),
      seed_(store.seed), steps_(static_cast<std::uint64_t>(store.steps)) {
    for (int k = 0; k < compared(); ++k) {
        tensor_entry const& t = here_.list.at[k];
        tensor_entry const* const found = known(t.name);
        if (found == nullptr) differ({"\"", t.name, "\" is ", tensor_kind(t), " here and missing in the file"});
        else if (!same_kind(*found, t)) differ({"\"", t.name, "\" is ", tensor_kind(t), " here and ", tensor_kind(*found), " in the file"});
        else if (k >= here_.before_steps && *static_cast<std::int64_t const*>(found->data) < 0)
            differ({"\"", t.name, "\" is negative in the file"});
    }
}
XGRAD_COLD XGRAD_HOST void restoration::finish() {
    for (auto const& b : store_.sizes()) {   // why shapes differ
        metadata_entry const* const there = find_entry(file_.metadata(), message({"xgrad.size.", b.info->name}));
        if (there != nullptr && there->value != message({b.size}))
            differ({"the dimension \"", b.info->name, "\" has ", b.size, " elements here and ", there->value,
                " in the file; make the owner with that size, or grow() it first"});
    }
    if (!only_variables_) {
        for (int k = 0; k < file_.tensors().count; ++k)
            if (tensor_entry const& t = file_.tensors().at[k]; !known_.at[k])
                differ({"\"", t.name, "\" is ", tensor_kind(t), " in the file and unknown here"});
        check_metadata();
    }
    if (!wrong_.empty())
        raise_parts<checkpoint_error>({path_, ": does not fit what it should be restored into; nothing has been changed:", wrong_,
            only_variables_ ? ""
                            : "\n  (restore(owner, path, xgrad::variables_only) takes the variables and leaves optimizer, step and seed)"});
    for (int k = 0; k < compared(); ++k)
        if (tensor_entry const* const found = known(here_.list.at[k].name); found->begin != found->end)
            std::memcpy(here_.list.at[k].data, found->data, static_cast<std::size_t>(found->end - found->begin));
    store_.seed = seed_;
    store_.steps = counted_ ? static_cast<std::int64_t>(steps_) : sum_of_steps(store_);
}
XGRAD_COLD XGRAD_HOST std::int64_t saved_size_of(std::string const& path, std::string_view dimension) {
    tensor_file const file(path);
    metadata_entry const* const found = find_entry(file.metadata(), message({"xgrad.size.", dimension}));
    std::uint64_t size = 0;
    if (found != nullptr && read_number(found->value, size) && size >> 63 == 0) return static_cast<std::int64_t>(size);
    raise_parts<checkpoint_error>({path, ": no variable in it has the dimension \"", dimension, "\""});
}
#endif

template<class Metadata, class... V>
void save_all(variable_store const& store, std::string const& path, Metadata const& metadata, V const&... words) {
    safetensors_header header;
    for (auto const& [key, value] : metadata) header.metadata.push({key, value});
    // Nothing is written through the addresses.
    save_store(const_cast<variable_store&>(store), path, header, {stored_keys{words.name(), words.keys().data(), words.size()}...});
}
template<class Metadata, class... V>
Metadata restore_all(variable_store& store, std::string const& path, bool only_variables, V&... words) {
    restoration from(store, path, only_variables);
    if constexpr (sizeof...(V) > 0) {
        std::common_type_t<V...>* const at[] = {&words...};
        std::common_type_t<V...> restored[] = {V(words.name())...};   // beside `words`
        for (std::size_t i = 0; i < sizeof...(V); ++i)
            from.read_keys(at[i]->name(), [&](auto const* keys, std::int64_t n) {
                return restored[i].assign({keys, static_cast<std::size_t>(n)});
            });
        from.finish();
        for (std::size_t i = 0; i < sizeof...(V); ++i) std::swap(*at[i], restored[i]);
    } else {
        from.finish();
    }
    return from.template metadata<Metadata>();
}

}   // namespace detail

/// Writes a trainer (or xg::variables) to `path` as safetensors: variables, slots, optimizer scalars, global step, seed and the names and kinds of the rules,
/// with `metadata` of the caller beside them (its keys must not begin with "xgrad."). The file appears whole or not at all. Hyper-parameters are not
/// saved. Do not call it while a step runs. Throws io_error.
/// Vocabularies stand behind the metadata, each becomes the tensor "name/keys": `save(train, path, {}, users_seen)`.
template<class Owner, std::same_as<vocabulary>... V>
void save(Owner& owner, std::string const& path, std::map<std::string, std::string> const& metadata, V const&... words) {
    constexpr bool owns = requires { owner.store().variables(); };
    static_assert(owns, "xgrad::save(owner, path): owner must be a trainer (minimize, apply_gradients) or xgrad::variables");
    if constexpr (owns) detail::save_all(owner.store(), path, metadata, words...);
}
template<class Owner>
void save(Owner& owner, std::string const& path) {
    constexpr bool owns = requires { owner.store().variables(); };
    static_assert(owns, "xgrad::save(owner, path): owner must be a trainer (minimize, apply_gradients) or xgrad::variables");
    if constexpr (owns) detail::save_all(owner.store(), path, std::initializer_list<detail::metadata_entry>());
}

/// Restores what save wrote and returns the caller's metadata; training then goes on with the same bits. Everything is compared first: if a name,
/// shape, element type or rule differs, checkpoint_error lists all differences and nothing has been changed; io_error if the file cannot be read.
/// Vocabularies that were saved with it stand behind the path: `restore(train, path, users_seen)`.
template<class Owner, std::same_as<vocabulary>... V>
std::map<std::string, std::string> restore(Owner& owner, std::string const& path, V&... words) {
    constexpr bool owns = requires { owner.store().variables(); };
    static_assert(owns, "xgrad::restore(owner, path): owner must be a trainer (minimize, apply_gradients) or xgrad::variables");
    if constexpr (owns) return detail::restore_all<std::map<std::string, std::string>>(owner.store(), path, false, words...);
    else return {};
}

/// The size of a named dimension of variables in a checkpoint, to make an owner with it: `minimize(loss, adam{}, features = saved_size(path, features))`.
/// Throws io_error, or checkpoint_error where no variable of the file has that dimension.
template<std::size_t N>
std::int64_t saved_size(std::string const& path, dim<N> const& dimension) {
    return detail::saved_size_of(path, dimension.name.view());
}

/// Restores the variables alone, also from files by others and of models with more variables; slots, step and seed stay. Every variable of the owner
/// must be in the file with its shape and element type, else checkpoint_error, and nothing has been changed.
template<class Owner>
std::map<std::string, std::string> restore(Owner& owner, std::string const& path, variables_only_flag) {
    constexpr bool owns = requires { owner.store().variables(); };
    static_assert(
        owns, "xgrad::restore(owner, path, variables_only): owner must be a trainer (minimize, apply_gradients) or xgrad::variables");
    if constexpr (owns) return detail::restore_all<std::map<std::string, std::string>>(owner.store(), path, true);
    else return {};
}

XGRAD_NAMESPACE_END
