#include "command/list.hpp"
#include "command/run.hpp"
#include "command/words.hpp"
#include "runtime/library.hpp"
#include "runtime/message.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace anympi::command {
namespace {

constexpr int wrong_usage = 2;

constexpr char examples[] = R"(Examples:
  mpicc hello.c -o hello               compile once (anympi's mpicc)
  anympi list                          the MPI libraries of this machine
  anympi run -n 4 ./hello              run on the one that would be chosen here
  anympi run --mpi openmpi -n 4 ./hello)";

constexpr char run_examples[] =
    R"(The launcher is the one that belongs to the MPI (mpiexec.hydra, mpirun …). Options that anympi does not
know go to it unchanged; anympi's own come before the first word that is no option.

Examples:
  anympi run -n 4 ./hello
  anympi run --mpi mpich -n 2 ./solver --steps 100
  anympi run --mpi /opt/openmpi-5 --oversubscribe -n 8 ./solver
  anympi run --mpi ~/mpich/lib/libmpi.so.12 -n 2 -host node1,node2 -- ./solver
  anympi run --dry-run -n 4 ./hello)";

// A path has a slash in it; what has none must be a name.
std::string check_mpi(const std::string& value) {
    if (value.find('/') != value.npos || runtime::is_known_name(value.c_str()))
        return {};
    return fmt::format(
        "no MPI goes by the name `{}`; give a name (mpich, openmpi, intel, mvapich, cray, standard), the "
        "folder of an installation or a library file, with a slash in it",
        value);
}

// CLI11 does not know of words that are meant for others.
class run_formatter : public CLI::Formatter {
    std::string make_usage(const CLI::App*, std::string) const override {
        return "Usage: anympi run [--mpi NAME|PREFIX|FILE] [-n N] [--dry-run] [launcher options] [--] PROGRAM [ARGS]\n";
    }
};

std::string check_ranks(const std::string& value) {
    const bool is_number = !value.empty() && value.find_first_not_of("0123456789") == value.npos;
    if (is_number && value.find_first_not_of('0') != value.npos)
        return {};
    return fmt::format("the number of processes must be 1 or more, not `{}`", value);
}

CLI::App* add_run(CLI::App& app, run_options& options) {
    CLI::App* run = app.add_subcommand("run", "Run a program on an MPI of this machine, with its launcher");
    run->formatter(std::make_shared<run_formatter>());
    run->add_option("--mpi", options.mpi, "a name (mpich, openmpi …), the folder of an installation or a library file")
        ->type_name("MPI")
        ->check(check_mpi);
    run->add_option("-n,--np", options.ranks, "number of processes (without it: what the launcher makes of that)")
        ->type_name("N")
        ->check(check_ranks);
    run->add_flag("--dry-run", options.dry_run, "print the command instead of running it");
    run->footer(run_examples);
    return run;
}

void explain_usage_error(const CLI::App& app, const CLI::Error& error) {
    const std::vector<CLI::App*> used = app.get_subcommands();
    const std::string command = used.empty() ? "anympi" : "anympi " + used[0]->get_name();
    runtime::say("%s\nsee `%s --help`", error.what(), command.c_str());
}

int parse_and_run(std::vector<std::string> words) {
    CLI::App app("Runs programs that were compiled once on whatever MPI library the machine has.", "anympi");
    app.footer(examples);
    app.set_version_flag("--version", "anympi " ANYMPI_VERSION);
    run_options options;
    const CLI::App* run_command = add_run(app, options);
    bool as_json = false;
    CLI::App* list_command = app.add_subcommand("list", "Show the MPI libraries of this machine and which is chosen");
    list_command->add_flag("--json", as_json, "for programs to read");
    const CLI::App* version_command = app.add_subcommand("version", "Show the version of anympi");

    if (!words.empty() && words[0] == "run") {
        words.erase(words.begin());
        options.launcher_words = take_launcher_words(*run_command, words);
        words.insert(words.begin(), "run");
    }
    try {
        std::reverse(words.begin(), words.end()); // as CLI11 wants them
        app.parse(words);
        if (app.get_subcommands().empty())
            throw CLI::RequiredError("A command (run, list, version)");
        if (run_command->parsed() && options.launcher_words.empty())
            throw CLI::RequiredError("A program to run");
    } catch (const CLI::Success& answer) {
        return app.exit(answer);
    } catch (const CLI::ParseError& error) {
        explain_usage_error(app, error);
        return wrong_usage;
    }
    if (run_command->parsed())
        return run(options);
    if (version_command->parsed()) {
        fmt::print("anympi {}\n", ANYMPI_VERSION);
        return 0;
    }
    return list(as_json);
}

} // namespace
} // namespace anympi::command

int main(int count, char** words) {
    using namespace anympi;
    try {
        const int code = command::parse_and_run({words + std::min(count, 1), words + count});
        if (std::fflush(stdout) == 0)
            return code;
        runtime::say("the output could not be written: %m");
    } catch (const std::exception& error) {
        runtime::say("%s", error.what());
    }
    return 1;
}
