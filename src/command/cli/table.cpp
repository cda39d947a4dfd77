#include "command/cli/table.hpp"

#include "command/cli/split_join.hpp"
#include "command/cli/wrapping.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

namespace anympi::command {
namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t least_column = 6; // no column becomes narrower, even if the table stays wider than the screen
constexpr std::string_view below_indent = "    ";

std::size_t total_of(const std::vector<std::size_t>& widths) {
    return std::accumulate(widths.begin(), widths.end(), std::size_t{0}) + gap * (widths.size() - 1);
}

// Narrows the widest column, again and again, until the table fits.
void narrow_widest(std::vector<std::size_t>& widths, const std::vector<bool>& may_be_narrowed, std::size_t width) {
    while (total_of(widths) > width) {
        std::size_t widest = widths.size();
        for (std::size_t i = 0; i < widths.size(); i++)
            if (may_be_narrowed[i] && widths[i] > least_column &&
                (widest == widths.size() || widths[i] > widths[widest]))
                widest = i;
        if (widest == widths.size())
            return;
        widths[widest]--;
    }
}

} // namespace

table::table(std::vector<column> columns) : columns_(std::move(columns)) {
    std::vector<cell>& row = rows_.emplace_back();
    for (const column& one : columns_)
        row.push_back({printable(one.heading), style::heading});
}

void table::add(std::vector<cell> row) {
    for (cell& one : row)
        one.text = printable(one.text);
    row.resize(columns_.size());
    rows_.push_back(std::move(row));
}

// The headings of columns that may continue in a further table are wrapped: they are often wider than the cells.
std::size_t table::natural_width(std::size_t column) const {
    std::size_t width = 0;
    for (const auto& row : rows_)
        if (&row != &rows_.front() || columns_[column].narrow != when_narrow::continued)
            width = std::max(width, display_width(row[column].text));
    if (columns_[column].narrow == when_narrow::continued)
        for (const std::string& word : split_list(rows_.front()[column].text, " "))
            width = std::max(width, display_width(word));
    return width;
}

table::numbers table::natural_widths(const numbers& shown) const {
    numbers widths;
    for (const std::size_t column : shown)
        widths.push_back(natural_width(column));
    return widths;
}

// Removes columns from those that are shown until the table fits. Returns the removed columns in their order.
table::numbers table::leave_out(numbers& shown, std::size_t width) const {
    numbers left_out;
    for (std::size_t column = columns_.size(); column-- > 0 && total_of(natural_widths(shown)) > width;)
        if (columns_[column].narrow == when_narrow::left_out) {
            std::erase(shown, column);
            left_out.insert(left_out.begin(), column);
        }
    return left_out;
}

void table::print_row(const std::vector<cell>& row, const numbers& shown, const numbers& widths,
                      std::string_view indent) const {
    std::vector<std::vector<std::string>> lines;
    std::size_t height = 0;
    for (std::size_t i = 0; i < shown.size(); i++) {
        lines.push_back(wrap(row[shown[i]].text, widths[i]));
        height = std::max(height, lines.back().size());
    }
    for (std::size_t part = 0; part < height; part++) {
        painted_text line = painted(indent, style::plain);
        std::size_t blanks = 0;
        for (std::size_t i = 0; i < shown.size(); i++) {
            const std::string text = part < lines[i].size() ? lines[i][part] : "";
            if (!text.empty())
                line = line + painted(std::string(blanks, ' '), style::plain) + painted(text, row[shown[i]].look);
            blanks = (text.empty() ? blanks : 0) + widths[i] - display_width(text) + gap;
        }
        show("{}\n", line);
    }
}

void table::print_columns(numbers shown, std::string_view indent, std::size_t width) const {
    numbers below;
    for (std::size_t i = shown.size(); i-- > 0 && total_of(natural_widths(shown)) > width;)
        if (columns_[shown[i]].narrow == when_narrow::below) {
            below.insert(below.begin(), shown[i]);
            shown.erase(shown.begin() + static_cast<std::ptrdiff_t>(i));
        }
    numbers widths = natural_widths(shown);
    std::vector<bool> is_wrapped, all(shown.size(), true);
    for (const std::size_t column : shown)
        is_wrapped.push_back(columns_[column].narrow == when_narrow::wrapped);
    narrow_widest(widths, is_wrapped, width);
    narrow_widest(widths, all, width);
    for (const auto& row : rows_) {
        print_row(row, shown, widths, indent);
        if (&row == &rows_.front())
            continue;
        for (const std::size_t column : below) {
            const std::string text = shorten_middle(row[column].text, width - below_indent.size());
            if (!text.empty())
                show("{}{}{}\n", indent, below_indent, painted(text, row[column].look));
        }
    }
}

void table::print(std::string_view indent) const {
    const std::size_t width = output_width() - indent.size();
    numbers shown(columns_.size());
    std::iota(shown.begin(), shown.end(), std::size_t{0});
    const numbers left_out = leave_out(shown, width);
    while (shown.size() > 2 && columns_[shown.back()].narrow == when_narrow::continued &&
           total_of(natural_widths(shown)) > width) {
        numbers fitting = shown;
        while (fitting.size() > 2 && total_of(natural_widths(fitting)) > width)
            fitting.pop_back();
        print_columns(fitting, indent, width);
        show("\n");
        shown.erase(shown.begin() + 1, shown.begin() + static_cast<std::ptrdiff_t>(fitting.size()));
    }
    print_columns(shown, indent, width);
    if (left_out.empty())
        return;
    std::vector<std::string> headings;
    for (const std::size_t column : left_out)
        headings.push_back(rows_.front()[column].text);
    show_wrapped(indent, indent, "{}",
                 painted(fmt::format("(Not shown for lack of room: {}. --json shows everything.)", join_list(headings)),
                         style::quiet));
}

} // namespace anympi::command
