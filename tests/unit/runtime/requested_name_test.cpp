#include "runtime/find/requested_name.hpp"

#include "runtime/identify/exact_version.hpp"
#include "runtime/identify/identify.hpp"

#include <gtest/gtest.h>

#include <string>

namespace anympi::runtime {
namespace {

// Returns "openmpi 5.0 vendor", or "-" if the text is not a name.
std::string read(const std::string& text) {
    requested_name name;
    if (!read_name(text, name))
        return "-";
    std::string result = name.product ? name.product->name : "any";
    if (!name.version.empty())
        result += " " + std::string(name.version);
    const char* const interfaces[] = {"", " standard", " vendor"};
    return result + interfaces[static_cast<int>(name.interface)];
}

library dummy(const std::string& name) {
    library mpi;
    EXPECT_EQ(identify((std::string(DUMMIES) + "/" + name + ".so").c_str(), mpi), identification::mpi) << name;
    return mpi;
}

bool means(const std::string& text, const std::string& which) {
    requested_name name;
    EXPECT_TRUE(read_name(text, name)) << text;
    return goes_by_name(dummy(which), name);
}

TEST(requested_name, has_a_family_a_version_and_an_abi) {
    EXPECT_EQ(read("mpich"), "mpich");
    EXPECT_EQ(read("mpich-4.0.2"), "mpich 4.0.2");
    EXPECT_EQ(read("mpich-5:vendor"), "mpich 5 vendor");
    EXPECT_EQ(read("mpich:standard"), "mpich standard");
    EXPECT_EQ(read("openmpi-5.0.0rc1"), "openmpi 5.0.0rc1");
    EXPECT_EQ(read("standard"), "any standard");
    EXPECT_EQ(read("abi"), "any standard");
}

TEST(requested_name, is_each_title_that_the_list_prints) {
    for (const known_product& known : products) {
        EXPECT_EQ(read(known.product), known.name);
        EXPECT_EQ(read(known.alias), known.name);
        EXPECT_EQ(read(std::string(known.product) + " 4.1.4"), std::string(known.name) + " 4.1.4");
    }
}

TEST(requested_name, passes_over_case_and_spaces) {
    EXPECT_EQ(read("MPICH"), "mpich");
    EXPECT_EQ(read("Open MPI"), "openmpi");
    EXPECT_EQ(read("open-mpi"), "openmpi");
    EXPECT_EQ(read(" Open MPI 4.1.4 "), "openmpi 4.1.4");
    EXPECT_EQ(read("Open MPI v5.0.11"), "openmpi 5.0.11");
    EXPECT_EQ(read("openmpi5"), "openmpi 5");
    EXPECT_EQ(read("Intel MPI 2021.19: Vendor"), "intel 2021.19 vendor");
    EXPECT_EQ(read("CRAY_MPICH"), "cray");
    EXPECT_EQ(read("STANDARD"), "any standard");
}

TEST(requested_name, has_the_longest_family) {
    EXPECT_EQ(read("mvapich2-2.3.7"), "mvapich 2.3.7");
    EXPECT_EQ(read("mvapich2"), "mvapich");
    EXPECT_EQ(read("mvapich-3.0"), "mvapich 3.0");
    EXPECT_EQ(read("mvapich2.3.7"), "mvapich 2.3.7");
}

TEST(requested_name, is_not_any_word) {
    for (const char* text :
         {"", " ", "-", ":", ":standard", "mpichs", "mpcih", "mpich-", "mpich-x", "mpich:", "mpich:abi",
          "mpich-4:vendor:standard", "standard:vendor", "standard-5", "4.0.2", "mpich-4.0 or newer", "mpich-4,5"})
        EXPECT_EQ(read(text), std::string(text) == "mpich-" ? "mpich" : "-") << text;
}

TEST(requested_name, means_a_version_and_its_releases) {
    EXPECT_TRUE(has_version("4.0.2", "4.0.2"));
    EXPECT_TRUE(has_version("4.0.2", "4.0"));
    EXPECT_TRUE(has_version("4.0.2", "4"));
    EXPECT_TRUE(has_version("5.0.0rc1", "5.0.0RC1"));
    EXPECT_FALSE(has_version("4.0.2", "4.0.20"));
    EXPECT_FALSE(has_version("4.0.20", "4.0.2"));
    EXPECT_FALSE(has_version("4.10", "4.1"));
    EXPECT_FALSE(has_version("4.0", "4.0.2"));
    EXPECT_FALSE(has_version("", "4"));
    EXPECT_TRUE(has_version("6.0 or newer", "6"));
    EXPECT_TRUE(has_version("6.0 or newer", "6.1.2"));
    EXPECT_TRUE(has_version("6.0 or newer", "7"));
    EXPECT_TRUE(has_version("6.0 or newer", "999999999")); // too large for an int, times 1000
    EXPECT_FALSE(has_version("6.0 or newer", "5.0.7"));
}

TEST(requested_name, chooses_by_product_version_and_abi) {
    EXPECT_TRUE(means("openmpi-5", "openmpi_5"));
    EXPECT_FALSE(means("openmpi-5", "openmpi_4"));
    EXPECT_FALSE(means("mpich-4.0.2", "openmpi_4"));
    EXPECT_TRUE(means("mpich-4.0.2", "mpich_4_0"));
    EXPECT_TRUE(means("mpich:vendor", "mpich_4_0"));
    EXPECT_FALSE(means("mpich:standard", "mpich_4_0"));
    EXPECT_TRUE(means("mpich-5.0.2:standard", "standard_5_0_2"));
    EXPECT_FALSE(means("mpich-5.0.2:vendor", "standard_5_0_2"));
    EXPECT_TRUE(means("standard", "standard_unknown"));
    EXPECT_FALSE(means("standard", "mpich_5_0_2"));
    EXPECT_TRUE(means("spectrum-4", "spectrum"));
    EXPECT_TRUE(means("openmpi-6.1", "openmpi_6"));
}

TEST(requested_name, chooses_by_a_version_that_only_a_text_in_the_file_tells) {
    EXPECT_STREQ(dummy("mpich_4_3_2").version, "4.3");
    EXPECT_TRUE(means("mpich-4.3.2", "mpich_4_3_2"));
    EXPECT_FALSE(means("mpich-4.3.1", "mpich_4_3_2"));
    EXPECT_TRUE(means("mpich-5.0.2", "mpich_5_0_2"));
    EXPECT_FALSE(means("mpich-5.0.3", "mpich_5_0_2"));
    EXPECT_FALSE(means("mpich-5.1", "mpich_5_0_2"));
    EXPECT_TRUE(means("intel-2021.19", "intel_2021"));
    EXPECT_FALSE(means("intel-2018", "intel_2021"));
    EXPECT_TRUE(means("intel-2018.3", "intel_2018"));
}

TEST(exact_version, is_what_one_text_alone_can_be) {
    EXPECT_STREQ(exact_version(dummy("mpich_4_3_2")).text, "4.3.2");
    EXPECT_STREQ(exact_version(dummy("mpich_5_0_2")).text, "5.0.2");
    EXPECT_STREQ(exact_version(dummy("standard_5_0_2")).text, "5.0.2");
    EXPECT_STREQ(exact_version(dummy("intel_2021")).text, "2021.19.0");
    EXPECT_STREQ(exact_version(dummy("intel_2018")).text, "2018.3");
    EXPECT_STREQ(exact_version(dummy("mpich_two_texts")).text, "4.3") << "two texts can be the version";
    EXPECT_STREQ(exact_version(dummy("mpich_4_3")).text, "4.3") << "no text can be the version";
    EXPECT_STREQ(exact_version(dummy("intel")).text, "");
    EXPECT_STREQ(exact_version(dummy("openmpi_4")).text, "4.1.4");
}

TEST(requested_name, is_guessed_if_it_is_misspelled) {
    EXPECT_STREQ(nearest_name("mpcih").text, "mpich");
    EXPECT_STREQ(nearest_name("MPCIH").text, "mpich");
    EXPECT_STREQ(nearest_name("opnempi").text, "openmpi");
    EXPECT_STREQ(nearest_name("Opne MPI 4.1.4").text, "openmpi-4.1.4");
    EXPECT_STREQ(nearest_name("mpcih-5.0:vendor").text, "mpich-5.0");
    EXPECT_STREQ(nearest_name("mpich:vendro").text, "mpich");
    EXPECT_STREQ(nearest_name("mpich-4,0").text, "mpich");
    EXPECT_STREQ(nearest_name("wrong").text, "");
    EXPECT_STREQ(nearest_name("x").text, "");
    EXPECT_STREQ(nearest_name("").text, "");
    EXPECT_STREQ(nearest_name(std::string(100, 'm')).text, "");
}

TEST(requested_name, is_advised_on) {
    EXPECT_STREQ(advise_on_name("mpcih").text, "did you mean `mpich`?");
    EXPECT_STREQ(advise_on_name("wrong").text,
                 "give a name (mpich, openmpi, intel, mvapich, cray, spectrum, standard), a name with a version "
                 "(openmpi-5), the folder of an installation or a library file (a path has a slash in it)");
}

} // namespace
} // namespace anympi::runtime
