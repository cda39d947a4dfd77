// Types of elements and parts of objects: what travels, and what is refused.
#include <deque>
#include <list>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <variant>

#include "expect_error.hpp"
#include "main.hpp"

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
struct Base {
    virtual ~Base() = default;
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
/// Returns true if the object comes back, and if no part of its bytes is accepted as an object.
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
static_assert(!Serializable<std::unique_ptr<Base>> && !Serializable<std::unique_ptr<int[]>>);
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
    // What does not fit changes nothing.
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
