// Datatypes with counts that do not fit into an int, and the results of queries about them.

#include "fake.hpp"

namespace {

using namespace fake;

class LargeTypes : public Emulation {
protected:
    void TearDown() override {
        if (type != mpich::mpi_DATATYPE_NULL) {
            EXPECT_EQ(mpi.Type_free(&type), 0);
        }
        EXPECT_EQ(count_datatypes(), 0) << "datatypes remain";
    }
    void expect(std::int64_t size, std::int64_t lower, std::int64_t upper) const {
        EXPECT_EQ(count_datatypes(), 1) << "pieces remain";
        EXPECT_EQ(datatype_of(type).size, size);
        EXPECT_EQ(datatype_of(type).lower, lower);
        EXPECT_EQ(datatype_of(type).upper, upper);
    }
    handle type = mpich::mpi_DATATYPE_NULL;
};

TEST_F(LargeTypes, SmallOnesAreTheLibrarys) {
    EXPECT_EQ(mpi.Type_contiguous_c(most, mpich::mpi_INT, &type), 0);
    EXPECT_EQ(count_calls("Type_contiguous"), 1);
    expect(most * 4, 0, most * 4);
}

// The large constructor calls only the small one, also at the limit.
template <class Make>
void expect_only(const char* small, Make make) {
    handle made = mpich::mpi_DATATYPE_NULL;
    calls.clear();
    EXPECT_EQ(make(&made), 0) << small;
    EXPECT_EQ(count_calls(small), 1) << small;
    for (const char* const other :
         {"Type_contiguous", "Type_create_hvector", "Type_create_struct", "Type_create_resized"})
        EXPECT_EQ(count_calls(other), std::string(other) == small ? 1 : 0) << small << " and " << other;
    EXPECT_EQ(mpi.Type_free(&made), 0);
}

TEST_F(LargeTypes, WhatFitsIsMadeByTheSmallConstructor) {
    const std::int64_t lengths[] = {most, 0};
    const std::int64_t small_places[] = {-most, 1};
    const std::int64_t far_places[] = {0, 2 * more};
    const handle types[] = {mpich::mpi_CHAR, mpich::mpi_INT};
    const word one = mpich::mpi_CHAR;
    expect_only("Type_vector", [&](handle* made) { return mpi.Type_vector_c(most, most, -most, one, made); });
    expect_only("Type_create_hvector",
                [&](handle* made) { return mpi.Type_create_hvector_c(most, most, 2 * more, one, made); });
    expect_only("Type_indexed", [&](handle* made) { return mpi.Type_indexed_c(2, lengths, small_places, one, made); });
    expect_only("Type_create_hindexed",
                [&](handle* made) { return mpi.Type_create_hindexed_c(2, lengths, far_places, one, made); });
    expect_only("Type_create_indexed_block",
                [&](handle* made) { return mpi.Type_create_indexed_block_c(2, most, small_places, one, made); });
    expect_only("Type_create_hindexed_block",
                [&](handle* made) { return mpi.Type_create_hindexed_block_c(2, most, far_places, one, made); });
    expect_only("Type_create_struct",
                [&](handle* made) { return mpi.Type_create_struct_c(2, lengths, far_places, types, made); });
    const std::int64_t sizes[] = {most, 3};
    const std::int64_t part[] = {most - 1, 2};
    const std::int64_t starts[] = {1, 1};
    expect_only("Type_create_subarray", [&](handle* made) {
        return mpi.Type_create_subarray_c(2, sizes, part, starts, mpich::mpi_ORDER_C, one, made);
    });
    const int block[] = {mpich::mpi_DISTRIBUTE_BLOCK, mpich::mpi_DISTRIBUTE_NONE};
    const int usual[] = {mpich::mpi_DISTRIBUTE_DFLT_DARG, mpich::mpi_DISTRIBUTE_DFLT_DARG};
    const int processes[] = {4, 1};
    expect_only("Type_create_darray", [&](handle* made) {
        return mpi.Type_create_darray_c(4, 0, 2, sizes, block, usual, processes, mpich::mpi_ORDER_C, one, made);
    });
}

TEST_F(LargeTypes, MissingArraysAreTheLibrarysToRefuse) {
    static const void* given;
    given = this;
    FAKE(Type_create_hindexed)::does = [](int, const int* lengths, const std::intptr_t*, word, handle*) {
        given = lengths;
        return mpich::mpi_ERR_ARG;
    };
    EXPECT_EQ(mpi.Type_create_hindexed_c(2, nullptr, nullptr, mpich::mpi_CHAR, &type), mpich::mpi_ERR_ARG);
    EXPECT_EQ(given, nullptr);
}

TEST_F(LargeTypes, Contiguous) {
    EXPECT_EQ(mpi.Type_contiguous_c(more, mpich::mpi_INT, &type), 0);
    expect(more * 4, 0, more * 4);
}

TEST_F(LargeTypes, ContiguousInTwoLevels) {
    const std::int64_t count = (std::int64_t{1} << 61) + 3;
    EXPECT_EQ(mpi.Type_contiguous_c(count, mpich::mpi_CHAR, &type), 0);
    expect(count, 0, count);
}

TEST_F(LargeTypes, VectorsWithEachNumberLarge) {
    EXPECT_EQ(mpi.Type_vector_c(more, 2, 3, mpich::mpi_SHORT, &type), 0);
    expect(more * 4, 0, ((more - 1) * 3 + 2) * 2);
    EXPECT_EQ(mpi.Type_free(&type), 0);
    EXPECT_EQ(mpi.Type_vector_c(2, more, more + 1, mpich::mpi_CHAR, &type), 0);
    expect(2 * more, 0, 2 * more + 1);
    EXPECT_EQ(mpi.Type_free(&type), 0);
    EXPECT_EQ(mpi.Type_vector_c(3, 1, -more, mpich::mpi_INT, &type), 0);
    expect(12, -2 * more * 4, 4);
}

TEST_F(LargeTypes, VectorsOfEmptyBlocksAreEmpty) {
    EXPECT_EQ(mpi.Type_vector_c(more, 0, 5, mpich::mpi_INT, &type), 0);
    expect(0, 0, 0);
}

TEST_F(LargeTypes, IndexedWithOneLargeBlock) {
    const std::int64_t lengths[] = {1, more, 0};
    const std::int64_t places[] = {2, 10, 5000000000};
    EXPECT_EQ(mpi.Type_indexed_c(3, lengths, places, mpich::mpi_INT, &type), 0);
    expect((more + 1) * 4, 8, (10 + more) * 4);
}

TEST_F(LargeTypes, BlocksOfOneLength) {
    const std::int64_t places[] = {2, 10};
    EXPECT_EQ(mpi.Type_create_indexed_block_c(2, 3, places, mpich::mpi_INT, &type), 0);
    expect(24, 8, 52);
    EXPECT_EQ(count_calls("Type_create_indexed_block"), 1);
    EXPECT_EQ(mpi.Type_free(&type), 0);
    EXPECT_EQ(mpi.Type_create_indexed_block_c(2, more, places, mpich::mpi_INT, &type), 0);
    expect(8 * more, 8, 4 * (10 + more));
    EXPECT_EQ(count_calls("Type_create_indexed_block"), 1);
    EXPECT_EQ(mpi.Type_free(&type), 0);
    EXPECT_EQ(mpi.Type_create_hindexed_block_c(2, more, places, mpich::mpi_INT, &type), 0);
    expect(8 * more, 2, 10 + 4 * more);
}

TEST_F(LargeTypes, ResizedOnesAreTheLibrarys) {
    EXPECT_EQ(mpi.Type_create_resized_c(mpich::mpi_INT, -more, 3 * more, &type), 0);
    expect(4, -more, 2 * more);
    EXPECT_EQ(count_calls("Type_create_resized"), 1);
}

TEST_F(LargeTypes, ANegativeCountIsTheLibrarysToRefuse) {
    EXPECT_EQ(mpi.Type_contiguous_c(-1, mpich::mpi_INT, &type), mpich::mpi_ERR_COUNT);
    EXPECT_EQ(mpi.Type_contiguous_c(INT64_MIN, mpich::mpi_INT, &type), mpich::mpi_ERR_COUNT);
    EXPECT_EQ(type, mpich::mpi_DATATYPE_NULL);
}

TEST_F(LargeTypes, ANegativeLengthOfALargeBlockIsOurs) {
    EXPECT_EQ(mpi.Type_create_hvector_c(more, -1, 8, mpich::mpi_INT, &type), mpich::mpi_ERR_ARG);
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0].code, mpich::mpi_ERR_ARG);
}

TEST_F(LargeTypes, PartsOfArrays) {
    const std::int64_t sizes[] = {3, 2 * more};
    const std::int64_t part[] = {2, more};
    const std::int64_t starts[] = {1, more - 1};
    EXPECT_EQ(mpi.Type_create_subarray_c(2, sizes, part, starts, mpich::mpi_ORDER_C, mpich::mpi_CHAR, &type), 0);
    expect(2 * more, 0, 6 * more);
    const std::int64_t too_far[] = {1, more + 1};
    handle none = mpich::mpi_DATATYPE_NULL;
    EXPECT_EQ(mpi.Type_create_subarray_c(2, sizes, part, too_far, mpich::mpi_ORDER_C, mpich::mpi_CHAR, &none),
              mpich::mpi_ERR_ARG);
}

// Lets each call of a function fail once while a datatype is created.
template <class Function, class Call>
int fail_making(Call call) {
    for (int i = 1;; ++i) {
        Function::fail(i);
        handle made = mpich::mpi_DATATYPE_NULL;
        const int code = call(&made);
        const bool has_failed = Function::fails_in == 0;
        Function::fails_in = 0;
        EXPECT_EQ(code, has_failed ? a_code : 0);
        if (!has_failed) {
            EXPECT_EQ(mpi.Type_free(&made), 0);
            return i - 1;
        }
        EXPECT_EQ(count_datatypes(), 0) << "after failure " << i;
    }
}

TEST_F(LargeTypes, AFailureInTheMiddleLeavesNothing) {
    const auto vector = [](handle* made) { return mpi.Type_vector_c(more + 3, more + 1, 2, mpich::mpi_CHAR, made); };
    EXPECT_GE(fail_making<FAKE(Type_create_hvector)>(vector), 4);
    EXPECT_EQ(fail_making<FAKE(Type_create_struct)>(vector), 2);
    EXPECT_GE(fail_making<FAKE(Type_get_extent_x)>(vector), 2);
    EXPECT_EQ(fail_making<FAKE(Type_set_attr)>(vector), 1) << "the arguments cannot be stored";
    const auto indexed = [](handle* made) {
        const std::int64_t lengths[] = {more, 1, more + 1};
        const std::int64_t places[] = {0, 3 * more, 5 * more};
        return mpi.Type_create_hindexed_c(3, lengths, places, mpich::mpi_CHAR, made);
    };
    EXPECT_GE(fail_making<FAKE(Type_contiguous)>(indexed), 4);
    EXPECT_GE(fail_making<FAKE(Type_create_struct)>(indexed), 2);
}

TEST_F(LargeTypes, StructsWithOneLargeBlock) {
    const std::int64_t lengths[] = {1, more, 0};
    const std::int64_t places[] = {2, 8, 5000000000};
    const handle types[] = {mpich::mpi_CHAR, mpich::mpi_INT, mpich::mpi_CHAR};
    EXPECT_EQ(mpi.Type_create_struct_c(3, lengths, places, types, &type), 0);
    expect(1 + 4 * more, 2, 8 + 4 * more);
    const auto call = [&](handle* made) { return mpi.Type_create_struct_c(3, lengths, places, types, made); };
    EXPECT_EQ(mpi.Type_free(&type), 0);
    EXPECT_GE(fail_making<FAKE(Type_create_struct)>(call), 2);
    EXPECT_GE(fail_making<FAKE(Type_contiguous)>(call), 1);
}

// Returns the number of bytes that a process has of an array of one dimension.
std::int64_t share_of(std::int64_t size, int rank, int distribution, int argument) {
    const int processes = 4;
    handle made = mpich::mpi_DATATYPE_NULL;
    EXPECT_EQ(mpi.Type_create_darray_c(4, rank, 1, &size, &distribution, &argument, &processes, mpich::mpi_ORDER_C,
                                       mpich::mpi_CHAR, &made),
              0);
    const datatype has = datatype_of(made);
    EXPECT_EQ(has.lower, 0);
    EXPECT_EQ(has.upper, size) << "the extent of the whole array";
    EXPECT_EQ(mpi.Type_free(&made), 0);
    return has.size;
}

TEST_F(LargeTypes, DistributedArrays) {
    const int usual = mpich::mpi_DISTRIBUTE_DFLT_DARG;
    EXPECT_EQ(share_of(more, 3, mpich::mpi_DISTRIBUTE_BLOCK, usual), more / 4);
    EXPECT_EQ(share_of(more + 1, 3, mpich::mpi_DISTRIBUTE_BLOCK, usual), more / 4 - 2)
        << "the rest for the last process";
    const std::int64_t rounds = more / 12; // rounds of four blocks of three; eight elements are left
    EXPECT_EQ(share_of(more, 0, mpich::mpi_DISTRIBUTE_CYCLIC, 3), rounds * 3 + 3);
    EXPECT_EQ(share_of(more, 2, mpich::mpi_DISTRIBUTE_CYCLIC, 3), rounds * 3 + 2);
    EXPECT_EQ(share_of(more, 3, mpich::mpi_DISTRIBUTE_CYCLIC, 3), rounds * 3);
}

TEST_F(LargeTypes, DistributedArraysWithMistakes) {
    const int block = mpich::mpi_DISTRIBUTE_BLOCK;
    const int processes = 4;
    const int too_short = 5;
    const auto make = [&](int size, int rank, const int& argument) {
        return mpi.Type_create_darray_c(size, rank, 1, &more, &block, &argument, &processes, mpich::mpi_ORDER_C,
                                        mpich::mpi_CHAR, &type);
    };
    EXPECT_EQ(make(4, 0, too_short), mpich::mpi_ERR_ARG) << "blocks of five are too small";
    const int usual = mpich::mpi_DISTRIBUTE_DFLT_DARG;
    EXPECT_EQ(make(4, 4, usual), mpich::mpi_ERR_ARG) << "no rank";
    EXPECT_EQ(make(5, 0, usual), mpich::mpi_ERR_ARG) << "there are four processes, not five";
    EXPECT_EQ(errors.size(), 3u);
    EXPECT_EQ(type, mpich::mpi_DATATYPE_NULL);
}

TEST_F(LargeTypes, ADatatypeInsideLivesOnInTheRecord) {
    handle inside = mpich::mpi_DATATYPE_NULL;
    EXPECT_EQ(mpi.Type_contiguous_c(more, mpich::mpi_INT, &inside), 0);
    EXPECT_EQ(mpi.Type_contiguous_c(3, inside, &type), 0);
    EXPECT_EQ(mpi.Type_free(&inside), 0);
    EXPECT_EQ(count_datatypes(), 2) << "the record keeps one of the inner datatypes";
    FAKE(Type_get_contents)::does = [](word, int, int, int, int*, std::intptr_t*, handle* types) {
        types[0] = add_datatype({more * 4, 0, more * 4}); // Open MPI also makes a copy without attributes
        return 0;
    };
    std::int64_t count = 0;
    handle copy = mpich::mpi_DATATYPE_NULL;
    EXPECT_EQ(mpi.Type_get_contents_c(type, 0, 0, 1, 1, nullptr, nullptr, &count, &copy), 0);
    EXPECT_EQ(count, 3);
    EXPECT_EQ(mpi.Type_free(&type), 0);
    EXPECT_EQ(mpi.Type_get_contents_c(copy, 0, 0, 1, 1, nullptr, nullptr, &count, &inside), 0);
    EXPECT_EQ(count, more) << "the copy has its record, even after the outer datatype was freed";
    EXPECT_EQ(inside, mpich::mpi_INT);
    EXPECT_EQ(mpi.Type_free(&copy), 0);
}

TEST_F(LargeTypes, SmallConstructorsHandRecordsOn) {
    handle inside = mpich::mpi_DATATYPE_NULL;
    EXPECT_EQ(mpi.Type_contiguous_c(more, mpich::mpi_INT, &inside), 0);
    FAKE(Type_set_attr)::fail();
    EXPECT_EQ(mpi.Type_contiguous(2, inside, &type), a_code);
    EXPECT_EQ(count_datatypes(), 1) << "a datatype without a record is freed";
    EXPECT_EQ(mpi.Type_contiguous(2, inside, &type), 0);
    EXPECT_EQ(mpi.Type_free(&inside), 0);
    FAKE(Type_get_contents)::does = [](word, int, int, int, int*, std::intptr_t*, handle* types) {
        types[0] = add_datatype({});
        return 0;
    };
    int integers[1] = {};
    EXPECT_EQ(mpi.Type_get_contents(type, 1, 0, 1, integers, nullptr, &inside), 0);
    std::int64_t count = 0;
    handle element = mpich::mpi_DATATYPE_NULL;
    EXPECT_EQ(mpi.Type_get_contents_c(inside, 0, 0, 1, 1, nullptr, nullptr, &count, &element), 0);
    EXPECT_EQ(count, more);
    EXPECT_EQ(mpi.Type_free(&inside), 0);
}

TEST_F(LargeTypes, TheProgramGetsTheArgumentsThatItGave) {
    EXPECT_EQ(mpi.Type_vector_c(more, 2, 3, mpich::mpi_SHORT, &type), 0);
    std::int64_t numbers[4] = {-1, -1, -1, -1};
    int combiner = 0;
    EXPECT_EQ(mpi.Type_get_envelope_c(type, &numbers[0], &numbers[1], &numbers[2], &numbers[3], &combiner), 0);
    EXPECT_EQ(combiner, mpich::mpi_COMBINER_VECTOR);
    EXPECT_EQ(numbers[0], 0);
    EXPECT_EQ(numbers[1], 0);
    ASSERT_EQ(numbers[2], 3);
    ASSERT_EQ(numbers[3], 1);
    std::int64_t counts[3] = {};
    handle inside = 0;
    EXPECT_EQ(mpi.Type_get_contents_c(type, 0, 0, 3, 1, nullptr, nullptr, counts, &inside), 0);
    EXPECT_EQ(counts[0], more);
    EXPECT_EQ(counts[1], 2);
    EXPECT_EQ(counts[2], 3);
    EXPECT_EQ(inside, mpich::mpi_SHORT);
    EXPECT_EQ(mpi.Type_get_contents_c(type, 0, 0, 2, 1, nullptr, nullptr, counts, &inside), mpich::mpi_ERR_ARG)
        << "too little room";
}

TEST_F(LargeTypes, SmallFunctionsRefuseToTellOfLargeCounts) {
    EXPECT_EQ(mpi.Type_contiguous_c(more, mpich::mpi_INT, &type), 0);
    int numbers[3] = {};
    int combiner = 0;
    EXPECT_EQ(mpi.Type_get_envelope(type, &numbers[0], &numbers[1], &numbers[2], &combiner), mpich::mpi_ERR_TYPE);
}

// ---- packing ----

TEST_F(LargeTypes, PackingGoesInPartsThatAnIntHolds) {
    static std::vector<int> counts;
    counts.clear();
    FAKE(Pack)::does = [](const void*, int count, word, void*, int, int* position, word) {
        counts.push_back(count);
        *position += count * 4;
        return 0;
    };
    std::int64_t position = 0;
    EXPECT_EQ(mpi.Pack_c(nullptr, more, mpich::mpi_INT, nullptr, 4 * more, &position, world), 0);
    EXPECT_EQ(position, 4 * more);
    std::int64_t total = 0;
    for (const int count : counts) {
        EXPECT_LE(std::int64_t{count} * 4, most);
        total += count;
    }
    EXPECT_EQ(total, more);
}

TEST_F(LargeTypes, PackingStopsAtAFailure) {
    std::int64_t position = 0;
    FAKE(Pack)::does = [](const void*, int count, word, void*, int, int* position, word) {
        *position += count * 4;
        return 0;
    };
    FAKE(Pack)::fail(2);
    EXPECT_EQ(mpi.Pack_c(nullptr, more, mpich::mpi_INT, nullptr, 4 * more, &position, world), a_code);
    EXPECT_EQ(count_calls("Pack"), 2);
    EXPECT_EQ(mpi.Pack_c(nullptr, -1, mpich::mpi_INT, nullptr, 4 * more, &position, world), mpich::mpi_ERR_COUNT);
    position = 4 * more + 1;
    EXPECT_EQ(mpi.Pack_c(nullptr, 1, mpich::mpi_INT, nullptr, 4 * more, &position, world), mpich::mpi_ERR_ARG);
}

TEST_F(LargeTypes, UnpackingGoesInPartsAndStopsAtAFailure) {
    std::int64_t position = 0;
    EXPECT_EQ(mpi.Unpack_c(nullptr, 4 * more, &position, nullptr, more, mpich::mpi_INT, world), 0);
    EXPECT_EQ(position, 4 * more);
    const int parts = count_calls("Unpack");
    EXPECT_GE(parts, 5) << "of at most 2^31 - 1 bytes";
    position = 0;
    FAKE(Unpack)::fail(3);
    EXPECT_EQ(mpi.Unpack_c(nullptr, 4 * more, &position, nullptr, more, mpich::mpi_INT, world), a_code);
    EXPECT_EQ(count_calls("Unpack"), parts + 3);
    EXPECT_LT(position, 4 * more);
    position = -1;
    EXPECT_EQ(mpi.Unpack_c(nullptr, 8, &position, nullptr, 1, mpich::mpi_INT, world), mpich::mpi_ERR_ARG);
}

TEST_F(LargeTypes, AnElementThatIsTooLargeIsCopiedWhole) {
    handle element = mpich::mpi_DATATYPE_NULL;
    EXPECT_EQ(mpi.Type_contiguous_c(more, mpich::mpi_CHAR, &element), 0);
    std::int64_t position = 0;
    EXPECT_EQ(mpi.Unpack_c(nullptr, 3 * more - 1, &position, nullptr, 3, element, world), mpich::mpi_ERR_TRUNCATE);
    EXPECT_EQ(position, 2 * more) << "two of three";
    EXPECT_EQ(count_calls("Sendrecv"), 2);
    EXPECT_EQ(count_calls("Unpack"), 0);
    position = 0;
    FAKE(Sendrecv)::fail(2);
    EXPECT_EQ(mpi.Unpack_c(nullptr, 3 * more, &position, nullptr, 3, element, world), a_code);
    EXPECT_EQ(mpi.Type_free(&element), 0);
}

TEST_F(LargeTypes, ThePackedSizeMayBeLarge) {
    std::int64_t size = 0;
    EXPECT_EQ(mpi.Pack_size_c(more, mpich::mpi_INT, world, &size), 0);
    EXPECT_EQ(size, 4 * more);
    EXPECT_EQ(mpi.Pack_size_c(7, mpich::mpi_INT, world, &size), 0);
    EXPECT_EQ(size, 28);
}

// ---- packing for other machines ----

// The parts that the library was asked to pack or unpack: their offsets in memory and their numbers of elements.
struct part {
    std::int64_t offset;
    int count;
};
std::vector<part> parts;
char elements[4];

int note_packed(const char* format, const void* from, int count, word, void*, std::intptr_t, std::intptr_t* position) {
    EXPECT_STREQ(format, "external32");
    parts.push_back({static_cast<const char*>(from) - elements, count});
    *position += std::int64_t{4} * count;
    return 0;
}
int note_unpacked(const char* format, const void*, std::intptr_t, std::intptr_t* position, void* to, int count, word) {
    EXPECT_STREQ(format, "external32");
    parts.push_back({static_cast<char*>(to) - elements, count});
    *position += std::int64_t{4} * count;
    return 0;
}

class External : public Emulation {
protected:
    void SetUp() override {
        Emulation::SetUp();
        parts.clear();
        FAKE(Pack_external)::does = note_packed;
        FAKE(Unpack_external)::does = note_unpacked;
    }
    int pack(std::int64_t count) {
        return mpi.Pack_external_c("external32", elements, count, mpich::mpi_INT, nullptr, 5 * more, &position);
    }
    int unpack(std::int64_t count) {
        return mpi.Unpack_external_c("external32", nullptr, 5 * more, &position, elements, count, mpich::mpi_INT);
    }
    std::int64_t position = 0;
};

TEST_F(External, ACountThatAnIntHoldsIsOneCall) {
    for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, most, std::int64_t{-1}}) {
        parts.clear();
        EXPECT_EQ(pack(count), 0);
        EXPECT_EQ(unpack(count), 0);
        ASSERT_EQ(parts.size(), 2u) << count;
        EXPECT_EQ(parts[0].count, count) << "the library must report a negative one";
        EXPECT_EQ(parts[1].count, count);
    }
}

TEST_F(External, ALargerCountGoesInParts) {
    EXPECT_EQ(pack(most + more), 0);
    EXPECT_EQ(position, 4 * (most + more));
    position = 3;
    EXPECT_EQ(unpack(more), 0);
    EXPECT_EQ(position, 3 + 4 * more);
    ASSERT_EQ(parts.size(), 5u);
    const part expected[] = {{0, INT_MAX}, {4 * most, INT_MAX}, {8 * most, 1}, {0, INT_MAX}, {4 * most, 1}};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        EXPECT_EQ(parts[i].offset, expected[i].offset) << i;
        EXPECT_EQ(parts[i].count, expected[i].count) << i;
    }
}

TEST_F(External, AFailureInTheMiddleEndsTheCall) {
    FAKE(Pack_external)::fail(2);
    EXPECT_EQ(pack(most + more), a_code);
    EXPECT_EQ(count_calls("Pack_external"), 2) << "of three";
    EXPECT_EQ(position, 4 * most) << "the part before the error";
    FAKE(Unpack_external)::fail(2);
    EXPECT_EQ(unpack(most + more), a_code);
    EXPECT_EQ(count_calls("Unpack_external"), 2);
    EXPECT_EQ(position, 8 * most);
}

TEST_F(External, NothingIsPackedIfTheExtentIsUnknown) {
    FAKE(Type_get_extent)::fail();
    FAKE(Type_get_extent_x)::fail();
    EXPECT_EQ(pack(1), a_code);
    FAKE(Type_get_extent)::fail();
    FAKE(Type_get_extent_x)::fail();
    EXPECT_EQ(unpack(1), a_code);
    EXPECT_TRUE(parts.empty());
}

TEST_F(External, TheSizeIsThatOfAllParts) {
    std::int64_t size = -1;
    EXPECT_EQ(mpi.Pack_external_size_c("external32", most, mpich::mpi_INT, &size), 0);
    EXPECT_EQ(size, 4 * most);
    EXPECT_EQ(count_calls("Pack_external_size"), 1);
    EXPECT_EQ(mpi.Pack_external_size_c("external32", more, mpich::mpi_INT, &size), 0);
    EXPECT_EQ(size, 4 * more);
    EXPECT_EQ(count_calls("Pack_external_size"), 3);
    FAKE(Pack_external_size)::fail(2);
    EXPECT_EQ(mpi.Pack_external_size_c("external32", more + most, mpich::mpi_INT, &size), a_code);
    EXPECT_EQ(count_calls("Pack_external_size"), 5) << "the third part is not requested";
    EXPECT_EQ(mpi.Pack_external_size_c("external32", 1, mpich::mpi_INT, nullptr), mpich::mpi_ERR_ARG);
}

// ---- pairs of a value and its index ----

TEST_F(LargeTypes, PairsOfAValueAndItsIndex) {
    handle pair = 0;
    EXPECT_EQ(mpi.Type_get_value_index(mpich::mpi_DOUBLE, mpich::mpi_INT, &pair), 0);
    EXPECT_EQ(pair, mpich::mpi_DOUBLE_INT);
    EXPECT_EQ(mpi.Type_get_value_index(mpich::mpi_INT, mpich::mpi_INT, &pair), 0);
    EXPECT_EQ(pair, mpich::mpi_2INT);
    EXPECT_EQ(mpi.Type_get_value_index(mpich::mpi_DOUBLE, mpich::mpi_LONG, &pair), 0);
    EXPECT_EQ(pair, mpich::mpi_DATATYPE_NULL) << "MPI has no such pair";
    EXPECT_EQ(mpi.Type_get_value_index(mpich::mpi_DATATYPE_NULL, mpich::mpi_INT, &pair), mpich::mpi_ERR_TYPE);
    EXPECT_EQ(mpi.Type_get_value_index(mpich::mpi_INT, mpich::mpi_DATATYPE_NULL, &pair), mpich::mpi_ERR_TYPE);
    EXPECT_EQ(mpi.Type_get_value_index(mpich::mpi_INT, mpich::mpi_INT, nullptr), mpich::mpi_ERR_ARG);
}

} // namespace
