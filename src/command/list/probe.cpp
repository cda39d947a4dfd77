#include "command/list/probe.hpp"

#include "base/parts_of_text.hpp"
#include "command/cli/own_files.hpp"
#include "command/cli/printable.hpp"
#include "command/run/child.hpp"

#include <fmt/core.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

namespace anympi::command {
namespace {

constexpr std::chrono::seconds limit(5);

// The first letter of an answer.
constexpr char says_error = 'E'; // any other text comes from the library

// Opens the library in another program (ask_library.c), since the command is static and has no dynamic linker. The
// answer of that program is a letter and a text. This function returns only if the program does not start.
int ask(const std::string& program, const char* library, int pipe_end) {
    fcntl(pipe_end, F_SETFD, 0); // stays open in the other program
    execl(program.c_str(), program.c_str(), library, std::to_string(pipe_end).c_str(), nullptr);
    const std::string error = fmt::format("{}cannot be asked: {} does not start ({}); install anympi again", says_error,
                                          program, std::strerror(errno));
    return write(pipe_end, error.data(), error.size()) > 0 ? 0 : 1;
}

// Returns the letters, digits and points from `begin` on.
std::string_view word_at(std::string_view text, std::size_t begin) {
    std::size_t end = begin;
    while (end < text.size() && (is_digit(text[end]) || is_letter(text[end]) || text[end] == '.'))
        end++;
    return text.substr(begin, end - begin);
}

// Returns "2018.3" for "2018 Update 3 for Linux* OS".
std::string version_by_year(std::string_view text) {
    constexpr std::string_view update = " Update ";
    const std::string_view year = word_at(text, 0);
    const std::string_view rest = text.substr(year.size());
    const std::string_view number = rest.starts_with(update) ? word_at(rest, update.size()) : std::string_view();
    return std::string(year) + (number.empty() ? "" : ".") + std::string(number);
}

// Returns "4.0.2" for "MPICH Version: 4.0.2", "5.0.11" for "Open MPI v5.0.11, package: …".
std::string version_in(std::string_view text) {
    constexpr std::size_t most = 31;
    constexpr std::size_t year_length = 4;
    std::string by_year;
    for (std::size_t begin = 0; begin < text.size(); begin++) {
        if (!is_digit(text[begin]))
            continue;
        const std::string_view word = word_at(text, begin);
        if (const std::size_t point = word.find('.'); point != word.npos && point + 1 < word.size())
            return std::string(word.substr(0, most));
        if (by_year.empty() && word.size() == year_length)
            by_year = version_by_year(text.substr(begin)).substr(0, most);
        begin += word.size();
    }
    return by_year;
}

// The text of MPICH has its configuration. Open MPI from 3.0 on and Intel MPI are always built for all thread levels.
std::string thread_level_in(std::string_view text, const runtime::library& mpi) {
    constexpr std::string_view option = "--enable-threads=";
    const std::size_t found = text.find(option);
    if (found != text.npos)
        for (const char* level : {"single", "funneled", "serialized", "multiple"})
            if (text.substr(found + option.size()).starts_with(level))
                return level;
    const std::string_view product = mpi.product;
    const bool is_known = product == "Intel MPI" || (product == "MPICH" && text.find("configure") != text.npos) ||
                          (product == "Open MPI" && runtime::is_at_least(mpi, 3, 0));
    return is_known ? "multiple" : "";
}

probe_result judge(const child_end& end, const runtime::library& mpi) {
    probe_result result;
    if (!end.is_good() || end.answer.empty()) {
        result.problem = explain(end, limit);
    } else if (end.answer[0] == says_error) {
        result.problem = printable(std::string_view(end.answer).substr(1));
    } else {
        const std::string_view text = std::string_view(end.answer).substr(1);
        result.version = version_in(text);
        result.thread_level = thread_level_in(text, mpi);
    }
    return result;
}

} // namespace

std::vector<probe_result> probe(const std::vector<runtime::library>& libraries) {
    std::vector<child> children;
    children.reserve(libraries.size());
    const std::string program = folder_of_fronts() / "ask_library";
    const auto deadline = std::chrono::steady_clock::now() + limit;
    for (const runtime::library& mpi : libraries)
        children.emplace_back(child::errors::hidden, [&](int pipe_end) { return ask(program, mpi.path, pipe_end); });
    std::vector<probe_result> results;
    for (std::size_t i = 0; i < libraries.size(); i++)
        results.push_back(judge(children[i].wait(deadline), libraries[i]));
    return results;
}

} // namespace anympi::command
