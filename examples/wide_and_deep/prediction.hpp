// SPDX-License-Identifier: MIT
// What training and scoring share: do the data fit the compiled model, and its logits for a whole table.
#pragma once

#include <adult/adult_data.hpp>
#include <wide_and_deep/model.hpp>

#include <vector>

namespace examples {

/// input_error if ids of these data would not fit the compiled model.
void check_fits_model(adult::learned const& learned);

/// The logits of all rows, some hundred at a time.
std::vector<float> predict_all(wide_and_deep_model& model, adult::table const& rows);

}   // namespace examples
