#include "command/inspect/shared_names.hpp"

#include "runtime/identify/identify.hpp"

#include <algorithm>
#include <array>

namespace anympi::command {
namespace {

constexpr char of_mpich_and_openmpi[] = "libmpi.so.12"; // MPICH's family since 3.1, Open MPI 1.10
constexpr char of_openmpi_and_hp[] = "libmpi.so.1";     // Open MPI 1.5 to 1.8, HP MPI and Platform MPI
constexpr char of_old_openmpi[] = "libmpi.so.0";        // Open MPI up to 1.4, Fujitsu MPI, and builds between releases
constexpr char without_number[] = "libmpi.so";          // SGI MPT, and libraries without a version in their soname

// Libraries that the compilers of Open MPI up to 1.4 link together with libmpi.so.0.
constexpr std::array<std::string_view, 5> beside_old_openmpi = {
    "libopen-rte.so.0", "libopen-pal.so.0", "libmpi_f77.so.0", "libmpi_f90.so.0", "libmpi_cxx.so.0"};

constexpr char openmpi_1_4[] =
    "It was built for Open MPI 1.4 or older: anympi converts its statuses, which are shorter.";

// Sizes of communicators in Open MPI 1.3 to 1.10 and in 3.0 and later. Open MPI 2.x has another size.
constexpr std::size_t old_communicator = 1024;

// An adopted program names its library by a path.
std::string without_folders(const std::string& soname) {
    return soname.substr(soname.rfind('/') + 1); // npos + 1 is 0
}

bool is_shared(std::string_view soname) {
    return soname == of_mpich_and_openmpi || soname == of_openmpi_and_hp || soname == of_old_openmpi ||
           soname == without_number;
}

// Returns the ABI of a part of the program if the part needs a library whose name belongs to only one ABI. Libraries
// for Fortran and C++ and internal libraries of an MPI have such names.
std::optional<abi> abi_by_names(const binary& part) {
    for (const std::string& soname : part.needed) {
        if (const auto known = find_mpi_soname(soname); known && !is_shared(without_folders(soname)))
            return known->interface;
        if (soname.starts_with("libopen-rte.so.") || soname.starts_with("libopen-pal.so."))
            return abi::openmpi;
    }
    return std::nullopt;
}

bool needs_old_openmpi(const binary& part) {
    return std::any_of(part.needed.begin(), part.needed.end(), [](const std::string& soname) {
        return std::find(beside_old_openmpi.begin(), beside_old_openmpi.end(), soname) != beside_old_openmpi.end();
    });
}

} // namespace

std::optional<abi> abi_by_symbols(const mpi_use& uses) {
    for (const auto* names : {&uses.data, &uses.extensions, &uses.functions, &uses.fortran})
        for (const std::string& name : *names)
            if (const auto interface = abi_of_symbol(name))
                return interface;
    return std::nullopt;
}

shared_names::shared_names(const loaded_files& loaded) {
    for (std::size_t i = 0; i < loaded.files.size(); i++) {
        const loaded_file& part = loaded.files[i];
        if (i > 0 && is_part_of_mpi(part)) {
            add_library(part);
            continue;
        }
        const auto by_symbols = abi_by_symbols(part.file.uses);
        for (const std::string& name : part.file.needed)
            if (const std::string soname = without_folders(name); is_shared(soname))
                add(soname, part.file, by_symbols ? by_symbols : abi_by_names(part.file));
    }
}

// Notes the ABI of the library that would be loaded. libmpi.so does not count: it is a link for compilers, and may lead
// to a library for which the program was not built.
void shared_names::add_library(const loaded_file& part) {
    runtime::library mpi;
    const bool is_link = !part.file.soname.empty() && part.file.soname != part.name;
    if (is_link || runtime::identify(part.file.path.c_str(), mpi) != runtime::identification::mpi)
        return;
    evidence& known = evidence_[part.name];
    known.of_library = mpi.interface;
    known.is_new = true; // older libraries are not recognised as MPI libraries
}

void shared_names::add(const std::string& soname, const binary& part, std::optional<abi> interface) {
    evidence& known = evidence_[soname];
    known.is_disputed = known.is_disputed || (interface && known.of_parts && interface != known.of_parts);
    if (interface)
        known.of_parts = interface;
    known.is_old = known.is_old || needs_old_openmpi(part) || part.communicator_size == old_communicator;
    known.is_new = known.is_new || (part.communicator_size != 0 && part.communicator_size != old_communicator);
    known.is_used = known.is_used || !part.uses.is_empty();
}

std::optional<mpi_soname> shared_names::find(const std::string& name, const binary& part) const {
    const std::string soname = without_folders(name);
    auto known = find_mpi_soname(name);
    const auto found = evidence_.find(soname);
    if (found == evidence_.end() || !is_shared(soname))
        return known;
    const evidence& all = found->second;
    if (const auto by_symbols = abi_by_symbols(part.uses); all.is_disputed && by_symbols)
        return mpi_soname{*by_symbols};
    if (soname == without_number && all.interface())
        return mpi_soname{*all.interface()};
    if (soname == of_mpich_and_openmpi && all.interface() == abi::openmpi)
        return find_mpi_soname("libmpi_mpifh.so.12"); // the companion of the same release
    if (soname == of_old_openmpi && known && (all.is_old || !all.is_new))
        *known = {abi::openmpi, openmpi_1_4, false, false, false, difference::statuses};
    return known;
}

std::string shared_names::foreign_owner(const std::string& soname) const {
    if (const char* const product = foreign_mpi_of_soname(soname); *product != '\0')
        return product;
    const auto found = evidence_.find(soname);
    if (found == evidence_.end() || found->second.interface() || !found->second.is_used)
        return "";
    if (soname == of_openmpi_and_hp)
        return "HP MPI, Platform MPI or Open MPI 1.5 to 1.8 (it needs libmpi.so.1, and nothing shows which)";
    if (soname == without_number)
        return "SGI MPT or another MPI whose library has the name libmpi.so without a number";
    return "";
}

} // namespace anympi::command
