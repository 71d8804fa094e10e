// SPDX-License-Identifier: MIT
// Files of named tensors in the safetensors format. They are written atomically, and checked completely before anything is used.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/core/dtype.hpp>
#include <xgrad/core/error.hpp>
#include <xgrad/io/tensor_file.hpp>
#include <xgrad/io/tensor_record.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

XGRAD_NAMESPACE_BEGIN

/// One tensor of a file. `data` is aligned to file_alignment and lives as long as the safetensors_file.
///
/// The file may have an element type that xgrad does not compute with. `type` is then dtype::literal, `file_type` is the name in the
/// file, such as "F8_E4M3", and the elements are read as bytes.
struct stored_tensor {
    std::string name;
    dtype type = dtype::float32;
    std::vector<std::int64_t> shape;
    void const* data = nullptr;
    std::size_t bytes = 0;
    std::string file_type;   ///< F32, F64, I32, I64, BOOL, BF16, F16, or another type of the format

    /// The number of elements.
    std::size_t size() const noexcept {
        std::size_t n = 1;
        for (std::int64_t const extent : shape) n *= static_cast<std::size_t>(extent);
        return n;
    }
    /// The elements in C order. Throws dtype_error if T is not the element type of the tensor.
    template<MemoryElement T>
    std::span<T const> values() const {
        if (type == dtype::literal)
            raise<dtype_error>(
                "tensor \"" + name + "\" holds " + file_type + ", which is not an element type of xgrad; read its bytes at .data");
        if (dtype_of<T> != type)
            raise<dtype_error>(
                "tensor \"" + name + "\" holds " + std::string(to_string(type)) + ", not " + std::string(to_string(dtype_of<T>)));
        return {static_cast<T const*>(data), size()};
    }
};

/// Writes the tensors and metadata as a safetensors file. Both may be empty. The file appears whole or not at all (see atomic_file).
/// Format: https://github.com/huggingface/safetensors (8 bytes header length, JSON header, data).
///
/// Tensors are ordered by decreasing element size, and then as given, so that each is aligned in the file. Throws io_error in these
/// cases; the file at `path` is then as it was before:
///
/// * a name occurs twice, is "__metadata__", or is not UTF-8;
/// * a shape is negative or too large;
/// * data are missing;
/// * a bool is neither 0 nor 1;
/// * the file system fails.
template<class Metadata = std::map<std::string, std::string>>
XGRAD_COLD void write_safetensors(std::string const& path, std::span<tensor_record const> tensors, Metadata const& metadata = {}) {
    detail::safetensors_header header;
    for (auto const& [key, value] : metadata) header.metadata.push({key, value});
    for (tensor_record const& t : tensors)   // nothing is written to the addresses
        header.tensors.push({t.name, t.type, t.shape.size(), t.shape.data(), const_cast<void*>(t.data)});
    detail::write_tensor_file(path, header);
}

/// A safetensors file. The constructor reads and checks all of it. Errors are io_error and name the file and, in the header, the
/// byte. After that nothing can fail. Refused are:
///
/// * a truncated file or header, and bytes after the last tensor;
/// * gaps and overlaps between tensors;
/// * names that occur twice, and text that is not UTF-8;
/// * sizes that do not fit shape and dtype, and dtypes that the format does not have;
/// * bools that are neither 0 nor 1.
///
/// Element types of the format that xgrad does not compute with, such as F8_E4M3, are read as bytes (stored_tensor).
template<class Metadata>
class basic_safetensors_file {
public:
    XGRAD_COLD explicit basic_safetensors_file(std::string const& path) {
        detail::tensor_file file(path);
        for (auto const& m : file.metadata()) metadata_.emplace(m.name, m.value);
        for (auto const& t : file.tensors())
            tensors_.push_back(
                {std::string(t.name), t.type, {t.extents, t.extents + t.rank}, t.data, static_cast<std::size_t>(t.end - t.begin),
                    std::string(t.type == dtype::literal ? t.foreign : detail::safetensors_name(t.type))});
        memory_.swap(file.memory());
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
    std::vector<stored_tensor> tensors_;
    Metadata metadata_;
    aligned_buffer<std::byte> memory_;
};
using safetensors_file = basic_safetensors_file<std::map<std::string, std::string>>;

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
