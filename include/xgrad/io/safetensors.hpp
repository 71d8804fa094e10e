// SPDX-License-Identifier: MIT
// Files of named tensors in the safetensors format: written atomically, checked completely before anything is used.
#pragma once

#include <xgrad/core/dtype.hpp>
#include <xgrad/core/error.hpp>
#include <xgrad/io/atomic_file.hpp>
#include <xgrad/io/file_reader.hpp>
#include <xgrad/io/safetensors_header.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

XGRAD_NAMESPACE_BEGIN

/// One tensor to write: C order, little endian; `data` may be null if the shape has a 0. An empty shape is a scalar.
struct tensor_record {
    std::string name;
    dtype type = dtype::float32;
    std::vector<std::int64_t> shape;
    void const* data = nullptr;
};

/// One tensor of a file that was read; `data` is aligned to file_alignment and lives as long as the safetensors_file.
struct stored_tensor {
    std::string name;
    dtype type = dtype::float32;
    std::vector<std::int64_t> shape;
    void const* data = nullptr;
    std::size_t bytes = 0;

    std::size_t size() const noexcept { return bytes / size_of(type); }
    /// The elements in C order; dtype_error if T is not the tensor's element type.
    template<MemoryElement T>
    std::span<T const> values() const {
        if (dtype_of<T> != type)
            raise<dtype_error>(
                "tensor \"" + name + "\" holds " + std::string(to_string(type)) + ", not " + std::string(to_string(dtype_of<T>)));
        return {static_cast<T const*>(data), size()};
    }
};

/// The longest header that is read or written, in bytes: the limit of the reference implementation.
inline constexpr std::uint64_t safetensors_header_limit = 100'000'000;

/// Writes the tensors and metadata (both may be empty) as a safetensors file. The file appears whole or not at all: see atomic_file.
/// Tensors are laid out by falling element size, else in the order given, so that each is aligned in the file. io_error for a name
/// that occurs twice, is "__metadata__" or not UTF-8, a shape that is negative or too large, missing data, a bool that is neither 0
/// nor 1, and every failure of the file system; the file at `path` is then what it was before.
/// Format: https://github.com/huggingface/safetensors (8 bytes header length, JSON header, data).
template<class Metadata = std::map<std::string, std::string>>
XGRAD_COLD void write_safetensors(std::string const& path, std::span<tensor_record const> tensors, Metadata const& metadata = {}) {
    auto const fail = [&](std::string const& what) { raise<io_error>(path + ": " + what); };
    detail::basic_safetensors_header<Metadata> header{.tensors = {}, .metadata = metadata};
    for (auto const& [key, value] : metadata)
        if (!detail::is_utf8(key) || !detail::is_utf8(value)) fail("the metadata \"" + key + "\" is not valid UTF-8");

    std::vector<tensor_record const*> order;
    for (tensor_record const& t : tensors) order.push_back(&t);
    std::stable_sort(order.begin(), order.end(), [](auto const* a, auto const* b) { return size_of(a->type) > size_of(b->type); });
    std::vector<std::string_view> names;
    std::uint64_t offset = 0;
    for (tensor_record const* t : order) {
        std::string const quoted = "tensor \"" + t->name + "\"";
        if (t->name == "__metadata__") fail("no tensor may be called \"__metadata__\"");
        if (!detail::is_utf8(t->name)) fail("the name of " + quoted + " is not valid UTF-8");
        if (detail::safetensors_name(t->type).empty()) fail(quoted + " has no storable dtype");
        std::uint64_t bytes = 0;
        if (!detail::checked_bytes(t->shape, size_of(t->type), bytes) || bytes > static_cast<std::uint64_t>(INT64_MAX) - offset)
            fail(quoted + " has the shape " + detail::shape_text(t->shape) + ", which is negative or too large");
        if (bytes != 0 && t->data == nullptr) fail(quoted + " has no data");
        if (t->type == dtype::boolean &&
            detail::first_bad_bool(static_cast<std::byte const*>(t->data), static_cast<std::size_t>(bytes)) != bytes)
            fail(quoted + " holds a bool that is neither 0 nor 1");
        header.tensors.push_back({t->name, t->type, t->shape, offset, offset + bytes});
        names.push_back(t->name);
        offset += bytes;
    }
    std::sort(names.begin(), names.end());
    if (auto const twice = std::adjacent_find(names.begin(), names.end()); twice != names.end())
        fail(std::string("two tensors are called \"") + std::string(*twice) + "\"");
    std::string const json = detail::to_json(header);
    if (json.size() > safetensors_header_limit) fail("the header is longer than 100 MB");

    atomic_file file(path);
    std::uint64_t const length = json.size();
    file.write(&length, sizeof length);
    file.write(json.data(), json.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        file.write(order[i]->data, static_cast<std::size_t>(header.tensors[i].end - header.tensors[i].begin));
    file.commit();
}

/// A safetensors file, read and checked completely by the constructor: io_error names the file and, in the header, the byte. After
/// that nothing can fail. Refused: a truncated file or header, bytes after the last tensor, gaps and overlaps between tensors, names
/// that occur twice, sizes that do not fit shape and dtype, dtypes other than F32, F64, I32, I64, BOOL, BF16, F16, bools that are neither 0 nor 1,
/// text that is not UTF-8.
template<class Metadata>
class basic_safetensors_file {
public:
    XGRAD_COLD explicit basic_safetensors_file(std::string const& path) {
        detail::file_reader file(path);
        std::uint64_t length = 0;
        if (file.size() < 8)
            raise<io_error>(file.name() + ": is " + std::to_string(file.size()) + " bytes long; a safetensors file has at least 8");
        file.read(&length, sizeof length);
        if (length > safetensors_header_limit)
            raise<io_error>(file.name() + ": byte 0: the header is said to be " + std::to_string(length) +
                            " bytes long, the limit is 100000000; this is not a safetensors file");
        if (length > file.size() - 8)
            raise<io_error>(file.name() + ": byte 0: the header is said to be " + std::to_string(length) + " bytes long, only " +
                            std::to_string(file.size() - 8) + " follow; the file is truncated or not a safetensors file");
        std::string text(static_cast<std::size_t>(length), '\0');
        file.read(text.data(), text.size());
        header_type header = detail::safetensors_header_reader<header_type>(text, 8, file.name()).read();
        std::sort(header.tensors.begin(), header.tensors.end(),
            [](auto const& a, auto const& b) { return std::pair(a.begin, a.end) < std::pair(b.begin, b.end); });
        check(header, file.name(), file.size() - 8 - length);
        load(header, file);
        metadata_ = std::move(header.metadata);
    }

    Metadata const& metadata() const noexcept { return metadata_; }
    /// All tensors, sorted by name.
    std::span<stored_tensor const> tensors() const noexcept { return tensors_; }
    /// The tensor of that name, or null.
    stored_tensor const* find(std::string_view name) const noexcept {
        auto const at = std::lower_bound(tensors_.begin(), tensors_.end(), name, [](auto const& t, auto n) { return t.name < n; });
        return at != tensors_.end() && at->name == name ? &*at : nullptr;
    }

private:
    using header_type = detail::basic_safetensors_header<Metadata>;

    static void check(header_type const& header, std::string const& file, std::uint64_t data_bytes) {
        std::vector<std::string_view> names;
        std::uint64_t expected = 0;
        for (detail::safetensors_entry const& t : header.tensors) {
            std::string const what = file + ": tensor \"" + t.name + "\" ";
            std::string const range = std::string("[") + std::to_string(t.begin) + ", " + std::to_string(t.end) + ")";
            std::uint64_t bytes = 0;
            if (!detail::checked_bytes(t.shape, size_of(t.type), bytes))
                raise<io_error>(what + "has the shape " + detail::shape_text(t.shape) + ", which is too large");
            if (t.end < t.begin || t.end - t.begin != bytes)
                raise<io_error>(what + "needs " + std::to_string(bytes) + " bytes for its shape " + detail::shape_text(t.shape) +
                                ", its data_offsets are " + range);
            if (t.end > data_bytes)
                raise<io_error>(what + "has the data_offsets " + range + ", but only " + std::to_string(data_bytes) +
                                " bytes of data are in the file; it is truncated");
            if (t.begin != expected)
                raise<io_error>(what + "has the data_offsets " + range +
                                (t.begin < expected ? ", which overlap" : ", which leave a gap after") +
                                " the tensor before it, ending at " + std::to_string(expected));
            expected = t.end;
            names.push_back(t.name);
        }
        if (expected != data_bytes) raise<io_error>(file + ": " + std::to_string(data_bytes - expected) + " bytes follow the last tensor");
        std::sort(names.begin(), names.end());
        if (auto const twice = std::adjacent_find(names.begin(), names.end()); twice != names.end())
            raise<io_error>(file + ": tensor \"" + std::string(*twice) + "\" stands in the header twice");
    }

    // Every tensor gets a place of its own that is aligned, whatever its place in the file.
    void load(header_type& header, detail::file_reader& file) {
        auto const rounded = [](std::uint64_t n) { return (n + file_alignment - 1) / file_alignment * file_alignment; };
        std::uint64_t total = 0;
        for (auto const& t : header.tensors) total += rounded(t.end - t.begin);
        memory_ = detail::allocate_aligned(static_cast<std::size_t>(total));
        std::byte* to = memory_.get();
        for (auto& t : header.tensors) {
            std::size_t const bytes = static_cast<std::size_t>(t.end - t.begin);
            file.read(to, bytes);
            if (t.type == dtype::boolean && detail::first_bad_bool(to, bytes) != bytes)
                raise<io_error>(file.name() + ": tensor \"" + t.name + "\" holds a bool that is neither 0 nor 1");
            tensors_.push_back({std::move(t.name), t.type, std::move(t.shape), to, bytes});
            to += rounded(bytes);
        }
        std::sort(tensors_.begin(), tensors_.end(), [](auto const& a, auto const& b) { return a.name < b.name; });
    }

    std::vector<stored_tensor> tensors_;
    Metadata metadata_;
    detail::aligned_bytes memory_;
};
using safetensors_file = basic_safetensors_file<std::map<std::string, std::string>>;

XGRAD_NAMESPACE_END
