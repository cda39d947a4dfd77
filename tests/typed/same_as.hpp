#ifndef SAME_AS_HPP
#define SAME_AS_HPP

#include "expect_error.hpp"

/// Begins the check of the function that replaces a function of ferrompi: the results must be those that ferrompi
/// documents. A test of the suite finds functions of the table in docs/builder/coming-from.md without a check, and
/// checks that do not call the function of the table.
#define SAME_AS(name) const testing::ScopedTrace trace(__FILE__, __LINE__, name)

struct Ferrompi : testing::Test {
    const anympi::Comm world = anympi::Comm::borrow(MPI_COMM_WORLD);
    const int rank = world.rank(), size = world.size();
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    const std::size_t n = static_cast<std::size_t>(size);
    const anympi::Tag tag = anympi::tag(22);
};

#endif
