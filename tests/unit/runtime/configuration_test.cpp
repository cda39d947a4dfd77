#include "runtime/find/configuration.hpp"

#include "fake_machine.hpp"

#include <algorithm>
#include <climits>
#include <cstring>

namespace anympi::runtime {
namespace {

// Returns the settings of a text: "KEY=VALUE;" for each valid line (a value ends with a comma), "LINE: reason;" for
// each broken one.
std::string read_text(std::string_view text, whose owner = whose::sites) {
    std::string result;
    read_configuration_text(text, owner, [&](const configuration_line& line) {
        if (line.problem != nullptr)
            result += std::to_string(line.number) + ": " + explain_problem(line).text + ";";
        else if (!line.is_table)
            result += std::string(line.key) + "=" + line.values + ";";
    });
    std::replace(result.begin(), result.end(), '\n', ',');
    return result;
}

TEST(configuration_text, may_be_empty) {
    EXPECT_EQ(read_text(""), "");
    EXPECT_EQ(read_text("\n\n  \n\t# only a comment\n"), "");
}

TEST(configuration_text, may_begin_with_a_byte_order_mark) {
    EXPECT_EQ(read_text("\xEF\xBB\xBFmpi = 'mpich'\r\n"), "mpi=mpich,;");
    EXPECT_EQ(read_text("\xEF\xBB\xBF"), "");
}

TEST(configuration_text, knows_both_kinds_of_strings) {
    EXPECT_EQ(read_text("mpi = \"mpich\""), "mpi=mpich,;");
    EXPECT_EQ(read_text("mpi='/opt/my mpi'"), "mpi=/opt/my mpi,;");
    EXPECT_EQ(read_text("\t mpi\t=  \"/opt/a\\\\b\\\"c\"  # why\n"), "mpi=/opt/a\\b\"c,;");
    EXPECT_EQ(read_text("mpi = '/opt/a\\b'"), "mpi=/opt/a\\b,;");
    EXPECT_EQ(read_text("mpi = \"/opt/a#b\"\r\n"), "mpi=/opt/a#b,;");
}

TEST(configuration_text, knows_all_types_and_tables) {
    EXPECT_EQ(read_text("[run]\nallow_root = true\nslurm=false # here\n[ launcher ]\nmpich = '/a'\n[options]\n"
                        "mpich = ['-x', '']\nintel = []"),
              "run.allow_root=true,;run.slurm=false,;launcher.mpich=/a,;options.mpich=-x,,;options.intel=;");
    EXPECT_EQ(read_text("run.verbose = true\nmpi = 'intel'"), "run.verbose=true,;mpi=intel,;");
}

TEST(configuration_text, knows_lists_over_several_lines) {
    EXPECT_EQ(read_text("search = []"), "search=;");
    EXPECT_EQ(read_text("search = ['/a', \"/b c\",]\nmpi = 'mpich'"), "search=/a,/b c,;mpi=mpich,;");
    EXPECT_EQ(read_text("search=[ # one\n\n '/a' # two\n ,'/b#c'\r\n]# end"), "search=/a,/b#c,;");
}

TEST(configuration_text, knows_rules_of_sites) {
    EXPECT_EQ(read_text("forbid = 'openmpi'\nrequire = ['mpich', '/apps']"), "forbid=openmpi,;require=mpich,/apps,;");
    EXPECT_EQ(read_text("forbid = 'openmpi'", whose::users), "1: forbid: this key counts in the site's file only;");
}

// All other lines are still valid.
TEST(configuration_text, names_a_broken_line_and_goes_on) {
    for (const auto& [line, problem] : std::initializer_list<std::pair<const char*, const char*>>{
             {"mpi", "expected key = value"},
             {"= \"mpich\"", "expected key = value"},
             {"mpi \"mpich\"", "expected key = value"},
             {"\"mpi\" = 'mpich'", "expected key = value"},
             {"mip = 'mpich'", "mip: there is no such key"},
             {"launcher.lam = '/x'", "launcher.lam: there is no such key"},
             {"launcher. = '/x'", "launcher.: there is no such key"},
             {"[colours]", "[colours]: there is no such table"},
             {"[[run]]", "[]: expected [table]"},
             {"[run", "[run]: expected [table]"},
             {"[run] x", "[run]: expected [table]"},
             {"mpi =", "mpi: there is no value"},
             {"mpi = # later", "mpi: there is no value"},
             {"mpi = mpich", "mpi: the value must be a string in quotes"},
             {"mpi = \"mpich", "mpi: the string has no closing quote"},
             {"mpi = 'mpich\"", "mpi: the string has no closing quote"},
             {"mpi = \"\\u0041\"",
              "mpi: the only escapes are \\\\ and \\\"; a string in 'single quotes' has no escapes"},
             {"mpi = \"mpich\" openmpi", "mpi: there is something after the value"},
             {"mpi = \"\"", "mpi: the value is empty"},
             {"mpi = \"opt/mpich\"", "mpi: a path must begin with /"},
             {"mpi = \"lam\"", "mpi: no MPI goes by this name: `lam`"},
             {"mpi = \"\033[31m\"", "mpi: a string may not contain control characters"},
             {"search = '/a'", "search: the value must be a list of strings: [\"one\", \"two\"]"},
             {"search = ['a']", "search: a path must begin with /"},
             {"search = ['/a:b']", "search: a folder may not have a colon in its name"},
             {"search = ['/a' '/b']", "search: there is no comma between two strings"},
             {"search = [,]", "search: the value must be a string in quotes"},
             {"search = ['/a'", "search: the list has no closing bracket"},
             {"search = [] x", "search: there is something after the value"},
             {"forbid = ['openmpi', 'lam']", "forbid: no MPI goes by this name: `lam`"},
             {"run.slurm = 'yes'", "run.slurm: the value must be true or false"},
             {"launcher.mpich = 'mpiexec'", "launcher.mpich: a path must begin with /"},
             {"run = { slurm = false }",
              "run: inline tables are not read; write [run], and below it one line for each key"},
             {"colours = { x = 1 }", "colours: there is no such key"},
             {"mpi = \"\"\"mpich\"\"\"",
              "mpi: strings in three quotes are not read; write the string in one pair of quotes"},
             {"options.mpich = 'x'", "options.mpich: the value must be a list of strings: [\"one\", \"two\"]"},
         }) {
        std::string text = "[options]\nintel = ['-x']\n[run]\nverbose = true\n";
        std::string before = "options.intel=-x,;run.verbose=true,;";
        if (line[0] != '[') { // such a line is valid outside of tables
            text = "options.intel = ['-x']\nrun.verbose = true\n";
            EXPECT_EQ(read_text(text + line + "\n[run]\nslurm = true"), before + "3: " + problem + ";run.slurm=true,;");
        } else {
            EXPECT_EQ(read_text(text + line + "\nx = 1\n[options]\nmpich = []"),
                      before + "5: " + problem + ";options.mpich=;");
        }
    }
    EXPECT_EQ(read_text(std::string_view("\0", 1)), "1: expected key = value;");
    EXPECT_EQ(read_text("mpi = \"/" + std::string(PATH_MAX, 'x') + "\""), "1: mpi: the path is too long;");
    EXPECT_EQ(read_text("forbid = '/" + std::string(PATH_MAX - 2, 'x') + "'"), "1: forbid: the path is too long;");
    EXPECT_EQ(read_text("forbid = 'mpich-" + std::string(PATH_MAX, '4') + "'"), "1: forbid: the name is too long;");
    EXPECT_EQ(read_text("search = ['/" + std::string(PATH_MAX - 4, 'x') + "', '/y']"),
              "1: search: the list is too long;");
}

TEST(configuration_text, goes_on_behind_a_broken_list) {
    EXPECT_EQ(read_text("search = [\n'/a'\n'/b',\n# no\n]\nmpi = 'mpich'"),
              "3: search: there is no comma between two strings;mpi=mpich,;");
    EXPECT_EQ(read_text("search = [\n'/a',\n[run]\nverbose = true"),
              "1: search: the list has no closing bracket;run.verbose=true,;");
    EXPECT_EQ(read_text("colours = [\n'a = b',\n'c']\nmpi = 'mpich'"), "1: colours: there is no such key;mpi=mpich,;");
}

// The reader ignores the lines inside such a string. Without closing quotes, only the first line is broken.
TEST(configuration_text, continues_after_a_string_in_three_quotes) {
    const std::string problem = "strings in three quotes are not read; write the string in one pair of quotes;";
    for (const std::string quotes : {"\"\"\"", "'''"}) {
        const std::string text = quotes + "\r\nmpi = 'intel'\n[launcher]\n " + quotes;
        EXPECT_EQ(read_text("mpi = " + text + " # x\nrun.slurm = true"), "1: mpi: " + problem + "run.slurm=true,;");
        EXPECT_EQ(read_text("search = [\n" + text + ",\n'/a']\nrun.slurm = true"),
                  "2: search: " + problem + "run.slurm=true,;");
        EXPECT_EQ(read_text("colours = " + text + "\nmpi = 'mpich'"), "1: colours: there is no such key;mpi=mpich,;");
        EXPECT_EQ(read_text("[colours]\nx = " + text + "\n[run]\nslurm = true"),
                  "1: [colours]: there is no such table;run.slurm=true,;");
        EXPECT_EQ(read_text("mpi = " + quotes + "mpich\nrun.slurm = true"), "1: mpi: " + problem + "run.slurm=true,;");
        EXPECT_EQ(read_text("mpi = " + quotes), "1: mpi: " + problem);
    }
    EXPECT_EQ(read_text("mpi = \"\"\"a\\\"\"\"\nmpi = 'intel'\n\"\"\"\nrun.slurm = true"),
              "1: mpi: " + problem + "run.slurm=true,;");
}

TEST(configuration_text, takes_the_first_of_two_lines_with_one_key) {
    EXPECT_EQ(read_text("mpi = 'mpich'\nmpi = 'intel'"), "mpi=mpich,;2: mpi: it is set twice; the first line counts;");
    EXPECT_EQ(read_text("launcher.mpich = '/a'\nlauncher.intel = '/b'\noptions.mpich = []\n[launcher]\nintel = '/c'"),
              "launcher.mpich=/a,;launcher.intel=/b,;options.mpich=;5: launcher.intel: it is set twice; the first line "
              "counts;");
    EXPECT_EQ(read_text("mpi = 5\nmpi = 'intel'"), "1: mpi: the value must be a string in quotes;mpi=intel,;");
}

TEST(configuration_text, tells_where_a_value_stands) {
    const std::string text = "# a\nsearch = [\n'/a'] # b\n[run]\n";
    read_configuration_text(text, whose::users, [&](const configuration_line& line) {
        const std::string lines = text.substr(line.begin, line.end - line.begin);
        EXPECT_EQ(lines, line.is_table ? "[run]\n" : "search = [\n'/a'] # b\n");
        if (!line.is_table) {
            EXPECT_EQ(text.substr(line.value_begin, line.value_end - line.value_begin), "[\n'/a']");
        }
    });
}

// Any bytes give a result.
TEST(configuration_text, survives_any_text) {
    const std::string good = "mpi = \"/opt/x\\\"y\" # c\r\nsearch=['/a',\n]\n[run]\nslurm=true\n";
    for (std::size_t length = 0; length <= good.size(); length++)
        for (int byte = 0; byte < 256; byte++)
            read_text(good.substr(0, length) + static_cast<char>(byte) + good.substr(length));
    EXPECT_EQ(read_text(std::string(longest_configuration, '\n') + "mpi = 'mpich'"), "");
}

class configuration_file : public fake_machine {};

TEST_F(configuration_file, of_nobody) {
    EXPECT_STREQ(read_configuration(machine()).mpi.text, "");
}

TEST_F(configuration_file, of_the_user_comes_before_the_sites) {
    write("etc/anympi/config.toml", "mpi = 'openmpi'");
    EXPECT_STREQ(read_configuration(machine()).mpi.text, "openmpi");
    write("home/.config/anympi/config.toml", "# nothing said");
    EXPECT_STREQ(read_configuration(machine()).mpi.text, "openmpi");
    const std::string file = write("home/.config/anympi/config.toml", "mpi = 'mpich'");
    EXPECT_STREQ(read_configuration(machine()).mpi.text, "mpich");
    EXPECT_EQ(read_configuration(machine()).file.text, file);
}

TEST_F(configuration_file, of_the_user_may_lie_elsewhere) {
    write("home/.config/anympi/config.toml", "mpi = 'mpich'");
    write("xdg/anympi/config.toml", "mpi = 'intel'");
    set("XDG_CONFIG_HOME", path("xdg"));
    EXPECT_STREQ(read_configuration(machine()).mpi.text, "intel");
}

// Keys that are missing in the user's file are taken from the site's file.
TEST_F(configuration_file, of_both_go_together) {
    const std::string sites = write("etc/anympi/config.toml", "mpi = 'openmpi'\nsearch = ['/site']");
    const std::string users = write("home/.config/anympi/config.toml", "mpi = 'mpich'");
    configuration both = read_configuration(machine());
    EXPECT_STREQ(both.mpi.text, "mpich");
    EXPECT_EQ(both.file.text, users);
    EXPECT_STREQ(both.search.text, "/site");
    EXPECT_EQ(both.search_file.text, sites);
    write("home/.config/anympi/config.toml", "search = []");
    both = read_configuration(machine());
    EXPECT_STREQ(both.mpi.text, "openmpi");
    EXPECT_STREQ(both.search.text, "");
}

TEST_F(configuration_file, with_a_broken_line_is_named_once_and_all_other_lines_count) {
    const std::string file = write("home/.config/anympi/config.toml", "\nmpi = mpich\nsearch = ['/a']\n");
    write("etc/anympi/config.toml", "mpi = 'openmpi'");
    const auto read_and_end = [this] {
        read_configuration(machine());
        const configuration again = read_configuration(machine());
        const bool is_good = std::strcmp(again.mpi.text, "openmpi") == 0 && std::strcmp(again.search.text, "/a") == 0;
        std::_Exit(is_good ? 0 : 1);
    };
    const std::string message = "anympi: " + file + ":2 is ignored: mpi: the value must be a string in quotes\n";
    EXPECT_EXIT(read_and_end(), testing::ExitedWithCode(0), "^" + message + "$");
    set("SLURM_JOB_ID", "1");
    set("SLURM_STEP_ID", "0");
    set("SLURM_STEP_NUM_TASKS", "2");
    set("SLURM_PROCID", "1");
    EXPECT_EXIT(read_and_end(), testing::ExitedWithCode(0), "^$");
}

TEST_F(configuration_file, with_many_broken_lines_names_some) {
    std::string text;
    for (int i = 0; i < 20; i++)
        text += "x\n";
    const std::string file = write("etc/anympi/config.toml", text + "mpi = 'mpich'");
    const auto read_and_end = [this] { std::_Exit(read_configuration(machine()).mpi.length != 0 ? 0 : 1); };
    EXPECT_EXIT(read_and_end(), testing::ExitedWithCode(0),
                ":8 is ignored: .*\n.*toml: 12 further lines are ignored\n$");
}

TEST_F(configuration_file, of_endless_length_is_ignored) {
    write("etc/anympi/config.toml", "mpi = 'mpich'\n" + std::string(1 << 20, '#'));
    const auto read_and_end = [this] { std::_Exit(read_configuration(machine()).mpi.length == 0 ? 0 : 1); };
    EXPECT_EXIT(read_and_end(), testing::ExitedWithCode(0), "is ignored: it is longer than 16383 bytes\n$");
}

TEST_F(configuration_file, of_the_site_has_rules) {
    const std::string file = write("etc/anympi/config.toml", "# ours\nforbid = ['openmpi', '/apps/old']\n");
    write("home/.config/anympi/config.toml", "mpi = 'mpich'\n");
    for (const configuration& settings : {read_configuration(machine()), read_sites_configuration(machine())}) {
        EXPECT_STREQ(settings.forbidden.mpis.text, "openmpi\n/apps/old\n");
        EXPECT_EQ(settings.forbidden.origin.text, file + ":2");
        EXPECT_EQ(settings.required.mpis.length, 0u);
    }
    EXPECT_STREQ(read_sites_configuration(machine()).mpi.text, "");
}

// All processes of a job read the same file.
TEST_F(configuration_file, that_everybody_can_write_is_ignored_and_the_first_rank_says_so) {
    const std::string file = write("home/.config/anympi/config.toml", "mpi = 'mpich'");
    const auto read_and_end = [this] { std::_Exit(read_configuration(machine()).mpi.length == 0 ? 0 : 1); };
    std::filesystem::permissions(file, std::filesystem::perms::others_write, std::filesystem::perm_options::add);
    EXPECT_EXIT(read_and_end(), testing::ExitedWithCode(0),
                "^anympi: " + file +
                    " is ignored: it can be written by everybody\nanympi: take that right away: .*\n$");
    set("SLURM_JOB_ID", "1");
    set("SLURM_STEP_ID", "0");
    set("SLURM_STEP_NUM_TASKS", "2");
    set("SLURM_PROCID", "1");
    EXPECT_EXIT(read_and_end(), testing::ExitedWithCode(0), "^$");
}

TEST_F(configuration_file, of_the_site_that_everybody_can_write_is_ignored) {
    const std::string file = write("etc/anympi/config.toml", "mpi = 'mpich'");
    std::filesystem::permissions(path("etc"), std::filesystem::perms::all);
    EXPECT_STREQ(read_configuration(machine()).mpi.text, "");
    std::filesystem::permissions(path("etc"), std::filesystem::perms::owner_all);
    EXPECT_STREQ(read_configuration(machine()).mpi.text, "mpich");
}

TEST_F(configuration_file, of_a_relative_folder_is_ignored) {
    set("XDG_CONFIG_HOME", "relative");
    EXPECT_EQ(user_configuration_file().text, path("home/.config/anympi/config.toml"));
    set("HOME", "relative");
    EXPECT_EQ(user_configuration_file().length, 0u);
}

TEST_F(configuration_file, that_is_a_folder_says_nothing) {
    folder("etc/anympi/config.toml");
    EXPECT_STREQ(read_configuration(machine()).mpi.text, "");
}

} // namespace
} // namespace anympi::runtime
