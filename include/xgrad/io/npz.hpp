// SPDX-License-Identifier: MIT
// NumPy's .npz files, as numpy.savez writes them: a zip archive of named .npy files without compression.
#pragma once
#include <xgrad/config/macros_begin.hpp>

#include <xgrad/io/npy.hpp>
#include <xgrad/io/tensor_record.hpp>
#include <xgrad/io/zip.hpp>

#include <algorithm>

XGRAD_NAMESPACE_BEGIN

/// An array of a .npz file with its name in Python.
struct npz_entry {
    std::string name;
    npy_array array;
};

/// A .npz file. The constructor reads and checks all of it, also the checksums. Errors are io_error and name the file and the array.
/// After that nothing can fail. Refused are:
///
/// * files that read_npy refuses;
/// * archives that are compressed (numpy.savez_compressed), encrypted, damaged or truncated;
/// * archives with anything other than .npy files, or with a name twice.
class npz_file {
public:
    XGRAD_COLD explicit npz_file(std::string const& path) {
        detail::zip_reader zip(path);
        for (detail::zip_member const& m : zip.members()) {
            std::string const where = message({path, ": '", m.name, "'"});
            std::string_view name = m.name;
            if (!detail::take_ending(name, ".npy")) raise_parts<io_error>({where, " is not a .npy file"});
            detail::file_reader& file = zip.open(m);
            detail::crc32 sum;
            arrays_.push_back({std::string(name), detail::read_npy(file, where, m.size, &sum)});
            if (sum.value() != m.sum) raise_parts<io_error>({where, " is damaged: its checksum is not that of its bytes"});
        }
        std::sort(arrays_.begin(), arrays_.end(), [](auto const& a, auto const& b) { return a.name < b.name; });
        auto const twice =
            std::adjacent_find(arrays_.begin(), arrays_.end(), [](auto const& a, auto const& b) { return a.name == b.name; });
        if (twice != arrays_.end()) raise_parts<io_error>({path, ": has '", twice->name, "' twice"});
    }

    /// All arrays, sorted by name.
    std::span<npz_entry const> arrays() const noexcept { return arrays_; }
    /// The array of that name, or null.
    npy_array const* find(std::string_view name) const noexcept {
        auto const at = std::lower_bound(arrays_.begin(), arrays_.end(), name, [](auto const& a, auto n) { return a.name < n; });
        return at != arrays_.end() && at->name == name ? &at->array : nullptr;
    }

private:
    std::vector<npz_entry> arrays_;
};

/// Writes named arrays as a .npz file, which appears whole or not at all (see atomic_file). numpy.load(path)["w"] reads the array w.
/// Names are UTF-8. Throws io_error for a name that is empty, too long or used twice, for arrays that write_npy refuses, and if the
/// file system fails.
XGRAD_COLD inline void write_npz(std::string const& path, std::span<tensor_record const> arrays) {
    std::vector<std::pair<std::string, std::uint64_t>> headers;
    std::vector<std::string_view> names;
    for (tensor_record const& t : arrays) {
        if (t.name.empty() || t.name.size() > 65000)
            raise_parts<io_error>({path, ": the name of an array must have 1 to 65000 bytes, not ", t.name.size()});
        headers.push_back(detail::npy_header(message({path, ": '", t.name, "'"}), t.type, t.shape, t.data));
        names.push_back(t.name);
    }
    std::sort(names.begin(), names.end());
    if (auto const twice = std::adjacent_find(names.begin(), names.end()); twice != names.end())
        raise_parts<io_error>({path, ": has '", *twice, "' twice"});
    detail::zip_writer zip(path);
    for (std::size_t k = 0; k < arrays.size(); ++k) {
        auto const& [header, bytes] = headers[k];
        detail::crc32 sum;
        sum.add(header.data(), header.size());
        sum.add(arrays[k].data, static_cast<std::size_t>(bytes));
        zip.begin({arrays[k].name + ".npy", sum.value(), header.size() + bytes});
        zip.add(header.data(), header.size());
        zip.add(arrays[k].data, bytes);
    }
    zip.commit();
}

XGRAD_NAMESPACE_END
#include <xgrad/config/macros_end.hpp>
