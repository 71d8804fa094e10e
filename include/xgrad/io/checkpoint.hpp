// SPDX-License-Identifier: MIT
// Checkpoints: save and restore variables, slots, optimizer scalars, global step and seed as safetensors.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/io/restoration.hpp>

#include <concepts>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

XGRAD_NAMESPACE_BEGIN

/// An object that save and restore take after the path or metadata. It is stored as a list of integers.
///
/// - saved_as: the second part of the tensor's name, "name/saved_as".
/// - blank(): a copy into which restore reads first, because nothing may change before all is compared.
/// - assign(numbers): false if the list is broken. Then `broken` ends the error sentence.
///
/// Examples: vocabulary of
/// sparse/vocabulary.hpp, growing_table of train/growing_table.hpp, the window of train/ggt.hpp, batches of data/batches.hpp.
template<class T>
concept SavedBeside = requires(T const& t, T& changed, std::span<std::int64_t const> numbers) {
    { t.name() } -> std::convertible_to<std::string_view>;
    { T::saved_as } -> std::convertible_to<std::string_view>;
    { T::broken } -> std::convertible_to<std::string_view>;
    { t.numbers().data() } -> std::convertible_to<std::int64_t const*>;
    { t.blank() } -> std::same_as<T>;
    { changed.assign(numbers) } -> std::same_as<bool>;
};

/// Argument of restore(): restores only the variables.
struct variables_only_flag {};
inline constexpr variables_only_flag variables_only{};

/// The name of a tensor in a file, and whether it is the transposed matrix there.
struct name_in_file {
    std::string name;
    bool transposed = false;

    name_in_file(std::string its_name, bool is_transposed = false) : name(std::move(its_name)), transposed(is_transposed) {}
    name_in_file(char const* its_name) : name(its_name) {}
};
/// For variables_as: a matrix that is transposed in the file. A weight of torch.nn.Linear is [out, in], one of xgrad's nn::dense is
/// [in, out].
inline name_in_file transposed(std::string name) { return {std::move(name), true}; }

/// Argument of restore(): the variables to restore and their names in the file: `{"here", "in the file"}` or
/// `{"here", transposed("in the file")}`.
struct variables_as {
    struct entry {
        std::string here;
        name_in_file there;
    };
    std::map<std::string, std::string> names;
    std::map<std::string, std::string> transposed;   ///< those that are transposed in the file

    /// Throws checkpoint_error if a variable is named twice.
    variables_as(std::initializer_list<entry> list) {
        for (auto const& [here, there] : list) {
            std::string const* const before = find(here);
            if (before != nullptr)
                raise_parts<checkpoint_error>({"xgrad::variables_as: the variable \"", here, "\" is named twice, as \"", *before,
                    "\" and as \"", there.name, "\" in the file"});
            (there.transposed ? transposed : names).emplace(here, there.name);
        }
    }
    explicit variables_as(std::map<std::string, std::string> list) : names(std::move(list)) {}

private:
    std::string const* find(std::string const& here) const {
        for (auto const* in : {&names, &transposed})
            if (auto const at = in->find(here); at != in->end()) return &at->second;
        return nullptr;
    }
};

namespace detail {

/// A list of integers, the tensor "name/what" in the file.
struct stored_numbers {
    std::string_view name, what;
    std::int64_t const* numbers;
    std::int64_t count;
};
template<class Numbers>
stored_numbers stored(std::string_view name, std::string_view what, Numbers const& n) {
    return {name, what, n.data(), static_cast<std::int64_t>(n.size())};
}

/// `header` has the metadata of the caller. `words` are the lists of integers of the objects that are saved too.
void save_store(variable_store& store, std::string const& path, safetensors_header& header, std::initializer_list<stored_numbers> words);

std::int64_t saved_size_of(std::string const& path, std::string_view dimension);

#if XGRAD_COMPILED != 1
XGRAD_COLD XGRAD_HOST void save_store(
    variable_store& store, std::string const& path, safetensors_header& header, std::initializer_list<stored_numbers> words) {
    store.expect_no_run("save(owner, path)", store_access::read);
    for (auto const& m : header.metadata)
        if (m.name.starts_with(checkpoint_prefix))
            raise_parts<io_error>({path, ": the metadata \"", m.name, "\" begin with \"xgrad.\", which is reserved for xgrad"});
    stored_tensors tensors(store);
    kept_texts& texts = tensors.texts;
    auto const add = [&](std::string_view key, std::string_view value) { header.metadata.push({key, value}); };
    add("xgrad.checkpoint", "1");
    add("xgrad.seed", texts.keep({store.seed}));
    if (store.steps != sum_of_steps(store)) add("xgrad.steps", texts.keep({store.steps}));
    add_rules_and_sizes(store, texts, header.metadata);
    header.tensors.swap(tensors.list);
    for (auto const& w : words) {
        std::string_view const name = texts.keep({w.name, "/", w.what});
        for (auto const& t : header.tensors)
            if (t.name == name) raise_parts<io_error>({path, ": two tensors would have the name \"", name, "\""});
        // nothing is written to the address
        header.tensors.push({name, dtype::int64, 1, &w.count, const_cast<std::int64_t*>(w.numbers)});
    }
    write_tensor_file(path, header);
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
    // nothing is written to the addresses
    save_store(const_cast<variable_store&>(store), path, header, {stored(words.name(), V::saved_as, words.numbers())...});
}
template<class Metadata, class... V>
Metadata restore_all(variable_store& store, std::string const& path, bool only_variables, V&... words) {
    restoration from(store, path, only_variables);
    if constexpr (sizeof...(V) > 0) {
        std::tuple<V...> restored{words.blank()...};   // copies, because nothing may change before all is compared
        std::apply([&](V&... r) { (from.read_numbers(r.name(), V::saved_as, V::broken, [&](auto list) { return r.assign(list); }), ...); },
            restored);
        from.finish();
        std::apply([&](V&... r) { (std::swap(words, r), ...); }, restored);
    } else {
        from.finish();
    }
    return from.template metadata<Metadata>();
}

}   // namespace detail

/// Writes a trainer (or xg::variables) to `path` as safetensors: `save(train, path)`.
///
/// * It has variables, slots, optimizer scalars, global step, seed, and the names and kinds of the rules. Hyper-parameters are not
///   saved.
/// * `metadata` is added. Its keys must not begin with "xgrad.".
/// * Vocabularies, growing tables and the like come after the metadata: `save(train, path, {}, users_seen)`. Each becomes a tensor,
///   such as "name/keys" or "name/rows".
/// * The file appears whole or not at all. Throws io_error. Do not call it during a step.
template<class Owner, SavedBeside... V>
void save(Owner& owner, std::string const& path, std::map<std::string, std::string> const& metadata, V const&... words) {
    constexpr bool owns = requires { owner.store().variables(); };
    static_assert(owns,
        "xgrad::save(owner, path): owner is neither a trainer (minimize, apply_gradients) nor xgrad::variables; give one of "
        "these");
    if constexpr (owns) detail::save_all(owner.store(), path, metadata, words...);
}
template<class Owner, class... A>   // save(path, train)
void save(char const*, Owner&&, A const&...) {
    static_assert(sizeof(Owner) == 0,
        "xgrad::save(owner, path): the path is the first argument; write the owner first: save(train, \"model.safetensors\")");
}
template<class Owner>
void save(Owner& owner, std::string const& path) {
    constexpr bool owns = requires { owner.store().variables(); };
    static_assert(owns,
        "xgrad::save(owner, path): owner is neither a trainer (minimize, apply_gradients) nor xgrad::variables; give one of "
        "these");
    if constexpr (owns) detail::save_all(owner.store(), path, std::initializer_list<detail::metadata_entry>());
}

namespace detail {
using metadata_map = std::map<std::string, std::string>;
}
template<class Owner, class Metadata, class... V>   // save(train, path, batches)
    requires(!std::is_convertible_v<Metadata const&, detail::metadata_map const&>)
void save(Owner&, std::string const&, Metadata const&, V const&...) {
    static_assert(sizeof(Metadata) == 0,
        "xgrad::save(owner, path, metadata, others...): the third argument is not a map of texts; write {} for none, then the "
        "others: save(train, path, {}, batches)");
}
template<class Owner, class V, class... W>   // save(train, path, {}, something without numbers)
    requires(!(SavedBeside<V> && ... && SavedBeside<W>))
void save(Owner&, std::string const&, detail::metadata_map const&, V const&, W const&...) {
    static_assert(sizeof(V) == 0,
        "xgrad::save(owner, path, metadata, others...): one of the others is no vocabulary, growing table, batches or window "
        "of ggt; save a second owner to a separate path");
}
template<class Owner, class Path, class... A>   // save(path, train) with a path that is not a literal
    requires(!std::is_convertible_v<Path const&, std::string> && !std::is_convertible_v<Owner&, char const*>)
void save(Owner&, Path const&, A const&...) {
    static_assert(sizeof(Path) == 0,
        "xgrad::save(owner, path): the second argument is not a path; write the owner first, then the path: save(train, path)");
}
template<class Owner>
void save(Owner const&) {
    static_assert(
        sizeof(Owner) == 0, "xgrad::save(owner, path): the path of the file is missing; write save(train, \"model.safetensors\")");
}

/// Restores a file of save and returns the metadata of the caller. Training then continues with the same bits.
///
/// * Everything is compared first. If a name, shape, element type or rule differs, checkpoint_error lists all differences and nothing
///   has changed.
/// * Throws io_error if the file cannot be read.
/// * Vocabularies, growing tables and the like that were saved with it come after the path: `restore(train, path, users_seen)`.
template<class Owner, SavedBeside... V>
std::map<std::string, std::string> restore(Owner& owner, std::string const& path, V&... words) {
    constexpr bool owns = requires { owner.store().variables(); };
    static_assert(owns,
        "xgrad::restore(owner, path): owner is neither a trainer (minimize, apply_gradients) nor xgrad::variables; give one of "
        "these");
    if constexpr (owns) return detail::restore_all<std::map<std::string, std::string>>(owner.store(), path, false, words...);
    else return {};
}

/// The size of a named dimension of variables in a checkpoint, for an owner of that size:
/// `minimize(loss, adam{}, features = saved_size(path, features))`.
/// Throws io_error, or checkpoint_error if no variable of the file has that dimension.
template<std::size_t N>
std::int64_t saved_size(std::string const& path, dim<N> const& dimension) {
    return detail::saved_size_of(path, dimension.name.view());
}

/// Restores only the variables, also from files of other tools and of models with more variables. Slots, step and seed stay. Every
/// variable of the owner must be in the file with its shape and element type. Otherwise it throws checkpoint_error, and nothing has
/// changed.
template<class Owner>
std::map<std::string, std::string> restore(Owner& owner, std::string const& path, variables_only_flag) {
    constexpr bool owns = requires { owner.store().variables(); };
    static_assert(owns, "xgrad::restore(owner, path, variables_only): owner is neither a trainer (minimize, apply_gradients) nor "
                        "xgrad::variables; give one of these");
    if constexpr (owns) return detail::restore_all<std::map<std::string, std::string>>(owner.store(), path, true);
    else return {};
}

/// Restores the named variables, from tensors that may have other names. Everything else stays. For a part of another model, or files
/// of other tools:
///
///     restore(train, path, xgrad::variables_as{{"hidden/w", "encoder.0.weight"}, {"hidden/b", "encoder.0.bias"}})
///
/// Throws checkpoint_error if a variable or tensor is missing, or if shape or element type differ. Nothing has changed then.
/// Source: TensorFlow 1's tf.train.init_from_checkpoint and Saver(var_list={name: variable}).
template<class Owner>
std::map<std::string, std::string> restore(Owner& owner, std::string const& path, variables_as const& chosen) {
    constexpr bool owns = requires { owner.store().variables(); };
    static_assert(owns, "xgrad::restore(owner, path, variables_as): owner is neither a trainer (minimize, apply_gradients) nor "
                        "xgrad::variables; give one of these");
    if constexpr (owns) {
        sequence<detail::renamed_variable> names;
        for (auto const& [here, there] : chosen.names) names.push({here, there, false});
        for (auto const& [here, there] : chosen.transposed) names.push({here, there, true});
        detail::restoration from(owner.store(), path, true, &names);
        from.finish();
        return from.template metadata<std::map<std::string, std::string>>();
    } else {
        return {};
    }
}

namespace detail {
template<class Owner, class... A>
inline constexpr bool restores = false;
template<class Owner, class Path, class... A>
inline constexpr bool restores<Owner, Path, A...> =
    !std::is_const_v<Owner> && std::is_convertible_v<Path, std::string const&> &&
    (requires(Owner& owner) { owner.store(); } || !std::is_convertible_v<Owner&, std::string const&>);
}
template<class Owner, class... A>   // restore(path, train), restore(path), restore(train, 3)
    requires(!detail::restores<Owner, A...>)
std::map<std::string, std::string> restore(Owner&, A&&...) {
    static_assert(sizeof(Owner) == 0,
        "xgrad::restore(owner, path): the owner is const, has no variables yet or is not first, or the path is missing; write "
        "restore(train, \"model.safetensors\")");
    return {};
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
