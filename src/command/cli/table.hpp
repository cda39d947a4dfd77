#pragma once

#include "command/cli/output.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace anympi::command {

/// Rules for a column of a table that is wider than the screen. The rules are applied in this order, until the table
/// fits. Finally all columns are wrapped.
enum class when_narrow : unsigned char {
    left_out,  // the last such column first; a line below the table names the headings
    continued, // in a further table, which repeats the first column
    below,     // on a line of its own below each row; a path that is wider than the screen is shortened in the middle
    wrapped,   // at words
    kept,      // as wide as its widest cell
};

struct column {
    std::string heading;
    when_narrow narrow = when_narrow::kept;
};

struct cell {
    std::string text;
    style look = style::plain;
};

/// Rows of the same number of cells, in columns as wide as their widest cell.
class table {
public:
    explicit table(std::vector<column> columns);

    void add(std::vector<cell> row);
    void print(std::string_view indent = "") const;

private:
    using numbers = std::vector<std::size_t>; // the numbers of columns, or their widths

    std::size_t natural_width(std::size_t column) const;
    numbers natural_widths(const numbers& shown) const;
    numbers leave_out(numbers& shown, std::size_t width) const;
    void print_columns(numbers shown, std::string_view indent, std::size_t width) const;
    void print_row(const std::vector<cell>& row, const numbers& shown, const numbers& widths,
                   std::string_view indent) const;

    std::vector<column> columns_;
    std::vector<std::vector<cell>> rows_; // the headings first
};

} // namespace anympi::command
