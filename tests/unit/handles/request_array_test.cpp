#include "abi/all.hpp"
#include "convert/request_array.hpp"
#include "convert/two_requests.hpp"

#include <gtest/gtest.h>

#include <vector>

using namespace anympi;

namespace {

constexpr std::uint32_t runtime_null = mpich::mpi_REQUEST_NULL;
constexpr std::uint32_t made = 0xac000001; // a request that MPICH made

// The null request of a program, and the program's handle for `made`.
template <class App>
struct program;
template <>
struct program<standard> {
    static constexpr word null = standard::mpi_REQUEST_NULL;
    static constexpr word holds_made = made;
};
// The null request is an address. These addresses are low, as in programs that are not relocated, and their lower half
// is also the number of a request.
template <word Null>
struct program_of_openmpi {
    static constexpr word null = Null;
    static constexpr word holds_made = word{1} << 63 | made;
};

template <class App, class Program>
struct kind {
    using with = pair<App, mpich>;
    using holds = Program;

    static void bind() {
        if constexpr (std::is_same_v<App, openmpi>)
            predefined_to_app<openmpi>[null_id<object::request>] = Program::null;
    }
};

template <class Kind>
class request_array_of : public testing::Test {
protected:
    void SetUp() override { Kind::bind(); }
};
using kinds = testing::Types<kind<standard, program<standard>>, kind<openmpi, program_of_openmpi<0x404080>>,
                             kind<openmpi, program_of_openmpi<0x7f12ac000001>>>;
TYPED_TEST_SUITE(request_array_of, kinds);

// All mixtures of null and other requests in a block of eight.
constexpr int mixtures = 256;
bool is_null(int mixture, int place) {
    return (mixture >> place % 8 & 1) != 0;
}

// Two blocks of eight and a rest, in memory that is only aligned to one request.
constexpr int count = 19;

TYPED_TEST(request_array_of, requests_reach_the_runtime) {
    using holds = typename TypeParam::holds;
    for (int mixture = 0; mixture < mixtures; ++mixture)
        for (int shift : {0, 1}) {
            std::vector<word> given(count + 2, 7);
            for (int i = 0; i < count; ++i)
                given[i + shift] = is_null(mixture, i) ? holds::null : holds::holds_made + i;
            request_array<typename TypeParam::with> array(count, &given[shift]);
            ASSERT_FALSE(array.lacks_memory());
            for (int i = 0; i < count; ++i)
                ASSERT_EQ(array.argument()[i], is_null(mixture, i) ? runtime_null : made + i) << mixture << ' ' << i;
        }
}

TYPED_TEST(request_array_of, requests_come_back) {
    using holds = typename TypeParam::holds;
    for (int mixture = 0; mixture < mixtures; ++mixture)
        for (int shift : {0, 1}) {
            std::vector<word> given(count + 2, 7);
            for (int i = 0; i < count; ++i)
                given[i + shift] = holds::holds_made + i;
            request_array<typename TypeParam::with> array(count, &given[shift]);
            for (int i = 0; i < count; ++i)
                array.argument()[i] = is_null(mixture, i) ? runtime_null : made + i;
            array.finish();
            for (int i = 0; i < count; ++i)
                ASSERT_EQ(given[i + shift], is_null(mixture, i) ? holds::null : holds::holds_made + i)
                    << mixture << ' ' << i;
            ASSERT_EQ(given[shift + count], 7u); // the element after the array is unchanged
        }
}

TYPED_TEST(request_array_of, a_request_that_was_never_set_is_not_null) {
    std::vector<word> given(count, 0);
    request_array<typename TypeParam::with> array(count, given.data());
    for (int i = 0; i < count; ++i)
        ASSERT_NE(array.argument()[i], runtime_null) << i;
}

TYPED_TEST(request_array_of, two_requests_go_and_come_back) {
    using holds = typename TypeParam::holds;
    for (int mixture = 0; mixture < 4; ++mixture)
        for (int after = 0; after < 4; ++after) {
            word given[2];
            for (int i : {0, 1})
                given[i] = is_null(mixture, i) ? holds::null : holds::holds_made + i;
            two_requests<typename TypeParam::with> two(given);
            for (int i : {0, 1})
                ASSERT_EQ(two.argument()[i], is_null(mixture, i) ? runtime_null : made + i);
            for (int i : {0, 1})
                two.argument()[i] = is_null(after, i) ? runtime_null : made + i;
            two.finish();
            for (int i : {0, 1})
                ASSERT_EQ(given[i], is_null(after, i) ? holds::null : holds::holds_made + i) << mixture << ' ' << after;
        }
}

} // namespace
