#include "runtime/identify/identify.hpp"

#include "fake_machine.hpp"

#include <cstring>
#include <elf.h>
#include <sys/stat.h>

namespace anympi::runtime {
namespace {

struct expectation {
    const char* dummy;
    abi interface;
    generation values;
    family lineage;
    const char* description;
};

void PrintTo(const expectation& expected, std::ostream* stream) {
    *stream << expected.dummy;
}

class identify_dummy : public testing::TestWithParam<expectation> {};

TEST_P(identify_dummy, tells_abi_values_family_product_and_version) {
    const expectation& expected = GetParam();
    const std::string file = std::string(DUMMIES) + "/" + expected.dummy + ".so";
    library mpi;
    ASSERT_EQ(identify(file.c_str(), mpi), identification::mpi);
    EXPECT_EQ(mpi.interface, expected.interface);
    EXPECT_EQ(mpi.values, expected.values);
    EXPECT_EQ(mpi.lineage, expected.lineage);
    EXPECT_STREQ(describe(mpi).text, expected.description);
    EXPECT_EQ(mpi.path, file);
}

constexpr auto final_values = generation::final_values;

INSTANTIATE_TEST_SUITE_P(
    families, identify_dummy,
    testing::Values(
        expectation{"openmpi_4", abi::openmpi, final_values, family::openmpi, "Open MPI 4.1.4 (libmpi.so.40)"},
        expectation{"openmpi_5", abi::openmpi, final_values, family::openmpi, "Open MPI 5.0.7 (libmpi.so.40)"},
        expectation{"openmpi_6", abi::openmpi, final_values, family::openmpi, "Open MPI 6.0 or newer (libmpi.so.40)"},
        expectation{"openmpi_old_hash", abi::openmpi, final_values, family::openmpi, "Open MPI 4.1.4 (libmpi.so.40)"},
        expectation{"spectrum", abi::openmpi, final_values, family::openmpi, "Spectrum MPI 4.0.2 (libmpi_ibm.so.3)"},
        expectation{"openmpi_1_10", abi::openmpi, final_values, family::openmpi, "Open MPI 1.10.7 (libmpi.so.12)"},
        expectation{"mpich_3", abi::mpich, final_values, family::mpich, "MPICH 3.4.3 (libmpi.so.12)"},
        expectation{"mpich_4_0", abi::mpich, final_values, family::mpich, "MPICH 4.0.2 (libmpi.so.12)"},
        expectation{"mpich_4_0_silent", abi::mpich, final_values, family::mpich, "MPICH 4.0 (libmpi.so.12)"},
        expectation{"mpich_4_3", abi::mpich, final_values, family::mpich, "MPICH 4.3 (libmpi.so.12)"},
        expectation{"mpich_5", abi::mpich, final_values, family::mpich, "MPICH 5.0 or newer (libmpi.so.12)"},
        expectation{"mpich_debian", abi::mpich, final_values, family::mpich, "MPICH 4.0.2 (libmpich.so.12)"},
        expectation{"mpich_bad_text", abi::mpich, final_values, family::mpich, "MPICH 4.0?[31m (libmpi.so.12)"},
        expectation{"intel", abi::mpich, final_values, family::mpich, "Intel MPI (libmpi.so.12)"},
        expectation{"mvapich", abi::mpich, final_values, family::mpich, "MVAPICH 2.3.7 (libmpi.so.12)"},
        expectation{"cray", abi::mpich, final_values, family::mpich, "Cray MPICH (libmpi_gnu_123.so.12)"},
        expectation{"standard_mpich", abi::standard, final_values, family::mpich,
                    "MPICH 5.0 or newer (libmpi_abi.so.1)"},
        expectation{"standard_openmpi", abi::standard, final_values, family::openmpi, "Open MPI (libmpi_abi.so.1)"},
        expectation{"standard_unknown", abi::standard, final_values, family::unknown,
                    "an MPI library (libmpi_abi.so.1)"},
        expectation{"draft_intel", abi::standard, generation::draft_intel, family::mpich,
                    "Intel MPI (libmpi_abi.so.1)"},
        expectation{"draft_mpich", abi::standard, generation::draft_mpich_4_3, family::mpich,
                    "MPICH 4.3 (libmpi_abi.so.1)"}),
    [](const auto& info) { return info.param.dummy; });

class identify_file : public fake_machine {
protected:
    static identification answer(const std::string& file) {
        library mpi;
        return identify(file.c_str(), mpi);
    }

    // Returns a valid library with a few bytes changed.
    std::string changed(std::size_t offset, const std::string& bytes) const {
        std::string content = content_of(dummy("openmpi_4"));
        content.replace(offset, bytes.size(), bytes);
        return write("changed.so", content);
    }
};

TEST_F(identify_file, knows_our_own_front) {
    EXPECT_EQ(answer(dummy("front")), identification::own_front);
}
TEST_F(identify_file, knows_a_stub) {
    EXPECT_EQ(answer(dummy("stub")), identification::stub);
}
TEST_F(identify_file, knows_other_libraries) {
    EXPECT_EQ(answer(dummy("no_mpi")), identification::not_mpi);
}
TEST_F(identify_file, refuses_an_mpi_of_no_known_family) {
    for (const char* name : {"unknown_mpi", "foreign_hp", "foreign_sgi"})
        EXPECT_EQ(answer(dummy(name)), identification::unknown_mpi) << name;
}
TEST_F(identify_file, refuses_an_mpi_with_other_statuses) {
    for (const char* name : {"openmpi_1_4", "mpich_3_0", "mvapich_1_9"})
        EXPECT_EQ(answer(dummy(name)), identification::older) << name;
}
TEST_F(identify_file, refuses_a_missing_file) {
    EXPECT_EQ(answer(path("none")), identification::missing);
}
TEST_F(identify_file, refuses_a_dangling_link) {
    EXPECT_EQ(answer(link("libmpi.so", path("gone"))), identification::missing);
}
TEST_F(identify_file, refuses_a_file_below_a_file) {
    EXPECT_EQ(answer(write("file", "x") + "/libmpi.so"), identification::missing);
}
TEST_F(identify_file, tells_a_folder) {
    EXPECT_EQ(answer(folder("prefix")), identification::folder);
}
TEST_F(identify_file, refuses_a_linker_script) {
    EXPECT_EQ(answer(write("libmpi.so", "INPUT(libmpi.so.12)\n")), identification::not_a_library);
}
TEST_F(identify_file, refuses_an_empty_file) {
    EXPECT_EQ(answer(write("libmpi.so", "")), identification::not_a_library);
}
TEST_F(identify_file, refuses_a_loop_of_links) {
    EXPECT_EQ(answer(link("libmpi.so", path("libmpi.so"))), identification::unreadable);
}
TEST_F(identify_file, does_not_wait_for_a_pipe) {
    ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
    EXPECT_EQ(answer(path("pipe")), identification::not_a_library);
}
TEST_F(identify_file, refuses_another_processor) {
    EXPECT_EQ(answer(changed(offsetof(Elf64_Ehdr, e_machine), {'\xf3', '\x7f'})), identification::other_machine);
}
TEST_F(identify_file, refuses_another_word_size) {
    EXPECT_EQ(answer(changed(EI_CLASS, {ELFCLASS32})), identification::other_machine);
}
TEST_F(identify_file, refuses_another_byte_order) {
    EXPECT_EQ(answer(changed(EI_DATA, {ELFDATA2MSB})), identification::other_machine);
}
TEST_F(identify_file, refuses_an_object_file) {
    EXPECT_EQ(answer(changed(offsetof(Elf64_Ehdr, e_type), {ET_REL})), identification::not_a_library);
}
TEST_F(identify_file, refuses_headers_outside_of_the_file) {
    EXPECT_EQ(answer(changed(offsetof(Elf64_Ehdr, e_phoff), std::string(7, '\xff'))), identification::damaged);
}
TEST_F(identify_file, refuses_what_is_cut_off_at_any_length) {
    const std::string content = content_of(dummy("openmpi_4"));
    for (std::size_t length = 4; length < 4096; length += 61) {
        const identification result = answer(write("cut.so", content.substr(0, length)));
        EXPECT_TRUE(result == identification::damaged || result == identification::not_mpi) << length;
    }
}

TEST_F(identify_file, knows_mpich_that_speaks_pmix) {
    library plain;
    library with_pmix;
    ASSERT_EQ(identify(dummy("mpich_4_3").c_str(), plain), identification::mpi);
    ASSERT_EQ(identify(dummy("mpich_4_3_pmix").c_str(), with_pmix), identification::mpi);
    EXPECT_FALSE(plain.speaks_pmix);
    EXPECT_TRUE(with_pmix.speaks_pmix);
}

TEST_F(identify_file, explains_every_answer) {
    for (int answer = 0; answer <= static_cast<int>(identification::own_front); answer++)
        EXPECT_STRNE(explain(static_cast<identification>(answer)), "") << answer;
}

library with_version(const char* version) {
    library mpi;
    std::strcpy(mpi.version, version);
    return mpi;
}

TEST(library_version, compares) {
    EXPECT_TRUE(is_at_least(with_version("4.3"), 4, 3));
    EXPECT_TRUE(is_at_least(with_version("5.0 or newer"), 4, 3));
    EXPECT_TRUE(is_at_least(with_version("4.10.1"), 4, 3));
    EXPECT_FALSE(is_at_least(with_version("4.2.9"), 4, 3));
    EXPECT_FALSE(is_at_least(with_version("3.4.3"), 4, 3));
    EXPECT_FALSE(is_at_least(with_version(""), 4, 3));
    EXPECT_FALSE(is_at_least(with_version("5"), 4, 3)) << "no minor version, nothing to compare";
    EXPECT_FALSE(is_at_least(with_version("unreleased"), 0, 0));
}

} // namespace
} // namespace anympi::runtime
