// Any bytes as a program whose dependencies are followed, for `anympi inspect`, and for `run` before it starts a
// program.
#include "command/inspect/examination.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    using namespace anympi;
    static const std::string path = "/tmp/anympi-fuzz-" + std::to_string(getpid());
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (!file)
        std::abort();
    std::fwrite(bytes, 1, size, file);
    std::fclose(file);
    const command::examination seen = command::examine(path, "");
    std::remove(path.c_str());
    // If the answer is one ABI, the ABI is known. A file that cannot be read tells nothing.
    using answer = command::examination::answer;
    if ((seen.verdict == answer::one_abi) != seen.interface.has_value())
        std::abort();
    if (seen.verdict == answer::unreadable && (seen.file.problem.empty() || !seen.mpis.empty()))
        std::abort();
    return 0;
}
