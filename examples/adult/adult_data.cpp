// SPDX-License-Identifier: MIT
// The features of the reference recipe (Adult, wide & deep).
#include <adult/adult_data.hpp>

#include <support/csv.hpp>
#include <support/recipe_random.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <string_view>

namespace examples::adult {

namespace {

constexpr std::array<std::string_view, 15> columns = {"age", "workclass", "fnlwgt", "education", "education-num", "marital-status",
    "occupation", "relationship", "race", "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country", "income"};
// Columns of the file; fnlwgt, the census's sampling weight, is no input.
constexpr std::array<std::size_t, categories> category_column = {1, 3, 5, 6, 7, 8, 9, 13};
constexpr std::array<std::size_t, numbers> number_column = {0, 4, 10, 11, 12};
constexpr std::size_t label_column = 14;

enum category { workclass, education, marital_status, occupation, relationship, race, sex, native_country };
enum number { age, education_num, capital_gain, capital_loss, hours };

constexpr std::array<std::int64_t, 10> age_edges = {18, 25, 30, 35, 40, 45, 50, 55, 60, 65};
constexpr std::array<std::int64_t, 8> hour_edges = {20, 30, 35, 40, 41, 46, 51, 60};
constexpr std::int32_t hash_size = 1000;

struct raw_row {
    std::array<std::string, categories> category;
    std::array<std::int64_t, numbers> number{};
    float label = 0;
    std::size_t line = 0;
};

std::int64_t parse_number(std::string const& text, std::string_view column, csv_position const& at) {
    std::int64_t value = 0;
    auto const [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size() || value < 0 || value > std::numeric_limits<std::int32_t>::max())
        at.fail(std::string(column) + " is " + shown(text) + ", which is not a whole number from 0 to 2147483647");
    return value;
}

std::vector<raw_row> read_raw(std::string const& file, bool label_optional, bool& labelled) {
    csv_reader reader(file);
    std::vector<std::string> fields;
    if (!reader.next(fields)) throw input_error(file + ": is empty");
    labelled = !label_optional || fields.size() != columns.size() - 1;
    std::size_t const width = columns.size() - (labelled ? 0 : 1);
    for (std::size_t c = 0; c < std::max(width, fields.size()); ++c)
        if (c >= width || c >= fields.size() || fields[c] != columns[c])
            reader.position().fail(std::string("the header's column ") + std::to_string(c + 1) + " is " +
                                   (c < fields.size() ? shown(fields[c]) : "missing") + ", expected " +
                                   (c < width ? std::string("\"") + std::string(columns[c]) + "\"" : "no more columns"));
    std::vector<raw_row> rows;
    while (reader.next(fields)) {
        csv_position const at = reader.position();
        if (fields.size() != width)
            at.fail(std::string("has ") + std::to_string(fields.size()) + " fields, expected " + std::to_string(width));
        raw_row row;
        row.line = at.line;
        parse_number(fields[2], columns[2], at);
        for (std::size_t i = 0; i < numbers; ++i) row.number[i] = parse_number(fields[number_column[i]], columns[number_column[i]], at);
        for (std::size_t i = 0; i < categories; ++i) {
            row.category[i] = std::move(fields[category_column[i]]);
            if (row.category[i].empty()) at.fail(std::string(columns[category_column[i]]) + " is empty; write ? for an unknown value");
        }
        if (labelled) {
            std::string const& text = fields[label_column];
            if (text != ">50K" && text != "<=50K") at.fail("income is " + shown(text) + ", expected >50K or <=50K");
            row.label = text == ">50K" ? 1.0f : 0.0f;
        }
        rows.push_back(std::move(row));
    }
    if (rows.empty()) throw input_error(file + ": has a header but no rows");
    return rows;
}

double transformed(raw_row const& row, std::size_t i) {
    double const x = static_cast<double>(row.number[i]);
    return i == capital_gain || i == capital_loss ? std::log1p(x) : x;
}

template<std::size_t N>
std::int32_t bucket_of(std::array<std::int64_t, N> const& edges, std::int64_t value) {
    return static_cast<std::int32_t>(std::upper_bound(edges.begin(), edges.end(), value) - edges.begin());
}

// Number of ids of each wide column, in order.
std::array<std::int32_t, wide_columns> wide_extents(learned const& from) {
    auto const n = from.rows();
    constexpr std::int32_t h = hash_size;
    constexpr auto ages = static_cast<std::int32_t>(age_edges.size() + 1), hour_buckets = static_cast<std::int32_t>(hour_edges.size() + 1);
    return {n[education], n[marital_status], n[relationship], n[workclass], n[occupation], ages, h, h, n[race], n[sex], n[native_country],
        hour_buckets, h, h, h, h, h};
}

// The position of each column's value within its column.
std::array<std::int32_t, wide_columns> wide_values(raw_row const& row, std::int32_t const* id) {
    std::int32_t const a = bucket_of(age_edges, row.number[age]), h = bucket_of(hour_edges, row.number[hours]);
    std::int64_t const gain = row.number[capital_gain];
    return {id[education], id[marital_status], id[relationship], id[workclass], id[occupation], a,
        bucket(1, {id[education], id[occupation]}, hash_size), bucket(2, {a, id[education], id[occupation]}, hash_size), id[race], id[sex],
        id[native_country], h, bucket(3, {gain / 65536, gain}, hash_size),   // one weight for each amount, except for collisions
        bucket(4, {row.number[capital_loss]}, hash_size), bucket(5, {a, h, id[relationship]}, hash_size),
        bucket(6, {id[relationship], id[education]}, hash_size), bucket(7, {id[workclass], id[occupation]}, hash_size)};
}

table encode(std::vector<raw_row> const& rows, std::string const& file, learned const& from, unknown_category unknown, bool labelled) {
    auto const extents = wide_extents(from);
    table out;
    out.labelled = labelled;
    out.label.reserve(rows.size());
    out.wide.reserve(rows.size() * wide_columns);
    out.ids.reserve(rows.size() * categories);
    out.dense.reserve(rows.size() * numbers);
    for (raw_row const& row : rows) {
        std::array<std::int32_t, categories> id{};
        for (std::size_t c = 0; c < categories; ++c) {
            auto const& words = from.vocabulary[c];
            auto const word = std::lower_bound(words.begin(), words.end(), row.category[c]);
            if (word != words.end() && *word == row.category[c]) id[c] = static_cast<std::int32_t>(word - words.begin());
            else if (unknown == unknown_category::error)
                csv_position{file, row.line}.fail(std::string(columns[category_column[c]]) + " is " + shown(row.category[c]) +
                                                  ", a category that the training rows do not have");
        }
        auto const values = wide_values(row, id.data());
        std::int32_t offset = 0;
        for (std::size_t c = 0; c < wide_columns; offset += extents[c++]) out.wide.push_back(offset + values[c]);
        out.ids.insert(out.ids.end(), id.begin(), id.end());
        for (std::size_t i = 0; i < numbers; ++i)
            out.dense.push_back(static_cast<float>((transformed(row, i) - from.mean[i]) / from.sd[i]));
        out.label.push_back(row.label);
    }
    return out;
}

learned learn(std::vector<raw_row> const& rows, std::string const& file) {
    learned out;
    for (std::size_t c = 0; c < categories; ++c) {
        std::set<std::string> words;
        for (raw_row const& row : rows) words.insert(row.category[c]);
        out.vocabulary[c].assign(words.begin(), words.end());
        try {
            (void)nlohmann::json(out.vocabulary[c]).dump();   // it has to fit into a checkpoint
        } catch (nlohmann::json::exception const&) {
            throw input_error(file + ": " + std::string(columns[category_column[c]]) + " holds a word that is not valid UTF-8");
        }
    }
    long double const n = static_cast<long double>(rows.size());
    for (std::size_t i = 0; i < numbers; ++i) {
        long double sum = 0, squares = 0;
        for (raw_row const& row : rows) sum += transformed(row, i);
        long double const mean = sum / n;
        for (raw_row const& row : rows) squares += (transformed(row, i) - mean) * (transformed(row, i) - mean);
        out.mean[i] = static_cast<double>(mean);
        out.sd[i] = static_cast<double>(std::sqrt(squares / n));
        if (!(out.sd[i] > 0)) throw input_error(file + ": " + std::string(columns[number_column[i]]) + " is the same in all rows");
    }
    return out;
}

}   // namespace

std::array<std::int32_t, categories> learned::rows() const {
    std::array<std::int32_t, categories> n{};
    for (std::size_t c = 0; c < categories; ++c) n[c] = static_cast<std::int32_t>(vocabulary[c].size());
    return n;
}

std::int32_t learned::wide_size() const {
    auto const extents = wide_extents(*this);
    return std::accumulate(extents.begin(), extents.end(), std::int32_t{0});
}

std::map<std::string, std::string> learned::to_metadata() const {
    std::map<std::string, std::string> out;
    for (std::size_t c = 0; c < categories; ++c)
        out[std::string("adult.vocabulary.") + std::string(columns[category_column[c]])] = nlohmann::json(vocabulary[c]).dump();
    out["adult.mean"] = nlohmann::json(mean).dump();   // the shortest text that gives the same double again
    out["adult.sd"] = nlohmann::json(sd).dump();
    return out;
}

learned learned::from_metadata(std::map<std::string, std::string> const& metadata) {
    auto const read = [&](std::string const& key, auto& value) {
        auto const entry = metadata.find(key);
        if (entry == metadata.end()) throw input_error("the model file has no entry \"" + key + "\" in its metadata");
        try {
            nlohmann::json::parse(entry->second).get_to(value);
        } catch (nlohmann::json::exception const& e) {
            throw input_error("the model file's metadata \"" + key + "\" cannot be read: " + e.what());
        }
    };
    learned out;
    for (std::size_t c = 0; c < categories; ++c) {
        std::string const key = std::string("adult.vocabulary.") + std::string(columns[category_column[c]]);
        read(key, out.vocabulary[c]);
        auto const& words = out.vocabulary[c];
        if (words.empty() || std::adjacent_find(words.begin(), words.end(), std::greater_equal<>()) != words.end())
            throw input_error("the model file's metadata \"" + key + "\" is not a list of different words in order");
    }
    for (auto const& [key, values] : {std::pair("adult.mean", &out.mean), std::pair("adult.sd", &out.sd)}) {
        std::vector<double> list;
        read(key, list);
        bool const good = list.size() == numbers && std::all_of(list.begin(), list.end(), [](double x) { return std::isfinite(x); });
        if (!good || (values == &out.sd && *std::min_element(list.begin(), list.end()) <= 0))
            throw input_error(std::string("the model file's metadata \"") + std::string(key) + "\" is not a list of five usable numbers");
        std::copy(list.begin(), list.end(), values->begin());
    }
    return out;
}

table read_training(std::string const& file, learned& out) {
    bool labelled = true;
    auto const rows = read_raw(file, false, labelled);
    out = learn(rows, file);
    return encode(rows, file, out, unknown_category::error, labelled);
}

table read_rows(std::string const& file, learned const& from, unknown_category unknown, bool label_optional) {
    bool labelled = true;
    auto const rows = read_raw(file, label_optional, labelled);
    return encode(rows, file, from, unknown, labelled);
}

}   // namespace examples::adult
