#include "command/inspect/mpi_names.hpp"

#include "runtime/find/sonames.hpp"

#include <gtest/gtest.h>

namespace anympi::command {
namespace {

std::string abi_of(const char* soname) {
    const auto known = find_mpi_soname(soname);
    return known ? std::string(name_of(known->interface)) + (known->is_draft ? " draft" : "") : "";
}

TEST(mpi_soname, of_the_standard) {
    EXPECT_EQ(abi_of("libmpi_abi.so.1"), "standard");
    EXPECT_EQ(abi_of("libmpifort_abi.so.1"), "standard");
    EXPECT_EQ(abi_of("libmpi_abi.so"), "standard"); // some layers have no version number
    EXPECT_EQ(abi_of("libmpi_abi.so.0"), "standard draft");
    EXPECT_EQ(abi_of("libmpi_abi.so.12"), "standard draft"); // MPICH 4.3.0
}

TEST(mpi_soname, of_mpich_and_its_family) {
    for (const char* name : {"libmpi.so.12", "libmpich.so.12", "libmpifort.so.12", "libmpichfort.so.12",
                             "libmpicxx.so.12", "libmpichcxx.so.12", "libmpi_cray.so.12", "libmpi_gnu_123.so.12",
                             "libmpifort_gnu_123.so.12", "libmpi_ilp64.so.4", "libmpich_gnu_51.so.3",
                             "libmpich_cray.so.3", "libmpichf90_pgi.so.3", "libmpi_unknown_7.so.12"}) {
        EXPECT_EQ(abi_of(name), "mpich") << name;
        EXPECT_STREQ(find_mpi_soname(name)->remark, "") << name;
    }
}

TEST(mpi_soname, of_older_releases_of_mpich_and_its_family) {
    for (const char* name :
         {"libmpich.so.2", "libmpich.so.3", "libfmpich.so.3", "libmpichf90.so.3", "libmpichcxx.so.3", "libmpi.so.4",
          "libmpi_mt.so.4", "libmpi_dbg_mt.so.4", "libmpigf.so.4", "libmpiif.so.4", "libmpigc4.so.4"}) {
        EXPECT_EQ(abi_of(name), "mpich") << name;
        EXPECT_STRNE(find_mpi_soname(name)->remark, "") << name;
        EXPECT_EQ(find_mpi_soname(name)->older, difference::nothing) << name;
    }
    EXPECT_EQ(find_mpi_soname("libmpich.so.8")->older, difference::combiners);
    for (const char* name : {"libmpich.so.10", "libfmpich.so.10", "libmpich-f868f4a5.so.10.0.4"})
        EXPECT_TRUE(find_mpi_soname(name) && find_mpi_soname(name)->older == difference::statuses) << name;
}

TEST(mpi_soname, of_releases_in_which_something_is_different) {
    EXPECT_EQ(find_older_release(abi::mpich, difference::nothing), nullptr);
    EXPECT_EQ(find_older_release(abi::openmpi, difference::combiners), nullptr);
    EXPECT_STREQ(find_older_release(abi::openmpi, difference::statuses)->soname, "libmpi.so.0");
    for (const difference one : {difference::combiners, difference::statuses}) {
        const older_release* const release = find_older_release(abi::mpich, one);
        ASSERT_NE(release, nullptr);
        EXPECT_EQ(find_mpi_soname(release->soname)->older, one) << release->title;
    }
}

TEST(mpi_soname, of_openmpi) {
    for (const char* name : {"libmpi.so.40", "libmpi_mpifh.so.40", "libmpi_usempif08.so.40",
                             "libmpi_usempi_ignore_tkr.so.40", "libmpi_usempif08.so.11", "libmpi_cxx.so.1",
                             "libmpi_cxx.so.40", "libmpi_ibm.so.3", "libmpi_ibm_usempif08.so.3", "libmpi.so.0"}) {
        EXPECT_EQ(abi_of(name), "openmpi") << name;
        EXPECT_STREQ(find_mpi_soname(name)->remark, "") << name;
    }
    for (const char* name : {"libmpi.so.1", "libmpi.so.20", "libmpi_mpifh.so.2", "libmpi_mpifh.so.12",
                             "libmpi_f77.so.1", "libmpi_f90.so.1"}) {
        EXPECT_EQ(abi_of(name), "openmpi") << name;
        EXPECT_STRNE(find_mpi_soname(name)->remark, "") << name;
    }
}

TEST(mpi_soname, of_every_library_that_the_search_knows) {
    const auto check = [](const runtime::file_name& name) {
        const auto known = find_mpi_soname(name.text);
        ASSERT_TRUE(known) << name.text;
        EXPECT_EQ(known->interface, runtime::interface_of(name.lineage)) << name.text;
        EXPECT_FALSE(known->is_companion) << name.text;
    };
    for (const runtime::file_name& name : runtime::common_names)
        check(name);
    for (const runtime::file_name& name : runtime::rare_names)
        check(name);
}

TEST(mpi_soname, with_the_hash_of_a_packing_tool) {
    EXPECT_EQ(soname_without_hash("libmpich-1a2b3c4d.so.12.1.1"), "libmpich.so.12");
    EXPECT_EQ(soname_without_hash("/x/libmpi-00112233.so.40.30.1"), "libmpi.so.40");
    EXPECT_EQ(soname_without_hash("libmpifort-deadbeef.so"), "libmpifort.so");
    for (const char* name : {"", "-", "libmpich.so.12", "libmpich-1a2b3c4.so.12", "libmpich-1a2b3c4g.so.12",
                             "libmpich-1a2b3c4d5.so.12", "libmpich-1a2b3c4d"})
        EXPECT_EQ(soname_without_hash(name), "") << name;
    EXPECT_EQ(abi_of("libmpich-1a2b3c4d.so.12.1.1"), "mpich");
    EXPECT_EQ(abi_of("libmpi-00112233.so.40.30.1"), "openmpi");
    EXPECT_EQ(abi_of("libz-00112233.so.1"), "");
    EXPECT_TRUE(is_companion("libmpifort-deadbeef.so.12.1.1"));
    EXPECT_FALSE(is_companion("libmpich-1a2b3c4d.so.12.1.1"));
}

TEST(mpi_soname, of_integers_of_8_bytes) {
    ASSERT_TRUE(find_mpi_soname("libmpi_ilp64.so.4"));
    EXPECT_TRUE(find_mpi_soname("libmpi_ilp64.so.4")->is_ilp64);
    EXPECT_FALSE(find_mpi_soname("libmpi.so.12")->is_ilp64);
}

TEST(mpi_soname, of_others) {
    for (const char* name : {"libc.so.6", "libmpir.so.23", "libmpifr.so.4", "libmpc.so.3", "libmpi4py.so", "", "libmpi",
                             "libmpi.so", "libmpi.so.77", "libmpijava.so.12", "libmpich.so.1.0", "libmpich.so.9",
                             "libmpich_gnu_48.so.2", "libmpi_mt.so.5", ".so"})
        EXPECT_EQ(abi_of(name), "") << name;
}

TEST(mpi_symbol, kinds) {
    EXPECT_EQ(classify_symbol("MPI_Send"), symbol_kind::function);
    EXPECT_EQ(classify_symbol("MPI_T_init_thread"), symbol_kind::function);
    EXPECT_EQ(classify_symbol("PMPI_Send"), symbol_kind::profiling);
    EXPECT_EQ(classify_symbol("MPIX_Comm_revoke"), symbol_kind::extension);
    EXPECT_EQ(classify_symbol("OMPI_C_MPI_COMM_DUP_FN"), symbol_kind::extension);
    EXPECT_EQ(classify_symbol("MPIR_Dup_fn"), symbol_kind::extension);
    EXPECT_EQ(classify_symbol("ompi_mpi_comm_world"), symbol_kind::data);
    EXPECT_EQ(classify_symbol("MPI_UNWEIGHTED"), symbol_kind::data);
    EXPECT_EQ(classify_symbol("mpi_fortran_bottom_"), symbol_kind::data);
    EXPECT_EQ(classify_symbol("mpi_send_"), symbol_kind::fortran);
    EXPECT_EQ(classify_symbol("MPI_SEND"), symbol_kind::fortran);
    EXPECT_EQ(classify_symbol("mpi_send_f08ts_"), symbol_kind::fortran);
    EXPECT_EQ(classify_symbol("pmpir_send_f08ts_large_"), symbol_kind::fortran);
    EXPECT_EQ(classify_symbol("mpix_bcast_init_"), symbol_kind::fortran);
    EXPECT_EQ(classify_symbol("PMPI_Send_f08ts"), symbol_kind::fortran);
    EXPECT_EQ(classify_symbol("MPI_Op_create_fcb"), symbol_kind::fortran);
    EXPECT_EQ(classify_symbol("MPI_Comm_f2c"), symbol_kind::function);
    for (const char* name : {"", "MPI", "mpi_alloc", "mpi", "printf", "xMPI_Send", "mpz_init"})
        EXPECT_EQ(classify_symbol(name), symbol_kind::other) << name;
}

TEST(mpi_symbol, function_behind_a_fortran_name) {
    EXPECT_EQ(c_name_of_fortran("mpi_send_"), "mpi_send");
    EXPECT_EQ(c_name_of_fortran("pmpi_comm_rank__"), "mpi_comm_rank");
    EXPECT_EQ(c_name_of_fortran("PMPI_SEND"), "mpi_send");
    EXPECT_EQ(c_name_of_fortran("pmpir_comm_rank_f08_"), "mpi_comm_rank");
    EXPECT_EQ(c_name_of_fortran("mpi_send_f08ts_large_"), "mpi_send_c");
    EXPECT_EQ(c_name_of_fortran("MPI_Send_c_f08ts"), "mpi_send_c");
    EXPECT_EQ(c_name_of_fortran("MPI_Op_create_f08cb"), "mpi_op_create");
}

TEST(mpi_symbol, of_products_that_anympi_does_not_know) {
    EXPECT_STREQ(foreign_mpi_of_symbol("hpmp_comm_world"), "HP MPI or Platform MPI");
    EXPECT_STREQ(foreign_mpi_of_symbol("MPI_SGI_bcast"), "SGI MPT");
    EXPECT_STREQ(foreign_mpi_of_symbol("mpi_sgi_private_"), "SGI MPT");
    EXPECT_STREQ(foreign_mpi_of_symbol("mpc_user_main__"), "MPC");
    for (const char* name : {"", "MPI_Send", "ompi_mpi_comm_world", "MPI_UNWEIGHTED", "hpm_start"})
        EXPECT_STREQ(foreign_mpi_of_symbol(name), "") << name;
}

TEST(mpi_soname, of_products_that_anympi_does_not_know) {
    EXPECT_STREQ(foreign_mpi_of_soname("libhpmpi.so.1"), "HP MPI or Platform MPI");
    EXPECT_STREQ(foreign_mpi_of_soname("libpcmpi.so.1"), "HP MPI or Platform MPI");
    EXPECT_STREQ(foreign_mpi_of_soname("/opt/mpc/lib/libmpcmpi.so.0"), "MPC");
    EXPECT_STREQ(foreign_mpi_of_soname("libmpcframework.so.0"), "MPC");
    EXPECT_STREQ(foreign_mpi_of_soname("libmpich.so.1.0"), "MPICH 1");
    EXPECT_STREQ(foreign_mpi_of_soname("libmpich_gnu_48.so.2"), "Cray MPT before release 7");
    for (const char* name : {"", "libmpich.so.3", "libmpich_gnu_51.so.3", "libmpi.so.1", "libmpc.so.3"})
        EXPECT_STREQ(foreign_mpi_of_soname(name), "") << name;
}

TEST(mpi_symbol, of_one_abi) {
    EXPECT_EQ(abi_of_symbol("ompi_mpi_int"), abi::openmpi);
    EXPECT_EQ(abi_of_symbol("MPI_UNWEIGHTED"), abi::mpich);
    EXPECT_EQ(abi_of_symbol("MPI_Abi_get_version"), abi::standard);
    EXPECT_EQ(abi_of_symbol("MPI_Send"), std::nullopt);
    EXPECT_EQ(abi_of_symbol("MPIX_Query_cuda_support"), std::nullopt);
}

TEST(soname, may_have_folders_before_it) {
    ASSERT_TRUE(find_mpi_soname("/opt/anympi/lib/anympi/openmpi/libmpi.so.40"));
    EXPECT_EQ(find_mpi_soname("/opt/x/libmpi.so.40")->interface, abi::openmpi);
}

TEST(soname, of_a_companion_is_told_from_the_library_of_c) {
    for (const char* name : {"libmpi_cxx.so.40", "libmpi_mpifh.so.40", "libmpi_usempif08.so.40", "libmpichcxx.so.12",
                             "libmpichfort.so.12", "libmpicxx.so.12", "libmpifort.so.12", "libmpifort_abi.so.1"})
        EXPECT_TRUE(find_mpi_soname(name) && find_mpi_soname(name)->is_companion) << name;
    for (const char* name :
         {"libmpi.so.40", "libmpi.so.12", "libmpich.so.12", "libmpi_gnu_123.so.12", "libmpi_abi.so.1"})
        EXPECT_TRUE(find_mpi_soname(name) && !find_mpi_soname(name)->is_companion) << name;
}

TEST(mpi_symbol, of_the_modules_of_fortran) {
    for (const char* name : {"__mpi_f08_types_MOD_ompi_comm_op_eq", "__mpi_types_MOD_ompi_comm_op_ne",
                             "__mpi_constants_MOD_commeq", "__mpi_f08_types_MOD___vtab_mpi_f08_types_Mpi_comm",
                             "_QMmpi_typesPompi_win_op_eq", "_QMmpi_f08_link_constantsEmpi_unweighted",
                             "mpi_f08_types_mp_mpi_comm_eq_", "ompi_f08_mpi_comm_world", "mpi_fortran_bottom"})
        EXPECT_EQ(classify_symbol(name), symbol_kind::fortran) << name;
    for (const char* name : {"__mpi_tools_MOD_begin", "__mpi_types_of_mine_MOD_x", "_QMmpi_toolsPbegin", "__mpi_types"})
        EXPECT_EQ(classify_symbol(name), symbol_kind::other) << name;
    EXPECT_EQ(classify_symbol("mpi_fortran_bottom_"), symbol_kind::data); // in Open MPI's library for C
}

TEST(mpi_symbol, of_the_cxx_bindings) {
    for (const char* name : {"_ZNK3MPI4Comm8Get_rankEv", "_ZN3MPI10COMM_WORLDE", "_ZTVN3MPI4CommE"})
        EXPECT_EQ(classify_symbol(name), symbol_kind::cxx) << name;
    EXPECT_EQ(classify_symbol("_ZN4MPIX4CommE"), symbol_kind::other);
}

} // namespace
} // namespace anympi::command
