// SPDX-License-Identifier: MIT
// Safetensors files as lists of plain records, for checkpoints and for the public functions of safetensors.hpp. Nothing here is a
// template.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/io/atomic_file.hpp>
#include <xgrad/io/crc32.hpp>
#include <xgrad/io/file_reader.hpp>
#include <xgrad/io/safetensors_header.hpp>

XGRAD_NAMESPACE_BEGIN

/// The longest header that is read or written, in bytes. It is the limit of the reference implementation.
inline constexpr std::uint64_t safetensors_header_limit = 100'000'000;

namespace detail {

// The checksums in the metadata of every file of xgrad. Each is eight hexadecimal digits.
//
//     xgrad.crc32.header    of the 8 bytes of the header's length and the header, with zeros in place of these digits
//     xgrad.crc32.tensors   of each tensor in the order of the file, with a space between them
//
// A file with only one of them is damaged. Files of other tools have neither.
inline constexpr std::string_view header_sum_key = "xgrad.crc32.header", tensor_sums_key = "xgrad.crc32.tensors";
/// A checksum as eight hexadecimal digits.
std::string sum_text(crc32 const& sum);
/// The place of the digits in the text of a header; npos if it has none. Quotes in strings are escaped, so no string looks like this
/// key.
std::size_t header_sum_place(std::string_view text);
/// The correct digits for that place.
std::string header_sum(std::string_view text, std::size_t place);

/// Writes tensors and metadata as a safetensors file (see write_safetensors). Sorts the metadata, and brings the tensors into the
/// order of the file.
void write_tensor_file(std::string const& path, safetensors_header& header);

/// Computes the number of bytes. Returns false if an extent is negative, the number is too large, or the elements do not fill whole
/// bytes.
XGRAD_COLD inline bool checked_bytes(tensor_entry const& t, std::uint64_t& bytes) {
    if (t.type != dtype::literal) return checked_bytes(t.extents, t.rank, size_of(t.type), bytes);
    std::uint64_t bits = 0;
    bool const fits = checked_bytes(t.extents, t.rank, static_cast<std::uint64_t>(t.bits), bits);
    bytes = bits / 8;
    return fits && bits % 8 == 0;
}
/// A safetensors file. The constructor reads and checks all of it (see safetensors_file).
class tensor_file {
    aligned_buffer<std::byte> text_, memory_;
    safetensors_header header_;

public:
    explicit tensor_file(std::string const& path);
    tensor_file(tensor_file const&) = delete;
    tensor_file& operator=(tensor_file const&) = delete;

    /// Sorted by name. Texts and extents live as long as the file.
    sequence<tensor_entry> const& tensors() const { return header_.tensors; }
    /// Sorted by key, without the checksums. Texts live as long as the file.
    sequence<metadata_entry> const& metadata() const { return header_.metadata; }
    /// The memory of the tensors. A caller that needs them longer than the file swaps it out.
    aligned_buffer<std::byte>& memory() { return memory_; }

private:
    void check(std::string const& path, std::uint64_t data_bytes);

    // Removes the checksums from the metadata. Returns those of the tensors; empty for a file without checksums.
    std::string_view take_sums(std::string const& path, bool header_checked);

    // Reads the tensors. Each gets aligned memory, whatever its place in the file.
    void load(file_reader& file, std::string_view sums);
};

#if XGRAD_COMPILED != 1
XGRAD_COLD XGRAD_HOST std::string sum_text(crc32 const& sum) {
    std::string text = message({"00000000"});
    for (std::size_t k = 0; k < 8; ++k) text[k] = "0123456789abcdef"[sum.value() >> (28 - 4 * k) & 15];
    return text;
}
XGRAD_COLD XGRAD_HOST std::size_t header_sum_place(std::string_view text) {
    std::string const before = message({"\"", header_sum_key, "\":\""});
    std::size_t const found = text.find(before);
    return found == text.npos || text.size() - found - before.size() < 8 ? text.npos : found + before.size();
}
XGRAD_COLD XGRAD_HOST std::string header_sum(std::string_view text, std::size_t place) {
    std::uint64_t const length = text.size();
    crc32 sum;
    sum.add(&length, sizeof length);
    sum.add(text.data(), place);
    sum.add("00000000", 8);
    sum.add(text.data() + place + 8, text.size() - place - 8);
    return sum_text(sum);
}
XGRAD_COLD XGRAD_HOST void write_tensor_file(std::string const& path, safetensors_header& header) {
    std::string sums;
    header.metadata.push({header_sum_key, "00000000"});
    header.metadata.push({tensor_sums_key, {}});
    sort_entries(header.metadata);
    for (auto const& m : header.metadata)
        if (&m != header.metadata.at && m.name == (&m)[-1].name)
            raise_parts<io_error>({path, ": the metadata \"", m.name, "\" are there twice, or are checksums, which xgrad writes itself"});
    for (auto const& m : header.metadata)
        if (!is_utf8(m.name) || !is_utf8(m.value)) raise_parts<io_error>({path, ": the metadata \"", m.name, "\" is not valid UTF-8"});

    sequence<tensor_entry> order(header.tensors.count);   // by decreasing element size, then as given
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
    for (auto const& t : header.tensors) {
        crc32 sum;
        sum.add(t.data, static_cast<std::size_t>(t.end - t.begin));
        append(sums, {sums.empty() ? "" : " ", sum_text(sum)});
    }
    find_entry(header.metadata, tensor_sums_key)->value = sums;
    std::string json = to_json(header);
    std::size_t const place = header_sum_place(json);
    json.replace(place, 8, header_sum(json, place));
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
    std::string_view const text(reinterpret_cast<char const*>(text_.data()), static_cast<std::size_t>(length));
    std::size_t const place = header_sum_place(text);   // before strings are decoded in place
    if (place != text.npos && text.substr(place, 8) != header_sum(text, place))
        raise_parts<io_error>({path, ": the header is damaged: its checksum (CRC-32) is ", header_sum(text, place), ", the file says ",
            text.substr(place, 8), "; if you changed the file, remove its metadata \"xgrad.crc32...\""});
    safetensors_header_reader(reinterpret_cast<char*>(text_.data()), text.size(), path, header_).read();
    std::string_view const sums = take_sums(path, place != text.npos);
    check(path, file.size() - 8 - length);
    load(file, sums);
}
XGRAD_COLD XGRAD_HOST std::string_view tensor_file::take_sums(std::string const& path, bool header_checked) {
    std::string_view sums;
    int found = 0;
    sequence<metadata_entry> others;
    for (auto const& m : header_.metadata) {
        bool const of_tensors = m.name == tensor_sums_key;
        if (of_tensors) sums = m.value;
        if (of_tensors || m.name == header_sum_key) ++found;
        else others.push(m);
    }
    others.swap(header_.metadata);
    bool const fits = sums.size() == static_cast<std::size_t>(header_.tensors.count > 0 ? 9 * header_.tensors.count - 1 : 0);
    if (found != (header_checked ? 2 : 0) || (found != 0 && !fits))
        raise_parts<io_error>({path, ": the header is damaged: of the metadata \"", header_sum_key, "\" and \"", tensor_sums_key,
            "\" one is missing or has another form; if you changed the file, remove both"});
    return sums;
}
XGRAD_COLD XGRAD_HOST void tensor_file::check(std::string const& path, std::uint64_t data_bytes) {
    sort_entries(header_.tensors, [](void const* a, void const* b) {
        auto const &t = *static_cast<tensor_entry const*>(a), &u = *static_cast<tensor_entry const*>(b);
        std::uint64_t const p = t.begin != u.begin ? t.begin : t.end, q = t.begin != u.begin ? u.begin : u.end;
        return p < q ? -1 : static_cast<int>(p > q);
    });
    sequence<std::string_view> names(header_.tensors.count);
    for (auto const& t : header_.tensors) names.push(t.name);
    if (auto const* twice = name_twice(names)) raise_parts<io_error>({path, ": tensor \"", *twice, "\" is in the header twice"});
    std::uint64_t expected = 0;
    for (auto const& t : header_.tensors) {
        auto const fail = [&](std::initializer_list<message_part> what) {
            raise_parts<io_error>({path, ": tensor \"", t.name, "\" ", message(what)});
        };
        std::uint64_t bytes = 0;
        if (!checked_bytes(t, bytes))
            fail({"has the shape ", shape_text(t.extents, t.rank), ", which is too large",
                t.type == dtype::literal ? message({", or does not fill whole bytes with ", t.foreign}) : ""});
        std::string const range = message({"[", t.begin, ", ", t.end, ")"});
        if (t.end < t.begin || t.end - t.begin != bytes)
            fail({"needs ", bytes, " bytes for its shape ", shape_text(t.extents, t.rank), ", its data_offsets are ", range});
        if (t.end > data_bytes)
            fail({"has the data_offsets ", range, ", but only ", data_bytes, " bytes of data are in the file; it is truncated"});
        if (t.begin != expected)
            fail({"has the data_offsets ", range, t.begin < expected ? ", which overlap" : ", which leave a gap after",
                " the tensor before it, ending at ", expected});
        expected = t.end;
    }
    if (expected != data_bytes) raise_parts<io_error>({path, ": ", data_bytes - expected, " bytes follow the last tensor"});
}
XGRAD_COLD XGRAD_HOST void tensor_file::load(file_reader& file, std::string_view sums) {
    auto const rounded = [](std::uint64_t n) { return (n + file_alignment - 1) / file_alignment * file_alignment; };
    std::uint64_t total = 0;
    for (auto const& t : header_.tensors) total += rounded(t.end - t.begin);
    memory_ = memory_for_file(total);
    std::byte* to = memory_.data();
    for (auto& t : header_.tensors) {
        std::size_t const bytes = static_cast<std::size_t>(t.end - t.begin);
        constexpr std::size_t piece = 1 << 18;   // small enough to be summed while it is in the cache
        crc32 sum;
        for (std::size_t done = 0, now = 0; done < bytes; done += now) {
            now = bytes - done < piece ? bytes - done : piece;
            file.read(to + done, now);
            if (!sums.empty()) sum.add(to + done, now);
        }
        if (!sums.empty()) {
            if (std::string const found = sum_text(sum); found != sums.substr(0, 8))
                raise_parts<io_error>({file.name(), ": tensor \"", t.name, "\" is damaged: its checksum (CRC-32) is ", found,
                    ", the header says ", sums.substr(0, 8)});
            sums.remove_prefix(sums.size() > 8 ? 9 : 8);
        }
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
#include <xgrad/config/macros_end.hpp>
