#include "runtime/identify/identify.hpp"

#include "runtime/identify/elf_file.hpp"
#include "runtime/identify/mapped_file.hpp"
#include "runtime/identify/note.hpp"

#include <cstring>

namespace anympi::runtime {
namespace {

// Copies a text from a file, which may be hostile, for messages: cuts it to the size and replaces control characters.
template <std::size_t capacity>
void copy_printable(char (&to)[capacity], std::string_view from) {
    std::size_t length = 0;
    for (const char character : from) {
        if (length + 1 == capacity)
            break;
        to[length++] = character >= ' ' && character <= '~' ? character : '?';
    }
    to[length] = '\0';
}

bool needs(const elf_file& file, std::string_view beginning) {
    return file.any_needed([&](std::string_view name) { return name.starts_with(beginning); });
}

// Returns true for mpi-abi-stubs of the MPI Forum. It has the soname, all functions and the values of a real library,
// but its functions abort. It is recognised because it cannot reach another process: it needs only libc, and of libc
// neither sockets nor a function that opens a library.
bool is_stub(const elf_file& file) {
    const bool needs_more = file.any_needed([](std::string_view name) { return !name.starts_with("libc.so"); });
    return !needs_more && !file.imports("socket") && !file.imports("dlopen");
}

// Returns true for Intel MPI. Its library contains the Fortran binding and exports the common block; every other MPICH
// has a separate library for Fortran. I_MPI_Check_image_status was found in 2021.19.
bool is_intel(const elf_file& file) {
    return file.defines("I_MPI_Check_image_status") || file.defines("mpipriv1_");
}

const char* product_of_mpich(const elf_file& file) {
    if (is_intel(file))
        return "Intel MPI";
    // Cray delivers one library for each compiler: libmpi_cray.so.12, libmpi_gnu_123.so.12 …
    if (file.soname().starts_with("libmpi_") || file.defines("MPIDI_CRAY_init"))
        return "Cray MPICH";
    if (file.defines("mv2_enable_affinity") || file.defines("mvp_enable_affinity"))
        return "MVAPICH";
    return "MPICH";
}

// Newer builds do not export the text of their version, but each release added functions.
struct added_function {
    const char* name;
    const char* release;
};
constexpr added_function mpich_releases[] = {
    {"MPI_Abi_get_version", "5.0 or newer"},
    {"MPIX_Comm_create_errhandler_x", "4.3"},
    {"MPI_Buffer_flush", "4.2"},
    {"MPIX_Comm_get_stream", "4.1"},
    {"MPI_Session_init", "4.0"},
};

std::string_view version_of_mpich(const elf_file& file) {
    for (const char* name : {"MPII_Version_string", "MPIR_Version_string"})
        if (const std::string_view text = file.text_of(name); !text.empty())
            return text;
    for (const added_function& added : mpich_releases)
        if (file.defines(added.name))
            return added.release;
    return "3";
}

// MPICH 4.3 and newer detects the variables of PMIx and gives up; older releases run as single processes. Measured:
// 4.3.2 and 5.0.2 abort under orterun 4.1 and prterun 5, even a job of one process; 3.4.3, 4.0.2, 4.1.3 and Intel MPI
// 2021.19 run as single processes.
void describe_start_of_mpich(const elf_file& file, library& mpi) {
    mpi.lineage = family::mpich;
    mpi.speaks_pmix = needs(file, "libpmix.so") || file.defines("PMIx_Init");
    mpi.fails_under_pmix = !mpi.speaks_pmix && std::string_view(mpi.product) == "MPICH" && is_at_least(mpi, 4, 3);
}

// Open MPI joins a job by PMIx. Up to version 4 it also uses Slurm's PMI inside Slurm.
void describe_start_of_openmpi(library& mpi) {
    mpi.lineage = family::openmpi;
    mpi.speaks_pmix = true;
    mpi.needs_pmix = true;
}

void describe_mpich(const elf_file& file, library& mpi) {
    mpi.interface = abi::mpich;
    copy_printable(mpi.product, product_of_mpich(file));
    // The texts of Intel's and Cray's libraries contain the version of the MPICH on which they are based.
    const std::string_view product = mpi.product;
    if (product == "MPICH" || product == "MVAPICH")
        copy_printable(mpi.version, version_of_mpich(file));
    describe_start_of_mpich(file, mpi);
}

// Open MPI 6 has its data objects, and the text of its version, in a library that the library with the functions of MPI
// needs.
bool has_objects_behind(const elf_file& file) {
    return needs(file, "libopen_mpi.so");
}

void describe_openmpi(const elf_file& file, library& mpi) {
    mpi.interface = abi::openmpi;
    describe_start_of_openmpi(mpi);
    copy_printable(mpi.product, file.soname().starts_with("libmpi_ibm") ? "Spectrum MPI" : "Open MPI");
    copy_printable(mpi.version, has_objects_behind(file) ? "6.0 or newer" : file.text_of("ompi_version_string"));
}

void describe_standard(const elf_file& file, library& mpi) {
    mpi.interface = abi::standard;
    if (has_objects_behind(file) || needs(file, "libopen-pal.so")) {
        describe_start_of_openmpi(mpi);
        copy_printable(mpi.product, "Open MPI");
    } else if (is_intel(file)) {
        // 2021.19 has the values of a draft. The file of a later release with the final values would look the same.
        mpi.values = generation::draft_intel;
        copy_printable(mpi.product, "Intel MPI");
        describe_start_of_mpich(file, mpi);
    } else if (!file.defines("MPI_Abi_get_version")) {
        mpi.values = generation::draft_mpich_4_3;
        copy_printable(mpi.product, "MPICH");
        copy_printable(mpi.version, "4.3");
        describe_start_of_mpich(file, mpi);
    } else if (file.defines("MPIR_Err_create_code") || file.defines("MPII_Version_string")) {
        copy_printable(mpi.product, "MPICH");
        copy_printable(mpi.version, version_of_mpich(file));
        describe_start_of_mpich(file, mpi);
    } else {
        copy_printable(mpi.product, "an MPI library");
    }
}

// Returns true for HP MPI, Platform MPI and SGI MPT. Each has a separate ABI, under sonames that other libraries also
// have.
bool has_foreign_abi(const elf_file& file) {
    return file.defines("hpmp_comm_world") || file.defines("MPI_SGI_bcast") || file.defines("mpi_sgi_private_");
}

// Returns true for MPICH 3.0, libraries that are based on it, and Open MPI up to 1.4. Programs of other releases, and
// the fronts, would misread their statuses.
bool has_other_statuses(const elf_file& file, const library& mpi) {
    if (mpi.interface == abi::openmpi)
        return file.soname() == "libmpi.so.0" && !file.defines("MPI_Op_commutative"); // a function that 1.5 added
    return mpi.interface == abi::mpich &&
           (std::strncmp(mpi.version, "3.0", 3) == 0 || std::strncmp(mpi.soname, "libmpich.so.10", 14) == 0);
}

identification classify(const elf_file& file, library& mpi) {
    if (file.has_note(note_owner, note_type))
        return identification::own_front;
    if (!file.defines("MPI_Init"))
        return identification::not_mpi;
    copy_printable(mpi.soname, file.soname());
    if (file.soname().starts_with("libmpi_abi")) {
        if (is_stub(file))
            return identification::stub;
        describe_standard(file, mpi);
    } else if (file.defines("ompi_mpi_comm_world") || has_objects_behind(file)) {
        describe_openmpi(file, mpi);
    } else if (!has_foreign_abi(file) && (file.defines("MPI_UNWEIGHTED") || file.defines("MPIR_Dup_fn"))) {
        describe_mpich(file, mpi);
    } else {
        return identification::unknown_mpi;
    }
    return has_other_statuses(file, mpi) ? identification::older : identification::mpi;
}

identification read_failure(elf_file::state state) {
    switch (state) {
    case elf_file::state::other_machine:
        return identification::other_machine;
    case elf_file::state::good:
    case elf_file::state::damaged:
        return identification::damaged;
    case elf_file::state::not_elf:
    case elf_file::state::not_shared:
    case elf_file::state::no_dynamic:
        break;
    }
    return identification::not_a_library;
}

identification map_failure(mapped_file::state state) {
    switch (state) {
    case mapped_file::state::missing:
        return identification::missing;
    case mapped_file::state::mapped:
    case mapped_file::state::unreadable:
        return identification::unreadable;
    case mapped_file::state::folder:
        return identification::folder;
    case mapped_file::state::no_file:
        break;
    }
    return identification::not_a_library;
}

} // namespace

identification identify(const char* file, library& mpi) {
    const mapped_file mapped(file);
    if (mapped.result() != mapped_file::state::mapped)
        return map_failure(mapped.result());
    elf_file elf;
    const elf_file::state state = elf_file::read(mapped.bytes(), elf);
    if (state != elf_file::state::good)
        return read_failure(state);
    mpi = library{};
    std::strncpy(mpi.path, file, sizeof mpi.path - 1);
    return classify(elf, mpi);
}

bool is_own_front(const char* file) {
    library mpi;
    return identify(file, mpi) == identification::own_front;
}

const char* explain(identification answer) {
    switch (answer) {
    case identification::mpi:
        return "is an MPI library";
    case identification::missing:
        return "does not exist";
    case identification::unreadable:
        return "cannot be read";
    case identification::folder:
        return "is a folder";
    case identification::not_a_library:
        return "is not a shared library (if it is a text that names one, as libmpi.so may be, take the file that it "
               "names)";
    case identification::other_machine:
        return "was built for another kind of processor";
    case identification::damaged:
        return "is damaged: its tables point outside of the file";
    case identification::not_mpi:
        return "is not an MPI library: it has no MPI_Init";
    case identification::unknown_mpi:
        return "is an MPI library of a kind that anympi does not know (neither MPICH's, Open MPI's nor the standard "
               "ABI)";
    case identification::older:
        return "is an MPI library of an old release (Open MPI up to 1.4, MPICH 3.0), whose statuses have "
               "another layout than in all later releases";
    case identification::draft:
        return "has values of a draft of the MPI ABI, which mean something else than the final ones";
    case identification::stub:
        return "is a stub for linking programs: its functions do nothing";
    case identification::own_front:
        return "is anympi's own library, which cannot be its own MPI";
    }
    return "";
}

} // namespace anympi::runtime
