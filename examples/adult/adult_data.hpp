// SPDX-License-Identifier: MIT
// UCI Adult as arrays: from CSV rows to labels, ids of wide columns, ids of embeddings and standardised numbers.
#pragma once

#include <support/error.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace examples::adult {

inline constexpr std::size_t categories = 8;      // workclass education marital-status occupation relationship race sex native-country
inline constexpr std::size_t numbers = 5;         // age education-num log(1+capital-gain) log(1+capital-loss) hours-per-week
inline constexpr std::size_t wide_columns = 17;   // ids of a row in the wide part

/// Everything that is learned from the training rows; kept in a checkpoint, so that a model file is enough to score new rows.
struct learned {
    std::array<std::vector<std::string>, categories> vocabulary;   // in byte order; the position is the id
    std::array<double, numbers> mean{}, sd{};

    std::array<std::int32_t, categories> rows() const;   // sizes of the vocabularies
    std::int32_t wide_size() const;                      // number of ids that the wide columns can have together

    /// As entries of a checkpoint's metadata, and back; input_error if an entry is missing or broken.
    std::map<std::string, std::string> to_metadata() const;
    static learned from_metadata(std::map<std::string, std::string> const& metadata);
};

/// Rows as contiguous arrays.
struct table {
    std::vector<float> label;         // [size], 1 for >50K
    std::vector<std::int32_t> wide;   // [size, 17]
    std::vector<std::int32_t> ids;    // [size, 8]
    std::vector<float> dense;         // [size, 5]
    bool labelled = true;             // false: the file has no column income, all labels are 0

    std::size_t size() const { return label.size(); }
};

/// What a category is that the training rows do not have.
enum class unknown_category { first_id, error };

/// Reads training rows and learns from them. Like all readers here, throws input_error with file and line for:
/// - a file that cannot be opened,
/// - another header,
/// - a row with more or fewer fields,
/// - a text that is not a number, or a negative number,
/// - an unknown label.
table read_training(std::string const& file, learned& out);
/// Reads rows with what was learned before. If `label_optional`, the column income may be missing.
table read_rows(std::string const& file, learned const& from, unknown_category unknown, bool label_optional = false);

}   // namespace examples::adult
