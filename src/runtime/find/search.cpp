#include "runtime/find/search.hpp"

#include "runtime/find/layouts.hpp"
#include "runtime/find/site_rules.hpp"
#include "runtime/find/sonames.hpp"

#include <cstring>
#include <unistd.h>

namespace anympi::runtime {
namespace {

bool exists(const path_text& path) {
    return !path.cut && access(path.text, F_OK) == 0;
}

// Calls `look` with the full name of each file of one table that may be in one folder, until it returns true.
template <std::size_t count>
bool look_at(const path_text& folder, const file_name (&names)[count], family lineage,
             function_ref<bool(const path_text&)> look) {
    for (const file_name& name : names) {
        if (lineage != family::unknown && name.lineage != family::unknown && name.lineage != lineage)
            continue;
        path_text file;
        file.append("%s/%s", folder.text, name.text);
        if (!file.cut && look(file))
            return true;
    }
    return false;
}

template <std::size_t count>
bool look_below(const path_text& prefix, const char* const (&names)[count], function_ref<bool(const path_text&)> look) {
    for (const char* name : names) {
        path_text folder;
        folder.append("%s/%s", prefix.text, name);
        if (exists(folder) && look(folder))
            return true;
    }
    return false;
}

// Calls `look` with each folder of a place that exists, until it returns true.
bool look_at_folders(const place& where, function_ref<bool(const path_text&)> look) {
    if (!exists(where.path))
        return false;
    if (!where.is_prefix)
        return look(where.path);
    if (look_below(where.path, library_folders, look))
        return true;
    // A person may name the lib folder instead of the installation.
    return where.is_pointed_to && (look_below(where.path, vendors_folders, look) || look(where.path));
}

// Looks for the best library of one folder, by the names of one table.
class folder_search {
public:
    folder_search(const wish& wanted, library& best, refusal& refused)
        : wanted_(wanted), best_(best), refused_(refused) {}

    template <std::size_t count>
    bool run(const path_text& folder, const file_name (&names)[count]) {
        bool found = false;
        look_at(folder, names, wanted_.lineage, [&](const path_text& file) { return found = consider(file); });
        return found;
    }

private:
    bool consider(const path_text& file) {
        library candidate;
        identification answer = identify(file.text, candidate);
        if (answer == identification::mpi && is_draft(candidate))
            answer = identification::draft; // never used: its constants have other values
        // Each installation of anympi has a library of anympi. A refused file of another kind says more about the
        // problem.
        const bool is_first = refused_.answer == identification::missing;
        const bool tells_more = refused_.answer == identification::own_front && answer != identification::missing;
        if (answer != identification::mpi && (is_first || tells_more))
            refused_ = {file, answer};
        if (answer != identification::mpi || !wanted_.accepts(candidate))
            return false;
        best_ = candidate;
        return true;
    }

    const wish& wanted_;
    library& best_;
    refusal& refused_;
};

} // namespace

bool wish::accepts(const library& mpi) const {
    if ((name && !goes_by_name(mpi, *name)) || (joins && !joins(mpi)) || (settings && !is_allowed(*settings, mpi)))
        return false;
    return lineage == family::unknown || mpi.lineage == family::unknown || mpi.lineage == lineage;
}

bool find_in(const place& where, const wish& wanted, library& best, refusal& refused) {
    wish narrowed = wanted;
    if (where.expected != family::unknown) {
        if (wanted.lineage != family::unknown && wanted.lineage != where.expected)
            return false;
        narrowed.lineage = where.expected;
    }
    folder_search search(narrowed, best, refused);
    if (look_at_folders(where, [&](const path_text& folder) { return search.run(folder, common_names); }))
        return true;
    return where.is_pointed_to &&
           look_at_folders(where, [&](const path_text& folder) { return search.run(folder, rare_names); });
}

void list_in(const place& where, function_ref<void(const library&)> found) {
    const auto report = [&](const path_text& file) {
        library mpi;
        if (identify(file.text, mpi) == identification::mpi)
            found(mpi);
        return false;
    };
    look_at_folders(where, [&](const path_text& folder) {
        look_at(folder, common_names, where.expected, report);
        if (where.is_pointed_to)
            look_at(folder, rare_names, where.expected, report);
        return false;
    });
}

} // namespace anympi::runtime
