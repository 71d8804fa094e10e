// SPDX-License-Identifier: MIT
// Scores the rows of a CSV file with a saved wide & deep model; the model file is all that it needs.
#include <adult/adult_data.hpp>
#include <support/metrics.hpp>
#include <support/table.hpp>
#include <wide_and_deep/model.hpp>
#include <wide_and_deep/prediction.hpp>

#include <xgrad/io/atomic_file.hpp>

#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdio>
#include <exception>
#include <string>

namespace {

using namespace examples;

void score(std::string const& model_file, std::string const& rows_file, std::string const& output) {
    wide_and_deep_model model;
    auto const learned = adult::learned::from_metadata(model.load(model_file));
    check_fits_model(learned);
    adult::table const rows = adult::read_rows(rows_file, learned, adult::unknown_category::error, true);
    std::vector<float> const logits = predict_all(model, rows);

    std::string text = rows.labelled ? "row,probability,predicted,income\n" : "row,probability,predicted\n";
    for (std::size_t i = 0; i < rows.size(); ++i) {
        double const p = 1 / (1 + std::exp(-static_cast<double>(logits[i])));
        text += format("%zu,%.6f,%s", i + 1, p, logits[i] > 0 ? ">50K" : "<=50K");
        text += rows.labelled ? (rows.label[i] > 0 ? ",>50K\n" : ",<=50K\n") : "\n";
    }
    if (output.empty()) std::fputs(text.c_str(), stdout);
    else {
        xgrad::atomic_file file(output);
        file.write(text.data(), text.size());
        file.commit();
    }
    if (rows.labelled) {
        binary_metrics const m = evaluate_binary(logits, rows.label);
        std::string const auc = std::isnan(m.auc) ? "undefined, for all rows are of one class" : format("%.4f", m.auc);
        std::fprintf(stderr, "%zu rows: accuracy %.4f, AUC %s, log loss %.4f\n", rows.size(), m.accuracy, auc.c_str(), m.log_loss);
    }
}

}   // namespace

int main(int count, char** arguments) {
    CLI::App app(
        "Writes the probability of an income above 50K for each row of a CSV file with Adult's columns; income itself may be missing.");
    std::string model, rows, output;
    app.add_option("model", model, "model.safetensors, as wide_and_deep writes it")->required();
    app.add_option("rows", rows, "CSV file")->required();
    app.add_option("--output", output, "CSV file to write; without it, standard output");
    CLI11_PARSE(app, count, arguments);
    try {
        score(model, rows, output);
    } catch (std::exception const& e) {
        std::fprintf(stderr, "wide_and_deep_score: %s\n", e.what());
        return 1;
    }
    return std::ferror(stdout) || std::fflush(stdout) != 0 ? 1 : 0;
}
