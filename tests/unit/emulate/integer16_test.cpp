// Integers of 16 bytes: emulated reductions, and a derived datatype that looks predefined to the program.

#include "fake.hpp"

#include "emulate/datatypes/integer16_operations.hpp"
#include "emulate/datatypes/integer16_reductions.hpp"

#include <cstring>

namespace {

using namespace fake;
using anympi::standard;
using anympi::emulate::integer_16;

constexpr word integer16_id = standard::mpi_INTEGER16;
constexpr word logical16_id = standard::mpi_LOGICAL16;

integer_16 reduce(word op, word type, integer_16 left, integer_16 right) {
    for (const auto& known : anympi::emulate::operations_16)
        if (known.id == op && known.type == type) {
            int length = 1;
            known.function(&left, &right, &length, nullptr);
            return right;
        }
    ADD_FAILURE() << "no such operation";
    return 0;
}

constexpr integer_16 large = integer_16{1} << 100;

TEST(Integers16, SumsCarryAndWrap) {
    EXPECT_TRUE(reduce(standard::mpi_SUM, integer16_id, (integer_16{1} << 64) - 1, 1) == integer_16{1} << 64);
    EXPECT_TRUE(reduce(standard::mpi_SUM, integer16_id, -1, -1) == -2);
    const integer_16 most = ~(integer_16{1} << 127);
    EXPECT_TRUE(reduce(standard::mpi_SUM, integer16_id, most, 1) == integer_16{1} << 127) << "like smaller integers";
}

TEST(Integers16, ComparisonsHaveSigns) {
    EXPECT_TRUE(reduce(standard::mpi_MAX, integer16_id, -large, 1) == 1);
    EXPECT_TRUE(reduce(standard::mpi_MIN, integer16_id, -large, 1) == -large);
    EXPECT_TRUE(reduce(standard::mpi_MAX, integer16_id, large, large + 1) == large + 1);
}

TEST(Integers16, ProductsAndBits) {
    EXPECT_TRUE(reduce(standard::mpi_PROD, integer16_id, large, -2) == -2 * large);
    EXPECT_TRUE(reduce(standard::mpi_BAND, integer16_id, large | 6, 3) == 2);
    EXPECT_TRUE(reduce(standard::mpi_BOR, integer16_id, large, 3) == (large | 3));
    EXPECT_TRUE(reduce(standard::mpi_BXOR, integer16_id, large | 1, large) == 1);
}

TEST(Integers16, LogicalsAreTrueInAnyBit) {
    EXPECT_TRUE(reduce(standard::mpi_LAND, logical16_id, large, 1) == 1);
    EXPECT_TRUE(reduce(standard::mpi_LAND, logical16_id, large, 0) == 0);
    EXPECT_TRUE(reduce(standard::mpi_LOR, logical16_id, 0, large) == 1);
    EXPECT_TRUE(reduce(standard::mpi_LXOR, logical16_id, large, 1) == 0);
}

TEST(Integers16, ElementsNeedNoAlignment) {
    alignas(16) char in[40] = {};
    alignas(16) char inout[40] = {};
    const integer_16 values[2] = {large, -5};
    std::memcpy(in + 3, values, sizeof values);
    std::memcpy(inout + 5, values, sizeof values);
    int length = 2;
    for (const auto& known : anympi::emulate::operations_16)
        if (known.id == standard::mpi_SUM)
            known.function(in + 3, inout + 5, &length, nullptr);
    integer_16 sums[2];
    std::memcpy(sums, inout + 5, sizeof sums);
    EXPECT_TRUE(sums[0] == 2 * large && sums[1] == -10);
    EXPECT_EQ(inout[4], 0);
    EXPECT_EQ(inout[37], 0);
}

class Integer16Type : public Emulation {};

word integer16() {
    return anympi::predefined_to_run<mpich>[integer16_id];
}

TEST_ALONE(Integer16Type, LivesFromInitToFinalize) {
    EXPECT_EQ(integer16(), mpich::mpi_DATATYPE_NULL);
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    ASSERT_NE(integer16(), mpich::mpi_DATATYPE_NULL);
    EXPECT_EQ(datatype_of(integer16()).size, 16);
    EXPECT_EQ(anympi::predefined_to_run<mpich>[logical16_id], integer16());
    EXPECT_EQ(mpi.Finalize(), 0);
    EXPECT_EQ(integer16(), mpich::mpi_DATATYPE_NULL);
    EXPECT_EQ(count_datatypes(), 0) << "MPICH reports datatypes that were not freed";
}

TEST_ALONE(Integer16Type, LooksPredefined) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    int numbers[3] = {1, 1, 1};
    int combiner = 0;
    EXPECT_EQ(mpi.Type_get_envelope(integer16(), &numbers[0], &numbers[1], &numbers[2], &combiner), 0);
    EXPECT_EQ(combiner, mpich::mpi_COMBINER_NAMED);
    EXPECT_EQ(numbers[0] + numbers[1] + numbers[2], 0);
    auto copy = static_cast<handle>(integer16());
    EXPECT_EQ(mpi.Type_free(&copy), mpich::mpi_ERR_TYPE);
    handle found = 0;
    EXPECT_EQ(mpi.Type_match_size(mpich::mpi_TYPECLASS_INTEGER, 16, &found), 0);
    EXPECT_EQ(found, integer16());
    EXPECT_EQ(mpi.Type_match_size(mpich::mpi_TYPECLASS_INTEGER, 8, &found), a_code) << "the library's own result";
    EXPECT_EQ(mpi.Finalize(), 0);
}

TEST_ALONE(Integer16Type, HasOperationsOfOurs) {
    using anympi::emulate::find_integer16_operation;
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    word first = 0;
    word again = 0;
    word none = 0;
    FAKE(Op_create)::fail();
    EXPECT_EQ(find_integer16_operation<mpich>(integer16_id, standard::mpi_SUM, &first), a_code);
    EXPECT_EQ(find_integer16_operation<mpich>(integer16_id, standard::mpi_SUM, &first), 0);
    EXPECT_EQ(find_integer16_operation<mpich>(integer16_id, standard::mpi_SUM, &again), 0);
    EXPECT_NE(first, 0u);
    EXPECT_EQ(first, again);
    EXPECT_EQ(count_ops(), 1) << "made once";
    EXPECT_EQ(find_integer16_operation<mpich>(integer16_id, standard::mpi_LAND, &none), 0);
    EXPECT_EQ(none, 0u) << "MPI does not define it";
    EXPECT_EQ(mpi.Finalize(), 0);
    EXPECT_EQ(count_ops(), 0);
}

TEST_ALONE(Integer16Type, IsTurnedRoundForOtherMachines) {
    static unsigned char packed[32];
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    FAKE(Pack_external)::does = [](const char*, const void* from, int count, word type, void*, std::intptr_t,
                                   std::intptr_t* position) {
        EXPECT_EQ(datatype_of(type).size, 16);
        std::memcpy(packed, from, static_cast<std::size_t>(count) * 16);
        *position += count * 16;
        return 0;
    };
    FAKE(Unpack_external)::does = [](const char*, const void*, std::intptr_t, std::intptr_t*, void* to, int count,
                                     word) {
        std::memcpy(to, packed, static_cast<std::size_t>(count) * 16);
        return 0;
    };
    const int left = count_datatypes();
    const integer_16 values[2] = {1, -2};
    integer_16 again[2] = {};
    std::intptr_t position = 0;
    EXPECT_EQ(mpi.Pack_external("external32", values, 2, integer16(), nullptr, 32, &position), 0);
    EXPECT_EQ(position, 32);
    EXPECT_EQ(packed[0], 0);
    EXPECT_EQ(packed[15], 1) << "the last byte is the least significant one";
    EXPECT_EQ(packed[16], 0xff);
    EXPECT_EQ(packed[31], 0xfe);
    EXPECT_EQ(mpi.Unpack_external("external32", packed, 32, &position, again, 2, integer16()), 0);
    EXPECT_TRUE(again[0] == 1 && again[1] == -2);
    std::memset(packed, 0, sizeof packed);
    EXPECT_EQ(mpi.Pack_external_c("external32", values, 2, integer16(), nullptr, 32, &position), 0);
    EXPECT_EQ(packed[15], 1);
    EXPECT_EQ(mpi.Unpack_external_c("external32", packed, 32, &position, again, 2, integer16()), 0);
    EXPECT_TRUE(again[1] == -2);
    again[1] = 5;
    FAKE(Unpack_external)::fail();
    EXPECT_EQ(mpi.Unpack_external("external32", packed, 32, &position, again, 2, integer16()), a_code);
    EXPECT_TRUE(again[1] == 5) << "nothing came";
    EXPECT_EQ(count_datatypes(), left) << "datatypes remain";
    EXPECT_EQ(mpi.Finalize(), 0);
}

TEST_ALONE(Integer16Type, StaysIfFinalizeFails) {
    EXPECT_EQ(mpi.Init(nullptr, nullptr), 0);
    FAKE(Finalize)::fail();
    EXPECT_EQ(mpi.Finalize(), a_code);
    EXPECT_NE(integer16(), mpich::mpi_DATATYPE_NULL) << "MPI goes on";
}

} // namespace
