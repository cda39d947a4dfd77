#include "runtime/find/configuration.hpp"

#include "fake_machine.hpp"

namespace anympi::runtime {
namespace {

std::string value_in(std::string_view text) {
    configuration settings;
    const syntax_error error = parse_configuration(text, settings);
    EXPECT_EQ(error.line, 0) << error.reason;
    return settings.mpi.text;
}

// "line: reason"
std::string error_in(std::string_view text) {
    configuration settings;
    const syntax_error error = parse_configuration(text, settings);
    return error.line == 0 ? "" : std::to_string(error.line) + ": " + error.reason;
}

TEST(configuration_text, may_be_empty) {
    EXPECT_EQ(value_in(""), "");
    EXPECT_EQ(value_in("\n\n  \n\t# only a comment\n"), "");
}

TEST(configuration_text, knows_both_kinds_of_strings) {
    EXPECT_EQ(value_in("mpi = \"mpich\""), "mpich");
    EXPECT_EQ(value_in("mpi='/opt/my mpi'"), "/opt/my mpi");
    EXPECT_EQ(value_in("\t mpi\t=  \"/opt/a\\\\b\\\"c\"  # why\n"), "/opt/a\\b\"c");
    EXPECT_EQ(value_in("mpi = '/opt/a\\b'"), "/opt/a\\b");
    EXPECT_EQ(value_in("mpi = \"/opt/a#b\"\r\n"), "/opt/a#b");
}

TEST(configuration_text, leaves_other_keys_and_tables_alone) {
    EXPECT_EQ(value_in("other = [1, 2]\nmpi-more = true\nmpi = \"intel\"\n[run]\nmpi = nonsense\n}}"), "intel");
    EXPECT_EQ(value_in("[mpi]\nmpi = \"intel\""), "");
}

TEST(configuration_text, names_the_line_of_an_error) {
    EXPECT_EQ(error_in("mpi"), "1: expected key = value");
    EXPECT_EQ(error_in("# fine\n\n= \"mpich\"\n"), "3: expected key = value");
    EXPECT_EQ(error_in("mpi \"mpich\""), "1: expected key = value");
    EXPECT_EQ(error_in("mpi ="), "1: there is no value");
    EXPECT_EQ(error_in("mpi = # later"), "1: there is no value");
    EXPECT_EQ(error_in("mpi = mpich"), "1: the value must be a string in quotes");
    EXPECT_EQ(error_in("mpi = \"mpich"), "1: the string has no closing quote");
    EXPECT_EQ(error_in("mpi = 'mpich\""), "1: the string has no closing quote");
    EXPECT_EQ(error_in("mpi = \"mpich\\"), "1: of the escapes only \\\\ and \\\" are known here; a string in 'single "
                                           "quotes' has none");
    EXPECT_EQ(error_in("mpi = \"mpich\" openmpi"), "1: there is something after the value");
    EXPECT_EQ(error_in("mpi = \"\""), "1: mpi is empty");
    EXPECT_EQ(error_in("mpi = \"opt/mpich\""), "1: a path must begin with /");
    EXPECT_EQ(error_in("mpi = \"a\"\nmpi = \"b\""), "2: mpi is set twice");
    EXPECT_EQ(error_in("mpi = \"\033[31m\""), "1: a string may not hold control characters");
    EXPECT_EQ(error_in("mpi = \"/" + std::string(PATH_MAX, 'x') + "\""), "1: the string is too long");
    EXPECT_EQ(error_in(std::string_view("\0", 1)), "1: expected key = value");
}

std::string folders_in(std::string_view text) {
    configuration settings;
    const syntax_error error = parse_configuration(text, settings);
    EXPECT_EQ(error.line, 0) << error.reason;
    return settings.search.text;
}

TEST(configuration_text, knows_lists_of_folders) {
    EXPECT_EQ(folders_in("search = []"), "");
    EXPECT_EQ(folders_in("search = ['/a', \"/b c\",]\nmpi = 'mpich'"), "/a:/b c");
    EXPECT_EQ(folders_in("search=[ # one\n\n '/a' # two\n ,'/b'\r\n]# end"), "/a:/b");
}

TEST(configuration_text, names_the_line_of_an_error_in_a_list) {
    EXPECT_EQ(error_in("search = '/a'"), "1: the value must be a list of strings: [\"/opt/one\", \"/opt/two\"]");
    EXPECT_EQ(error_in("search = [\n'/a'\n'/b']"), "3: there is no comma between two strings");
    EXPECT_EQ(error_in("search = [\n'a']"), "2: a folder to search must begin with /");
    EXPECT_EQ(error_in("search = ['/a:b']"), "1: a folder to search may not have a colon in its name");
    EXPECT_EQ(error_in("search = ['/a'\n"), "1: the list has no closing bracket");
    EXPECT_EQ(error_in("search = [,]"), "1: the value must be a string in quotes");
    EXPECT_EQ(error_in("search = []\nsearch = []"), "2: search is set twice");
    EXPECT_EQ(error_in("search = [] x"), "1: there is something after the value");
    EXPECT_EQ(error_in("search = ['/" + std::string(PATH_MAX - 4, 'x') + "', '/y']"), "1: the list is too long");
}

// Any bytes give an answer.
TEST(configuration_text, survives_any_text) {
    const std::string good = "mpi = \"/opt/x\\\"y\" # c\r\n[t]\n";
    for (std::size_t length = 0; length <= good.size(); length++)
        for (int byte = 0; byte < 256; byte++)
            error_in(good.substr(0, length) + static_cast<char>(byte) + good.substr(length));
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

// Key by key: what the user's file does not say, the site's may.
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

TEST_F(configuration_file, with_an_error_stops) {
    const std::string file = write("home/.config/anympi/config.toml", "\nmpi = mpich\n");
    EXPECT_EXIT(read_configuration(machine()), testing::ExitedWithCode(1),
                "^anympi: " + file +
                    ":2: the value must be a string in quotes\nanympi: write for example: mpi = \"mpich\"\n$");
}

TEST_F(configuration_file, of_endless_length_stops) {
    write("etc/anympi/config.toml", std::string(1 << 20, '#'));
    EXPECT_EXIT(read_configuration(machine()), testing::ExitedWithCode(1), "is too long");
}

// The processes of a job all see the same.
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
