// SPDX-License-Identifier: MIT
// The Adult pipeline against tests/reference/adult_vectors.txt (made by the reference's own scripts), and broken CSV files.
#include <adult/adult_data.hpp>

#include <support/recipe_random.hpp>

#include <doctest/doctest.h>

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <sstream>

using namespace examples;

namespace {

// The numbers of the first bracket (or, without one, of the rest of the line) after each of `keys` in turn.
std::vector<double> expected(std::initializer_list<char const*> keys) {
    static std::string const text = [] {
        std::ifstream in(std::string(XGRAD_TEST_DATA) + "/adult_vectors.txt");
        return std::string(std::istreambuf_iterator<char>(in), {});
    }();
    std::size_t at = 0;
    for (char const* key : keys) {
        at = text.find(key, at);
        REQUIRE(at != std::string::npos);
        at += std::char_traits<char>::length(key);
    }
    std::string numbers = text.substr(at, text.find_first_of("]\n", at) - at);
    for (char& c : numbers)
        if (c == '[' || c == ',') c = ' ';
    std::vector<double> out;
    char* end = numbers.data();
    for (char* begin = end;; begin = end) {
        double const x = std::strtod(begin, &end);
        if (begin == end) break;
        out.push_back(x);
    }
    REQUIRE_FALSE(out.empty());
    return out;
}

template<class T>
std::vector<double> column_sums(std::vector<T> const& values, std::size_t columns) {
    std::vector<double> sums(columns);
    for (std::size_t i = 0; i < values.size(); ++i) sums[i % columns] += static_cast<double>(values[i]);
    return sums;
}
template<class T>
std::vector<double> first(std::vector<T> const& values, std::size_t n) {
    return {values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n)};
}

void check_close(std::vector<double> const& found, std::vector<double> const& wanted, double tolerance) {
    REQUIRE(found.size() == wanted.size());
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(std::abs(found[i] - wanted[i]) <= tolerance);
}

std::string const data_folder = std::string(XGRAD_EXAMPLE_DATA) + "/adult/";

void check_table(char const* part, adult::table const& t, adult::learned const& l) {
    CAPTURE(part);
    CHECK(static_cast<double>(t.size()) == expected({part, ":"})[0]);
    CHECK(column_sums(t.label, 1) == expected({part, "labels sum"}));
    CHECK(l.wide_size() == static_cast<std::int32_t>(expected({part, "wide_size"})[0]));
    auto const rows = l.rows();
    CHECK(std::vector<double>(rows.begin(), rows.end()) == expected({part, "table rows"}));

    std::vector<std::int32_t> tutorial;   // the first 8 wide columns
    for (std::size_t i = 0; i < t.wide.size(); ++i)
        if (i % adult::wide_columns < 8) tutorial.push_back(t.wide[i]);
    struct {
        char const* key;
        std::vector<std::int32_t> const& values;
        std::size_t columns;
    } const arrays[] = {{"   tutorial (", tutorial, 8}, {"   wide (", t.wide, adult::wide_columns}, {"   ids (", t.ids, adult::categories}};
    for (auto const& a : arrays) {
        CAPTURE(a.key);
        CHECK(a.values.size() == t.size() * a.columns);
        CHECK(first(a.values, a.columns) == expected({part, a.key, "row 0 "}));
        CHECK(column_sums(a.values, 1) == expected({part, a.key, "sum"}));
        CHECK(
            static_cast<double>(std::set<std::int32_t>(a.values.begin(), a.values.end()).size()) == expected({part, a.key, "distinct"})[0]);
        CHECK(column_sums(a.values, a.columns) == expected({part, a.key, "sum of column"}));
    }

    CHECK(t.dense.size() == t.size() * adult::numbers);
    check_close(first(t.dense, adult::numbers), expected({part, "   dense (", "row 0"}), 1e-6);
    std::vector<double> mean = column_sums(t.dense, adult::numbers), sd(adult::numbers);
    for (double& m : mean) m /= static_cast<double>(t.size());
    for (std::size_t i = 0; i < t.dense.size(); ++i) sd[i % adult::numbers] += std::pow(t.dense[i] - mean[i % adult::numbers], 2);
    for (double& s : sd) s = std::sqrt(s / static_cast<double>(t.size()));
    check_close(mean, expected({part, "   dense (", "mean"}), 1e-6);
    check_close(sd, expected({part, "   dense (", "sd"}), 1e-6);
}

}   // namespace

TEST_CASE("random source of the recipe") {
    CHECK(mix(0) == 0xe220a8397b1dcdaf);
    CHECK(mix(1) == 0x910a2dec89025cc1);
    CHECK(mix(std::uint64_t{1} << 63) == 0x481ec0a212a9f3db);
    auto const some = [](std::uint64_t seed, std::uint64_t s, std::size_t n) {
        std::vector<double> out;
        for (std::size_t i = 0; i < n; ++i) out.push_back(uniform(seed, s, i));
        return out;
    };
    check_close(some(1, 0, 4), expected({"uniform(seed 1, stream 0, 4):"}), 5e-9);
    check_close(some(2, 3, 2), expected({"uniform(seed 2, stream 3, 2):"}), 5e-9);
    std::vector<float> square(4), matrix(69 * 100);
    fill_symmetric(1, 0, 0.05, square);
    CHECK(first(square, 4) == expected({"symmetric(1, 0, (2, 2), 0.05):"}));
    fill_glorot(1, 8, 69, 100, matrix);
    CHECK(first(matrix, 3) == expected({"glorot(1, 8, (69, 100))[0, :3]:"}));
}

TEST_CASE("order of rows and hashed features") {
    for (std::uint64_t epoch : {0, 1}) {
        auto const rows = order_of_rows(1, epoch, 32561);
        CHECK(first(rows, 8) == expected({epoch == 0 ? "order(seed 1, epoch 0, 32561)[:8]:" : "order(seed 1, epoch 1, 32561)[:8]:"}));
        CHECK(std::set<std::uint32_t>(rows.begin(), rows.end()).size() == 32561);
    }
    CHECK(bucket(1, {9, 1}, 1000) == expected({"bucket(1, [9, 1], 1000):"})[0]);
    CHECK(bucket(5, {4, 3, 1}, 1000) == expected({"bucket(5, [4, 3, 1], 1000):"})[0]);
}

TEST_CASE("Adult agrees with the reference pipeline") {
    adult::learned learned;
    adult::table const train = adult::read_training(data_folder + "train.csv", learned);
    check_table("adult train", train, learned);
    auto const mean = expected({"dense before standardising: mean"}), sd = expected({"dense before standardising: mean", "sd"});
    for (std::size_t i = 0; i < adult::numbers; ++i) {
        CHECK(learned.mean[i] == doctest::Approx(mean[i]).epsilon(1e-12));
        CHECK(learned.sd[i] == doctest::Approx(sd[i]).epsilon(1e-12));
    }
    check_table("adult test", adult::read_rows(data_folder + "test.csv", learned, adult::unknown_category::error), learned);

    SUBCASE("what was learned survives a checkpoint") {
        auto metadata = learned.to_metadata();
        adult::learned const again = adult::learned::from_metadata(metadata);
        CHECK(again.vocabulary == learned.vocabulary);
        CHECK(again.mean == learned.mean);
        CHECK(again.sd == learned.sd);
        for (char const* broken : {"", "{", "[1, 2]", "[\"b\", \"a\"]", "[]", "[0, 0, 0, 0, 0]", "\"text\""}) {
            CAPTURE(broken);
            for (char const* key : {"adult.sd", "adult.vocabulary.sex"}) {
                auto copy = metadata;
                copy[key] = broken;
                CHECK_THROWS_AS(adult::learned::from_metadata(copy), input_error);
                copy.erase(key);
                CHECK_THROWS_AS(adult::learned::from_metadata(copy), input_error);
            }
        }
    }
}

TEST_CASE("broken files are refused with file and line") {
    adult::learned learned;
    adult::read_training(data_folder + "train.csv", learned);
    std::string const header = "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,capital-gain,"
                               "capital-loss,hours-per-week,native-country";
    std::string const row = "39,State-gov,77516,Bachelors,13,Never-married,Adm-clerical,Not-in-family,White,Male,2174,0,40,United-States";
    auto const file = std::filesystem::temp_directory_path() / ("xgrad_adult_" + std::to_string(::getpid()) + ".csv");
    auto const write = [&](std::string const& text) { std::ofstream(file, std::ios::binary) << text; };
    auto const error = [&](std::string const& text, bool training = false, bool optional = false) {
        write(text);
        try {
            adult::learned ignored;
            if (training) adult::read_training(file.string(), ignored);
            else adult::read_rows(file.string(), learned, adult::unknown_category::error, optional);
        } catch (input_error const& e) {
            std::string const message = e.what();
            CHECK(message.find(file.string()) == 0);
            return message.substr(std::min(message.size(), file.string().size()));
        }
        return std::string();
    };
    auto const replaced = [](std::string text, std::string const& from, std::string const& to) {
        return text.replace(text.find(from), from.size(), to);
    };
    std::string const good = header + ",income\n" + row + ",<=50K\n";
    CHECK(error(good) == "");
    CHECK(error(good.substr(0, good.size() - 1)) == "");   // without the last \n
    CHECK(error(replaced(replaced(good, "\n", "\r\n"), "50K\n", "50K\r\n")) == "");
    CHECK(error(replaced(good, "White", "\"White\"")) == "");

    CHECK(error("\xef\xbb\xbf" + good) == "");   // as spreadsheets write it

    CHECK(error("") == ": is empty");
    CHECK(error("\xef\xbb\xbf").find(":1: ") == 0);
    CHECK(error(replaced(good, ",<=50K", "\r<=50K")) == ":2: a carriage return inside the line");
    CHECK(error(replaced(replaced(good, "\n", "\r"), "\n", "\r")) == ":1: a carriage return inside the line");
    CHECK(error(header + ",income\n") == ": has a header but no rows");
    CHECK(error(replaced(good, "fnlwgt", "weight")) == ":1: the header's column 3 is \"weight\", expected \"fnlwgt\"");
    CHECK(error(header + "\n" + row + "\n") == ":1: the header's column 15 is missing, expected \"income\"");
    CHECK(error(header + ",income,more\n") == ":1: the header's column 16 is \"more\", expected no more columns");
    CHECK(error(good + row + "\n") == ":3: has 14 fields, expected 15");
    CHECK(error(good + "\n" + row + ",<=50K\n") == ":3: this line is empty");
    CHECK(error(replaced(good, "39,", "39.5,")) == ":2: age is \"39.5\", which is not a whole number from 0 to 2147483647");
    CHECK(error(replaced(good, "39,", ",")) == ":2: age is \"\", which is not a whole number from 0 to 2147483647");
    CHECK(error(replaced(good, ",40,", ",-1,")).find(":2: hours-per-week is \"-1\"") == 0);
    CHECK(error(replaced(good, ",77516,", ",x,")).find(":2: fnlwgt is \"x\"") == 0);
    CHECK(error(replaced(good, ",2174,", ",99999999999999999999,")).find(":2: capital-gain is") == 0);
    CHECK(error(replaced(good, ",White", ",")) == ":2: race is empty; write ? for an unknown value");
    CHECK(error(replaced(good, "<=50K", "<=50K.")) == ":2: income is \"<=50K.\", expected >50K or <=50K");
    CHECK(
        error(replaced(good, "State-gov", "State gov")) == ":2: workclass is \"State gov\", a category that the training rows do not have");
    CHECK(error(replaced(good, "White", "Wh\"ite")) == ":2: a quotation mark where none may stand");
    CHECK(error(replaced(good, "White", "\"White")) == ":2: the file ends inside quotes");
    CHECK(error(good, true) == ": age is the same in all rows");
    CHECK(error(replaced(good, "White", "Wh\xff"), true).find("not valid UTF-8") != std::string::npos);

    SUBCASE("an unknown category may be taken as the first") {
        write(replaced(good, "State-gov", "State gov"));
        CHECK(adult::read_rows(file.string(), learned, adult::unknown_category::first_id).ids[0] == 0);
    }
    SUBCASE("rows without labels") {
        CHECK(error(header + "\n" + row + "\n", false, true) == "");
        CHECK_FALSE(adult::read_rows(file.string(), learned, adult::unknown_category::error, true).labelled);
        CHECK(error(good, false, true) == "");
        CHECK(adult::read_rows(file.string(), learned, adult::unknown_category::error, true).labelled);
    }
    std::filesystem::remove(file);
    CHECK_THROWS_WITH_AS(adult::read_rows(file.string(), learned, adult::unknown_category::error),
        (file.string() + ": cannot open this file").c_str(), input_error);
}
