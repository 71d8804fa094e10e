// SPDX-License-Identifier: MIT
// Logits of whole tables.
#include <wide_and_deep/prediction.hpp>

#include <algorithm>
#include <cstddef>
#include <string>

namespace examples {

void check_fits_model(adult::learned const& learned) {
    auto const text = [](auto const& rows) {
        std::string out;
        for (auto const n : rows) out += std::string(out.empty() ? "" : ", ") + std::to_string(n);
        return out;
    };
    if (learned.rows() != wide_and_deep_model::table_rows || learned.wide_size() != wide_and_deep_model::wide_size)
        throw input_error(std::string("the training rows have vocabularies of ") + text(learned.rows()) +
                          " words; this program is compiled for " + text(wide_and_deep_model::table_rows));
}

std::vector<float> predict_all(wide_and_deep_model& model, adult::table const& rows) {
    constexpr std::size_t block = 512;
    std::vector<float> logits(rows.size());
    for (std::size_t i = 0; i < rows.size(); i += block) {
        std::size_t const n = std::min(block, rows.size() - i);
        model.predict({rows.label.data() + i, rows.wide.data() + i * adult::wide_columns, rows.ids.data() + i * adult::categories,
                          rows.dense.data() + i * adult::numbers, n},
            logits.data() + i);
    }
    return logits;
}

}   // namespace examples
