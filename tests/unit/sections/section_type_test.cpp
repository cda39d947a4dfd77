#include "fortran/sections/section_type.hpp"

#include "fake_datatypes.hpp"
#include "fortran_calls.hpp" // generated
#include "section_array.hpp"

#include <gtest/gtest.h>

#include <random>

using namespace anympi::fortran;
using datatypes::entry;
using datatypes::handle;

namespace {

// Returns the type map of `count` elements of a datatype at an offset in the section: byte n of the contiguous buffer
// is byte n of the elements.
std::vector<entry> expected_map(const array& a, std::int64_t offset, std::int64_t count, handle type) {
    std::vector<entry> map = datatypes::map_of(type, count);
    for (entry& e : map)
        e.first = a.place_of_byte(offset + e.first);
    return map;
}

class Description : public testing::Test {
protected:
    void SetUp() override { alive_ = datatypes::alive(); }
    void TearDown() override {
        if (result_.made) {
            EXPECT_TRUE(datatypes::get(result_.type).committed);
            PMPI_Type_free(&result_.type);
        }
        for (handle type : own_)
            PMPI_Type_free(&type);
        EXPECT_EQ(datatypes::alive(), alive_);
    }
    void expect_map(array& a, std::int64_t offset, std::int64_t count, handle type) {
        if (result_.made)
            PMPI_Type_free(&result_.type);
        result_ = {};
        ASSERT_EQ(describe(section(a.descriptor()), offset, count, type, result_), fit::good);
        EXPECT_EQ(datatypes::map_of(result_.type, result_.count), expected_map(a, offset, count, type));
    }
    handle contiguous(std::int64_t count, handle old) {
        handle made{};
        PMPI_Type_contiguous_c(count, old, &made);
        own_.push_back(made);
        return made;
    }
    handle vector(std::int64_t count, std::int64_t stride, handle old) {
        handle made{};
        PMPI_Type_create_hvector_c(count, 1, stride, old, &made);
        own_.push_back(made);
        return made;
    }

    const handle byte_ = datatypes::basic(1), real_ = datatypes::basic(4), double_ = datatypes::basic(8);
    description result_{};

private:
    std::vector<handle> own_;
    int alive_ = 0;
};

} // namespace

TEST_F(Description, OfAStride) {
    array a(4, {{10, 12}});
    expect_map(a, 0, 10, real_);
    expect_map(a, 0, 7, real_);
    expect_map(a, 12, 5, real_);
}

TEST_F(Description, NeedsNoDatatypeWhereTheElementsAreTogether) {
    array a(4, {{3, 4}, {5, 40}});
    expect_map(a, 0, 3, real_);
    EXPECT_FALSE(result_.made);
    expect_map(a, 0, 0, real_);
    EXPECT_FALSE(result_.made);
}

TEST_F(Description, OfMoreThanTheSectionIsRefused) {
    array a(4, {{10, 12}});
    EXPECT_EQ(describe(section(a.descriptor()), 0, 11, real_, result_), fit::too_small);
    EXPECT_EQ(describe(section(a.descriptor()), 8, 9, real_, result_), fit::too_small);
}

TEST_F(Description, OfBackwardSections) {
    array a(8, {{4, -8}, {3, 64}, {2, -512}});
    expect_map(a, 0, 24, double_);
    expect_map(a, 0, 19, double_);
    expect_map(a, 40, 13, double_);
}

TEST_F(Description, OfElementsWithSeveralParts) {
    array a(16, {{5, 48}}); // COMPLEX(8), each sent as two numbers
    expect_map(a, 0, 10, double_);
    expect_map(a, 0, 7, double_);
    expect_map(a, 24, 5, double_);
    expect_map(a, 3, 40, byte_);
}

TEST_F(Description, OfContiguousDatatypesLargerThanAnElement) {
    array a(4, {{12, 8}});
    expect_map(a, 0, 2, contiguous(3, real_));
    expect_map(a, 0, 2, contiguous(3, contiguous(2, real_)));
}

TEST_F(Description, WithGapsNeedsACopyWhereGapsAreLargerThanAnElement) {
    array a(4, {{12, 8}});
    EXPECT_EQ(describe(section(a.descriptor()), 0, 1, vector(3, 8, real_), result_), fit::copy);
    EXPECT_EQ(describe(section(a.descriptor()), 0, 3, double_, result_), fit::copy);
    EXPECT_EQ(describe(section(a.descriptor()), 2, 3, real_, result_), fit::copy);
}

TEST_F(Description, WithGapsInsideOfTheElement) {
    array a(32, {{6, 96}}); // two components of each element are sent
    handle two = vector(2, 16, real_), padded{};
    PMPI_Type_create_resized(two, 0, 32, &padded);
    expect_map(a, 0, 6, padded);
    PMPI_Type_free(&padded);
}

TEST_F(Description, OfAnUnknownDatatypeFails) {
    array a(4, {{12, 8}});
    EXPECT_EQ(describe(section(a.descriptor()), 0, 3, 999, result_), fit::failed);
    EXPECT_EQ(describe_elements(section(a.descriptor()), 999, result_), fit::failed);
}

TEST_F(Description, OfRandomSections) {
    std::mt19937 random(1);
    const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
    for (int turn = 0; turn < 3000; ++turn) {
        const std::intptr_t element = 4 << below(3);
        std::vector<array::dimension> dimensions;
        std::intptr_t stride = element * (1 + below(2));
        int elements = 1;
        for (int rank = below(8) == 0 ? 15 : below(5); rank > 0; --rank) {
            const int extent = elements > 400 ? 1 : 1 + below(4);
            dimensions.push_back({extent, below(3) == 0 ? -stride : stride});
            stride *= extent + below(2);
            elements *= extent;
        }
        array a(static_cast<std::size_t>(element), dimensions);
        const auto parts = static_cast<int>(element / 4 * elements), first = below(parts);
        expect_map(a, std::int64_t{4} * first, 1 + below(parts - first), real_);
        if (HasFatalFailure() || HasNonfatalFailure())
            FAIL() << "turn " << turn;
    }
}

TEST_F(Description, OfBlocks) {
    array a(4, {{3, 4}, {8, 40}}); // columns
    ASSERT_EQ(describe_blocks(section(a.descriptor()), 6, real_, result_), fit::good);
    EXPECT_EQ(datatypes::map_of(result_.type, 4 * result_.count), expected_map(a, 0, 24, real_));
    description other{};
    EXPECT_EQ(describe_blocks(section(a.descriptor()), 30, real_, other), fit::too_small);
}

TEST_F(Description, OfBlocksThatAreNotAlikeNeedsACopy) {
    array a(4, {{3, 4}, {8, 40}}), backward(4, {{8, -8}});
    EXPECT_EQ(describe_blocks(section(a.descriptor()), 4, real_, result_), fit::copy);
    EXPECT_EQ(describe_blocks(section(backward.descriptor()), 2, real_, result_), fit::copy);
}

TEST_F(Description, OfElementsKeepsCountsAndDisplacements) {
    array a(4, {{12, 20}});
    ASSERT_EQ(describe_elements(section(a.descriptor()), real_, result_), fit::good);
    EXPECT_EQ(datatypes::get(result_.type).extent, 20);
    EXPECT_EQ(datatypes::map_of(result_.type, 12), expected_map(a, 0, 12, real_));
    array b(4, {{3, 4}, {8, 40}});
    description other{};
    EXPECT_EQ(describe_elements(section(b.descriptor()), real_, other), fit::copy);
}
