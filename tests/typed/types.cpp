// Types of elements and parts of objects: what travels, and what is refused.
#include <chrono>
#include <deque>
#include <list>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <variant>

#include "expect_error.hpp"
#include "main.hpp"

#if __has_include(<eigen3/Eigen/Geometry>)
#include <eigen3/Eigen/Geometry>
#endif

namespace {

struct Tree {
    int value = 0;
    std::vector<Tree> branches;
    std::unique_ptr<Tree> next;
};
template <class Archive>
void serialize(Archive& archive, Tree& tree) {
    archive(tree.value, tree.branches, tree.next);
}
struct Nothing {
    friend auto operator<=>(const Nothing&, const Nothing&) = default;
};
struct Silent {
    int value = 7;
};
template <class Archive>
void serialize(Archive&, Silent&) {} // it writes no bytes
struct WithoutDefault {
    explicit WithoutDefault(int) {}
};
struct Polymorphic {
    virtual ~Polymorphic() = default;
};

using Words = std::map<std::string, std::vector<std::string>>;
using Choice = std::variant<std::monostate, int, std::string, Words>;

std::vector<std::byte> bytes_of(const auto&... objects) {
    anympi::Writer writer;
    writer(objects...);
    return std::move(writer).take();
}
template <class T>
std::optional<T> read_back(std::vector<std::byte> bytes) {
    std::optional<T> object(std::in_place);
    anympi::Reader reader(std::move(bytes));
    reader(*object);
    if (!reader.complete())
        object.reset();
    return object;
}
// Returns true if the object comes back, and if no part of its bytes is accepted as an object.
template <class T>
bool survives(const T& object) {
    static_assert(anympi::Serializable<T>);
    const auto bytes = bytes_of(object);
    for (std::size_t size = 0; size < bytes.size(); ++size)
        if (read_back<T>({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)}))
            return false;
    const auto got = read_back<T>(bytes);
    return got && *got == object;
}

using anympi::Serializable;
static_assert(!Serializable<std::string_view> && !Serializable<std::span<int>> && !Serializable<const char*>);
static_assert(!Serializable<std::tuple<int&, int>> && !Serializable<std::pair<const int, int>>);
static_assert(!Serializable<std::vector<WithoutDefault>> && !Serializable<std::optional<WithoutDefault>>);
static_assert(!Serializable<std::variant<WithoutDefault>> && !Serializable<std::vector<std::string_view>>);
static_assert(!Serializable<std::unique_ptr<Polymorphic>> && !Serializable<std::unique_ptr<int[]>>);
static_assert(!Serializable<std::map<std::string, const char*>> && Serializable<std::unique_ptr<std::string>>);

} // namespace

TEST(types, objects) {
    EXPECT_TRUE(survives(std::string("text")));
    EXPECT_TRUE(survives(std::u16string(u"text")));
    EXPECT_TRUE(survives(std::vector<double>{1, 2, 3}));
    EXPECT_TRUE(survives(std::vector<bool>{true, false, true}));
    EXPECT_TRUE(survives(std::deque<int>{1, 2, 3}));
    EXPECT_TRUE(survives(std::list<std::string>{"a", "bc", ""}));
    EXPECT_TRUE(survives(std::set<std::string>{"b", "a"}));
    EXPECT_TRUE(survives(std::multiset<int>{2, 1, 2}));
    EXPECT_TRUE(survives(std::unordered_set<int>{3, 1, 2}));
    EXPECT_TRUE(survives(std::unordered_multiset<int>{3, 3, 2}));
    EXPECT_TRUE(survives(Words{{"a", {"b", "c"}}, {"d", {}}}));
    EXPECT_TRUE(survives(std::multimap<int, char>{{1, 'a'}, {1, 'b'}}));
    EXPECT_TRUE(survives(std::unordered_map<std::string, std::set<int>>{{"a", {1, 2}}, {"b", {}}}));
    EXPECT_TRUE(survives(std::unordered_multimap<int, bool>{{1, true}, {1, true}}));
    EXPECT_TRUE(survives(std::tuple(1, std::string("a"), std::optional<std::vector<int>>{{1, 2}})));
    EXPECT_TRUE(survives(std::array<std::string, 3>{"a", "b", "c"}));
    EXPECT_TRUE(survives(std::vector<std::array<std::list<int>, 2>>{{{{1}, {2, 3}}}, {}}));
    EXPECT_TRUE(survives(std::optional<std::string>()));
    EXPECT_TRUE(survives(std::optional(std::optional<int>())));
    EXPECT_TRUE(survives(true));
    for (const Choice& choice : {Choice(), Choice(7), Choice("text"), Choice(Words{{"a", {"b"}}})})
        EXPECT_TRUE(survives(choice));
    EXPECT_TRUE(survives(std::vector<Choice>{Choice(), Choice(7)}));
    // elements without data
    EXPECT_TRUE(survives(std::vector<Nothing>(3)));
    EXPECT_TRUE(survives(std::map<Nothing, Nothing>{{{}, {}}}));
    EXPECT_EQ(read_back<std::vector<Silent>>(bytes_of(std::vector<Silent>(2)))->size(), 2U);

    std::string rows[2][2] = {{"a", "b"}, {"c", "d"}}, got[2][2];
    anympi::Reader reader(bytes_of(rows));
    reader(got);
    EXPECT_TRUE(reader.complete() && got[1][0] == "c");
    EXPECT_EQ(**read_back<std::unique_ptr<std::string>>(bytes_of(std::make_unique<std::string>("text"))), "text");
    EXPECT_EQ(*read_back<std::unique_ptr<int>>(bytes_of(std::unique_ptr<int>())), nullptr);
    Tree tree{1, {}, std::make_unique<Tree>()};
    tree.branches.emplace_back(Tree{2, {}, nullptr});
    EXPECT_EQ(read_back<Tree>(bytes_of(tree))->branches[0].value, 2);
    EXPECT_NE(read_back<Tree>(bytes_of(tree))->next, nullptr);
}

TEST(types, invalid_objects) {
    const auto all_ones = std::vector<std::byte>(64, std::byte{0xff});
    EXPECT_FALSE(read_back<std::vector<double>>(all_ones));
    EXPECT_FALSE(read_back<std::vector<bool>>(all_ones));
    EXPECT_FALSE(read_back<std::vector<Nothing>>(all_ones));
    EXPECT_FALSE(read_back<std::vector<Silent>>(all_ones));
    EXPECT_FALSE((read_back<std::unordered_map<int, std::string>>(all_ones)));
    EXPECT_FALSE(read_back<Choice>(all_ones));
    EXPECT_FALSE(read_back<Choice>(bytes_of(std::uint64_t{4})));
    EXPECT_FALSE(read_back<bool>(bytes_of('\2')));
    EXPECT_FALSE(read_back<std::unique_ptr<int>>(bytes_of('\2', 7)));
    EXPECT_FALSE(read_back<std::vector<bool>>(bytes_of(std::string("\2"))));
    // An object that does not fit changes nothing.
    std::vector<int> kept{1, 2};
    anympi::Reader reader(bytes_of(std::uint64_t{3}, 1, 2));
    reader(kept);
    EXPECT_FALSE(reader.complete());
    EXPECT_EQ(kept, (std::vector<int>{1, 2}));
    // A list with more levels than the stack has room for.
    std::vector<std::byte> deep;
    for (int level = 0; level < 1'000'000; ++level) {
        const auto node = bytes_of(level, std::uint64_t{0}, true);
        deep.insert(deep.end(), node.begin(), node.end());
    }
    EXPECT_FALSE(read_back<Tree>(deep));
    Tree list;
    for (std::size_t level = 0; level < anympi::Reader::most_levels / 2 - 2; ++level)
        list = Tree{1, {}, std::make_unique<Tree>(std::move(list))};
    EXPECT_TRUE(read_back<Tree>(bytes_of(list)));
}

// ---- elements ----

namespace {

enum class Tone : std::uint8_t { low, high };
struct Tag {};
struct Other {};
struct Third {};
struct Pair {
    int x, y;
};
struct WithTags : Tag, Other {
    char small;
    [[no_unique_address]] Third third;
    double large;
};
struct Vector : std::array<double, 3> {};
struct Grids {
    int cells[2][3][4];
    Pair pairs[2];
    char last;
};
struct Long {
    int first[200];
    double between[3];
    char last;
};
struct Constant {
    const int number;
    const double pair[2];
};
struct Aligned {
    alignas(32) int first;
    char last;
};
struct Defaults {
    int number = 3;
    Tone tone = Tone::high;
    volatile int changing = 0;
};
class Secret {
public:
    Secret() = default;
    explicit Secret(int number) : number_(number) {}
    [[nodiscard]] int number() const { return small_ == 'a' ? number_ : -1; }

private:
    char small_ = 'a';
    int number_ = 0;
};
struct Bits {
    unsigned low : 3, high : 13;
    bool set : 1;
};
union Either {
    int whole;
    float part;
};
struct HoldsMarked {
    double number;
    Bits bits;
    Either either;
    Secret secret;
};
struct Coordinates { // like Eigen's matrices, whether Eigen is installed or not
    using Scalar = float;
    using PlainObject = Coordinates;
    enum { SizeAtCompileTime = 2 };
    Coordinates() = default;
    Coordinates(const Coordinates& other) : values(other.values) {}
    std::array<float, 2> values{};
};
struct ViewOfCoordinates { // it has a pointer, and the size of two numbers
    using Scalar = float;
    using PlainObject = Coordinates;
    enum { SizeAtCompileTime = 2 };
    float* values;
};
class Metres { // a number with a unit, as many libraries have it
public:
    Metres() = default;
    explicit Metres(double value) : value_(value) {}
    Metres(const Metres& other) : value_(other.value_) {} // it is not trivially copyable
    Metres& operator=(const Metres&) = default;
    [[nodiscard]] double value() const { return value_; }

private:
    double value_ = 0;
};

// Nothing of these may be deduced.
struct WithBase : Pair {
    int more;
};
struct OnlyBase : Pair {};
struct MixedBases : Tag, Pair {};
struct BaseAsMember : Tag {
    Tag tag;
    int number;
};
struct ConstBits {
    const int low : 3, high : 5;
};
struct UnnamedUnion {
    int kind;
    union {
        int whole;
        float part;
    };
};
union Unmarked {
    int whole;
    float part;
};
struct InnerUnion {
    Unmarked either;
    int kind;
};
struct OuterUnion {
    double number;
    InnerUnion inner;
};
struct Assigned { // it can be assigned in spite of its reference
    const int& target;
    std::tuple<int, char> both;
    Assigned& operator=(const Assigned&) { return *this; }
};
struct __attribute__((packed)) Packed {
    char character;
    double number;
};
struct TooMany {
    int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y;
};
struct TupleLike { // a structured binding would name other values than the members
    int x, y;
};
template <std::size_t I>
int get(const TupleLike& both) {
    return I == 0 ? both.y : both.x;
}
struct Optional {
    int before;
    std::optional<int> maybe;
    int after;
};
struct Various {
    int before;
    std::variant<int> one;
};
struct FromAnything {
    FromAnything() = default;
    template <class T>
    FromAnything(T&&) {}
    int number = 0;
};
struct HasFromAnything {
    int before;
    FromAnything any;
    int after;
};
struct BeginsWithAnything {
    FromAnything any;
    int after;
};
struct NoData {
    Tag tag;
    Other other;
};
struct Callback {
    void (*function)();
    int number;
};
struct ToMember {
    int Pair::*member;
};

} // namespace

template <>
struct std::tuple_size<TupleLike> : std::integral_constant<std::size_t, 2> {};
template <std::size_t I>
struct std::tuple_element<I, TupleLike> {
    using type = int;
};
template <>
inline constexpr bool anympi::as_bytes<Secret> = true;
template <>
inline constexpr bool anympi::as_bytes<Bits> = true;
template <>
inline constexpr bool anympi::as_bytes<Either> = true;
template <>
inline constexpr bool anympi::as_bytes<std::variant<int, float>> = true;
template <>
inline constexpr auto anympi::stored_as<Metres> = std::type_identity<double>{};
#ifdef EIGEN_WORLD_VERSION
template <>
inline constexpr auto anympi::stored_as<Eigen::Quaterniond> = std::type_identity<std::array<double, 4>>{};
static_assert(!anympi::Communicable<Eigen::MatrixXd> && !anympi::Communicable<Eigen::Map<Eigen::Vector2d>>);
#endif

namespace {

using anympi::Communicable, anympi::aggregate::member_count;
using Milliseconds = std::chrono::duration<double, std::milli>;
using Moment = std::chrono::system_clock::time_point;

template <class... T>
constexpr bool all_communicable = (Communicable<T> && ...);
template <class... T>
constexpr bool none_communicable = (!Communicable<T> && ...);
static_assert(all_communicable<WithTags, Vector, Grids, Long, Constant, Aligned, Defaults, Secret, Bits, HoldsMarked>);
static_assert(all_communicable<Coordinates> && none_communicable<ViewOfCoordinates>);
static_assert(all_communicable<Metres, Either, std::variant<int, float>, Milliseconds, Moment, std::bitset<70>>);
static_assert(none_communicable<WithBase, OnlyBase, MixedBases, ConstBits, UnnamedUnion, OuterUnion, Assigned, Packed>);
static_assert(none_communicable<TooMany, TupleLike, Optional, Various, HasFromAnything, NoData, Callback, ToMember>);
static_assert(none_communicable<Tag, std::optional<int>, std::variant<int>, std::string_view, std::span<int>>);
static_assert(member_count<WithTags> == 3 && member_count<Long> == 3 && member_count<Grids> == 3);
static_assert(none_communicable<BeginsWithAnything, BaseAsMember> && member_count<BeginsWithAnything> == 2);
static_assert(member_count<HasFromAnything> == 3 && member_count<Optional> == 3 && member_count<Various> == 2);

// Sends bytes 1, 2, 3 … as a T into a room of bytes 0xee. Returns the number of bytes that arrived. The others must
// not have changed.
template <class T>
std::size_t bytes_that_arrive() {
    constexpr std::size_t size = 2 * sizeof(T);
    alignas(T) std::array<unsigned char, size> from{}, into{};
    for (std::size_t place = 0; place < size; ++place)
        from[place] = static_cast<unsigned char>(1 + place % 101);
    into.fill(0xee);
    const auto world = anympi::Comm::borrow(MPI_COMM_SELF);
    auto sending = world.isend(std::span(reinterpret_cast<const T*>(from.data()), 2), 0);
    if constexpr (anympi::Receivable<T>)
        world.recv(std::span(reinterpret_cast<T*>(into.data()), 2), 0);
    else
        MPI_Recv(into.data(), 2, anympi::datatype<T>(), 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    sending.wait();
    std::size_t arrived = 0;
    for (std::size_t place = 0; place < size; ++place) {
        if (into[place] == from[place])
            ++arrived;
        else
            EXPECT_EQ(into[place], 0xee) << place;
    }
    return arrived / 2;
}

template <class T>
std::vector<T> echoed(const std::vector<T>& values) {
    const auto self = anympi::Comm::borrow(MPI_COMM_SELF);
    auto sending = self.isend(values, 0);
    auto got = self.recv<std::vector<T>>(0);
    sending.wait();
    return got;
}

} // namespace

TEST(types, structs_without_their_padding) {
    EXPECT_EQ(bytes_that_arrive<WithTags>(), 1U + 8);
    EXPECT_EQ(bytes_that_arrive<Vector>(), 24U);
    EXPECT_EQ(bytes_that_arrive<Grids>(), 24U * 4 + 4 * 4 + 1);
    EXPECT_EQ(bytes_that_arrive<Long>(), 800U + 24 + 1);
    EXPECT_EQ(bytes_that_arrive<Constant>(), 4U + 16);
    EXPECT_EQ(bytes_that_arrive<Aligned>(), 4U + 1);
    EXPECT_EQ(bytes_that_arrive<Defaults>(), 4U + 1 + 4);
    EXPECT_EQ(bytes_that_arrive<Secret>(), sizeof(Secret));
    EXPECT_EQ(bytes_that_arrive<Bits>(), sizeof(Bits));
    EXPECT_EQ(bytes_that_arrive<HoldsMarked>(), 8 + sizeof(Bits) + 4 + sizeof(Secret));
    EXPECT_EQ(bytes_that_arrive<std::bitset<70>>(), 16U);
}

TEST(types, described_types) {
    EXPECT_EQ(echoed(std::vector<Secret>{Secret(1), Secret(2)})[1].number(), 2);
    EXPECT_EQ(echoed(std::vector<Bits>{{1, 4000, true}})[0].high, 4000U);
    EXPECT_EQ(std::get<float>(echoed(std::vector<std::variant<int, float>>{1, 2.5F})[1]), 2.5F);
    EXPECT_EQ(echoed(std::vector<Metres>{Metres(1), Metres(2.5)})[1].value(), 2.5);
    const std::vector<std::bitset<70>> bits{{}, std::bitset<70>().set(69)};
    EXPECT_EQ(echoed(bits), bits);
    EXPECT_EQ(anympi::datatype<Metres>(), MPI_DOUBLE);
    EXPECT_EQ(anympi::datatype<Milliseconds>(), MPI_DOUBLE);
    EXPECT_EQ(anympi::datatype<Moment>(), anympi::datatype<Moment::rep>());
    EXPECT_EQ(*read_back<Moment>(bytes_of(Moment(Moment::duration(7)))), Moment(Moment::duration(7)));
}

TEST(types, times) {
    using namespace std::chrono_literals;
    const auto world = environment().world();
    const auto rank = world.rank(), size = world.size();
    EXPECT_EQ(world.allreduce(Milliseconds(rank), anympi::op::max), Milliseconds(size - 1));
    EXPECT_EQ(world.allreduce(1s, anympi::op::sum), std::chrono::seconds(size));
    EXPECT_EQ(world.allreduce(Moment(Moment::duration(rank)), anympi::op::min), Moment());
    static_assert(anympi::Time<Moment> && !anympi::Duration<Moment> && !anympi::Number<std::chrono::seconds>);
}

#ifdef EIGEN_WORLD_VERSION
TEST(types, eigen) {
    const std::vector<Eigen::Vector3d> points{{1, 2, 3}, {4, 5, 6}};
    EXPECT_EQ(echoed(points)[1][2], 6);
    EXPECT_EQ(*read_back<std::vector<Eigen::Vector3d>>(bytes_of(points)), points);
    const auto self = anympi::Comm::borrow(MPI_COMM_SELF);
    auto sending = self.isend(points[1], 0);
    EXPECT_EQ(self.recv<Eigen::Vector3d>(0), points[1]);
    sending.wait();
    EXPECT_EQ(echoed(std::vector{Eigen::Quaterniond(1, 2, 3, 4)})[0].w(), 1);
    const Eigen::MatrixXd matrix = Eigen::MatrixXd::Constant(2, 3, 1.5);
    Eigen::MatrixXd all(2, 3);
    environment().world().allreduce(matrix, all, anympi::op::sum);
    EXPECT_EQ(all(1, 2), 1.5 * environment().world().size());
}
#endif

// ---- places ----

namespace {

// Like std::mdspan, whose strides are in elements.
template <class T, std::size_t dimensions>
class Shape {
public:
    using element_type = T;
    using reference = T&;
    using Sizes = std::array<std::size_t, dimensions>;
    Shape(T* first, Sizes extents, Sizes strides) : first_(first), extents_(extents), strides_(strides) {}
    [[nodiscard]] T* data_handle() const { return first_; }
    [[nodiscard]] std::size_t extent(std::size_t dimension) const { return extents_[dimension]; }
    [[nodiscard]] std::size_t stride(std::size_t dimension) const { return strides_[dimension]; }
    [[nodiscard]] std::size_t size() const { return extents_[0]; }
    static constexpr std::size_t rank() { return dimensions; }
    static constexpr bool is_always_strided() { return true; }

private:
    T* first_;
    Sizes extents_, strides_;
};
// Like std::mdspan with an accessor that changes the values.
struct Negated {
    using element_type = double;
    using reference = double;
    [[nodiscard]] double* data_handle() const { return nullptr; }
    [[nodiscard]] static std::size_t extent(std::size_t) { return 1; }
    [[nodiscard]] static std::size_t stride(std::size_t) { return 1; }
    static constexpr std::size_t rank() { return 1; }
};
struct Texts : Negated {
    using element_type = std::string;
    using reference = std::string&;
};
// Like std::views::stride.
template <class T>
class EveryNth {
public:
    EveryNth(std::span<T> all, std::ptrdiff_t step) : all_(all), step_(step) {}
    [[nodiscard]] std::span<T> base() const { return all_; }
    [[nodiscard]] std::ptrdiff_t stride() const { return step_; }
    [[nodiscard]] std::size_t size() const {
        return (all_.size() + static_cast<std::size_t>(step_) - 1) / static_cast<std::size_t>(step_);
    }

private:
    std::span<T> all_;
    std::ptrdiff_t step_;
};
// A class whose base is a copy of the elements: the copy ends before they are sent.
struct EveryNthOfCopy : EveryNth<int> {
    [[nodiscard]] std::array<int, 3> base() const { return {}; }
};

using anympi::SendBuffer, anympi::ReceiveBuffer, anympi::Pattern;
using Column = Shape<int, 1>;
static_assert(SendBuffer<Column> && ReceiveBuffer<Column> && !ReceiveBuffer<Shape<const int, 2>>);
static_assert(SendBuffer<EveryNth<const int>> && !ReceiveBuffer<EveryNth<const int>&> && !SendBuffer<Negated>);
static_assert(!SendBuffer<EveryNthOfCopy>);
static_assert(!SendBuffer<Texts> && std::same_as<anympi::element_of<Shape<const int, 2>&>, int>);
static_assert(!std::invocable<const Pattern<int>&, std::vector<double>&> &&
              !std::invocable<const Pattern<int>&, std::vector<int>>);

class Places : public testing::Test {
protected:
    // Sends from one place to the other, in the same process.
    void carry(const auto& from, auto&& into) const {
        auto sending = self.isend(from, 0);
        self.recv(into, 0);
        sending.wait();
    }
    [[nodiscard]] std::vector<int> packed(const auto& from, std::size_t count) const {
        std::vector<int> into(count);
        carry(from, into);
        return into;
    }
    anympi::Comm self = anympi::Comm::borrow(MPI_COMM_SELF);
    std::vector<int> matrix{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}; // 3 rows, 4 columns
    std::vector<int> other = std::vector<int>(12, -1);
};

} // namespace

TEST_F(Places, shaped) {
    EXPECT_EQ(packed(Column(&matrix[1], {3}, {4}), 3), (std::vector{1, 5, 9}));
    EXPECT_EQ(packed(Shape<const int, 2>(matrix.data(), {4, 3}, {1, 4}), 12),
              (std::vector{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}));
    EXPECT_EQ(packed(Shape<int, 2>(&matrix[1], {2, 2}, {8, 2}), 4), (std::vector{1, 3, 9, 11}));
    EXPECT_EQ(packed(Shape<int, 2>(matrix.data(), {0, 3}, {1, 4}), 0), std::vector<int>());
    EXPECT_EQ(packed(EveryNth<int>(matrix, 5), 3), (std::vector{0, 5, 10}));
    carry(std::vector{7, 8, 9}, Column(&other[2], {3}, {4}));
    EXPECT_EQ(other, (std::vector{-1, -1, 7, -1, -1, -1, 8, -1, -1, -1, 9, -1}));
    carry(Column(matrix.data(), {3}, {4}), EveryNth<int>(std::span(other).first(3), 1));
    EXPECT_EQ(other[1], 4);
    // requests, which need not outlive the object that describes the places
    auto receiving = self.irecv(Column(&other[3], {3}, {4}), 0);
    self.isend(EveryNth<int>(matrix, 4), 0).wait();
    receiving.wait();
    EXPECT_EQ(other[11], 8);
    EXPECT_EQ(self.allgather(Column(matrix.data(), {3}, {4})), (std::vector{0, 4, 8}));
}

TEST_F(Places, shapes_keep_their_datatype) {
    const auto datatype_of = [](const auto& buffer) { return anympi::detail::reading(buffer).type; };
    const MPI_Datatype column = datatype_of(Column(matrix.data(), {3}, {4}));
    EXPECT_EQ(datatype_of(Column(&matrix[2], {3}, {4})), column);
    EXPECT_NE(datatype_of(Column(matrix.data(), {2}, {4})), column);
    EXPECT_EQ(datatype_of(EveryNth<int>(matrix, 4)), column);
    // without gaps, no datatype is made
    EXPECT_EQ(datatype_of(Column(matrix.data(), {3}, {1})), MPI_INT);
    EXPECT_EQ(datatype_of(Shape<int, 2>(matrix.data(), {3, 4}, {4, 1})), MPI_INT);
    EXPECT_EQ(datatype_of(Shape<int, 3>(matrix.data(), {3, 1, 4}, {4, 99, 1})), MPI_INT);
    EXPECT_NE(datatype_of(Shape<int, 2>(matrix.data(), {4, 3}, {1, 4})), MPI_INT);
}

TEST_F(Places, patterns) {
    const auto column = Pattern<int>::strided(3, 1, 4);
    EXPECT_EQ(packed(column(matrix), 3), (std::vector{0, 4, 8}));
    EXPECT_EQ(packed(column(std::span<const int>(matrix).subspan(3)), 3), (std::vector{3, 7, 11}));
    carry(column(matrix), column(std::span(other).subspan(1)));
    EXPECT_EQ(other[9], 8);
    static_assert(!ReceiveBuffer<decltype(column(std::as_const(matrix)))> && ReceiveBuffer<decltype(column(matrix))>);
    const MPI_Count lengths[] = {1, 2}, places[] = {3, 8};
    const auto blocks = Pattern<int>::indexed(lengths, places);
    EXPECT_EQ(packed(blocks(matrix), 3), (std::vector{3, 8, 9}));
    const MPI_Count sizes[] = {3, 4}, parts[] = {2, 2}, starts[] = {1, 2};
    EXPECT_EQ(packed(Pattern<int>::boxed(sizes, parts, starts)(matrix), 4), (std::vector{6, 7, 10, 11}));
    const auto pairs = anympi::Datatype::contiguous(2, anympi::Datatype::of<int>());
    const auto two_pairs = Pattern<int>::typed(pairs, 2);
    EXPECT_EQ(packed(two_pairs(matrix), 4), (std::vector{0, 1, 2, 3}));
    EXPECT_EQ(two_pairs(matrix).count(), 2);
    EXPECT_EQ(column.type().size(), 12);
    // a request borrows the selected elements
    auto receiving = self.irecv(column(other), 0);
    self.isend(column(matrix), 0).wait();
    receiving.wait();
    EXPECT_EQ(other[8], 8);

    EXPECT_MPI_ERROR(column(std::span(matrix).subspan(4)), arg, "strided");
    EXPECT_MPI_ERROR(blocks(std::span(matrix).first(9)), arg, "indexed");
    EXPECT_MPI_ERROR(two_pairs(std::span(matrix).first(3)), arg, "typed");
    const MPI_Count backwards[] = {1, -1};
    EXPECT_MPI_ERROR(Pattern<int>::strided(-1, 1, 1), arg, "strided");
    EXPECT_MPI_ERROR(Pattern<int>::indexed(lengths, backwards), arg, "indexed");
    EXPECT_MPI_ERROR(Pattern<int>::boxed(sizes, sizes, starts), arg, "MPI_Type_create_subarray");
    EXPECT_MPI_ERROR(Pattern<int>::typed(pairs, -1), arg, "typed");
}
