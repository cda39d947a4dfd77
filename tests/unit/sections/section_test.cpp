#include "fortran/sections/section.hpp"

#include "section_array.hpp"

#include <gtest/gtest.h>

#include <numeric>

using anympi::fortran::is_contiguous;
using anympi::fortran::section;

namespace {

std::vector<array> some_sections() {
    std::vector<array> all;
    all.emplace_back(8, std::vector<array::dimension>{});
    all.emplace_back(4, std::vector<array::dimension>{{10, 4}});
    all.emplace_back(4, std::vector<array::dimension>{{10, 8}});
    all.emplace_back(4, std::vector<array::dimension>{{10, -4}});
    all.emplace_back(8, std::vector<array::dimension>{{5, 16}, {3, -200}});
    // the last two dimensions can be merged
    all.emplace_back(4, std::vector<array::dimension>{{4, 4}, {4, 32}, {3, 128}});
    all.emplace_back(3, std::vector<array::dimension>{{4, 24}, {1, 7}, {2, 1000}}); // a component of a derived type
    all.emplace_back(16, std::vector<array::dimension>{{1, 99}, {6, 48}});
    all.emplace_back(1, std::vector<array::dimension>(15, {1, 5}));
    std::vector<array::dimension> many;
    for (std::intptr_t stride = 2, i = 0; i < 15; ++i, stride *= 3)
        many.push_back({i % 4 == 3 ? 1 : 2, i % 3 == 2 ? -stride : stride});
    all.emplace_back(1, many);
    return all;
}

} // namespace

TEST(Section, KnowsWhatIsContiguous) {
    EXPECT_TRUE(is_contiguous(array(8, {}).descriptor()));
    EXPECT_TRUE(is_contiguous(array(8, {{4, 8}}).descriptor()));
    EXPECT_TRUE(is_contiguous(array(8, {{4, 8}, {3, 32}}).descriptor()));
    // the stride of a dimension with one element is ignored
    EXPECT_TRUE(is_contiguous(array(8, {{1, 72}, {3, 8}}).descriptor()));
    EXPECT_TRUE(is_contiguous(array(8, {{4, 16}, {0, 64}}).descriptor()));
    EXPECT_TRUE(is_contiguous(array(8, {{0, 16}}).descriptor()));
    EXPECT_TRUE(is_contiguous(array(0, {{4, 16}}).descriptor()));
    EXPECT_FALSE(is_contiguous(array(8, {{4, 16}}).descriptor()));
    EXPECT_FALSE(is_contiguous(array(8, {{4, -8}}).descriptor()));
    EXPECT_FALSE(is_contiguous(array(8, {{4, 8}, {3, 40}}).descriptor()));
    EXPECT_FALSE(is_contiguous(array(8, {{4, 8}, {3, -32}}).descriptor()));
}

TEST(Section, AnAssumedSizeArrayIsContiguous) {
    array vector(8, {{1, 8}}), matrix(8, {{4, 8}, {1, 32}});
    vector.descriptor().dimensions[0].extent = -1;
    matrix.descriptor().dimensions[1].extent = -1;
    EXPECT_TRUE(is_contiguous(vector.descriptor()));
    EXPECT_TRUE(is_contiguous(matrix.descriptor()));
}

TEST(Section, HasAsFewDimensionsAsItCan) {
    EXPECT_EQ(section(array(4, {{4, 4}, {4, 32}, {3, 128}}).descriptor()).rank, 1);
    EXPECT_EQ(section(array(4, {{4, 4}, {4, 32}, {3, 128}}).descriptor()).unit, 16);
    EXPECT_EQ(section(array(8, {{5, 16}, {3, -200}}).descriptor()).rank, 2);
    EXPECT_EQ(section(array(8, {{4, 8}, {3, 32}}).descriptor()).rank, 0);
}

TEST(Section, FindsEveryByteInArrayElementOrder) {
    for (array& a : some_sections()) {
        section s(a.descriptor());
        ASSERT_EQ(s.bytes(), static_cast<std::int64_t>(a.places().size() * a.descriptor().element));
        ASSERT_TRUE(s.divide(1));
        for (std::int64_t n = 0; n < s.bytes(); ++n)
            ASSERT_EQ(s.place_of(n), a.place_of_byte(n)) << "byte " << n << " of rank " << int(a.descriptor().rank);
    }
}

TEST(Section, DividesItsUnitsOnlyEvenly) {
    section s(array(12, {{4, 24}}).descriptor());
    EXPECT_FALSE(s.divide(5));
    EXPECT_FALSE(s.divide(0));
    EXPECT_FALSE(s.divide(24));
    EXPECT_TRUE(s.divide(4));
    EXPECT_EQ(s.units(), 12);
}

TEST(Section, CopiesOutAndBack) {
    for (array& a : some_sections()) {
        std::iota(a.memory().begin(), a.memory().end(), char(1));
        const section s(a.descriptor());
        const auto size = static_cast<std::size_t>(s.bytes());
        std::vector<char> copy(size);
        s.read(copy.data());
        for (std::size_t n = 0; n < size; ++n)
            ASSERT_EQ(copy[n], a.address()[a.place_of_byte(static_cast<std::int64_t>(n))]);
        std::vector<char> changed(copy);
        for (char& c : changed)
            c = char(c ^ 0x55);
        s.write(changed.data(), copy.data());
        for (std::size_t n = 0; n < size; ++n)
            ASSERT_EQ(changed[n], a.address()[a.place_of_byte(static_cast<std::int64_t>(n))]);
    }
}

TEST(Section, LeavesAloneWhatHasNotChanged) {
    array a(1, {{4, 2}});
    const section s(a.descriptor());
    std::vector<char> before(4), after(4);
    s.read(before.data());
    after[2] = 7;
    a.memory()[2] = 9; // the program changes it while the operation is pending
    s.write(after.data(), before.data());
    EXPECT_EQ(a.memory()[2], 9);
    EXPECT_EQ(a.memory()[4], 7);
}
