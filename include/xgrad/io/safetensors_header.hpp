// SPDX-License-Identifier: MIT
// The JSON header of a safetensors file: a strict reader and writer of exactly that structure.
#pragma once

#include <xgrad/core/dtype.hpp>
#include <xgrad/core/error.hpp>
#include <xgrad/io/json_text.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

XGRAD_NAMESPACE_BEGIN

namespace detail {

struct safetensors_entry {
    std::string name;
    dtype type = dtype::float32;
    std::vector<std::int64_t> shape;
    std::uint64_t begin = 0, end = 0;   // bytes, counted from the end of the header
};
template<class Metadata>
struct basic_safetensors_header {
    std::vector<safetensors_entry> tensors;
    Metadata metadata;
};

constexpr std::pair<std::string_view, dtype> safetensors_dtypes[] = {{"F32", dtype::float32}, {"F64", dtype::float64},
    {"I32", dtype::int32}, {"I64", dtype::int64}, {"BOOL", dtype::boolean}, {"BF16", dtype::bfloat16}, {"F16", dtype::float16}};

constexpr std::string_view safetensors_name(dtype type) {
    for (auto const& [text, d] : safetensors_dtypes)
        if (d == type) return text;
    return {};
}

/// The header as JSON, padded with spaces to a multiple of 8 bytes, so that the data after it is aligned.
template<class Header>   // a template, as all that is long here: a program that uses none of it pays nothing for it
XGRAD_COLD std::string to_json(Header const& header) {
    std::string out = "{";
    if (!header.metadata.empty()) {
        out += "\"__metadata__\":";
        char separator = '{';
        for (auto const& [key, value] : header.metadata) {
            out += separator;
            append_json_string(out, key);
            out += ':';
            append_json_string(out, value);
            separator = ',';
        }
        out += '}';
    }
    for (auto const& t : header.tensors) {
        if (out.size() > 1) out += ',';
        append_json_string(out, t.name);
        out += ":{\"dtype\":\"";
        out += safetensors_name(t.type);
        out += "\",\"shape\":[";
        for (std::size_t i = 0; i < t.shape.size(); ++i) out += std::string(i ? "," : "") + std::to_string(t.shape[i]);
        out += std::string("],\"data_offsets\":[") + std::to_string(t.begin) + ',' + std::to_string(t.end) + "]}";
    }
    out += '}';
    out.append((8 - out.size() % 8) % 8, ' ');
    return out;
}

/// Reads the header; every deviation is an io_error that names the file and the byte of the file. The grammar is fixed and does not
/// nest, so no input can exhaust the stack.
template<class Header>
class safetensors_header_reader {
public:
    /// `text` begins at byte `offset` of the file called `file`.
    safetensors_header_reader(std::string_view text, std::uint64_t offset, std::string const& file)
        : text_(text), offset_(offset), file_(file) {}

    Header read() {
        Header header;
        bool has_metadata = false;
        if (text_.empty() || text_[0] != '{') fail("the header must begin with '{'");
        object([&](std::string key, std::size_t at) {
            if (key == "__metadata__") {
                if (has_metadata) fail_at(at, "\"__metadata__\" stands in the header twice");
                has_metadata = true;
                metadata(header.metadata);
            } else {
                header.tensors.push_back(tensor(std::move(key)));
            }
        });
        while (position_ < text_.size() && text_[position_] == ' ') ++position_;
        if (position_ != text_.size()) fail("something follows the header's closing '}'; only spaces may");
        return header;
    }

private:
    [[noreturn]] XGRAD_COLD void fail(std::string const& what) const { fail_at(position_, what); }
    [[noreturn]] void fail_at(std::size_t position, std::string const& what) const {
        raise<io_error>(file_ + ": byte " + std::to_string(offset_ + position) + ": " + what);
    }

    std::string found() const {
        if (position_ >= text_.size()) return "the end of the header";
        unsigned char const c = static_cast<unsigned char>(text_[position_]);
        if (c >= 0x20 && c < 0x7f) return std::string("'") + static_cast<char>(c) + "'";
        return std::string("the byte ") + std::to_string(static_cast<unsigned>(c));
    }

    void space() {
        while (position_ < text_.size()) {
            char const c = text_[position_];
            if (c != ' ' && c != '\t' && c != '\n' && c != '\r') break;
            ++position_;
        }
    }
    bool take(char c) {
        space();
        if (position_ >= text_.size() || text_[position_] != c) return false;
        ++position_;
        return true;
    }
    void expect(char c) {
        if (!take(c)) fail(std::string("expected '") + c + "', found " + found());
    }

    template<class Member>
    void object(Member member) {
        expect('{');
        if (take('}')) return;
        do {
            space();
            std::size_t const at = position_;
            std::string key = string();
            expect(':');
            member(std::move(key), at);
        } while (take(','));
        expect('}');
    }

    template<class Metadata>
    void metadata(Metadata& out) {
        object([&](std::string key, std::size_t at) {
            if (out.contains(key)) fail_at(at, "the metadata key \"" + key + "\" stands there twice");
            space();
            std::string value = string();
            out.emplace(std::move(key), std::move(value));
        });
    }

    safetensors_entry tensor(std::string name) {
        safetensors_entry entry{.name = std::move(name), .shape = {}};
        bool type = false, shape = false, offsets = false;
        auto const once = [&](bool& seen, std::string const& key, std::size_t at) {
            if (seen) fail_at(at, "tensor \"" + entry.name + "\" has \"" + key + "\" twice");
            seen = true;
        };
        space();
        std::size_t const start = position_;
        object([&](std::string const& key, std::size_t at) {
            if (key == "dtype") {
                once(type, key, at);
                space();
                std::size_t const where = position_;
                std::string const text = string();
                bool known = false;
                for (auto const& [spelling, d] : safetensors_dtypes)
                    if (spelling == text) entry.type = d, known = true;
                if (!known)
                    fail_at(where,
                        "tensor \"" + entry.name + "\" has dtype \"" + text + "\"; xgrad reads F32, F64, I32, I64, BOOL, BF16 and F16");
            } else if (key == "shape") {
                once(shape, key, at);
                expect('[');
                if (take(']')) return;
                do entry.shape.push_back(static_cast<std::int64_t>(number()));
                while (take(','));
                expect(']');
            } else if (key == "data_offsets") {
                once(offsets, key, at);
                expect('[');
                entry.begin = number();
                expect(',');
                entry.end = number();
                expect(']');
            } else {
                fail_at(at, "tensor \"" + entry.name + "\" has \"" + key + "\"; only dtype, shape and data_offsets belong there");
            }
        });
        if (!type || !shape || !offsets)
            fail_at(start, "tensor \"" + entry.name + "\" has no \"" + (!type ? "dtype" : !shape ? "shape" : "data_offsets") + "\"");
        return entry;
    }

    /// A whole number from 0 to 2^63 - 1.
    std::uint64_t number() {
        space();
        std::size_t const start = position_;
        std::uint64_t value = 0;
        while (position_ < text_.size() && text_[position_] >= '0' && text_[position_] <= '9') {
            std::uint64_t const digit = static_cast<std::uint64_t>(text_[position_] - '0');
            if (value > (static_cast<std::uint64_t>(INT64_MAX) - digit) / 10) fail_at(start, "this number is greater than 2^63 - 1");
            value = value * 10 + digit;
            ++position_;
        }
        if (position_ == start) fail(std::string("expected a whole number that is not negative, found ") + found());
        if (position_ - start > 1 && text_[start] == '0') fail_at(start, "a number must not begin with 0");
        if (position_ < text_.size() && (text_[position_] == '.' || text_[position_] == 'e' || text_[position_] == 'E'))
            fail_at(start, "expected a whole number, this one has a fraction or an exponent");
        return value;
    }

    std::string string() {
        if (position_ >= text_.size() || text_[position_] != '"') fail(std::string("expected a string, found ") + found());
        ++position_;
        std::string out;
        while (true) {
            if (position_ >= text_.size()) fail("the header ends inside a string");
            char const c = text_[position_];
            if (c == '"') break;
            if (static_cast<unsigned char>(c) < 0x20) fail("a control character stands inside a string");
            if (c == '\\') {
                escape(out);
                continue;
            }
            std::size_t const length = utf8_length(text_, position_);
            if (length == 0) fail("this string is not valid UTF-8");
            out.append(text_, position_, length);
            position_ += length;
        }
        ++position_;
        return out;
    }

    void escape(std::string& out) {
        constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
        std::size_t const start = position_++;
        if (position_ >= text_.size()) fail("the header ends inside a string");
        char const c = text_[position_++];
        if (c != 'u') {
            std::size_t const i = letters.find(c);
            if (i == std::string_view::npos) fail_at(start, "no such escape in JSON");
            out += meanings[i];
            return;
        }
        std::uint32_t code = hex4(start);
        if (code >= 0xD800 && code <= 0xDFFF) {
            bool const pair = code < 0xDC00 && text_.substr(position_, 2) == "\\u";
            if (pair) position_ += 2;
            std::uint32_t const low = pair ? hex4(start) : 0;
            if (low < 0xDC00 || low > 0xDFFF) fail_at(start, "a surrogate without its other half");
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        }
        append_utf8(out, code);
    }

    std::uint32_t hex4(std::size_t start) {
        std::uint32_t code = 0;
        for (int i = 0; i < 4; ++i, ++position_) {
            char const c = position_ < text_.size() ? text_[position_] : ' ';
            int const digit = c >= '0' && c <= '9'   ? c - '0'
                              : c >= 'a' && c <= 'f' ? c - 'a' + 10
                              : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                     : -1;
            if (digit < 0) fail_at(start, "\\u needs four hexadecimal digits");
            code = code * 16 + static_cast<std::uint32_t>(digit);
        }
        return code;
    }

    std::string_view text_;
    std::uint64_t offset_;
    std::string const& file_;
    std::size_t position_ = 0;
};

}   // namespace detail

XGRAD_NAMESPACE_END
