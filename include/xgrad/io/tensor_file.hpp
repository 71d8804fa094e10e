// SPDX-License-Identifier: MIT
// Safetensors files as checkpoints and the public functions of safetensors.hpp read and write them: lists of plain records. Nothing here is a template.
#pragma once

#include <xgrad/io/atomic_file.hpp>
#include <xgrad/io/file_reader.hpp>
#include <xgrad/io/safetensors_header.hpp>

XGRAD_NAMESPACE_BEGIN

/// The longest header that is read or written, in bytes: the limit of the reference implementation.
inline constexpr std::uint64_t safetensors_header_limit = 100'000'000;

namespace detail {

/// Writes tensors and metadata as a safetensors file; see write_safetensors. Sorts the metadata, and the tensors as they lie in the file.
void write_tensor_file(std::string const& path, safetensors_header& header);

/// A safetensors file, read and checked completely by the constructor; see safetensors_file.
class tensor_file {
    aligned_buffer<std::byte> text_, memory_;
    safetensors_header header_;

public:
    explicit tensor_file(std::string const& path);
    tensor_file(tensor_file const&) = delete;
    tensor_file& operator=(tensor_file const&) = delete;

    /// Sorted by name. Texts and extents live as long as the file.
    sequence<tensor_entry> const& tensors() const { return header_.tensors; }
    /// Sorted by key, which are as long-lived.
    sequence<metadata_entry> const& metadata() const { return header_.metadata; }
    /// That of the tensors, for who needs them longer.
    aligned_buffer<std::byte>& memory() { return memory_; }

private:
    void check(std::string const& path, std::uint64_t data_bytes);

    // Every tensor gets a place of its own that is aligned, whatever its place in the file.
    void load(file_reader& file);
};

#if XGRAD_COMPILED != 1
XGRAD_COLD XGRAD_HOST void write_tensor_file(std::string const& path, safetensors_header& header) {
    sort_entries(header.metadata);
    for (auto const& m : header.metadata)
        if (!is_utf8(m.name) || !is_utf8(m.value)) raise_parts<io_error>({path, ": the metadata \"", m.name, "\" is not valid UTF-8"});

    sequence<tensor_entry> order(header.tensors.count);   // by falling element size, else as given
    for (std::size_t size = sizeof(std::int64_t) + 1; size-- > 0;)
        for (auto const& t : header.tensors)
            if (size_of(t.type) == size) order.push(t);
    order.swap(header.tensors);
    sequence<std::string_view> names(header.tensors.count);
    std::uint64_t offset = 0;
    for (auto& t : header.tensors) {
        auto const fail = [&](std::initializer_list<message_part> what) {
            raise_parts<io_error>({path, ": tensor \"", t.name, "\" ", message(what)});
        };
        if (t.name == "__metadata__") raise_parts<io_error>({path, ": no tensor may be called \"__metadata__\""});
        if (!is_utf8(t.name)) raise_parts<io_error>({path, ": the name of tensor \"", t.name, "\" is not valid UTF-8"});
        if (safetensors_name(t.type).empty()) fail({"has no storable dtype"});
        std::uint64_t bytes = 0;
        if (!checked_bytes(t.extents, t.rank, size_of(t.type), bytes) || bytes > static_cast<std::uint64_t>(INT64_MAX) - offset)
            fail({"has the shape ", shape_text(t.extents, t.rank), ", which is negative or too large"});
        if (bytes != 0 && t.data == nullptr) fail({"has no data"});
        if (t.type == dtype::boolean && first_bad_bool(static_cast<std::byte const*>(t.data), static_cast<std::size_t>(bytes)) != bytes)
            fail({"holds a bool that is neither 0 nor 1"});
        t.begin = offset;
        t.end = offset += bytes;
        names.push(t.name);
    }
    if (auto const* twice = name_twice(names)) raise_parts<io_error>({path, ": two tensors are called \"", *twice, "\""});
    std::string const json = to_json(header);
    if (json.size() > safetensors_header_limit) raise_parts<io_error>({path, ": the header is longer than 100 MB"});

    atomic_file file(path);
    std::uint64_t const length = json.size();
    file.write(&length, sizeof length);
    file.write(json.data(), json.size());
    for (auto const& t : header.tensors) file.write(t.data, static_cast<std::size_t>(t.end - t.begin));
    file.commit();
}
XGRAD_COLD XGRAD_HOST tensor_file::tensor_file(std::string const& path) {
    file_reader file(path);
    std::uint64_t length = 0;
    if (file.size() < 8) raise_parts<io_error>({path, ": is ", file.size(), " bytes long; a safetensors file has at least 8"});
    file.read(&length, sizeof length);
    if (length > safetensors_header_limit)
        raise_parts<io_error>(
            {path, ": byte 0: the header is said to be ", length, " bytes long, the limit is 100000000; this is not a safetensors file"});
    if (length > file.size() - 8)
        raise_parts<io_error>({path, ": byte 0: the header is said to be ", length, " bytes long, only ", file.size() - 8,
            " follow; the file is truncated or not a safetensors file"});
    text_ = memory_for_file(length);
    file.read(text_.data(), static_cast<std::size_t>(length));
    safetensors_header_reader(reinterpret_cast<char*>(text_.data()), static_cast<std::size_t>(length), path, header_).read();
    check(path, file.size() - 8 - length);
    load(file);
}
XGRAD_COLD XGRAD_HOST void tensor_file::check(std::string const& path, std::uint64_t data_bytes) {
    sort_entries(header_.tensors, [](void const* a, void const* b) {
        auto const &t = *static_cast<tensor_entry const*>(a), &u = *static_cast<tensor_entry const*>(b);
        std::uint64_t const p = t.begin != u.begin ? t.begin : t.end, q = t.begin != u.begin ? u.begin : u.end;
        return p < q ? -1 : static_cast<int>(p > q);
    });
    sequence<std::string_view> names(header_.tensors.count);
    std::uint64_t expected = 0;
    for (auto const& t : header_.tensors) {
        auto const fail = [&](std::initializer_list<message_part> what) {
            raise_parts<io_error>({path, ": tensor \"", t.name, "\" ", message(what)});
        };
        std::uint64_t bytes = 0;
        if (!checked_bytes(t.extents, t.rank, size_of(t.type), bytes))
            fail({"has the shape ", shape_text(t.extents, t.rank), ", which is too large"});
        std::string const range = message({"[", t.begin, ", ", t.end, ")"});
        if (t.end < t.begin || t.end - t.begin != bytes)
            fail({"needs ", bytes, " bytes for its shape ", shape_text(t.extents, t.rank), ", its data_offsets are ", range});
        if (t.end > data_bytes)
            fail({"has the data_offsets ", range, ", but only ", data_bytes, " bytes of data are in the file; it is truncated"});
        if (t.begin != expected)
            fail({"has the data_offsets ", range, t.begin < expected ? ", which overlap" : ", which leave a gap after",
                " the tensor before it, ending at ", expected});
        expected = t.end;
        names.push(t.name);
    }
    if (expected != data_bytes) raise_parts<io_error>({path, ": ", data_bytes - expected, " bytes follow the last tensor"});
    if (auto const* twice = name_twice(names)) raise_parts<io_error>({path, ": tensor \"", *twice, "\" stands in the header twice"});
}
XGRAD_COLD XGRAD_HOST void tensor_file::load(file_reader& file) {
    auto const rounded = [](std::uint64_t n) { return (n + file_alignment - 1) / file_alignment * file_alignment; };
    std::uint64_t total = 0;
    for (auto const& t : header_.tensors) total += rounded(t.end - t.begin);
    memory_ = memory_for_file(total);
    std::byte* to = memory_.data();
    for (auto& t : header_.tensors) {
        std::size_t const bytes = static_cast<std::size_t>(t.end - t.begin);
        file.read(to, bytes);
        if (t.type == dtype::boolean && first_bad_bool(to, bytes) != bytes)
            raise_parts<io_error>({file.name(), ": tensor \"", t.name, "\" holds a bool that is neither 0 nor 1"});
        t.data = to;
        to += rounded(bytes);
    }
    sort_entries(header_.tensors);
}
#endif

}   // namespace detail

XGRAD_NAMESPACE_END
