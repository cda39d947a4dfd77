#include "runtime/find/search.hpp"

#include "arch/machine.hpp"
#include "fake_machine.hpp"

#include <vector>

namespace anympi::runtime {
namespace {

const std::string debian_folder = "usr/lib/" ANYMPI_TRIPLET;

class search : public fake_machine {
protected:
    // Returns the library that is found on the whole machine, or "".
    std::string found(const wish& wanted = {}) const {
        library best;
        refusal refused;
        const bool is_found =
            visit_places(machine(), [&](const place& where) { return find_in(where, wanted, best, refused); });
        return is_found ? best.path : "";
    }

    static std::string found_in(const std::string& prefix, const wish& wanted = {}) {
        place where;
        where.path.append("%s", prefix.c_str());
        where.is_pointed_to = true;
        library best;
        refusal refused;
        return find_in(where, wanted, best, refused) ? best.path : "";
    }

    wish named(const char* name) {
        EXPECT_TRUE(read_name(name, name_)) << name;
        return {&name_, name_.lineage()};
    }

private:
    requested_name name_;
};

TEST_F(search, finds_nothing_on_an_empty_machine) {
    EXPECT_EQ(found(), "");
}

// Layouts of systems.

TEST_F(search, knows_debian) {
    const std::string mpich = install(debian_folder + "/libmpich.so.12", "mpich_debian");
    const std::string openmpi = install(debian_folder + "/libmpi.so.40", "openmpi_4");
    EXPECT_EQ(found(named("mpich")), mpich);
    EXPECT_EQ(found(named("openmpi")), openmpi);
}

TEST_F(search, knows_debian_with_folders_of_products) {
    const std::string openmpi = install(debian_folder + "/openmpi/lib/libmpi.so.40", "openmpi_4");
    const std::string mpich = install(debian_folder + "/mpich/lib/libmpi.so.12", "mpich_4_0");
    EXPECT_EQ(found(named("openmpi")), openmpi);
    EXPECT_EQ(found(named("mpich")), mpich);
}

TEST_F(search, knows_rhel) {
    const std::string openmpi = install("usr/lib64/openmpi/lib/libmpi.so.40", "openmpi_4");
    const std::string mpich = install("usr/lib64/mpich-4.1/lib/libmpi.so.12", "mpich_4_0");
    EXPECT_EQ(found(named("openmpi")), openmpi);
    EXPECT_EQ(found(named("mpich")), mpich);
}

TEST_F(search, takes_the_newer_of_two_in_one_folder) {
    install("usr/lib64/openmpi9/lib/libmpi.so.40", "openmpi_4");
    const std::string newer = install("usr/lib64/openmpi10/lib/libmpi.so.40", "openmpi_5");
    EXPECT_EQ(found(), newer);
}

TEST_F(search, knows_suse) {
    const std::string mpich = install("usr/lib64/mpi/gcc/mpich/lib64/libmpi.so.12", "mpich_4_0");
    EXPECT_EQ(found(), mpich);
}

TEST_F(search, knows_arch) {
    const std::string openmpi = install("usr/lib/libmpi.so.40", "openmpi_5");
    EXPECT_EQ(found(), openmpi);
    const std::string mpich = install("opt/mpich/lib/libmpi.so.12", "mpich_4_0");
    EXPECT_EQ(found(named("mpich")), mpich);
}

TEST_F(search, knows_usr_local_and_oneapi) {
    const std::string intel = install("opt/intel/oneapi/mpi/latest/lib/libmpi.so.12", "intel");
    EXPECT_EQ(found(), intel);
    const std::string classic = install("opt/intel/oneapi/mpi/latest/lib/release/libmpi.so.12", "intel");
    std::filesystem::remove(intel);
    EXPECT_EQ(found(), classic);
    const std::string local = install("usr/local/lib64/libmpi.so.12", "mpich_4_0");
    EXPECT_EQ(found(), local);
}

// Layouts of installations.

TEST_F(search, knows_the_folders_of_a_prefix) {
    for (const char* lib : {"lib", "lib64", "lib/release", "lib-abi-mpich"}) {
        const std::string prefix = std::string("prefix-") + std::to_string(std::string(lib).size());
        const std::string library = install(prefix + "/" + lib + "/libmpi.so.12", "intel");
        EXPECT_EQ(found_in(path(prefix)), library);
    }
}

TEST_F(search, takes_the_lib_folder_for_the_prefix) {
    const std::string library = install("prefix/lib/libmpi.so.12", "mpich_4_0");
    EXPECT_EQ(found_in(path("prefix/lib")), library);
}

TEST_F(search, leaves_intels_debug_library_alone) {
    install("prefix/lib/debug/libmpi.so.12", "intel");
    EXPECT_EQ(found_in(path("prefix")), "");
}

TEST_F(search, knows_crays_names_where_it_is_pointed_to) {
    const std::string library = install("cray/lib/libmpi_gnu_123.so.12", "cray");
    EXPECT_EQ(found_in(path("cray")), library);
    set("CRAY_MPICH_DIR", path("cray"));
    EXPECT_EQ(found(), library);
}

TEST_F(search, reports_the_file_it_turned_down) {
    place where;
    where.path.append("%s", path("prefix").c_str());
    library best;
    refusal refused;
    install("prefix/lib/libmpi_abi.so.1", "front"); // each installation of anympi has it
    EXPECT_FALSE(find_in(where, {}, best, refused));
    EXPECT_EQ(refused.answer, identification::own_front);
    write("prefix/lib/libmpi.so.40", "no library");
    EXPECT_FALSE(find_in(where, {}, best, refused));
    EXPECT_EQ(refused.path.text, path("prefix/lib/libmpi.so.40"));
}

// Several libraries in one installation.

TEST_F(search, prefers_the_final_standard_abi) {
    install("prefix/lib/libmpi.so.12", "mpich_5");
    const std::string standard = install("prefix/lib/libmpi_abi.so.1", "standard_mpich");
    EXPECT_EQ(found_in(path("prefix")), standard);
}

TEST_F(search, prefers_the_vendors_abi_to_a_draft) {
    for (const char* draft : {"draft_intel", "draft_mpich"}) {
        install(std::string(draft) + "/lib/libmpi_abi.so.1", draft);
        const std::string vendor = install(std::string(draft) + "/lib/libmpi.so.12", "intel");
        EXPECT_EQ(found_in(path(draft)), vendor) << draft;
    }
}

TEST_F(search, never_takes_a_draft) {
    install("prefix/lib/libmpi_abi.so.1", "draft_intel");
    EXPECT_EQ(found_in(path("prefix")), "");
}

TEST_F(search, passes_by_our_front_and_stubs) {
    const std::string real = install("prefix/lib/libmpi.so.40", "openmpi_4");
    install("prefix/lib/libmpi_abi.so.1", "front");
    EXPECT_EQ(found_in(path("prefix")), real);
    install("other/lib/libmpi_abi.so.1", "stub");
    const std::string other = install("other/lib/libmpi.so.12", "mpich_4_0");
    EXPECT_EQ(found_in(path("other")), other);
}

TEST_F(search, is_not_misled_by_file_names) {
    const std::string library = install("prefix/lib/libmpi.so.12", "openmpi_4");
    EXPECT_EQ(found_in(path("prefix")), library);
    EXPECT_EQ(found_in(path("prefix"), named("mpich")), "");
}

TEST_F(search, tells_products_of_one_family_apart) {
    install("intel/lib/libmpi.so.12", "intel");
    const std::string mpich = install("mpich/lib/libmpi.so.12", "mpich_4_0");
    const std::string mvapich = install("mvapich/lib/libmpi.so.12", "mvapich");
    set("MPI_HOME", path("intel"));
    set("MPI_ROOT", path("mpich"));
    set("EBROOTMVAPICH2", path("mvapich"));
    EXPECT_EQ(found(named("mpich")), mpich);
    EXPECT_EQ(found(named("mvapich2")), mvapich);
    EXPECT_EQ(found(named("standard")), "");
}

TEST_F(search, lists_every_library_of_a_place) {
    install("prefix/lib/libmpi.so.12", "mpich_5");
    install("prefix/lib/libmpi_abi.so.1", "standard_mpich");
    install("prefix/lib64/libmpi.so.40", "openmpi_4");
    place where;
    where.path.append("%s", path("prefix").c_str());
    std::vector<std::string> all;
    list_in(where, [&](const library& mpi) { all.push_back(mpi.path); });
    EXPECT_EQ(all, (std::vector<std::string>{path("prefix/lib/libmpi_abi.so.1"), path("prefix/lib/libmpi.so.12"),
                                             path("prefix/lib64/libmpi.so.40")}));
}

// Installations that the environment names.

class search_variable : public search, public testing::WithParamInterface<const char*> {};

TEST_P(search_variable, leads_to_the_library) {
    const std::string library = install("prefix/lib/libmpi.so.12", "mpich_4_0");
    set(GetParam(), path("prefix"));
    EXPECT_EQ(found(), library);
}

INSTANTIATE_TEST_SUITE_P(of, search_variable,
                         testing::Values("MPI_HOME", "MPI_ROOT", "CRAY_MPICH_DIR", "MPICH_DIR", "I_MPI_ROOT",
                                         "HPCX_MPI_DIR", "OPAL_PREFIX", "EBROOTMPICH", "EBROOTOPENMPI", "EBROOTIMPI",
                                         "EBROOTPSMPI", "EBROOTMVAPICH2", "CONDA_PREFIX", "VIRTUAL_ENV"),
                         [](const auto& info) { return info.param; });

TEST_F(search, follows_library_path) {
    const std::string library = install("spack/lib/libmpi.so.40", "openmpi_5");
    set("LD_LIBRARY_PATH", "relative::" + path("none") + ":" + path("spack/lib"));
    EXPECT_EQ(found(), library);
}

TEST_F(search, follows_mpiexec_in_path) {
    const std::string library = install("spack/lib/libmpi.so.40", "openmpi_5");
    write("spack/bin/mpiexec", "");
    set("PATH", "relative::" + path("none") + ":" + path("spack/bin") + ":");
    EXPECT_EQ(found(), library);
}

TEST_F(search, leaves_relative_entries_alone) {
    install("here/lib/libmpi.so.40", "openmpi_5");
    write("here/bin/mpiexec", "");
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(path(""));
    set("PATH", "here/bin");
    set("LD_LIBRARY_PATH", "here/lib");
    set("MPI_HOME", "here");
    EXPECT_EQ(found(), "");
    std::filesystem::current_path(before);
}

TEST_F(search, follows_mpiexec_through_links_to_its_family) {
    const std::string mpich = install(debian_folder + "/libmpich.so.12", "mpich_debian");
    const std::string openmpi = install(debian_folder + "/libmpi.so.40", "openmpi_4");
    write("usr/bin/orterun", "");
    write("usr/bin/mpiexec.hydra", "");
    link("usr/bin/mpiexec", path("etc/alternatives/mpiexec"));
    link("etc/alternatives/mpiexec", path("usr/bin/orterun"));
    set("PATH", path("usr/bin"));
    EXPECT_EQ(found(), openmpi);
    std::filesystem::remove(path("etc/alternatives/mpiexec"));
    link("etc/alternatives/mpiexec", path("usr/bin/mpiexec.hydra"));
    EXPECT_EQ(found(), mpich);
}

TEST_F(search, follows_mpiexec_that_a_site_has_wrapped) {
    const std::string library = install("prefix/lib/libmpi.so.40", "openmpi_4");
    write("site/bin/wrapper", "");
    link("prefix/bin/mpiexec", path("site/bin/wrapper"));
    set("PATH", path("prefix/bin"));
    EXPECT_EQ(found(), library);
}

TEST_F(search, goes_on_after_an_mpiexec_without_library) {
    write("site/bin/mpiexec", "");
    write("prefix/bin/mpiexec", "");
    const std::string library = install("prefix/lib/libmpi.so.40", "openmpi_4");
    set("PATH", path("site/bin") + ":" + path("prefix/bin"));
    EXPECT_EQ(found(), library);
}

TEST_F(search, keeps_its_order) {
    const std::string by_system = install("usr/lib/libmpi.so.40", "openmpi_4");
    EXPECT_EQ(found(), by_system);
    const std::string by_library_path = install("library-path/libmpi.so.12", "mpich_4_0");
    set("LD_LIBRARY_PATH", path("library-path"));
    EXPECT_EQ(found(), by_library_path);
    const std::string by_product = install("conda/lib/libmpi.so.12", "mpich_4_0");
    set("CONDA_PREFIX", path("conda"));
    EXPECT_EQ(found(), by_product);
    const std::string by_path = install("module/lib/libmpi.so.40", "openmpi_5");
    write("module/bin/mpiexec", "");
    set("PATH", path("module/bin"));
    EXPECT_EQ(found(), by_path);
    const std::string by_home = install("home-of-mpi/lib/libmpi.so.12", "intel");
    set("MPI_HOME", path("home-of-mpi"));
    EXPECT_EQ(found(), by_home);
}

TEST_F(search, keeps_to_one_family_where_asked) {
    install("first/lib/libmpi.so.40", "openmpi_5");
    const std::string second = install("second/lib/libmpi_abi.so.1", "standard_mpich");
    set("MPI_HOME", path("first"));
    set("MPI_ROOT", path("second"));
    EXPECT_EQ(found({nullptr, family::mpich}), second);
}

TEST_F(search, survives_paths_of_any_length) {
    const std::string endless(PATH_MAX + 100, 'x');
    set("MPI_HOME", "/" + endless);
    set("PATH", "/" + endless);
    set("LD_LIBRARY_PATH", "/" + endless);
    EXPECT_EQ(found(), "");
}

TEST(prefix_of, an_executable) {
    place where;
    EXPECT_TRUE(set_prefix_of("/opt/x/bin/mpiexec", where));
    EXPECT_STREQ(where.path.text, "/opt/x");
    EXPECT_FALSE(set_prefix_of("/bin/mpiexec", where));
    EXPECT_FALSE(set_prefix_of("/mpiexec", where));
    EXPECT_FALSE(set_prefix_of("mpiexec", where));
    EXPECT_FALSE(set_prefix_of("", where));
}

} // namespace
} // namespace anympi::runtime
