// Any text as a configuration: what the command takes, the front takes and understands in the same way.
#include "command/config/settings.hpp"
#include "runtime/find/configuration.hpp"

#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    using namespace anympi;
    const std::string text(reinterpret_cast<const char*>(bytes), size);
    runtime::configuration seen;
    const runtime::syntax_error error = runtime::parse_configuration(text, seen);
    command::settings all;
    try {
        all.add_text(text, "file");
    } catch (const command::settings_error&) {
        return 0;
    }
    std::string folders;
    for (const std::string& folder : all.list("search"))
        folders += (folders.empty() ? "" : ":") + folder;
    if (error.line != 0 || all.text("mpi") != seen.mpi.text || folders != seen.search.text)
        __builtin_trap();
    return 0;
}
