#include "command/cli/command_line.hpp"

#include "command/adopt/adopt.hpp"
#include "command/cli/config_options.hpp"
#include "command/cli/help.hpp"
#include "command/cli/help_formatter.hpp"
#include "command/cli/nearest.hpp"
#include "command/cli/output.hpp"
#include "command/cli/split_join.hpp"
#include "command/cli/this_machine.hpp"
#include "command/config/settings.hpp"
#include "command/doctor/doctor.hpp"
#include "command/hosts/ask_hosts.hpp"
#include "command/inspect/inspect.hpp"
#include "command/inspect/mpi_names.hpp"
#include "command/inspect/show_functions.hpp"
#include "command/list/installed.hpp"
#include "command/list/list.hpp"
#include "command/run/find_launcher.hpp"
#include "command/run/launcher_arguments.hpp"
#include "command/run/run.hpp"
#include "runtime/find/how_to_install.hpp"
#include "runtime/find/requested_name.hpp"
#include "runtime/message.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>

namespace anympi::command {
namespace {

constexpr int wrong_usage = 2;

// A value with a slash is a path. Any other value must be a name.
bool may_be_mpi(const std::string& value) {
    return value.find('/') != value.npos || runtime::is_known_name(value);
}

// Returns what is wrong with a value of --mpi. If this machine has no MPI, the message tells how to install one instead
// of suggesting another name.
std::string check_mpi(const std::string& value) {
    if (may_be_mpi(value))
        return "";
    if (find_libraries().empty())
        throw std::runtime_error(std::string(runtime::explain_lack_of_mpi().text) + "\n" +
                                 runtime::advise_to_install(this_machine()).text);
    return explain_unknown_mpi(value);
}

std::string check_abi(const std::string& value) {
    std::vector<std::string> names;
    for (const abi one : all_abis)
        names.emplace_back(name_of(one));
    return find_abi(value) ? "" : sentence_of("there is no ABI `{}`; there are {}", value, join_list(names));
}

// Writes the usage of `anympi run`. CLI11 cannot describe words that are meant for the launcher and the program.
class run_formatter : public help_formatter {
    std::string make_usage(const CLI::App*, std::string) const override {
        return "Usage: anympi run [--mpi NAME|PREFIX|FILE] [-n N] [options] [launcher options] [--] PROGRAM [ARGS]\n";
    }
};

std::string check_ranks(const std::string& value) {
    const bool is_number = !value.empty() && value.find_first_not_of("0123456789") == value.npos;
    if (is_number && value.find_first_not_of('0') != value.npos)
        return {};
    return sentence_of("the number of processes must be 1 or more, not `{}`", value);
}

CLI::App* add_run(CLI::App& app, run_options& options) {
    CLI::App* run = app.add_subcommand("run", "Run a program on an MPI of this machine, with its launcher");
    run->formatter(std::make_shared<run_formatter>());
    run->add_option("--mpi", options.mpi,
                    "a name (mpich, openmpi-5 …), the folder of an installation or a library file")
        ->type_name("MPI")
        ->check(check_mpi);
    run->add_option("-n,--np", options.ranks, "number of processes (default: the launcher decides)")
        ->type_name("N")
        ->check(check_ranks);
    run->add_flag("--dry-run", options.dry_run, "print the command instead of running it");
    run->add_flag("--explain", options.explains, "say once which MPI the job runs on, and why");
    run->add_flag("--verbose", options.verbose, "say what is chosen and why, in every process (as ANYMPI_VERBOSE=1)");
    run->add_flag("--check-hosts", options.checks_hosts, "look for anympi and the MPI on all hosts of the job first");
    run->footer(run_help);
    return run;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<std::string> names_of_commands(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : commands_of(app))
        names.push_back(command->get_name());
    return names;
}

std::vector<std::string> names_of(const CLI::Option& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.get_snames())
        names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        names.push_back("--" + name);
    return names;
}

bool takes_value(const CLI::Option& option) {
    return option.get_items_expected_max() > 0;
}

std::vector<std::string> long_names_of_options(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : names_of(*option))
            if (name.starts_with("--"))
                names.push_back(name);
    return names;
}

std::vector<own_option> own_options_of(const CLI::App& app) {
    std::vector<own_option> options;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : names_of(*option))
            options.push_back({name, takes_value(*option)});
    return options;
}

std::string with_advice(const std::string& problem, const std::string& meant) {
    return meant.empty() ? problem : sentence_of("{}; did you mean `{}`?", problem, meant);
}

// Explains the first word that no option or argument has taken.
std::string explain_extra_word(const CLI::App& app, const CLI::App& command) {
    const std::vector<std::string> extras = app.remaining(true);
    const std::string word = extras.empty() ? "" : extras[0];
    if (word.starts_with('-'))
        return with_advice(sentence_of("there is no option `{}`", word), nearest(word, long_names_of_options(command)));
    if (const std::vector<std::string> known = names_of_commands(command); !known.empty()) {
        const std::string meant = nearest(word, known);
        const std::string problem = sentence_of("there is no command `{}`", word);
        return meant.empty() ? sentence_of("{}; there are {}", problem, join_list(known)) : with_advice(problem, meant);
    }
    return sentence_of("`{}` is too much: the command takes no such word", word);
}

// Replaces the messages of CLI11, which are written for programmers.
std::string explain_error(const CLI::App& app, const CLI::App& command, const CLI::Error& error) {
    switch (static_cast<CLI::ExitCodes>(error.get_exit_code())) {
    case CLI::ExitCodes::ExtrasError:
        return explain_extra_word(app, command);
    case CLI::ExitCodes::ArgumentMismatch: {
        const std::string text =
            error.what(); // "--mpi: 1 required MPI missing", "--mpi: At Most 1 required but received 2"
        const std::string name = text.substr(0, text.find(':'));
        const CLI::Option* const option = command.get_option_no_throw(name);
        return option != nullptr && option->count() > 1 ? sentence_of("{} is given twice", name)
                                                        : sentence_of("a value is missing after {}", name);
    }
    case CLI::ExitCodes::ConversionError:
        return "the number of processes is too large";
    case CLI::ExitCodes::ValidationError: {
        const std::string text = error.what(); // "--mpi: …"
        const std::size_t prefix = text.find(": ");
        return text.substr(prefix == text.npos ? 0 : prefix + 2);
    }
    default:
        return error.what();
    }
}

void explain_usage_error(const CLI::App& app, const CLI::Error& error) {
    const std::vector<CLI::App*> used = app.get_subcommands();
    const CLI::App& command = used.empty() ? app : *used[0];
    const std::string name = used.empty() ? "anympi" : "anympi " + command.get_name();
    runtime::say("%s\nsee `%s --help`", explain_error(app, command, error).c_str(), name.c_str());
}

// Adds a command with the option --json.
CLI::App* add_plain(CLI::App& app, const char* name, const char* purpose, const char* help, bool& as_json) {
    CLI::App* command = app.add_subcommand(name, purpose);
    command->add_flag("--json", as_json, "for programs to read");
    command->footer(help);
    return command;
}

CLI::App* add_adopt(CLI::App& app, std::string& file, std::string& copy) {
    CLI::App* adopt = app.add_subcommand("adopt", "Write a copy of a program that finds anympi without `anympi run`");
    adopt->add_option("FILE", file, "a program or shared library that was built for some MPI")->type_name("");
    adopt->add_option("-o,--output", copy, "the copy to write")->type_name("COPY");
    adopt->footer(adopt_help);
    return adopt;
}

// The options of `anympi doctor` for other hosts.
struct host_options {
    std::string list;
    int limit = static_cast<int>(usual_limit.count());
    bool is_this_host = false;
};

void add_hosts(CLI::App& doctor, host_options& options) {
    CLI::Option* const hosts =
        doctor.add_option("--hosts", options.list, "compare hosts: na,nb (default: the hosts of the Slurm allocation)")
            ->type_name("LIST")
            ->expected(0, 1);
    doctor.add_option("--limit", options.limit, "with --hosts: how many seconds each host may take (default: 20)")
        ->type_name("SECONDS")
        ->check(CLI::Range(1, 3600))
        ->needs(hosts);
    doctor.add_flag("--this-host", options.is_this_host, "what --hosts asks each host: what this host has, in lines")
        ->excludes(hosts);
}

class command_line {
public:
    command_line();

    int parse_and_run(std::vector<std::string> words);

    const CLI::App& description() const { return app_; }

private:
    void parse(std::vector<std::string> words);

    CLI::App app_;
    CLI::App* run_;
    CLI::App* list_;
    CLI::App* inspect_;
    CLI::App* doctor_;
    CLI::App* adopt_;
    CLI::App* config_;
    run_options options_;
    std::vector<std::string> files_;
    std::string adopted_;
    std::string copy_;
    bool as_json_ = false;
    bool shows_functions_ = false;
    bool only_names_ = false;
    host_options hosts_;
    config_request configuration_;
    std::string abi_ = name_of(abi::standard);
};

command_line::command_line()
    : app_("Runs programs that were compiled once on whatever MPI library the machine has.", "anympi") {
    app_.formatter(std::make_shared<help_formatter>()); // subcommands inherit it
    app_.footer(main_help);
    app_.set_version_flag("--version", "anympi " ANYMPI_VERSION);
    app_.require_subcommand(0, 1);
    run_ = add_run(app_, options_);
    list_ = add_plain(app_, "list", "Show the MPI libraries of this machine and which is chosen", list_help, as_json_);
    list_->add_flag("--names", only_names_, "print only the names, one in each line; opens no library");
    inspect_ =
        add_plain(app_, "inspect", "Show which MPI programs and libraries were built for", inspect_help, as_json_);
    CLI::Option* functions =
        inspect_->add_flag("--functions", shows_functions_, "who answers functions of MPI: take FILE as their names");
    inspect_->add_option("--abi", abi_, "with --functions: for programs of this ABI (default: standard)")
        ->type_name("ABI")
        ->check(check_abi)
        ->needs(functions);
    inspect_->add_option("FILE", files_, "programs or shared libraries")->type_name("");
    doctor_ = add_plain(app_, "doctor", "Check the setup: do the MPIs of this machine work, and programs with them?",
                        doctor_help, as_json_);
    doctor_->add_option("PROGRAM", files_, "programs to check, too")->type_name("");
    add_hosts(*doctor_, hosts_);
    adopt_ = add_adopt(app_, adopted_, copy_);
    config_ = add_config(app_, configuration_);
    app_.add_subcommand("version", "Show the version of anympi");
    app_.add_subcommand("help", "Show the help of anympi, or of a command: anympi help run");
}

int command_line::parse_and_run(std::vector<std::string> words) {
    try {
        parse(std::move(words));
    } catch (const CLI::Success& answer) {
        return app_.exit(answer);
    } catch (const CLI::Error& error) {
        explain_usage_error(app_, error);
        return wrong_usage;
    }
    if (run_->parsed())
        return run(options_);
    if (list_->parsed())
        return only_names_ ? list_names() : list(as_json_);
    if (inspect_->parsed())
        return shows_functions_ ? show_functions(files_, find_abi(abi_).value_or(abi::standard), as_json_)
                                : inspect(files_, as_json_);
    if (doctor_->parsed() && hosts_.is_this_host)
        return show_this_host(files_, as_json_);
    if (doctor_->parsed() && doctor_->get_option("--hosts")->count() > 0)
        return doctor_hosts(hosts_.list, files_, std::chrono::seconds(hosts_.limit), as_json_);
    if (doctor_->parsed())
        return doctor(files_, as_json_);
    if (adopt_->parsed())
        return adopt(adopted_, copy_);
    if (config_->parsed())
        return config(configuration_);
    show("anympi {}\n", ANYMPI_VERSION);
    return 0;
}

// Returns true for srun's option --mpi, which names the protocol by which processes find each other.
bool is_option_of_srun(std::string_view name, const std::string& value) {
    return name == "mpi" && !may_be_mpi(value) && offers_with_srun(value);
}

// An unknown option goes to the launcher, unless it looks like a misspelled option of anympi.
void check_unknown_options(const CLI::App& run, const std::vector<std::string>& options) {
    constexpr std::size_t shortest = 3; // a shorter option would be near too many words
    std::vector<std::string> own = long_names_of_options(run);
    std::erase_if(own, [](const std::string& name) { return name.size() < std::string("--").size() + shortest; });
    for (const std::string& option : options)
        if (const std::string meant = nearest(option, own); !meant.empty())
            throw CLI::Error("Misspelled", with_advice(sentence_of("there is no option `{}`", option), meant) +
                                               " (an option of the launcher may follow `--`)");
}

// `help run` is `run --help`, and `help` is `--help`.
void replace_help(std::vector<std::string>& words) {
    constexpr const char* option = "--help";
    const bool is_asked_about_all = words.size() == 1 || words[1].starts_with('-') || words[1] == words[0];
    words = is_asked_about_all ? std::vector<std::string>{option} : std::vector<std::string>{words[1], option};
}

void command_line::parse(std::vector<std::string> words) {
    std::vector<std::string> unknown_options;
    if (!words.empty() && words[0] == "help") {
        replace_help(words);
        if (const auto names = names_of_commands(app_);
            words.size() == 2 && std::ranges::find(names, words[0]) == names.end())
            words.pop_back(); // the error then names the unknown command
    }
    if (!words.empty() && words[0] == "run") {
        words.erase(words.begin());
        const sorted_words sorted = sort_words(own_options_of(*run_), words, is_option_of_srun);
        unknown_options = sorted.unknown;
        options_.launcher_arguments = sorted.launchers;
        words = sorted.own;
        words.insert(words.begin(), "run");
    }
    std::reverse(words.begin(), words.end()); // as CLI11 wants them
    app_.parse(words);
    check_unknown_options(*run_, unknown_options);
    if (app_.get_subcommands().empty())
        throw CLI::Error("RequiredError", sentence_of("a command is needed: {}", join_list(names_of_commands(app_))));
    if (run_->parsed() &&
        (options_.launcher_arguments.empty() || find_programs_among(options_.launcher_arguments)[0].lacks_program))
        throw CLI::Error("RequiredError", "a program to run is needed");
    if ((inspect_->parsed() && !shows_functions_ && files_.empty()) || (adopt_->parsed() && adopted_.empty()))
        throw CLI::Error("RequiredError", "a FILE is needed");
    if (adopt_->parsed() && copy_.empty())
        throw CLI::Error("RequiredError", "the name of the copy is needed: -o COPY");
}

option_description describe(const CLI::Option& option) {
    return {names_of(option), takes_value(option) ? option.get_type_name() : "",
            option.get_positional() ? option.get_name(true) : "", option.get_description(),
            option.get_name(true) == name_of_key ? known_keys() : std::vector<std::string>()};
}

command_description describe(const CLI::App& app, const std::string& parent) {
    command_description all = {app.get_name(), app.get_description(), app.get_footer(), app.help(parent), {}, {}};
    for (const CLI::Option* option : app.get_options())
        all.options.push_back(describe(*option));
    for (const CLI::App* command : commands_of(app))
        all.commands.push_back(describe(*command, app.get_name()));
    return all;
}

} // namespace

int parse_and_run(std::vector<std::string> words) {
    return command_line().parse_and_run(std::move(words));
}

command_description describe_commands() {
    return describe(command_line().description(), "");
}

} // namespace anympi::command
