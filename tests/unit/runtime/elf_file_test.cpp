#include "runtime/identify/elf_file.hpp"

#include "fake_machine.hpp"
#include "runtime/identify/identify.hpp"

#include <algorithm>
#include <ctime>
#include <map>
#include <random>

namespace anympi::runtime {
namespace {

std::string dummy_bytes(const std::string& name) {
    std::ifstream stream(std::string(DUMMIES) + "/" + name + ".so", std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

byte_range range_of(const std::string& bytes) {
    return {reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()};
}

class elf_file_of : public testing::TestWithParam<const char*> {};

// The results are the same with the GNU hash table and with the old one.
TEST_P(elf_file_of, answers_what_the_linker_sees) {
    const std::string bytes = dummy_bytes(GetParam());
    elf_file file;
    ASSERT_EQ(elf_file::read(range_of(bytes), file), elf_file::state::good);
    EXPECT_EQ(file.soname(), "libmpi.so.40");
    EXPECT_TRUE(file.defines("MPI_Init"));
    EXPECT_TRUE(file.defines("PMPI_Init"));
    EXPECT_TRUE(file.defines("ompi_mpi_comm_world"));
    EXPECT_FALSE(file.defines("MPI_Ini"));
    EXPECT_FALSE(file.defines("MPI_Init_thread"));
    EXPECT_FALSE(file.defines("")) << "the first symbol has no name";
    EXPECT_FALSE(file.defines("socket")) << "imported, not defined";
    EXPECT_TRUE(file.imports("socket"));
    EXPECT_FALSE(file.imports("sock"));
    EXPECT_FALSE(file.imports("MPI_Init"));
    EXPECT_EQ(file.text_of("ompi_version_string"), "4.1.4");
    EXPECT_EQ(file.text_of("none"), "");
    EXPECT_FALSE(file.has_note("anympi", 1));
    EXPECT_FALSE(file.is_program());
    EXPECT_EQ(file.runpath(), "");
}

TEST_P(elf_file_of, lists_all_symbols) {
    const std::string bytes = dummy_bytes(GetParam());
    elf_file file;
    ASSERT_EQ(elf_file::read(range_of(bytes), file), elf_file::state::good);
    std::map<std::string, bool> names; // the name, and true if it is defined
    file.any_symbol([&](std::string_view name, const ElfW(Sym) & symbol) {
        names.emplace(name, symbol.st_shndx != SHN_UNDEF);
        return false;
    });
    EXPECT_EQ(names, (std::map<std::string, bool>{{"MPI_Init", true},
                                                  {"PMPI_Init", true},
                                                  {"dummy_transport", true},
                                                  {"ompi_mpi_comm_world", true},
                                                  {"ompi_version_string", true},
                                                  {"socket", false}}));
}

INSTANTIATE_TEST_SUITE_P(hash_tables, elf_file_of, testing::Values("openmpi_4", "openmpi_old_hash"),
                         [](const auto& info) { return info.param; });

TEST(elf_file, lists_needed_libraries) {
    const std::string bytes = dummy_bytes("mpich_4_3_pmix");
    elf_file file;
    ASSERT_EQ(elf_file::read(range_of(bytes), file), elf_file::state::good);
    EXPECT_TRUE(file.any_needed([](std::string_view name) { return name == "libpmix.so.2"; }));
    EXPECT_FALSE(file.any_needed([](std::string_view name) { return name == "libpmix.so"; }));
}

TEST(elf_file, finds_notes_by_owner_and_type) {
    const std::string bytes = dummy_bytes("front");
    elf_file file;
    ASSERT_EQ(elf_file::read(range_of(bytes), file), elf_file::state::good);
    EXPECT_TRUE(file.has_note("anympi", 1));
    EXPECT_FALSE(file.has_note("anympi", 2));
    EXPECT_FALSE(file.has_note("anymp", 1));
    EXPECT_FALSE(file.has_note("anympi2", 1));
}

TEST(byte_range, reads_inside_only) {
    const std::string bytes = "0123456789";
    const byte_range range = range_of(bytes);
    EXPECT_EQ(range.from(2, 3).size(), 3u);
    EXPECT_EQ(range.from(8).size(), 2u);
    EXPECT_TRUE(range.from(10).empty());
    EXPECT_TRUE(range.from(11).empty());
    EXPECT_TRUE(range.from(UINT64_MAX).empty());
    EXPECT_TRUE(range.entry<std::uint64_t>(0).has_value());
    EXPECT_FALSE(range.entry<std::uint64_t>(1).has_value());
    EXPECT_FALSE(range.entry<std::uint64_t>(UINT64_MAX).has_value());
    EXPECT_EQ(range.from(3).entry<char>(2).value(), '5');
}

// Calls every query. The results are ignored; the calls must return. The bytes are in memory of exactly their size,
// where a sanitizer reports every access outside.
void ask_everything(const std::string& content) {
    const std::unique_ptr<unsigned char[]> bytes(new unsigned char[content.size()]);
    std::memcpy(bytes.get(), content.data(), content.size());
    elf_file file;
    if (elf_file::read({bytes.get(), content.size()}, file) != elf_file::state::good)
        return;
    std::size_t characters = file.soname().size() + file.text_of("ompi_version_string").size();
    file.any_needed([&](std::string_view name) { return characters += name.size(), false; });
    file.has_note("anympi", 1);
    for (const char* name : {"MPI_Init", "ompi_mpi_comm_world", "MPI_UNWEIGHTED", "socket", ""})
        characters += file.defines(name) + file.imports(name);
    EXPECT_LE(characters, 100 * content.size());
}

// The old hash table contains a number of four billion symbols, and every chain leads from the first symbol to itself.
std::string with_endless_chains(std::string bytes) {
    char* const start = bytes.data();
    const auto* const header = reinterpret_cast<ElfW(Ehdr)*>(start);
    const auto* segment = reinterpret_cast<ElfW(Phdr)*>(start + header->e_phoff);
    while (segment->p_type != PT_DYNAMIC)
        ++segment;
    const auto* entry = reinterpret_cast<ElfW(Dyn)*>(start + segment->p_offset);
    while (entry->d_tag != DT_HASH)
        ++entry;
    auto* const table = reinterpret_cast<std::uint32_t*>(start + entry->d_un.d_ptr); // addresses begin with the file
    table[1] = UINT32_MAX;
    std::fill_n(table + 2, table[0], 1);
    table[2 + table[0] + 1] = 1;
    return bytes;
}

TEST(elf_file, does_not_follow_a_ring_for_ever) {
    const std::string bytes = with_endless_chains(dummy_bytes("openmpi_old_hash"));
    elf_file file;
    ASSERT_EQ(elf_file::read(range_of(bytes), file), elf_file::state::good);
    const std::clock_t begin = std::clock(); // the time of this process only, however busy the machine is
    EXPECT_FALSE(file.defines("no_such_name"));
    EXPECT_LT(std::clock() - begin, CLOCKS_PER_SEC);
}

class hostile_file : public testing::TestWithParam<const char*> {};

TEST_P(hostile_file, with_bytes_changed_at_random) {
    const std::string good = dummy_bytes(GetParam());
    std::mt19937 random(20240615);
    // The headers and tables are in the first pages; the code and the section table after them are never read.
    std::uniform_int_distribution<std::size_t> anywhere(0, std::min<std::size_t>(good.size(), 3 * 4096) - 1);
    std::uniform_int_distribution<int> any_byte(0, 255);
    for (int round = 0; round < 20000; round++) {
        std::string bad = good;
        for (int change = 0; change <= round % 8; change++)
            bad[anywhere(random)] = static_cast<char>(any_byte(random));
        ask_everything(bad);
    }
}

TEST_P(hostile_file, with_extreme_words_everywhere) {
    const std::string good = dummy_bytes(GetParam());
    for (std::size_t offset = 0; offset + 8 <= std::min<std::size_t>(good.size(), 3 * 4096); offset += 4)
        for (const std::uint64_t word : {UINT64_C(0), UINT64_C(1), UINT64_MAX, UINT64_MAX - 4096, UINT64_C(1) << 63,
                                         UINT64_C(0x7fffffff), UINT64_C(0xffffffff), UINT64_C(0xffffffff00000000)}) {
            std::string bad = good;
            std::memcpy(bad.data() + offset, &word, sizeof word);
            ask_everything(bad);
        }
}

TEST_P(hostile_file, with_every_length) {
    const std::string good = dummy_bytes(GetParam());
    for (std::size_t length = 0; length < good.size(); length += length < 4096 ? 1 : 7)
        ask_everything(good.substr(0, length));
}

INSTANTIATE_TEST_SUITE_P(of_each_shape, hostile_file, testing::Values("openmpi_4", "openmpi_old_hash", "front"),
                         [](const auto& info) { return info.param; });

} // namespace
} // namespace anympi::runtime
