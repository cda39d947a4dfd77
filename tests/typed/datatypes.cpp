#include <cstring>

#include "expect_error.hpp"

namespace {

struct Plain {
    double x;
    int id;
    char name[6];
    friend bool operator==(const Plain&, const Plain&) = default;
};
struct Padded {
    char tag;
    double weight;
    short last;
};
struct Nested {
    Padded padded;
    std::array<float, 3> position;
    int grid[2][3];
    std::complex<double> phase;
};
enum class Colour : unsigned char { red = 3, green = 9 };
struct WithEnum {
    Colour colour;
    std::pair<int, char> both;
};
class Hidden {
public:
    Hidden() = default;
    Hidden(int number, double value) : number_(number), value_(value) {}
    [[nodiscard]] int number() const { return number_; }
    [[nodiscard]] double value() const { return value_; }

private:
    friend struct HiddenMembers;
    int number_ = 0;
    int scratch_ = -1; // this member is not sent
    double value_ = 0;

public:
    [[nodiscard]] int scratch() const { return scratch_; }
};
struct HiddenMembers {
    static constexpr auto list = std::tuple{&Hidden::number_, &Hidden::value_};
};
struct HasPointer {
    int* target;
};
struct HasString {
    std::string text;
};
union Either {
    int whole;
    float part;
};
struct Nothing {};
struct Single {
    int only;
};
struct ArrayOnly {
    double values[7];
};
struct HasReference {
    const int& target;
    double value;
};
struct HasTemporary {
    int&& target;
};
struct HasReferenceAndTuple {
    const int& target;
    std::tuple<int, char> both;
};
struct HasTuple {
    std::tuple<int, char> both;
};
struct HasConstant {
    const int id;
    double value;
};
struct Many {
    int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x;
};

} // namespace

template <>
inline constexpr auto anympi::members_of<Hidden> = HiddenMembers::list;

namespace {

using anympi::Communicable;
using anympi::tag;
static_assert(Communicable<Plain> && Communicable<Padded> && Communicable<Nested> && Communicable<Colour> &&
              Communicable<WithEnum>);
static_assert(Communicable<Hidden> && Communicable<Single> && Communicable<ArrayOnly> && Communicable<Many>);
static_assert(Communicable<std::tuple<int, char, double>> && Communicable<std::array<Plain, 2>> &&
              Communicable<std::byte>);
static_assert(!Communicable<HasPointer> && !Communicable<HasString> && !Communicable<Either> && !Communicable<Nothing>);
static_assert(!Communicable<int*> && !Communicable<std::string> && !Communicable<std::vector<int>> &&
              !Communicable<int&>);
static_assert(!Communicable<std::tuple<int&, int>> && !Communicable<std::pair<int, const int&>> &&
              !Communicable<HasReference> && !Communicable<HasTemporary> && !Communicable<HasReferenceAndTuple> &&
              Communicable<HasTuple>);
using anympi::Receivable, anympi::SendBuffer, anympi::ReceiveBuffer;
static_assert(SendBuffer<HasConstant&> && !ReceiveBuffer<HasConstant&> && !Receivable<HasConstant>);
static_assert(SendBuffer<std::pair<const int, int>&> && !ReceiveBuffer<std::vector<std::pair<const int, int>>&>);
static_assert(!ReceiveBuffer<anympi::View<HasConstant>> && ReceiveBuffer<anympi::View<Plain>>);
static_assert(Receivable<int[2][3]> && ReceiveBuffer<std::vector<Nested>&> && !ReceiveBuffer<const int&>);
static_assert(anympi::aggregate::member_count<Nested> == 4 && anympi::aggregate::member_count<ArrayOnly> == 1);
static_assert(anympi::aggregate::member_count<Many> == 24 && anympi::aggregate::member_count<Single> == 1);

// Sends values to the same process, with another value after them to see whether the extent is right.
template <class T>
std::vector<T> through(const std::vector<T>& values) {
    const anympi::Comm self = anympi::Comm::borrow(MPI_COMM_SELF);
    auto sending = self.isend(values, 0, tag(5));
    auto got = self.recv<std::vector<T>>(0, tag(5));
    static_cast<void>(sending.wait());
    return got;
}

int size_of(MPI_Datatype type) {
    int size = 0;
    MPI_Type_size(type, &size);
    return size;
}

} // namespace

TEST(datatypes, builtin) {
    EXPECT_EQ(anympi::datatype<int>(), MPI_INT);
    EXPECT_EQ(anympi::datatype<const double>(), MPI_DOUBLE);
    EXPECT_EQ(anympi::datatype<std::complex<float>>(), MPI_C_FLOAT_COMPLEX);
    EXPECT_EQ(anympi::datatype<Colour>(), MPI_UNSIGNED_CHAR);
    EXPECT_EQ(anympi::datatype<anympi::Indexed<double>>(), MPI_DOUBLE_INT);
}

TEST(datatypes, aggregates) {
    const std::vector<Plain> plain{{1.5, 7, "hello"}, {2.5, 8, "world"}};
    EXPECT_EQ(through(plain), plain);
    EXPECT_EQ(size_of(anympi::datatype<Plain>()), 8 + 4 + 6);
    EXPECT_EQ(size_of(anympi::datatype<Padded>()), 1 + 8 + 2);
    EXPECT_EQ(size_of(anympi::datatype<ArrayOnly>()), 56);

    const auto nested = through(
        std::vector<Nested>{{{'a', 1.5, 2}, {1, 2, 3}, {{1, 2, 3}, {4, 5, 6}}, {7, 8}}, {{'b', 2.5, 3}, {}, {}, {}}});
    ASSERT_EQ(nested.size(), 2U);
    EXPECT_EQ(nested[0].padded.weight, 1.5);
    EXPECT_EQ(nested[0].position[2], 3);
    EXPECT_EQ(nested[0].grid[1][2], 6);
    EXPECT_EQ(nested[0].phase, std::complex<double>(7, 8));
    EXPECT_EQ(nested[1].padded.last, 3);
    EXPECT_EQ(through(std::vector<WithEnum>{{Colour::green, {4, 'c'}}})[0].both.second, 'c');
    Many many{};
    many.x = 24;
    EXPECT_EQ(through(std::vector<Many>(3, many))[2].x, 24);
}

TEST(datatypes, listed_members) {
    const auto got = through(std::vector<Hidden>{{1, 1.5}, {2, 2.5}});
    EXPECT_EQ(got[1].number(), 2);
    EXPECT_EQ(got[1].value(), 2.5);
    EXPECT_EQ(got[1].scratch(), -1);
    EXPECT_EQ(size_of(anympi::datatype<Hidden>()), 12);
}

TEST(datatypes, pairs_and_tuples) {
    using Triple = std::tuple<char, double, int>;
    const std::vector<Triple> triples{{'a', 1.5, 2}, {'b', 2.5, 3}};
    EXPECT_EQ(through(triples), triples);
    EXPECT_EQ(size_of(anympi::datatype<Triple>()), 13);
    const std::vector<std::pair<int, std::array<short, 3>>> pairs{{1, {2, 3, 4}}};
    EXPECT_EQ(through(pairs), pairs);
    const std::vector<std::array<Plain, 2>> arrays{{Plain{1, 2, "a"}, Plain{3, 4, "b"}}};
    EXPECT_EQ(through(arrays), arrays);
}

TEST(datatypes, at_run_time) {
    using anympi::Datatype;
    const auto real = Datatype::of<double>();
    const auto column = Datatype::vector(3, 1, 4, real);
    try { // predefined datatypes are not freed
        Datatype::of<double>().free();
        ADD_FAILURE() << "a predefined datatype was freed";
    } catch (const anympi::Error& error) {
        EXPECT_NE(error.message().find("the object is borrowed or predefined"), std::string::npos) << error.what();
    }
    EXPECT_EQ(column.size(), 24);
    EXPECT_EQ(column.extent(), (2 * 4 + 1) * 8);
    EXPECT_EQ(column.resized(0, 8).extent(), 8);
    EXPECT_EQ(Datatype::contiguous(5, column).size(), 120);
    const MPI_Count lengths[] = {1, 2}, places[] = {0, 3};
    EXPECT_EQ(Datatype::indexed(lengths, places, real).extent(), 40);
    const MPI_Count sizes[] = {4, 4}, parts[] = {2, 2}, starts[] = {1, 1};
    EXPECT_EQ(Datatype::subarray(sizes, parts, starts, real).size(), 32);
    const anympi::StructField fields[] = {{1, 0, MPI_INT}, {2, 8, MPI_DOUBLE}};
    EXPECT_EQ(Datatype::structure(fields).size(), 20);
    EXPECT_MPI_ERROR(Datatype::indexed(std::span(lengths, 1), places, real), arg, "MPI_Type_indexed");
    EXPECT_MPI_ERROR(Datatype::contiguous(-1, real), count, "MPI_Type_contiguous");
}
