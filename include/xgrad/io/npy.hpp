// SPDX-License-Identifier: MIT
// NumPy's .npy files, version 1.0, for xgrad's element types: little endian, C order. NumPy has no name for bfloat16. It is written
// like NumPy writes an array of ml_dtypes.bfloat16; numpy.load(...).view(ml_dtypes.bfloat16) reads it.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/dtype.hpp>
#include <xgrad/core/error.hpp>
#include <xgrad/io/atomic_file.hpp>
#include <xgrad/io/crc32.hpp>
#include <xgrad/io/file_reader.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

XGRAD_NAMESPACE_BEGIN

/// An array that was read from a .npy file. It owns its memory, which is aligned to file_alignment. An empty shape means a scalar.
class npy_array {
public:
    npy_array(dtype type, std::vector<std::int64_t> shape, aligned_buffer<std::byte> memory, std::size_t bytes)
        : type_(type), shape_(std::move(shape)), memory_(std::move(memory)), bytes_(bytes) {}

    dtype type() const noexcept { return type_; }
    std::vector<std::int64_t> const& shape() const noexcept { return shape_; }
    std::size_t size() const noexcept { return bytes_ / size_of(type_); }
    void const* data() const noexcept { return memory_.data(); }
    /// The elements in C order. Throws dtype_error if T is not the element type of the array.
    template<MemoryElement T>
    std::span<T const> values() const {
        if (dtype_of<T> != type_)
            raise<dtype_error>(message({"xgrad: the array of the .npy file holds ", to_string(type_), ", not ", to_string(dtype_of<T>),
                "; take values<", to_string(type_), ">() and convert them"}));
        return {reinterpret_cast<T const*>(memory_.data()), size()};
    }

private:
    dtype type_;
    std::vector<std::int64_t> shape_;
    aligned_buffer<std::byte> memory_;
    std::size_t bytes_;
};

namespace detail {

// If a type has two spellings, the last one is written.
constexpr std::pair<std::string_view, dtype> npy_dtypes[] = {{"<f4", dtype::float32}, {"<f8", dtype::float64}, {"<i4", dtype::int32},
    {"<i8", dtype::int64}, {"|b1", dtype::boolean}, {"|i1", dtype::int8}, {"<i2", dtype::int16}, {"|u1", dtype::uint8},
    {"<u2", dtype::uint16}, {"<u4", dtype::uint32}, {"<u8", dtype::uint64}, {"<f2", dtype::float16},
    {"|V2", dtype::bfloat16},    // NumPy writes this for two bytes that it has read as the next one
    {"<V2", dtype::bfloat16}};   // NumPy writes this for ml_dtypes.bfloat16

/// Reads the dictionary of a .npy header. Errors name the file and the byte.
class npy_header_reader {
public:
    npy_header_reader(std::string_view text, std::uint64_t offset, std::string const& file) : text_(text), offset_(offset), file_(file) {}

    std::pair<dtype, std::vector<std::int64_t>> read() {
        dtype type = dtype::float32;
        std::vector<std::int64_t> shape;
        bool has_type = false, has_order = false, has_shape = false;
        expect("{");
        while (!take("}")) {
            std::string_view const key = string();
            expect(":");
            bool& seen = key == "descr" ? has_type : key == "fortran_order" ? has_order : has_shape;
            if (key != "descr" && key != "fortran_order" && key != "shape")
                fail(std::string("no such key in a .npy header: '") + std::string(key) + "'");
            if (std::exchange(seen, true)) fail(std::string("the key '") + std::string(key) + "' is there twice");
            if (key == "descr") type = element_type(string());
            else if (key == "shape") shape = tuple();
            else if (take("True")) fail("the array is in Fortran order; save it with numpy.ascontiguousarray(array)");
            else expect("False");
            if (!take(",")) {
                expect("}");
                break;
            }
        }
        if (!has_type || !has_order || !has_shape) fail("the header must have descr, fortran_order and shape");
        space();
        if (position_ != text_.size()) fail("something follows the header's closing brace");
        return {type, std::move(shape)};
    }

private:
    [[noreturn]] void fail(std::string const& what) const {
        raise<io_error>(file_ + ": byte " + std::to_string(offset_ + position_) + ": " + what);
    }
    void space() {
        while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\n')) ++position_;
    }
    bool take(std::string_view token) {
        space();
        if (text_.substr(position_, token.size()) != token) return false;
        position_ += token.size();
        return true;
    }
    void expect(std::string_view token) {
        if (!take(token)) fail(std::string("expected ") + std::string(token) + " in the .npy header");
    }
    std::string_view string() {
        expect("'");
        std::size_t const end = text_.find('\'', position_);
        if (end == std::string_view::npos) fail("the header ends inside a string");
        std::string_view const value = text_.substr(position_, end - position_);
        position_ = end + 1;
        return value;
    }
    dtype element_type(std::string_view text) const {
        for (auto const& [spelling, type] : npy_dtypes)
            if (spelling == text) return type;
        fail(std::string("the element type is '") + std::string(text) +
             "'; xgrad reads <f4, <f8, <i4, <i8, |b1, <f2, <V2 and |V2 (bfloat16)");
    }
    std::vector<std::int64_t> tuple() {
        std::vector<std::int64_t> shape;
        expect("(");
        while (!take(")")) {
            space();
            std::size_t const start = position_;
            std::int64_t extent = 0;
            for (; position_ < text_.size() && text_[position_] >= '0' && text_[position_] <= '9'; ++position_) {
                int const digit = text_[position_] - '0';
                if (extent > (INT64_MAX - digit) / 10) fail("an extent is greater than 2^63 - 1");
                extent = extent * 10 + digit;
            }
            if (position_ == start) fail("expected a whole number that is not negative");
            shape.push_back(extent);
            if (!take(",")) {
                if (shape.size() == 1) fail("expected , in the .npy header");   // in Python (3) is a number and (3,) a tuple
                expect(")");
                break;
            }
        }
        return shape;
    }

    std::string_view text_;
    std::uint64_t offset_;
    std::string const& file_;
    std::size_t position_ = 0;
};

/// Reads a .npy file of `size` bytes from the current position of `file`. `name` is its name in errors. All its bytes are added to
/// `sum`.
inline npy_array read_npy(file_reader& file, std::string const& name, std::uint64_t size, crc32* sum = nullptr) {
    auto const read = [&](void* to, std::size_t bytes) {
        file.read(to, bytes);
        if (sum != nullptr) sum->add(to, bytes);
    };
    unsigned char start[10] = {};
    if (size < sizeof start) raise<io_error>(name + ": is too short for a .npy file");
    read(start, sizeof start);
    if (std::string_view(reinterpret_cast<char const*>(start), 6) != "\x93NUMPY")
        raise<io_error>(name + ": is not a .npy file, which begins with \\x93NUMPY, as numpy.save writes it");
    if (start[6] != 1 || start[7] != 0)
        raise<io_error>(name + ": has .npy version " + std::to_string(start[6]) + "." + std::to_string(start[7]) + "; xgrad reads 1.0");
    std::size_t const length = start[8] + 256u * start[9];
    if (length > size - sizeof start) raise<io_error>(name + ": is truncated inside its header");
    std::string text(length, '\0');
    read(text.data(), length);
    auto [type, shape] = npy_header_reader(text, sizeof start, name).read();
    std::uint64_t bytes = 0;
    if (!checked_bytes(shape.data(), shape.size(), size_of(type), bytes))
        raise<io_error>(name + ": the shape " + std::string(shape_text(shape.data(), shape.size()).view()) + " is too large");
    std::uint64_t const present = size - sizeof start - length;
    if (present != bytes)
        raise<io_error>(name + ": the shape " + std::string(shape_text(shape.data(), shape.size()).view()) + " needs " +
                        std::to_string(bytes) + " bytes, the file has " + std::to_string(present) +
                        (present < bytes ? "; it is truncated" : ""));
    aligned_buffer<std::byte> memory = memory_for_file(bytes);
    read(memory.data(), static_cast<std::size_t>(bytes));
    if (type == dtype::boolean && first_bad_bool(memory.data(), static_cast<std::size_t>(bytes)) != bytes)
        raise<io_error>(name + ": holds a bool that is neither 0 nor 1");
    return {type, std::move(shape), std::move(memory), static_cast<std::size_t>(bytes)};
}
/// The header of a .npy file, and the number of bytes of its elements. `name` is the name of the file in errors.
///
///     "\x93NUMPY" 1 0 | length of the text (2 bytes) | {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } spaces \n
inline std::pair<std::string, std::uint64_t> npy_header(
    std::string const& name, dtype type, std::span<std::int64_t const> shape, void const* data) {
    std::string_view descr;
    for (auto const& [spelling, d] : npy_dtypes)
        if (d == type) descr = spelling;
    std::uint64_t bytes = 0;
    if (descr.empty() || !checked_bytes(shape.data(), shape.size(), size_of(type), bytes) || (bytes != 0 && data == nullptr))
        raise<io_error>(name + ": an array of " + std::string(to_string(type)) +
                        std::string(shape_text(shape.data(), shape.size()).view()) + " cannot be written");
    std::string header = std::string("{'descr': '") + std::string(descr) + "', 'fortran_order': False, 'shape': (";
    for (std::size_t i = 0; i < shape.size(); ++i)
        header += std::string(i ? " " : "") + std::to_string(shape[i]) + (i + 1 < shape.size() || i == 0 ? "," : "");
    header += "), }";
    header.append(63 - (10 + header.size()) % 64, ' ');   // like NumPy, so that the data begin at a multiple of 64
    header += '\n';
    if (header.size() > 65535) raise<io_error>(name + ": too many extents for a .npy file of version 1.0");
    char const start[10] = {
        '\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0, static_cast<char>(header.size() % 256), static_cast<char>(header.size() / 256)};
    return {std::string(start, sizeof start) + header, bytes};
}

}   // namespace detail

/// Reads a .npy file. Throws io_error that names the mistake in the file and its place.
inline npy_array read_npy(std::string const& path) {
    detail::file_reader file(path);
    return detail::read_npy(file, path, file.size());
}

/// Writes an array in C order as .npy 1.0, atomically (see atomic_file). Throws io_error in these cases:
///
/// * the shape is negative or too large;
/// * it has too many extents for a header of version 1.0;
/// * the file system fails.
inline void write_npy(std::string const& path, dtype type, std::span<std::int64_t const> shape, void const* data) {
    auto const [header, bytes] = detail::npy_header(path, type, shape, data);
    atomic_file file(path);
    file.write(header.data(), header.size());
    file.write(data, static_cast<std::size_t>(bytes));
    file.commit();
}
/// Writes a span of elements. Throws io_error also if their number is not that of the shape.
template<MemoryElement T>
void write_npy(std::string const& path, std::span<T const> values, std::span<std::int64_t const> shape) {
    std::uint64_t bytes = 0;
    if (!detail::checked_bytes(shape.data(), shape.size(), sizeof(T), bytes) || bytes != values.size_bytes())
        raise<io_error>(path + ": " + std::to_string(values.size()) + " elements do not fill the shape " +
                        std::string(detail::shape_text(shape.data(), shape.size()).view()));
    write_npy(path, dtype_of<T>, shape, values.data());
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
