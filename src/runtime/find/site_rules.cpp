#include "runtime/find/site_rules.hpp"

#include "base/parts_of_text.hpp"
#include "runtime/find/real_file.hpp"
#include "runtime/find/requested_name.hpp"

#include <string_view>

namespace anympi::runtime {
namespace {

bool is_in(std::string_view file, std::string_view folder) {
    while (folder.size() > 1 && folder.ends_with('/'))
        folder.remove_suffix(1);
    return file.starts_with(folder) && (file.size() == folder.size() || file[folder.size()] == '/');
}

// Returns true if a path names this library file or a folder that contains it. Links are followed.
bool is_meant_by_path(const library& mpi, std::string_view path) {
    path_text wanted;
    wanted.append("%.*s", static_cast<int>(path.size()), path.data());
    path_text real;
    path_text real_wanted;
    find_real_file(mpi.path, real);
    find_real_file(wanted.text, real_wanted);
    return is_in(mpi.path, wanted.text) || is_in(real.text, wanted.text) ||
           (real_wanted.length != 0 && (is_in(mpi.path, real_wanted.text) || is_in(real.text, real_wanted.text)));
}

bool is_meant(const library& mpi, std::string_view entry) {
    if (entry.find('/') != entry.npos)
        return is_meant_by_path(mpi, entry);
    requested_name name;
    return read_name(entry, name) && goes_by_name(mpi, name);
}

bool is_meant_by_rule(const library& mpi, const site_rule& rule) {
    std::string_view rest{rule.mpis.text, rule.mpis.length};
    while (!rest.empty()) {
        const std::string_view entry = text_before(rest, rest.find('\n'));
        if (is_meant(mpi, entry))
            return true;
        rest = text_from(rest, entry.size() + 1);
    }
    return false;
}

bool is_forbidden(const configuration& settings, const library& mpi) {
    return settings.forbidden.mpis.length != 0 && is_meant_by_rule(mpi, settings.forbidden);
}

bool lacks_requirement(const configuration& settings, const library& mpi) {
    return settings.required.mpis.length != 0 && !is_meant_by_rule(mpi, settings.required);
}

} // namespace

bool is_allowed(const configuration& settings, const library& mpi) {
    return !is_forbidden(settings, mpi) && !lacks_requirement(settings, mpi);
}

path_text explain_rule(const configuration& settings, const library& mpi) {
    path_text text;
    if (is_forbidden(settings, mpi))
        text.append("%s forbids it", settings.forbidden.origin.text);
    else if (lacks_requirement(settings, mpi))
        text.append("%s requires another MPI", settings.required.origin.text);
    return text;
}

} // namespace anympi::runtime
