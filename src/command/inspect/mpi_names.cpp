#include "command/inspect/mpi_names.hpp"

#include <algorithm>
#include <array>

namespace anympi::command {
namespace {

// Compared: mpi.h of Open MPI 1.2.9, 1.4.5, 1.5.5, 1.6.5, 1.7.5, 1.8.8, 1.10.7, 2.1.6, 3.1.6, 4.1.8 and 5.0.9.
constexpr char openmpi_1[] = "It was built for Open MPI 1.5 to 1.8. Error classes of the tools interface have other "
                             "values there. All other constants and structures are the same as in later releases.";
constexpr char openmpi_2[] =
    "It was built for Open MPI 1.10 or 2, which has the same constants and structures as later releases.";
// Compared: mpi.h of MPICH2 1.0.8, 1.2.1, 1.4.1 and 1.5, MPICH 3.0.4, 3.1, 3.2.1, 3.3.2 and 3.4.3.
constexpr char mpich_2[] =
    "It was built for MPICH2 1.3, 1.4 or a library of that time, which has the same constants and "
    "public structures as later releases.";
constexpr char mpich_1_5[] = "It was built for MPICH2 1.5: anympi converts the numbers of MPI_Type_get_envelope.";
constexpr char mpich_3_0[] = "It was built for MPICH 3.0: anympi converts its statuses, which have another layout.";

// src/preload/CMakeLists.txt builds a library for each of them.
constexpr older_release older_releases[] = {
    {abi::mpich, difference::combiners, "libmpich.so.8", "MPICH2 1.5"},
    {abi::mpich, difference::statuses, "libmpich.so.10", "MPICH 3.0"},
    {abi::openmpi, difference::statuses, "libmpi.so.0", "Open MPI 1.4 or older"}};

constexpr char draft[] =
    "Its libmpi_abi is a draft of the standard ABI, with other values of some constants. With a final "
    "libmpi_abi it would run without an error and compute rubbish. Build it again.";

// Splits "libmpi.so.40" into "libmpi" and "40". The version of "libmpi.so" is empty.
struct split_soname {
    std::string_view stem;
    std::string_view version;
};

split_soname split(std::string_view soname) {
    soname.remove_prefix(soname.rfind('/') + 1); // npos + 1 is 0
    const std::size_t end = soname.find(".so");
    if (end == soname.npos)
        return {soname, {}};
    std::string_view version = soname.substr(end + 3);
    if (version.starts_with('.'))
        version.remove_prefix(1);
    return {soname.substr(0, end), version};
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> texts) {
    return std::find(texts.begin(), texts.end(), text) != texts.end();
}

bool begins_with_one_of(std::string_view text, std::initializer_list<std::string_view> beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(), [&](auto start) { return text.starts_with(start); });
}

// Returns true for Open MPI's libraries for mpif.h, `use mpi`, mpi_f08, C++ and Java. Spectrum MPI puts ibm before
// these words.
bool is_companion_of_openmpi(std::string_view stem) {
    for (const std::string_view start : {"libmpi_ibm_", "libmpi_"})
        if (stem.starts_with(start))
            return begins_with_one_of(stem.substr(start.size()), {"mpifh", "usempi", "f77", "f90", "cxx", "java"});
    return false;
}

std::optional<mpi_soname> find_openmpi_soname(const split_soname& name) {
    // Version 1 is Open MPI 1.5 to 1.8, version 20 is 2.x. libmpi.so.12 is also Open MPI 1.10: only its symbols show
    // it.
    const bool is_companion = is_companion_of_openmpi(name.stem);
    const bool is_c_library =
        name.stem == "libmpi_ibm" || (name.stem == "libmpi" && is_one_of(name.version, {"0", "1", "20", "40"}));
    if (!is_companion && !is_c_library)
        return std::nullopt;
    // The C++ library of Open MPI 1.10 has the number of older releases.
    const bool is_1 = is_one_of(name.stem, {"libmpi_f77", "libmpi_f90"}) ||
                      (is_one_of(name.version, {"1", "2"}) && name.stem != "libmpi_cxx");
    const bool is_2 = is_one_of(name.version, {"12", "20"});
    return mpi_soname{abi::openmpi, is_1 ? openmpi_1 : is_2 ? openmpi_2 : "", false, is_companion};
}

// Returns true for the libraries of MPICH's family for Fortran and C++, for any compiler: libmpifort_gnu_141,
// libmpichf90_cray, Intel's libmpigf.
bool is_companion_of_mpich(std::string_view stem) {
    return begins_with_one_of(stem, {"libmpifort", "libmpicxx", "libmpichfort", "libmpichcxx", "libmpichf90",
                                     "libfmpich", "libmpigf", "libmpigc", "libmpiif", "libmpiic"});
}

// All members of the family have the number 12 since MPICH 3.1. Before that, Cray used numbers up to 3.
bool is_c_library_of_mpich(const split_soname& name) {
    if (name.version == "12")
        return is_one_of(name.stem, {"libmpi", "libmpich"}) || name.stem.starts_with("libmpi_");
    if (name.version == "4") // Intel MPI
        return is_one_of(name.stem,
                         {"libmpi", "libmpi_mt", "libmpi_dbg", "libmpi_dbg_mt", "libmpi_log", "libmpi_log_mt"});
    if (name.stem == "libmpich")
        return is_one_of(name.version, {"2", "3", "8", "10"});
    return name.version == "3" && name.stem.starts_with("libmpich_");
}

std::optional<mpi_soname> find_mpich_soname(const split_soname& name) {
    const bool is_companion =
        is_companion_of_mpich(name.stem) && is_one_of(name.version, {"2", "3", "4", "8", "10", "12"});
    if (!is_companion && !is_c_library_of_mpich(name))
        return std::nullopt;
    const bool is_of_cray = name.stem.find('_') != name.stem.npos && name.version == "3";
    const bool is_2 = is_one_of(name.version, {"2", "3", "4"}) && !is_of_cray;
    mpi_soname result{abi::mpich, is_2 ? mpich_2 : "", false, is_companion};
    if (name.version == "8")
        result = {abi::mpich, mpich_1_5, false, is_companion, false, difference::combiners};
    if (name.version == "10")
        result = {abi::mpich, mpich_3_0, false, is_companion, false, difference::statuses};
    return result;
}

bool is_hexadecimal(std::string_view text) {
    return text.find_first_not_of("0123456789abcdef") == text.npos;
}

// Returns true if a text has no small letters. A name with only capital letters after the prefix is a Fortran name or
// data.
bool is_upper_case(std::string_view text) {
    return std::none_of(text.begin(), text.end(), [](char letter) { return letter >= 'a' && letter <= 'z'; });
}

// Endings of the names of Fortran procedures in mpi_f08, with descriptors and with callbacks. Longer endings come
// first.
constexpr std::array<std::string_view, 9> fortran_endings = {"_f08ts_large", "_f08_large", "_f08ts", "_f08cb", "_cdesc",
                                                             "_f08",         "_fcb",       "_fts",   "_f"};

// Returns the ending of a Fortran name. `name` has no trailing underscores.
std::string_view ending_of_fortran(std::string_view name) {
    for (const std::string_view ending : fortran_endings)
        if (name.ends_with(ending))
            return ending;
    return {};
}

std::string_view without_underscores(std::string_view name) {
    while (name.ends_with('_'))
        name.remove_suffix(1);
    return name;
}

// Returns true for data that MPICH's libraries export under MPI's names.
bool is_data_of_mpich(std::string_view name) {
    return is_one_of(name, {"MPI_UNWEIGHTED", "MPI_WEIGHTS_EMPTY", "MPI_T_PVAR_ALL_HANDLES", "MPI_F_STATUS_IGNORE",
                            "MPI_F_STATUSES_IGNORE", "MPI_F08_STATUS_IGNORE", "MPI_F08_STATUSES_IGNORE"});
}

// The Fortran modules of the vendors.
constexpr std::array<std::string_view, 10> fortran_modules = {
    "mpi_f08_types",          "mpi_types",   "mpi_constants", "mpi_sizeofs",       "mpi_f08_compile_constants",
    "mpi_f08_link_constants", "mpi_f08_ext", "mpi_base",      "mpi_f08_callbacks", "mpi_c_interface_types"};

// Matches a function or variable of such a module in the form of gfortran (__module_MOD_name) or flang
// (_QMmodulePname).
bool is_of_fortran_module(std::string_view name) {
    const auto begins_with = [&](std::string_view prefix, std::string_view module, std::string_view rest) {
        return name.starts_with(prefix) && name.substr(prefix.size()).starts_with(module) &&
               name.substr(prefix.size() + module.size()).starts_with(rest);
    };
    return std::any_of(fortran_modules.begin(), fortran_modules.end(), [&](std::string_view module) {
        return begins_with("__", module, "_MOD_") || begins_with("_QM", module, "P") || begins_with("_QM", module, "E");
    });
}

// Matches a variable of Open MPI's library for mpi_f08. The variables of Open MPI's C library end with an underscore.
bool is_variable_of_openmpi_fortran(std::string_view name) {
    return name.starts_with("ompi_f08_mpi_") || (name.starts_with("mpi_fortran_") && !name.ends_with('_'));
}

// Matches a mangled C++ name in the namespace MPI.
bool is_of_cxx_bindings(std::string_view name) {
    for (const std::string_view prefix : {"_ZN3MPI", "_ZNK3MPI", "_ZTVN3MPI", "_ZTIN3MPI", "_ZTSN3MPI"})
        if (name.starts_with(prefix))
            return true;
    return false;
}

// Returns true for functions that only libraries with the standard ABI have.
bool is_of_the_standard_alone(std::string_view name) {
    return name.starts_with("MPI_Abi_") || name.starts_with("PMPI_Abi_");
}

} // namespace

std::optional<abi> find_abi(std::string_view name) {
    for (const abi one : all_abis)
        if (name == name_of(one))
            return one;
    return {};
}

const older_release* find_older_release(abi interface, difference differs) {
    for (const older_release& one : older_releases)
        if (one.interface == interface && one.differs == differs)
            return &one;
    return nullptr;
}

std::optional<mpi_soname> find_mpi_soname(std::string_view soname) {
    const split_soname name = split(soname);
    if (name.stem == "libmpi_abi" || name.stem == "libmpifort_abi") {
        // Version 0 stands for drafts of the standard, version 12 for MPICH 4.3.0.
        const bool is_draft = !name.version.empty() && name.version != "1";
        return mpi_soname{abi::standard, is_draft ? draft : "", is_draft, name.stem == "libmpifort_abi"};
    }
    if (name.stem == "libmpi_ilp64") // Intel's libmpi_ilp64.so.4
        return mpi_soname{abi::mpich, "", false, true, true};
    const std::string original = soname_without_hash(soname);
    if (!original.empty() && soname_without_hash(original).empty())
        return find_mpi_soname(original);
    if (const auto found = find_openmpi_soname(name))
        return found;
    return find_mpich_soname(name);
}

std::string soname_without_hash(std::string_view soname) {
    constexpr std::size_t length = 8;
    const split_soname name = split(soname);
    const std::size_t dash = name.stem.rfind('-');
    if (soname.find(".so") == soname.npos || dash == name.stem.npos)
        return "";
    if (name.stem.size() - dash - 1 != length || !is_hexadecimal(name.stem.substr(dash + 1)))
        return "";
    const std::string_view version = name.version.substr(0, name.version.find('.'));
    return std::string(name.stem.substr(0, dash)) + ".so" + (version.empty() ? "" : ".") + std::string(version);
}

const char* foreign_mpi_of_soname(std::string_view soname) {
    const split_soname name = split(soname);
    if (is_one_of(name.stem, {"libhpmpi", "libpcmpi"}))
        return "HP MPI or Platform MPI";
    if (begins_with_one_of(name.stem, {"libmpcmpi", "libmpcframework", "libmpc_framework"}))
        return "MPC";
    if (name.stem == "libmpich" && name.version == "1.0")
        return "MPICH 1";
    if (name.stem.starts_with("libmpich_") && is_one_of(name.version, {"1", "2"}))
        return "Cray MPT before release 7";
    return "";
}

bool is_companion(std::string_view soname) {
    const auto known = find_mpi_soname(soname);
    return known && known->is_companion;
}

symbol_kind classify_symbol(std::string_view name) {
    const bool is_profiling = name.starts_with("PMPI_");
    if (is_profiling || name.starts_with("MPI_")) {
        if (is_data_of_mpich(name))
            return symbol_kind::data;
        if (is_upper_case(name) || !ending_of_fortran(name).empty())
            return symbol_kind::fortran;
        return is_profiling ? symbol_kind::profiling : symbol_kind::function;
    }
    if (name.starts_with("MPIX_") || name.starts_with("PMPIX_") || name.starts_with("OMPI_") ||
        name.starts_with("MPIR_"))
        return symbol_kind::extension;
    if (is_of_fortran_module(name) || is_variable_of_openmpi_fortran(name))
        return symbol_kind::fortran;
    if (is_of_cxx_bindings(name))
        return symbol_kind::cxx;
    if (name.starts_with("ompi_") || name.starts_with("mpi_fortran_") || name.starts_with("mpipriv"))
        return symbol_kind::data;
    if (name.ends_with('_') && (name.starts_with("mpi_") || name.starts_with("pmpi_") || name.starts_with("pmpir_") ||
                                name.starts_with("mpix_") || name.starts_with("pmpix_")))
        return symbol_kind::fortran;
    return symbol_kind::other;
}

std::string c_name_of_fortran(std::string_view name) {
    std::string small(without_underscores(name));
    std::transform(small.begin(), small.end(), small.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
    });
    const std::string_view ending = ending_of_fortran(small);
    small.resize(small.size() - ending.size());
    if (ending.ends_with("_large"))
        small += "_c";
    for (const std::string_view prefix : {"pmpir_", "pmpi_"})
        if (small.starts_with(prefix))
            return "mpi_" + small.substr(prefix.size());
    return small;
}

const char* foreign_mpi_of_symbol(std::string_view name) {
    if (name.starts_with("hpmp_"))
        return "HP MPI or Platform MPI";
    if (name.starts_with("MPI_SGI_") || name.starts_with("mpi_sgi_"))
        return "SGI MPT";
    if (name == "mpc_user_main__" || name.starts_with("mpc_lowcomm_"))
        return "MPC";
    return "";
}

std::optional<abi> abi_of_symbol(std::string_view name) {
    if (name.starts_with("ompi_") || name.starts_with("OMPI_") || name.starts_with("mpi_fortran_"))
        return abi::openmpi;
    if (name.starts_with("MPIR_") || name.starts_with("mpipriv") || is_data_of_mpich(name))
        return abi::mpich;
    if (is_of_the_standard_alone(name))
        return abi::standard;
    return std::nullopt;
}

} // namespace anympi::command
