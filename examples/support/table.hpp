// SPDX-License-Identifier: MIT
// A plain table on a text terminal: first column to the left, the others to the right.
#pragma once

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <string>
#include <vector>

namespace examples {

/// printf into a string.
[[gnu::format(printf, 1, 2)]] inline std::string format(char const* pattern, ...) {
    std::va_list arguments, again;
    va_start(arguments, pattern);
    va_copy(again, arguments);
    std::string text(static_cast<std::size_t>(std::vsnprintf(nullptr, 0, pattern, arguments)), '\0');
    std::vsnprintf(text.data(), text.size() + 1, pattern, again);
    va_end(arguments);
    va_end(again);
    return text;
}

/// Lines of at most `columns` characters, broken at spaces. Continuation lines are indented.
inline std::string wrapped(std::string const& text, std::size_t columns, std::size_t indent) {
    std::string out;
    std::size_t begin = 0, before = 0;   // of the line; the number of columns before it
    while (begin < text.size()) {
        std::size_t const line = std::min(text.find('\n', begin), text.size());
        std::size_t end = line;
        if (line - begin > columns - before) {
            end = text.rfind(' ', begin + columns - before);
            if (end == std::string::npos || end <= begin) end = std::min(text.find(' ', begin), line);   // a word that is too long
        }
        out += std::string(before, ' ') + text.substr(begin, end - begin) + '\n';
        before = end < line ? indent : 0;
        begin = end + 1;
    }
    return out;
}

class text_table {
public:
    explicit text_table(std::vector<std::string> heads) : rows_{std::move(heads)} {}
    void add(std::vector<std::string> cells) {
        cells.resize(rows_[0].size());
        rows_.push_back(std::move(cells));
    }
    std::string text() const {
        std::vector<std::size_t> width(rows_[0].size());
        for (auto const& row : rows_)
            for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
        std::string out;
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            for (std::size_t c = 0; c < width.size(); ++c) {
                std::string const padding(width[c] - rows_[r][c].size(), ' ');
                out += c == 0 ? "  " + rows_[r][c] + padding : "  " + padding + rows_[r][c];
            }
            out.erase(out.find_last_not_of(' ') + 1);
            out += '\n';
            if (r == 0)
                for (std::size_t c = 0; c < width.size(); ++c)
                    out += std::string("  ") + std::string(width[c], '-') + (c + 1 == width.size() ? "\n" : "");
        }
        return out;
    }

private:
    std::vector<std::vector<std::string>> rows_;
};

}   // namespace examples
