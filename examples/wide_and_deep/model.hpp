// SPDX-License-Identifier: MIT
// A plain header for the wide & deep model. A file that includes it compiles nothing of xgrad (a compile firewall).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

namespace examples {

/// Some rows of a table, each array contiguous.
struct row_block {
    float const* label = nullptr;         // [count]; not read by predict
    std::int32_t const* wide = nullptr;   // [count, 17], each < wide_size
    std::int32_t const* ids = nullptr;    // [count, 8], each < table_rows of its column
    float const* dense = nullptr;         // [count, 5]
    std::size_t count = 0;
};

/// Wide & deep (Cheng et al. 2016) for Adult: 7,122 sparse weights trained by Ftrl (0.2, l1 0.05), eight embeddings of 8 and the layers
/// 69-100-50-1 trained by Adagrad (0.02).
class wide_and_deep_model {
public:
    // The shapes are part of the compiled model: the data have to fit.
    static constexpr std::int32_t wide_size = 7122;
    static constexpr std::array<std::int32_t, 8> table_rows = {9, 16, 7, 15, 6, 5, 2, 42};

    explicit wide_and_deep_model(std::uint64_t seed = 1);
    ~wide_and_deep_model();
    wide_and_deep_model(wide_and_deep_model&&) noexcept;
    wide_and_deep_model& operator=(wide_and_deep_model&&) noexcept;

    /// Initial values of the recipe for this seed; slots and step as at the start.
    void initialize(std::uint64_t seed);
    /// One update of all variables; the mean loss of the rows before it.
    float step(row_block const& rows);
    /// logits[count]; changes nothing.
    void predict(row_block const& rows, float* logits);

    std::int64_t steps() const;
    std::size_t nonzero_wide() const;
    /// Five lines: what a step computes, in which memory, at what cost.
    std::string plan_summary() const;

    /// Variables, slots and step as safetensors, written atomically; throws if that fails.
    void save(std::filesystem::path const& file, std::map<std::string, std::string> const& metadata) const;
    /// Restores what save wrote and returns its metadata; throws and changes nothing if the file does not fit.
    std::map<std::string, std::string> load(std::filesystem::path const& file);

private:
    struct implementation;
    std::unique_ptr<implementation> self_;
};

}   // namespace examples
