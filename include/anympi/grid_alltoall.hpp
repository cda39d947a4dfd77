// An exchange between all processes in two steps, over the rows and the columns of a grid. Not part of anympi.hpp.
//
// Each process exchanges messages with about 2 * sqrt(p) others instead of p, and each element travels twice. This is
// faster if the messages are small and the processes are many.
//
// The columns are sqrt(p), rounded down. The last row may be incomplete; each of its processes joins another row for
// the first step, in which it sends but receives nothing. An element goes first to the process of its own row that is
// in the column of the destination, and then along this column.
#ifndef ANYMPI_GRID_ALLTOALL_HPP
#define ANYMPI_GRID_ALLTOALL_HPP

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "steps.hpp"

namespace anympi {
inline namespace ANYMPI_POLICY {
namespace detail {

/// The places of the processes in the grid.
struct ProcessGrid {
    explicit ProcessGrid(int size) : size(size) {
        while ((columns + 1) * (columns + 1) <= size)
            ++columns;
        rows = size / columns;
        rest = size % columns;
    }
    [[nodiscard]] bool is_in_full_row(int rank) const noexcept { return rank < rows * columns; }
    [[nodiscard]] int column_of(int rank) const noexcept { return rank % columns; }
    /// Returns the row in which the process sends. `rows` is at least `columns`, so no row gets two of the rest.
    [[nodiscard]] int row_of(int rank) const noexcept {
        return is_in_full_row(rank) ? rank / columns : rank - rows * columns;
    }
    /// Returns how many processes send in a row. The last one may belong to the rest.
    [[nodiscard]] int senders_in(int row) const noexcept { return columns + (row < rest); }
    [[nodiscard]] int sender(int row, int number) const noexcept {
        return number < columns ? row * columns + number : rows * columns + row;
    }
    /// Returns how many processes are in a column, with the rest.
    [[nodiscard]] int processes_in(int column) const noexcept { return rows + (column < rest); }

    int size, columns = 1, rows = 0; // full rows
    int rest = 0;                    // processes in the last row
};

/// Counts for each of several parts, and the elements of the parts.
template <class T>
struct GridParts {
    std::vector<std::int64_t> counts;
    std::vector<T> elements;
    std::vector<std::int64_t> begins{}; // of the parts in `elements`

    void find_begins() {
        begins.resize(counts.size());
        std::exclusive_scan(
            counts.begin(), counts.end(), begins.begin(), std::int64_t(0),
            [](std::int64_t sum, std::int64_t count) { return sum + std::max<std::int64_t>(count, 0); });
    }
    /// Appends a part of another object, which has its begins.
    void append(const GridParts& from, std::size_t part) {
        counts.push_back(from.counts[part]);
        const auto begin = from.elements.begin() + from.begins[part];
        elements.insert(elements.end(), begin, begin + std::max<std::int64_t>(from.counts[part], 0));
    }
};

} // namespace detail

/// All-to-all exchanges between the processes of a communicator, by way of a grid. This object has communicators for
/// the rows and columns, which all its exchanges use.
class [[nodiscard]] GridAlltoall {
public:
    /// Called by all processes of the communicator.
    static ANYMPI_CALLS result<GridAlltoall> create(const Comm& comm) {
        ANYMPI_STEP(detail::require_one_group(comm, "GridAlltoall::create"));
        ANYMPI_VALUE(rank, comm.rank());
        ANYMPI_VALUE(size, comm.size());
        const detail::ProcessGrid grid(size);
        ANYMPI_VALUE(row, comm.split(grid.row_of(rank), rank));
        ANYMPI_VALUE(column, comm.split(grid.column_of(rank), rank));
        return GridAlltoall(grid, rank, *std::move(row), *std::move(column));
    }

    /// Does the same as Comm::alltoallv: sends `counts[i]` elements to process i, and returns the received elements in
    /// the order of ranks. If the counts of one process do not fit its buffer, all processes get an error.
    template <Divisible S, PartSizes Counts>
    requires Listable<S>
    [[nodiscard]] ANYMPI_CALLS result<std::vector<element_of<S>>> alltoallv(const S& send, const Counts& counts) const {
        ANYMPI_VALUE(came, exchange(send, counts));
        return std::move(came.elements);
    }
    template <Divisible S, PartSizes Counts>
    requires Listable<S>
    [[nodiscard]] ANYMPI_CALLS result<AndLayout<std::vector<element_of<S>>>>
    alltoallv(const S& send, const Counts& counts, WithLayout) const {
        ANYMPI_VALUE(came, exchange(send, counts));
        return AndLayout<std::vector<element_of<S>>>{std::move(came.elements), Layout::packed(came.counts)};
    }
    [[nodiscard]] int columns() const noexcept { return grid_.columns; }
    /// Returns the number of rows, with the incomplete one.
    [[nodiscard]] int rows() const noexcept { return grid_.rows + (grid_.rest > 0); }

private:
    static constexpr std::int64_t wrong = -1; // used in place of each count if the counts do not fit

    GridAlltoall(const detail::ProcessGrid& grid, int rank, Comm row, Comm column) noexcept
        : grid_(grid), rank_(rank), row_(std::move(row)), column_(std::move(column)) {}

    /// Returns the parts that arrive, in the order of ranks.
    template <class S, class Counts>
    ANYMPI_CALLS result<detail::GridParts<element_of<S>>> exchange(const S& send, const Counts& counts) const {
        using T = element_of<S>;
        const detail::ReadView view = detail::reading(send);
        const std::span<const T> elements(static_cast<const T*>(view.data), static_cast<std::size_t>(view.count));
        ANYMPI_VALUE(in_row, exchange_in_row(grouped(elements, counts)));
        ANYMPI_VALUE(in_column, exchange_in_column(in_row));
        if (std::ranges::find(in_column.counts, wrong) != in_column.counts.end())
            ANYMPI_FAIL((detail::Fault{MPI_ERR_COUNT, "the counts of a process do not fit its buffer"}),
                        "GridAlltoall::alltoallv", row_.where());
        return in_order(in_column);
    }
    /// Returns the parts for all processes, ordered by column and then by row.
    template <class T, class Counts>
    [[nodiscard]] detail::GridParts<T> grouped(std::span<const T> elements, const Counts& counts) const {
        detail::GridParts<T> given, parts;
        const Layout layout = Layout::packed(counts);
        if (layout.check(grid_.size, static_cast<MPI_Count>(elements.size())))
            given.counts.assign(static_cast<std::size_t>(grid_.size), wrong);
        else
            given.counts.assign(layout.counts().begin(), layout.counts().end());
        given.elements.assign(elements.begin(), elements.end());
        given.find_begins();
        for (int column = 0; column < grid_.columns; ++column)
            for (int rank = column; rank < grid_.size; rank += grid_.columns)
                parts.append(given, static_cast<std::size_t>(rank));
        return parts;
    }
    /// Sends the parts for each column to its process of this row. Returns the parts for this column, ordered by sender
    /// and then by row.
    template <class T>
    ANYMPI_CALLS result<detail::GridParts<T>> exchange_in_row(const detail::GridParts<T>& parts) const {
        const int senders = grid_.senders_in(grid_.row_of(rank_));
        std::vector<int> sends, receives;
        for (int number = 0; number < senders; ++number) {
            sends.push_back(number < grid_.columns ? grid_.processes_in(number) : 0);
            receives.push_back(grid_.is_in_full_row(rank_) ? grid_.processes_in(grid_.column_of(rank_)) : 0);
        }
        return exchange_parts(row_, parts, sends, receives);
    }
    /// Sends each part to its process of this column. Returns the parts for this process, ordered by row and then by
    /// sender.
    template <class T>
    ANYMPI_CALLS result<detail::GridParts<T>> exchange_in_column(detail::GridParts<T>& came) const {
        const int processes = grid_.processes_in(grid_.column_of(rank_));
        const int senders = grid_.is_in_full_row(rank_) ? grid_.senders_in(grid_.row_of(rank_)) : 0;
        detail::GridParts<T> parts;
        came.find_begins();
        std::vector<int> sends, receives;
        for (int row = 0; row < processes; ++row) {
            sends.push_back(senders);
            receives.push_back(row < grid_.rows ? grid_.senders_in(row) : 0);
            for (int sender = 0; sender < senders; ++sender)
                parts.append(came, static_cast<std::size_t>(sender * processes + row));
        }
        return exchange_parts(column_, parts, sends, receives);
    }
    /// Sends `sends[i]` of the parts to process i, and receives `receives[i]` parts from there: first their counts,
    /// then their elements.
    template <class T>
    static ANYMPI_CALLS result<detail::GridParts<T>> exchange_parts(const Comm& comm, const detail::GridParts<T>& parts,
                                                                    const std::vector<int>& sends,
                                                                    const std::vector<int>& receives) {
        detail::GridParts<T> came;
        came.counts.resize(std::accumulate(receives.begin(), receives.end(), std::size_t(0)));
        ANYMPI_STEP(comm.alltoallv(parts.counts, came.counts, Layout::packed(sends), Layout::packed(receives)));
        const Layout layout = Layout::packed(elements_of(came.counts, receives));
        came.elements.resize(static_cast<std::size_t>(layout.total()));
        ANYMPI_STEP(
            comm.alltoallv(parts.elements, came.elements, Layout::packed(elements_of(parts.counts, sends)), layout));
        return came;
    }
    /// Returns how many elements the parts of each process have.
    static std::vector<std::int64_t> elements_of(const std::vector<std::int64_t>& counts,
                                                 const std::vector<int>& parts) {
        std::vector<std::int64_t> sums;
        auto count = counts.begin();
        for (const int many : parts) {
            std::int64_t sum = 0;
            for (int part = 0; part < many; ++part)
                sum += std::max<std::int64_t>(*count++, 0);
            sums.push_back(sum);
        }
        return sums;
    }
    /// Returns the parts ordered by source. Only the parts of the last row are at other places.
    template <class T>
    [[nodiscard]] detail::GridParts<T> in_order(detail::GridParts<T>& came) const {
        came.find_begins();
        detail::GridParts<T> ordered;
        std::vector<std::size_t> parts(came.counts.size());
        std::size_t part = 0;
        for (int row = 0; row < grid_.rows; ++row)
            for (int sender = 0; sender < grid_.senders_in(row); ++sender)
                parts[static_cast<std::size_t>(grid_.sender(row, sender))] = part++;
        for (const std::size_t next : parts)
            ordered.append(came, next);
        return ordered;
    }

    detail::ProcessGrid grid_;
    int rank_;
    Comm row_, column_;
};

} // namespace ANYMPI_POLICY
} // namespace anympi

#endif
