// Any text as a configuration: the text is read, a key is set in it, and it is read again.
#include "command/config/edit_text.hpp"
#include "command/config/settings.hpp"

#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    using namespace anympi::command;
    using anympi::runtime::whose;
    const std::string text(reinterpret_cast<const char*>(bytes), size);
    settings before;
    before.add_text(text, whose::sites, "file");
    settings after;
    after.add_text(set_in_text(text, whose::sites, "run.slurm", {"false"}), whose::sites, "file");
    if (after.flag("run.slurm") || after.text("mpi") != before.text("mpi") ||
        after.list("search") != before.list("search") || after.ignored().size() > before.ignored().size())
        __builtin_trap();
    return 0;
}
