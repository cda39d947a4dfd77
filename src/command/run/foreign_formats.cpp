#include "command/run/foreign_formats.hpp"

#include "command/cli/files.hpp"
#include "command/cli/split_join.hpp"
#include "command/cli/this_machine.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

namespace anympi::command {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t bytes_compared = 256; // the kernel compares these first bytes of a file

// Returns the first kilobytes of a file, or an empty text if it cannot be read. An entry of binfmt_misc is shorter.
std::string read_beginning(const fs::path& path) {
    std::string text(4096, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    return text;
}

// Returns the bytes that hexadecimal digits stand for, or nothing if the text has other characters.
std::optional<std::string> bytes_of(std::string_view digits) {
    std::string bytes;
    for (; digits.size() >= 2; digits.remove_prefix(2)) {
        unsigned char byte = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + 2, byte, 16);
        if (error != std::errc() || end != digits.data() + 2)
            return std::nullopt;
        bytes += static_cast<char>(byte);
    }
    return digits.empty() ? std::optional(bytes) : std::nullopt;
}

// The lines of an entry: "offset 0", "magic 7f45", "mask ffff", or "extension .jar".
using entry_lines = std::map<std::string, std::string>;

entry_lines read_entry(const std::string& text) {
    entry_lines lines;
    for (const std::string& line : split_list(text, "\n")) {
        const std::size_t space = std::min(line.find(' '), line.size());
        lines[line.substr(0, space)] = line.substr(std::min(space + 1, line.size()));
    }
    return lines;
}

bool has_magic(const entry_lines& entry, std::string_view content) {
    const auto text_of = [&](const char* name) {
        const auto line = entry.find(name);
        return line == entry.end() ? std::string() : line->second;
    };
    const auto magic = bytes_of(text_of("magic"));
    const auto mask = bytes_of(text_of("mask"));
    const std::string place = text_of("offset");
    std::size_t offset = 0;
    const auto [end, error] = std::from_chars(place.data(), place.data() + place.size(), offset);
    if (!magic || magic->empty() || !mask || error != std::errc() || end != place.data() + place.size())
        return false;
    content = content.substr(0, bytes_compared);
    if ((!mask->empty() && mask->size() != magic->size()) || offset > content.size() ||
        content.size() - offset < magic->size())
        return false;
    for (std::size_t i = 0; i < magic->size(); i++) {
        const int difference = content[offset + i] ^ (*magic)[i];
        if ((difference & (mask->empty() ? 0xff : (*mask)[i])) != 0)
            return false;
    }
    return true;
}

bool matches(const entry_lines& entry, const std::string& file, std::string_view content) {
    if (!entry.contains("enabled"))
        return false;
    const auto extension = entry.find("extension");
    return extension != entry.end() ? fs::path(file).extension() == extension->second : has_magic(entry, content);
}

} // namespace

bool has_registered_interpreter(const std::string& file, std::string_view content) {
    const fs::path folder = on_this_machine("/proc/sys/fs/binfmt_misc");
    if (read_beginning(folder / "status") == "disabled\n")
        return false;
    std::error_code failure;
    for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure)) {
        const fs::path name = entry->path().filename(); // two files control the kernel; all others are entries
        if (name != "status" && name != "register" && is_file(entry->path()) &&
            matches(read_entry(read_beginning(entry->path())), file, content))
            return true;
    }
    return false;
}

} // namespace anympi::command
