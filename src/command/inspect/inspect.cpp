#include "command/inspect/inspect.hpp"

#include "command/cli/output.hpp"
#include "command/cli/split_join.hpp"
#include "command/cli/table.hpp"
#include "command/cli/this_machine.hpp"
#include "command/inspect/examination.hpp"
#include "command/inspect/mpi_names.hpp"
#include "command/inspect/register.hpp"
#include "command/inspect/support.hpp"
#include "command/list/installed.hpp"
#include "runtime/find/how_to_install.hpp"
#include "runtime/identify/exact_version.hpp"
#include "runtime/message.hpp"

#include <fmt/core.h>

#include <map>
#include <set>
#include <string>

namespace anympi::command {
namespace {

using answer = examination::answer;

std::string kind_of(const binary& file) {
    if (file.is_static)
        return "static program";
    return file.is_program ? "program" : "library";
}

// --- for programs to read ---

const char* word_for(support::way how) {
    switch (how) {
    case support::way::directly:
        return "directly";
    case support::way::by_front:
        return "anympi";
    case support::way::not_at_all:
        return "no";
    }
    return "";
}

json describe_abi(const examination& result) {
    switch (result.verdict) {
    case answer::one_abi:
        return name_of(*result.interface);
    case answer::several:
        return "several";
    case answer::any_abi:
        return "any";
    case answer::unreadable:
    case answer::no_mpi:
        break;
    }
    return nullptr;
}

json describe_emulation(const support& judged) {
    json how = json::object();
    for (const std::string& name : judged.emulated)
        if (const std::string words = how_it_is_built(name); !words.empty())
            how[name] = words;
    return how;
}

json describe_support(const support& judged, const runtime::library& mpi) {
    return {{"product", mpi.product},
            {"version", runtime::exact_version(mpi).text},
            {"path", mpi.path},
            {"runs", word_for(judged.how)},
            {"native", judged.native},
            {"extended", judged.extended},
            {"emulated", judged.emulated},
            {"missing", judged.missing},
            {"how", describe_emulation(judged)},
            {"reason", judged.reason.empty() ? json(nullptr) : json(judged.reason)}};
}

json describe(const examination& result, const std::vector<runtime::library>& libraries) {
    json document = {{"path", result.file.path}, {"error", nullptr}};
    if (result.verdict == answer::unreadable) {
        document["error"] = result.file.problem;
        return document;
    }
    document.update({{"kind", kind_of(result.file)},
                     {"abi", describe_abi(result)},
                     {"draft", result.is_draft},
                     {"mpi_libraries", result.mpis},
                     {"parts", result.users},
                     {"functions", result.uses.functions},
                     {"extensions", result.uses.extensions},
                     {"data", result.uses.data},
                     {"fortran", result.uses.fortran},
                     {"not_found", result.not_found},
                     {"missing_folders", result.missing_folders},
                     {"remarks", result.remarks},
                     {"machine", json::array()}});
    if (result.verdict != answer::no_mpi)
        for (const runtime::library& mpi : libraries)
            document["machine"].push_back(describe_support(judge_support(result, mpi), mpi));
    return document;
}

// --- for people ---

std::string headline(const examination& result) {
    const std::string kind = kind_of(result.file);
    switch (result.verdict) {
    case answer::one_abi:
        return fmt::format("{} for the {} ABI{}", kind, name_of(*result.interface),
                           result.is_draft ? " (a draft)" : "");
    case answer::several:
        return fmt::format("{} with parts for different MPI ABIs", kind);
    case answer::any_abi:
        return fmt::format("{} that uses MPI and does not show its ABI: it uses the MPI of its process", kind);
    case answer::no_mpi:
        return fmt::format("{} that {}", kind, explain_no_mpi(result));
    case answer::unreadable:
        break;
    }
    return "";
}

void print_names(const char* title, const std::set<std::string>& names) {
    if (names.empty())
        return;
    show("  {}\n", painted(fmt::format("{} ({})", title, names.size()), style::heading));
    print_words({names.begin(), names.end()}, "    ");
}

cell describe_way(support::way how) {
    switch (how) {
    case support::way::directly:
        return {"directly", style::good};
    case support::way::by_front:
        return {"by anympi", style::good};
    case support::way::not_at_all:
        return {"no", style::bad};
    }
    return {};
}

// Names of functions, each with the MPIs on which it is emulated or missing.
using mpis_by_name = std::map<std::string, std::vector<std::string>>;

void note(mpis_by_name& noted, const std::vector<std::string>& names, const std::string& mpi) {
    for (const std::string& name : names)
        noted[name].push_back(mpi);
}

// Prints the functions in groups. `explain` makes the heading of a group from a function and its MPIs.
template <class Explain>
void print_groups(const char* title, const mpis_by_name& noted, Explain explain) {
    if (noted.empty())
        return;
    std::map<std::string, std::vector<std::string>> names_by_text;
    for (const auto& [name, mpis] : noted)
        names_by_text[explain(name, join_list(mpis))].push_back(name);
    show("  {}\n", painted(fmt::format("{} ({})", title, noted.size()), style::heading));
    for (const auto& [text, names] : names_by_text) {
        show_wrapped("    ", "    ", "{}", text);
        print_words(names, "      ");
    }
}

std::string explain_emulation(const std::string& name, const std::string& mpis) {
    const std::string how = how_it_is_built(name);
    return how.empty() ? fmt::format("on {}", mpis) : fmt::format("on {}: {}", mpis, how);
}

void print_support(const examination& result, const std::vector<runtime::library>& libraries) {
    if (libraries.empty())
        return;
    std::set<std::string> reasons;
    mpis_by_name emulated, missing;
    table rows({{"MPI OF THIS MACHINE"},
                {"LIBRARY", when_narrow::below},
                {"RUNS ON IT"},
                {"NATIVE"},
                {"EXTENDED"},
                {"EMULATED"},
                {"MISSING"}});
    for (const runtime::library& mpi : libraries) {
        const support judged = judge_support(result, mpi);
        rows.add({{title_of(mpi)},
                  {mpi.path},
                  describe_way(judged.how),
                  {std::to_string(judged.native.size())},
                  {std::to_string(judged.extended.size())},
                  {std::to_string(judged.emulated.size())},
                  {std::to_string(judged.missing.size()), judged.missing.empty() ? style::plain : style::doubtful}});
        note(emulated, judged.emulated, title_of(mpi));
        note(missing, judged.missing, title_of(mpi));
        if (!judged.reason.empty())
            reasons.insert(judged.reason.substr(0, judged.reason.find('\n')));
    }
    rows.print("  ");
    for (const std::string& reason : reasons)
        show_wrapped("  ", "    ", "{}", painted("no: " + reason, style::doubtful));
    print_groups("emulated by anympi", emulated, explain_emulation);
    print_groups("missing", missing, [](const std::string&, const std::string& mpis) { return "on " + mpis; });
}

void print_library_names(const examination& result) {
    for (const auto& [soname, file] : result.mpis)
        show_wrapped("  ", "    ", "needs {}: {}", soname,
                     file.empty() ? painted("not found", style::doubtful) : painted(file, style::plain));
    for (const std::string& soname : result.not_found)
        if (!result.mpis.contains(soname))
            show_wrapped("  ", "    ", "needs {}: {}", soname, painted("not found", style::doubtful));
    for (const std::string& folder : result.missing_folders)
        show_wrapped(
            "  ", "    ", "{}",
            painted("the folder " + folder + ", where libraries are expected, does not exist", style::doubtful));
}

void print(const examination& result, const std::vector<runtime::library>& libraries) {
    show_wrapped("", "  ", "{}: {}", painted(result.file.path, style::heading), headline(result));
    print_library_names(result);
    for (const std::string& remark : result.remarks)
        show_wrapped("  ", "    ", "{}", painted(remark, style::doubtful));
    if (result.users.size() > 1 || (result.users.size() == 1 && result.users[0] != result.file.path)) {
        show("  {}\n", painted("parts that use MPI", style::heading));
        print_words(result.users, "    ");
    }
    print_names("functions", result.uses.functions);
    print_names("Fortran routines", result.uses.fortran);
    print_names("extensions of one vendor", result.uses.extensions);
    print_names("data symbols of one ABI", result.uses.data);
    if (result.verdict != answer::no_mpi)
        print_support(result, libraries);
}

} // namespace

int inspect(const std::vector<std::string>& files, bool as_json) {
    const std::vector<runtime::library> libraries = find_libraries();
    json document = {{"files", json::array()}};
    int code = 0;
    for (const std::string& file : files) {
        const examination result = examine(file);
        if (result.verdict == answer::unreadable) {
            runtime::say("%s %s", result.file.path.c_str(), result.file.problem.c_str());
            code = 1;
        }
        if (as_json)
            document["files"].push_back(describe(result, libraries));
        else if (result.verdict != answer::unreadable)
            print(result, libraries);
    }
    if (as_json)
        print_json(document);
    if (libraries.empty())
        runtime::say("%s\n%s", runtime::explain_lack_of_mpi().text, runtime::advise_to_install(this_machine()).text);
    return code;
}

} // namespace anympi::command
