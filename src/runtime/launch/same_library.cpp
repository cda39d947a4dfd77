#include "runtime/launch/same_library.hpp"

#include "runtime/identify/fingerprint.hpp"
#include "runtime/launch/launcher.hpp"
#include "runtime/message.hpp"

#include <cstring>
#include <unistd.h>

namespace anympi::runtime {

void expect_same_library(const library& mpi, const char* expected, const char* elsewhere) {
    const auto found = fingerprint(mpi);
    const std::size_t length = std::strcspn(expected, ";");
    if (std::strncmp(found.text, expected, length + 1) != 0) {
        bounded_text<160> version;
        version.append("%.*s", static_cast<int>(length), expected);
        stop("%s is %s here, and %s it is %s\ninstall the same MPI on all hosts of the job", mpi.path,
             describe(mpi).text, elsewhere, version.text);
    }
    if (std::strcmp(found.text, expected) != 0 && detect_launcher().local_rank <= 0) {
        char host[256] = "";
        gethostname(host, sizeof host - 1);
        say("on host %s: %s is another build of this version than %s", host, mpi.path, elsewhere);
    }
}

} // namespace anympi::runtime
