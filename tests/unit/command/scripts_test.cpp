#include "command/run/scripts.hpp"

#include <gtest/gtest.h>

namespace anympi::command {
namespace {

// Returns "mpirun 3 /bin/sh", or "" if the script starts no launcher.
std::string started(std::string_view script) {
    const started_launcher found = find_started_launcher(script);
    return found.name.empty() ? "" : found.name + " " + std::to_string(found.line) + " " + found.program;
}

TEST(script, starts_a_launcher) {
    EXPECT_EQ(started("#!/bin/sh\n\nmpirun -np 4 /bin/sh -c x\n"), "mpirun 3 /bin/sh");
    EXPECT_EQ(started("/usr/bin/mpiexec.hydra -n 2 no-such-program"), "mpiexec.hydra 1 ");
    EXPECT_EQ(started("anympi run -n 2 --some-option /bin/sh"), "anympi run 1 /bin/sh");
    for (const char* name :
         {"mpirun", "mpiexec", "mpiexec.hydra", "mpirun.openmpi", "orterun", "prterun", "srun", "aprun", "jsrun"})
        EXPECT_EQ(started(std::string(name) + " /bin/sh"), std::string(name) + " 1 /bin/sh");
}

TEST(script, starts_a_launcher_anywhere_in_a_line) {
    for (const char* line :
         {"exec mpirun /bin/sh", "  mpirun /bin/sh", "cd /tmp && mpirun /bin/sh", "cd /tmp; mpirun /bin/sh",
          "if true; then mpirun /bin/sh; fi", "OMP_NUM_THREADS=1 mpirun /bin/sh", "(mpirun /bin/sh)",
          "out=$(mpirun /bin/sh)", "time mpirun /bin/sh | tee log", "'mpirun' \"/bin/sh\"", "mpirun \\\n  /bin/sh"})
        EXPECT_EQ(started(line).substr(0, 6), "mpirun") << line;
}

TEST(script, only_speaks_of_a_launcher) {
    for (const char* line :
         {"# mpirun /bin/sh", "echo mpirun /bin/sh", "which mpirun", "command -v mpirun", "mpirun --version",
          "echo 'a; mpirun /bin/sh'", "MPIRUN=mpirun", "mpirunner /bin/sh", "anympi list all", "mpirun", ""})
        EXPECT_EQ(started(line), "") << line;
}

TEST(script, has_a_text_of_several_lines) {
    for (const char* text : {"cat <<EOF\nmpirun /bin/sh\nEOF\n", "cat > job << 'END'\nmpirun /bin/sh\nEND\n",
                             "cat <<-EOF >job\n\tmpirun /bin/sh\n\tEOF\n", "echo \"usage:\n  mpirun /bin/sh\"\n",
                             "echo 'usage:\nmpirun /bin/sh\n'\n", "echo \"say \\\"x\n mpirun /bin/sh\n\"\n"}) {
        EXPECT_EQ(started(text), "") << text;
        EXPECT_EQ(started(text + std::string("mpirun /bin/sh")).substr(0, 6), "mpirun") << text;
    }
}

TEST(script, may_have_data_behind_its_lines) {
    EXPECT_EQ(started("exit\n" + std::string(2 << 20, '#') + "\nmpirun /bin/sh\n"), "");
}

TEST(script, names_its_interpreter) {
    EXPECT_EQ(interpreter_of("#!/bin/sh\necho"), std::vector<std::string>{"/bin/sh"});
    EXPECT_EQ(interpreter_of("#! /usr/bin/env  python3 \n"), (std::vector<std::string>{"/usr/bin/env", "python3"}));
    EXPECT_EQ(interpreter_of("#!/bin/sh"), std::vector<std::string>{"/bin/sh"});
    EXPECT_TRUE(interpreter_of("echo").empty());
    EXPECT_TRUE(is_shell("/usr/bin/bash"));
    EXPECT_FALSE(is_shell("/usr/bin/python3"));
}

} // namespace
} // namespace anympi::command
