// SPDX-License-Identifier: MIT
// A trained model as C++ source: its variables as constant arrays in a header that does not need xgrad.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/io/atomic_file.hpp>
#include <xgrad/io/file_reader.hpp>
#include <xgrad/store/variable_store.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

XGRAD_NAMESPACE_BEGIN

namespace detail {

inline constexpr std::string_view reserved_words =
    " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl concept const consteval constexpr "
    "constinit const_cast continue co_await co_return co_yield decltype default delete do double dynamic_cast else enum explicit export extern false float for "
    "friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast "
    "requires return short signed sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename union "
    "unsigned using virtual void volatile wchar_t while xor xor_eq tensor tensors ";

XGRAD_COLD inline bool is_word(std::string_view name) {
    bool good = !name.empty() && (name[0] < '0' || name[0] > '9') && name[0] != '_';
    for (char const c : name) good = good && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_');
    return good && name.find("__") == name.npos && reserved_words.find(" " + std::string(name) + " ") == reserved_words.npos;
}
/// A unique C++ name for a variable. Characters that names cannot have become "_".
XGRAD_COLD inline std::string word_for(std::string_view name, std::vector<std::string> const& taken) {
    std::string word;
    for (char const c : name) {
        bool const good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (good) word += c;
        else if (!word.empty() && word.back() != '_') word += '_';
    }
    if (!is_word(word)) word = "v_" + word;
    auto const is_taken = [&](std::string const& w) {
        for (std::string const& t : taken)
            if (t == w) return true;
        return false;
    };
    std::string unique = word;
    for (int k = 1; is_taken(unique); ++k) unique = word + (word.back() == '_' ? "" : "_") + std::to_string(k);
    return unique;
}
/// An element as a C++ literal, exact to the last bit except for the payload of NaN.
template<class T>
XGRAD_COLD void append_literal(std::string& text, T x) {
    char number[40];
    if constexpr (std::is_same_v<T, bool>) {
        text += x ? "true" : "false";
    } else if constexpr (is_half_type<T>) {
        std::snprintf(number, sizeof number, "0x%04x", static_cast<unsigned>(x.bits));
        text += number;
    } else if constexpr (std::is_integral_v<T>) {
        constexpr char const* long_long = std::is_unsigned_v<T> ? (sizeof(T) == 8 ? "ULL" : "U") : sizeof(T) == 8 ? "LL" : "";
        if (std::is_signed_v<T> && sizeof(T) >= 4 && x == std::numeric_limits<T>::min())
            text += "(" + std::to_string(x + 1) + long_long + " - 1)";   // C++ has no negative literals
        else text += std::to_string(x) + long_long;
    } else if (std::isfinite(x)) {
        std::snprintf(number, sizeof number, "%a", static_cast<double>(x));
        text += number;
        if constexpr (sizeof(T) == 4) text += 'f';
    } else {
        std::string const limits = sizeof(T) == 4 ? "std::numeric_limits<float>::" : "std::numeric_limits<double>::";
        text += (std::signbit(x) ? "-" : "") + limits + (std::isnan(x) ? "quiet_NaN()" : "infinity()");
    }
}
template<class T>
constexpr std::string_view word_of_type() {
    if constexpr (is_half_type<T>) return "unsigned short";   // for its bits
    else if constexpr (std::is_same_v<T, std::int64_t>) return "long long";
    else if constexpr (std::is_same_v<T, std::int32_t>) return "int";
    else if constexpr (std::is_same_v<T, std::int16_t>) return "short";
    else if constexpr (std::is_same_v<T, std::int8_t>) return "signed char";
    else if constexpr (std::is_same_v<T, std::uint8_t>) return "unsigned char";
    else if constexpr (std::is_same_v<T, std::uint16_t>) return "unsigned short";
    else if constexpr (std::is_same_v<T, std::uint32_t>) return "unsigned";
    else if constexpr (std::is_same_v<T, std::uint64_t>) return "unsigned long long";
    else return to_string(dtype_of<T>);
}
XGRAD_COLD inline void append_quoted(std::string& text, std::string_view name) {
    text += '"';
    for (char const c : name) {
        char octal[8];
        if (c == '"' || c == '\\') text += {'\\', c};
        else if (static_cast<unsigned char>(c) >= 32 && c != 127) text += c;
        else text += (std::snprintf(octal, sizeof octal, "\\%03o", static_cast<unsigned>(static_cast<unsigned char>(c))), octal);
    }
    text += '"';
}
XGRAD_COLD inline void append_array(std::string& text, std::string const& word, stored_variable const& t) {
    visit(t.type, [&]<class T>(std::type_identity<T>) {
        text += "inline constexpr " + std::string(word_of_type<T>()) + " " + word + "[] = {";
        for (std::int64_t i = 0; i < t.size; ++i) {
            text += i == 0 ? "" : i % 8 == 0 ? ",\n    " : ", ";
            append_literal(text, static_cast<T const*>(t.data)[i]);
        }
        text += "};\n";
    });
}
XGRAD_COLD inline void write_header(variable_store const& store, std::string const& path, std::string const& name) {
    store.expect_no_run("export_header(owner, path, name)", store_access::read);
    if (!is_word(name))
        raise_parts<io_error>(
            {path, ": \"", name, "\" cannot be the name of a namespace; give a word of letters, digits and single \"_\""});
    std::vector<std::string> words;
    std::string text =
        "// The variables of a model, written by xgrad::export_header; bfloat16 and float16 are their bits.\n// clang-format off\n#pragma once\n\n"
        "#include <limits>\n\nnamespace " +
        name + " {\n\n";
    std::string list = "struct tensor {\n    char const *name, *type;\n    int rank;\n    long long shape[" + std::to_string(max_rank) +
                       "];\n    void const* data;   // C order\n};\ninline constexpr tensor tensors[] = {\n";
    atomic_file file(path);
    for (stored_variable const& t : store.variables()) {
        std::string shape;
        for (int d = 0; d < t.rank; ++d) shape += (d == 0 ? "" : ", ") + std::to_string(t.extents[d]);
        words.push_back(word_for(t.name, words));
        if (t.size > 0) append_array(text, words.back(), t);
        list += "    {";
        append_quoted(list, t.name);
        list += ", \"" + std::string(to_string(t.type)) + "\", " + std::to_string(t.rank) + ", {" + shape + "}, " +
                (t.size > 0 ? words.back() : "nullptr") + "},\n";
        file.write(text.data(), text.size());
        text.clear();
    }
    text += "\n" + list + "};\n\n}\n";
    file.write(text.data(), text.size());
    file.commit();
}

template<class Tensor, std::size_t N>
Tensor const* named(Tensor const (&tensors)[N], std::string_view name) {
    for (Tensor const& t : tensors)
        if (t.name == name) return &t;
    return nullptr;
}
/// Appends the difference between a variable and the tensor of its name, if they differ.
template<class Tensor>
void compare(std::string& wrong, stored_variable const& v, Tensor const* found) {
    std::string const ours = message({to_string(v.type), shape_text(v.extents, static_cast<std::size_t>(v.rank))});
    std::string theirs = "missing";
    if (found != nullptr) {
        std::int64_t extents[max_rank] = {};
        for (int d = 0; d < found->rank && d < max_rank; ++d) extents[d] = found->shape[d];
        theirs = message({found->type, shape_text(extents, static_cast<std::size_t>(found->rank))});
    }
    if (ours != theirs) append(wrong, {"\n  \"", v.name, "\" is ", ours, " here and ", theirs, " in the header"});
}
}   // namespace detail

/// Writes the variables of a trainer (or xg::variables) as a C++17 header that includes only `<limits>`:
/// `export_header(train, "spiral.hpp", "spiral")`.
///
/// * Each variable is a constant array in the namespace `name`. The variable "hidden/w" is `name::hidden_w`.
/// * `name::tensors` lists all, with names, types and shapes.
/// * Numbers are hexadecimal and exact to the last bit.
/// * The file appears whole or not at all. Throws io_error if `name` cannot be a C++ name, or if the file cannot be written.
template<class Owner>
void export_header(Owner& owner, std::string const& path, std::string const& name) {
    constexpr bool owns = requires { owner.store().variables(); };
    static_assert(owns,
        "xgrad::export_header(owner, path, name): owner is neither a trainer (minimize, apply_gradients) nor xgrad::variables; "
        "give one of these");
    if constexpr (owns) detail::write_header(owner.store(), path, name);
}
/// Sets the variables of an owner to those of an exported header, without reading a file: `restore(weights, spiral::tensors)`. All
/// variables must be there with their shapes and element types. Otherwise checkpoint_error lists the differences, and nothing has
/// changed.
template<class Owner, class Tensor, std::size_t N>
    requires requires(Tensor const& t) { t.name, t.type, t.shape[0], t.data; }
void restore(Owner& owner, Tensor const (&tensors)[N]) {
    owner.store().expect_no_run("restore(owner, tensors)", store_access::change);
    auto const& variables = owner.store().variables();
    std::string wrong;
    for (auto const& v : variables) detail::compare(wrong, v, detail::named(tensors, v.name));
    if (!wrong.empty())
        raise_parts<checkpoint_error>(
            {"the tensors of an exported header do not fit the variables that they should be restored into; nothing has been changed:",
                wrong});
    for (auto const& v : variables)
        if (v.size > 0) std::memcpy(v.data, detail::named(tensors, v.name)->data, part_of(v).bytes());
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
