// SPDX-License-Identifier: MIT
// The JSON header of a safetensors file: a strict reader and a writer of exactly this structure.
//
//     {"__metadata__":{"key":"value"},"w":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}}
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/dtype.hpp>
#include <xgrad/core/error.hpp>
#include <xgrad/io/json_text.hpp>
#include <xgrad/meta/sequence.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <type_traits>

XGRAD_NAMESPACE_BEGIN

namespace detail {

/// A tensor that was read or is to be written. It does not own its texts and extents.
struct tensor_entry {
    std::string_view name;
    dtype type = dtype::float32;   // literal: a type of the format that xgrad does not compute with
    std::size_t rank = 0;
    std::int64_t const* extents = nullptr;
    void* data = nullptr;
    std::uint64_t begin = 0, end = 0;   // bytes in the file, from the end of the header
    int bits = 0;                       // bits of an element, if the type is literal
    std::string_view foreign = {};      // the name of that type in the file
};
/// A key of the metadata and its value.
struct metadata_entry {
    std::string_view name, value;
};
struct safetensors_header {
    sequence<tensor_entry> tensors;
    sequence<metadata_entry> metadata;
    sequence<std::int64_t> extents;   // the extents of all tensors of a file that was read, in sequence
};

// Entries begin with their names. Lists of them are sorted by std::qsort, because each instance of std::sort costs a tenth of a
// second of compile time.
XGRAD_COLD inline int compare_names(void const* a, void const* b) {
    return static_cast<std::string_view const*>(a)->compare(*static_cast<std::string_view const*>(b));
}
template<class Entry>
void sort_entries(sequence<Entry>& list, int (*compare)(void const*, void const*) = compare_names) {
    static_assert(std::is_trivially_copyable_v<Entry>);
    if (list.count > 1) std::qsort(list.at, static_cast<std::size_t>(list.count), sizeof(Entry), compare);
}
/// The entry of that name in a sorted list, or null.
template<class Entry>
Entry* find_entry(sequence<Entry> const& list, std::string_view name) {
    if (list.count == 0) return nullptr;
    return static_cast<Entry*>(std::bsearch(&name, list.at, static_cast<std::size_t>(list.count), sizeof(Entry), compare_names));
}
/// Sorts names. Returns the first name that occurs twice, or null.
XGRAD_COLD inline std::string_view const* name_twice(sequence<std::string_view>& names) {
    sort_entries(names);
    for (int k = 1; k < names.count; ++k)
        if (names.at[k] == names.at[k - 1]) return names.at + k;
    return nullptr;
}

struct safetensors_dtype {
    std::string_view name;
    dtype type;
};
constexpr safetensors_dtype safetensors_dtypes[] = {{"F32", dtype::float32}, {"F64", dtype::float64}, {"I32", dtype::int32},
    {"I64", dtype::int64}, {"BOOL", dtype::boolean}, {"BF16", dtype::bfloat16}, {"F16", dtype::float16}, {"I8", dtype::int8},
    {"I16", dtype::int16}, {"U8", dtype::uint8}, {"U16", dtype::uint16}, {"U32", dtype::uint32}, {"U64", dtype::uint64}};

/// Element types of the format that xgrad does not compute with. Their tensors are kept as bytes.
struct foreign_dtype {
    std::string_view name;
    int bits;
};
constexpr foreign_dtype foreign_dtypes[] = {{"C64", 64}, {"F4", 4}, {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"F8_E4M3", 8}, {"F8_E5M2", 8},
    {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}};

/// The name of a type in the format; empty for a type that files cannot have.
XGRAD_COLD inline std::string_view safetensors_name(dtype type) {
    for (auto const& d : safetensors_dtypes)
        if (d.type == type) return d.name;
    return {};
}

/// The header as JSON. It is padded with spaces to a multiple of 8 bytes, so that the data after it is aligned.
XGRAD_COLD inline std::string to_json(safetensors_header const& header) {
    std::string out = message({"{"});
    for (auto const& m : header.metadata) {
        append(out, {&m == header.metadata.at ? "\"__metadata__\":{" : ","});
        append_json_string(out, m.name);
        append(out, {":"});
        append_json_string(out, m.value);
    }
    if (header.metadata.count != 0) append(out, {header.tensors.count != 0 ? "}," : "}"});
    for (auto const& t : header.tensors) {
        append_json_string(out, t.name);
        append(out, {":{\"dtype\":\"", safetensors_name(t.type), "\",\"shape\":["});
        for (std::size_t d = 0; d < t.rank; ++d) append(out, {d > 0 ? "," : "", t.extents[d]});
        append(out, {"],\"data_offsets\":[", t.begin, ",", t.end, "]}", &t + 1 != header.tensors.end() ? "," : ""});
    }
    append(out, {"}"});
    append(out, {std::string_view("       ", (8 - out.size() % 8) % 8)});
    return out;
}

/// Reads the header. Each deviation is an io_error that names the file and the byte in the file. The grammar is fixed and does not
/// nest, so no input can exhaust the stack. Strings are decoded in place, which never makes them longer; the texts of the header are
/// parts of `text`.
class safetensors_header_reader {
public:
    safetensors_header_reader(char* text, std::size_t size, std::string const& file, safetensors_header& header)
        : text_(text), size_(size), file_(file), header_(header) {}

    XGRAD_COLD void read() {
        bool has_metadata = false;
        if (size_ == 0 || text_[0] != '{') fail({"the header must begin with '{'"});
        for (bool more = opens('{', '}'); more; more = goes_on('}')) {
            std::size_t at = 0;
            std::string_view const name = key(at);
            if (name != "__metadata__") {
                tensor(name);
                continue;
            }
            if (has_metadata) fail_at(at, {"\"__metadata__\" is in the header twice"});
            has_metadata = true;
            metadata();
        }
        while (position_ < size_ && text_[position_] == ' ') ++position_;
        if (position_ != size_) fail({"something follows the header's closing '}'; only spaces may"});
        std::int64_t const* extents = header_.extents.at;
        for (auto& t : header_.tensors) {
            t.extents = extents;
            extents += t.rank;
        }
    }

private:
    static constexpr std::size_t before = 8;   // bytes of the file before the text

    [[noreturn]] XGRAD_COLD void fail(std::initializer_list<message_part> what) const { fail_at(position_, what); }
    [[noreturn]] XGRAD_COLD void fail_at(std::size_t position, std::initializer_list<message_part> what) const {
        raise_parts<io_error>({file_, ": byte ", std::uint64_t{before + position}, ": ", message(what)});
    }

    XGRAD_COLD std::string found() const {
        if (position_ >= size_) return message({"the end of the header"});
        unsigned char const c = static_cast<unsigned char>(text_[position_]);
        if (c >= 0x20 && c < 0x7f) return message({"'", std::string_view(text_ + position_, 1), "'"});
        return message({"the byte ", c});
    }

    XGRAD_COLD void space() {
        while (position_ < size_) {
            char const c = text_[position_];
            if (c != ' ' && c != '\t' && c != '\n' && c != '\r') break;
            ++position_;
        }
    }
    XGRAD_COLD bool take(char c) {
        space();
        if (position_ >= size_ || text_[position_] != c) return false;
        ++position_;
        return true;
    }
    XGRAD_COLD void expect(char c) {
        if (!take(c)) fail({"expected '", std::string_view(&c, 1), "', found ", found()});
    }
    // Visit the members of an object or a list: for (bool more = opens('{', '}'); more; more = goes_on('}')).
    XGRAD_COLD bool opens(char open, char close) {
        expect(open);
        return !take(close);
    }
    XGRAD_COLD bool goes_on(char close) {
        if (take(',')) return true;
        expect(close);
        return false;
    }
    // Reads the key of a member. `at` is where it begins.
    XGRAD_COLD std::string_view key(std::size_t& at) {
        space();
        at = position_;
        std::string_view const text = string();
        expect(':');
        return text;
    }

    XGRAD_COLD void metadata() {
        for (bool more = opens('{', '}'); more; more = goes_on('}')) {
            std::size_t at = 0;
            std::string_view const name = key(at);
            space();
            header_.metadata.push({name, string()});
        }
        // Equal keys are sorted by their place in the text, so that the error names the first repetition.
        sort_entries(header_.metadata, [](void const* a, void const* b) {
            if (int const order = compare_names(a, b)) return order;
            return static_cast<metadata_entry const*>(a)->name.data() < static_cast<metadata_entry const*>(b)->name.data() ? -1 : 1;
        });
        std::string_view twice;
        for (int k = 1; k < header_.metadata.count; ++k) {
            std::string_view const name = header_.metadata.at[k].name;
            if (name == header_.metadata.at[k - 1].name && (twice.data() == nullptr || name.data() < twice.data())) twice = name;
        }
        if (twice.data() != nullptr)
            fail_at(static_cast<std::size_t>(twice.data() - text_) - 1, {"the metadata key \"", twice, "\" is there twice"});
    }

    XGRAD_COLD void tensor(std::string_view name) {
        tensor_entry entry{.name = name};
        bool type = false, shape = false, offsets = false;
        space();
        std::size_t const start = position_;
        for (bool more = opens('{', '}'); more; more = goes_on('}')) {
            std::size_t at = 0;
            std::string_view const member = key(at);
            bool* const seen = member == "dtype" ? &type : member == "shape" ? &shape : member == "data_offsets" ? &offsets : nullptr;
            if (seen == nullptr)
                fail_at(at, {"tensor \"", name, "\" has \"", member, "\"; only dtype, shape and data_offsets belong there"});
            if (*seen) fail_at(at, {"tensor \"", name, "\" has \"", member, "\" twice"});
            *seen = true;
            if (seen == &type) {
                element_type(name, entry);
            } else if (seen == &shape) {
                for (bool another = opens('[', ']'); another; another = goes_on(']'), ++entry.rank)
                    header_.extents.push(static_cast<std::int64_t>(number()));
            } else {
                expect('[');
                entry.begin = number();
                expect(',');
                entry.end = number();
                expect(']');
            }
        }
        if (!type || !shape || !offsets)
            fail_at(start, {"tensor \"", name, "\" has no \"", !type ? "dtype" : !shape ? "shape" : "data_offsets", "\""});
        header_.tensors.push(entry);
    }

    XGRAD_COLD void element_type(std::string_view tensor, tensor_entry& entry) {
        space();
        std::size_t const at = position_;
        std::string_view const text = string();
        for (auto const& d : safetensors_dtypes)
            if (d.name == text) return void(entry.type = d.type);
        entry.type = dtype::literal;
        for (auto const& d : foreign_dtypes)
            if (d.name == text) return entry.bits = d.bits, void(entry.foreign = text);
        fail_at(at, {"tensor \"", tensor, "\" has dtype \"", text, "\", which is not an element type of the safetensors format"});
    }

    /// A whole number from 0 to 2^63 - 1.
    XGRAD_COLD std::uint64_t number() {
        space();
        std::size_t const start = position_;
        std::uint64_t value = 0;
        while (position_ < size_ && text_[position_] >= '0' && text_[position_] <= '9') {
            std::uint64_t const digit = static_cast<std::uint64_t>(text_[position_] - '0');
            if (value > (static_cast<std::uint64_t>(INT64_MAX) - digit) / 10) fail_at(start, {"this number is greater than 2^63 - 1"});
            value = value * 10 + digit;
            ++position_;
        }
        if (position_ == start) fail({"expected a whole number that is not negative, found ", found()});
        if (position_ - start > 1 && text_[start] == '0') fail_at(start, {"a number must not begin with 0"});
        if (position_ < size_ && (text_[position_] == '.' || text_[position_] == 'e' || text_[position_] == 'E'))
            fail_at(start, {"expected a whole number, this one has a fraction or an exponent"});
        return value;
    }

    XGRAD_COLD std::string_view string() {
        if (position_ >= size_ || text_[position_] != '"') fail({"expected a string, found ", found()});
        char* const first = text_ + ++position_;
        char* end = first;
        while (true) {
            if (position_ >= size_) fail({"the header ends inside a string"});
            char const c = text_[position_];
            if (c == '"') break;
            if (static_cast<unsigned char>(c) < 0x20) fail({"a control character is inside a string"});
            if (c == '\\') {
                end = put_utf8(end, escape());
                continue;
            }
            std::size_t length = utf8_length({text_, size_}, position_);
            if (length == 0) fail({"this string is not valid UTF-8"});
            while (length-- > 0) *end++ = text_[position_++];
        }
        ++position_;
        return {first, static_cast<std::size_t>(end - first)};
    }

    // Reads an escape sequence and returns its code point.
    XGRAD_COLD std::uint32_t escape() {
        constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
        std::size_t const start = position_++;
        if (position_ >= size_) fail({"the header ends inside a string"});
        char const c = text_[position_++];
        for (std::size_t i = 0; i < letters.size(); ++i)
            if (c == letters[i]) return static_cast<unsigned char>(meanings[i]);
        if (c != 'u') fail_at(start, {"no such escape in JSON"});
        std::uint32_t const code = hex4(start);
        if (code < 0xD800 || code > 0xDFFF) return code;
        bool const pair = code < 0xDC00 && size_ - position_ >= 2 && text_[position_] == '\\' && text_[position_ + 1] == 'u';
        if (pair) position_ += 2;
        std::uint32_t const low = pair ? hex4(start) : 0;
        if (low < 0xDC00 || low > 0xDFFF) fail_at(start, {"a surrogate without its other half"});
        return 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }

    XGRAD_COLD std::uint32_t hex4(std::size_t start) {
        std::uint32_t code = 0;
        for (int i = 0; i < 4; ++i, ++position_) {
            char const c = position_ < size_ ? text_[position_] : ' ';
            int const digit = c >= '0' && c <= '9'   ? c - '0'
                              : c >= 'a' && c <= 'f' ? c - 'a' + 10
                              : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                     : -1;
            if (digit < 0) fail_at(start, {"\\u needs four hexadecimal digits"});
            code = code * 16 + static_cast<std::uint32_t>(digit);
        }
        return code;
    }

    char* text_;
    std::size_t size_;
    std::size_t position_ = 0;
    std::string const& file_;
    safetensors_header& header_;
};

}   // namespace detail

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
