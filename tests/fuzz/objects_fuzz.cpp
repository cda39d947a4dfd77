// Any bytes as an object: the reader must not crash, and an object that it accepts must come back from its own bytes.
#include <anympi/serialize.hpp>

#include <cstdint>
#include <list>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <variant>

namespace {

struct Tree {
    std::string name;
    std::vector<Tree> branches;
    std::unique_ptr<Tree> next;
};
template <class Archive>
void serialize(Archive& archive, Tree& tree) {
    archive(tree.name, tree.branches, tree.next);
}
struct Empty {};

using Choice = std::variant<std::monostate, int, std::vector<bool>, std::map<std::string, std::list<double>>>;
using Everything = std::tuple<std::vector<Choice>, std::set<int>, std::unordered_map<short, std::string>,
                              std::optional<std::array<std::u16string, 2>>, std::vector<Empty>, Tree>;

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    Everything object;
    anympi::Reader reader(std::as_bytes(std::span(bytes, size)));
    reader(object);
    if (!reader.complete())
        return 0;
    anympi::Writer writer;
    writer(object);
    anympi::Reader again(std::move(writer).take());
    again(object);
    if (!again.complete())
        __builtin_trap();
    return 0;
}
