#include "front/common/other_front.hpp"

#include "runtime/message.hpp"
#include "runtime/open/image.hpp"

#include <cerrno>
#include <cstddef>
#include <link.h>

namespace anympi {

namespace {

struct fronts {
    const char* names[2];
    int count;
};

int count_front(dl_phdr_info* object, std::size_t, void* found) {
    auto& all = *static_cast<fronts*>(found);
    if (!runtime::is_front(*object))
        return 0;
    if (all.count < 2)
        all.names[all.count] = object->dlpi_name[0] != '\0' ? object->dlpi_name : program_invocation_name;
    ++all.count;
    return 0;
}

} // namespace

void refuse_other_front() {
    fronts found{};
    dl_iterate_phdr(count_front, &found);
    if (found.count > 1)
        runtime::stop("this process holds two fronts of anympi: %s and %s.\n"
                      "Link the program and its libraries either all with libmpi_abi.so or all with libmpi_abi.a.",
                      found.names[0], found.names[1]);
}

} // namespace anympi
