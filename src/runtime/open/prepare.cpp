#include "runtime/open/prepare.hpp"

#include "base/text.hpp"
#include "runtime/message.hpp"

#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace anympi::runtime {
namespace {

bool ends_with_folder(const path_text& path, const char* name) {
    const char* slash = std::strrchr(path.text, '/');
    return slash != nullptr && std::strcmp(slash + 1, name) == 0;
}

void cut_last_part(path_text& path) {
    if (char* slash = std::strrchr(path.text, '/')) {
        *slash = '\0';
        path.length = static_cast<std::size_t>(slash - path.text);
    }
}

// Returns the folder in which a product was installed. Intel's classic layouts are PREFIX[/intel64]/lib/release.
path_text prefix_of(const char* library_path) {
    path_text prefix;
    prefix.append("%s", library_path);
    cut_last_part(prefix);
    for (const char* part : {"release", "debug", "lib", "lib64", "intel64"})
        if (ends_with_folder(prefix, part))
            cut_last_part(prefix);
    return prefix;
}

void set_if_unset(const char* variable, const char* value) {
    if (std::getenv(variable) != nullptr)
        return;
    say_if_verbose("%s=%s is set for the MPI library.", variable, value);
    setenv(variable, value, 0);
}

// Returns the prefix for which Open MPI was configured: the first path among the strings that libopen-pal stores for
// that purpose, 33 words into the component in 4.1 and 5.0. The other strings begin with ${.
const char* configured_prefix(const opened& runtime) {
    constexpr int words = 50;
    const auto* component = static_cast<const char* const*>(symbol(runtime, "mca_installdirs_config_component"));
    for (int i = 0; component != nullptr && i < words; ++i)
        for (const image& object : runtime.objects->objects())
            if (object.contains(component[i]) && component[i][0] == '/')
                return component[i];
    return nullptr;
}

bool lies_below(const char* path, const char* folder) {
    const std::size_t length = std::strlen(folder);
    return std::strncmp(path, folder, length) == 0 && path[length] == '/';
}

// Intel MPI looks for its tuning files and its libfabric in this folder. 2021.19 finds them by itself; older releases
// are started by scripts that set this variable.
void set_variables_of_intel(const library& mpi) {
    if (std::strcmp(mpi.product, "Intel MPI") == 0)
        set_if_unset("I_MPI_ROOT", prefix_of(mpi.path).text);
}

// An Open MPI that was moved (a wheel, a copied folder) must get its location. Without it 4.1.8 cannot start without
// mpirun, and no version finds the texts of its messages. The variable is set only if Open MPI was moved, because other
// Open MPIs that the program starts inherit the variable.
void set_variables_of_openmpi(const library& mpi, const opened& runtime) {
    if (mpi.lineage != family::openmpi)
        return;
    const char* configured = configured_prefix(runtime);
    if (configured == nullptr || lies_below(mpi.path, configured))
        return;
    const path_text prefix = prefix_of(mpi.path);
    path_text texts = prefix;
    texts.append("/share/openmpi");
    if (access(texts.text, F_OK) == 0)
        set_if_unset("OPAL_PREFIX", prefix.text);
}

} // namespace

void prepare_to_open(const library& mpi) {
    set_variables_of_intel(mpi);
}

void prepare_to_start(const library& mpi, const opened& runtime) {
    set_variables_of_openmpi(mpi, runtime);
}

} // namespace anympi::runtime
