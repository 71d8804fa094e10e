// SPDX-License-Identifier: MIT
// Reads a CSV file row by row with libcsv; every error names the file and the line.
#pragma once

#include <support/error.hpp>

#include <csv.h>

#include <cstddef>
#include <fstream>
#include <string>
#include <vector>

namespace examples {

/// Where a row is in its file, for error messages.
struct csv_position {
    std::string const& file;
    std::size_t line;   // of the row's first character, from 1

    [[noreturn]] void fail(std::string const& what) const { throw input_error(file + ":" + std::to_string(line) + ": " + what); }
};
/// A value as messages show it: its first 200 characters, in quotation marks.
inline std::string shown(std::string const& value) { return '"' + (value.size() <= 200 ? value : value.substr(0, 200) + "...") + '"'; }

class csv_reader {
public:
    explicit csv_reader(std::string file) : file_(std::move(file)), opened_(file_, std::ios::binary), in_(opened_) {
        if (!in_) throw input_error(file_ + ": cannot open this file");
        start();
    }
    /// Reads a stream, which errors call `name`.
    csv_reader(std::string name, std::istream& in) : file_(std::move(name)), in_(in) { start(); }
    csv_reader(csv_reader const&) = delete;
    csv_reader& operator=(csv_reader const&) = delete;
    ~csv_reader() { csv_free(&parser_); }

    /// The next row; false at the end of the file. Line ends are \n or \r\n, also inside quotes.
    /// A byte order mark at the beginning is skipped.
    bool next(std::vector<std::string>& row) {
        fields_.clear();
        rows_ = 0;
        first_line_ = line_ + 1;
        std::string text;
        while (rows_ == 0) {
            if (!std::getline(in_, text)) {
                if (in_.bad()) position().fail("cannot read");
                if (csv_fini(&parser_, &on_field, &on_row, this) != 0) position().fail("the file ends inside quotes");
                break;   // a last line without \n is complete now
            }
            ++line_;
            if (line_ == 1 && text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
            if (text.find('\0') != std::string::npos) csv_position{file_, line_}.fail("a byte of zero, which no text has");
            if (line_ == first_line_ && (text.empty() || text == "\r")) position().fail("this line is empty");
            if (!in_.eof()) text += '\n';
            if (csv_parse(&parser_, text.data(), text.size(), &on_field, &on_row, this) != text.size())
                position().fail("a quotation mark where none may stand");
            if (rows_ > 1) position().fail("a carriage return inside the line");
        }
        row.swap(fields_);
        return rows_ > 0;
    }

    csv_position position() const { return {file_, first_line_}; }
    /// After an error: continues with the next line.
    void recover() {
        csv_free(&parser_);
        start();
    }

private:
    void start() {
        if (csv_init(&parser_, CSV_STRICT | CSV_STRICT_FINI) != 0) throw input_error("cannot start the CSV parser");
        csv_set_space_func(&parser_, [](unsigned char) { return 0; });   // spaces belong to the values
    }
    static void on_field(void* text, std::size_t size, void* self) {
        static_cast<csv_reader*>(self)->fields_.emplace_back(static_cast<char const*>(text), size);
    }
    static void on_row(int, void* self) { ++static_cast<csv_reader*>(self)->rows_; }

    std::string file_;
    std::ifstream opened_;
    std::istream& in_;
    csv_parser parser_{};
    std::vector<std::string> fields_;
    int rows_ = 0;   // completed by the last line: for the parser a carriage return ends one too
    std::size_t line_ = 0;
    std::size_t first_line_ = 1;
};

}   // namespace examples
