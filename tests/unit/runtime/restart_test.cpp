#include "runtime/open/restart.hpp"
#include "runtime/open/restore_variables.hpp"

#include <gtest/gtest.h>

#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace anympi::runtime {
namespace {

// A list such as `environ`.
class environment {
public:
    explicit environment(std::vector<std::string> entries) : texts(std::move(entries)) {
        for (std::string& text : texts)
            pointers.push_back(text.data());
        pointers.push_back(nullptr);
    }
    char** list() { return pointers.data(); }
    std::vector<std::string> seen() {
        std::vector<std::string> all;
        for (char** entry = list(); *entry != nullptr; ++entry)
            all.emplace_back(*entry);
        return all;
    }

private:
    std::vector<std::string> texts;
    std::vector<char*> pointers;
};

std::string number(pid_t process) {
    return std::to_string(process);
}

TEST(restart, finds_variables_by_their_whole_name) {
    environment some({"AB=1", "A=2", "B", "C="});
    EXPECT_STREQ(find_variable(some.list(), "A"), "2");
    EXPECT_STREQ(find_variable(some.list(), "C"), "");
    EXPECT_EQ(find_variable(some.list(), "B"), nullptr);
    EXPECT_EQ(find_variable(nullptr, "A"), nullptr);
}

TEST(restart, removes_variables_by_their_whole_name) {
    environment some({"AB=1", "A=2", "B", "A=3"});
    remove_variable(some.list(), "A");
    EXPECT_EQ(some.seen(), (std::vector<std::string>{"AB=1", "B"}));
    remove_variable(nullptr, "A"); // clearenv leaves a null list
}

TEST(restart, knows_a_mark_of_this_process) {
    EXPECT_TRUE(names_this_process(number(getpid()).c_str()));
    EXPECT_TRUE(names_this_process((number(getpid()) + " more").c_str()));
    EXPECT_FALSE(names_this_process((number(getpid()) + "0").c_str()));
    EXPECT_FALSE(names_this_process(number(getppid()).c_str()));
    EXPECT_FALSE(names_this_process(""));
}

TEST(stepped_aside, is_undone_for_what_the_process_starts) {
    environment first({"A=1", "LD_PRELOAD=tool.so", "B=2"});
    changes different;
    keep_for_putting_back(different, first.list());
    different.add({"LD_PRELOAD=", "real.so", ":", "tool.so"});
    different.add({"LD_LIBRARY_PATH=", "/rest"}); // a variable that was not set before
    std::vector<std::string> second(different.begin(), different.end());
    second.insert(second.end(), {"A=1", "B=2"});
    environment of_second_start(second);
    EXPECT_TRUE(put_back_after_stepping_aside(of_second_start.list()));
    EXPECT_EQ(of_second_start.seen(), (std::vector<std::string>{"LD_PRELOAD=tool.so", "A=1", "B=2"}));
    EXPECT_FALSE(put_back_after_stepping_aside(of_second_start.list()));
}

TEST(stepped_aside, is_not_inherited) {
    environment child({"ANYMPI_STEPPED_ASIDE=" + number(getppid()), "LD_PRELOAD=real.so", "A=1"});
    EXPECT_FALSE(put_back_after_stepping_aside(child.list()));
    EXPECT_EQ(child.seen(), std::vector<std::string>{"A=1"});
}

TEST(stepped_aside, leaves_other_processes_alone) {
    environment usual({"LD_PRELOAD=tool.so", "ANYMPI_BEFORE_LD_PRELOAD=other.so"});
    const std::vector<std::string> before = usual.seen();
    EXPECT_FALSE(put_back_after_stepping_aside(usual.list()));
    EXPECT_EQ(usual.seen(), before);
}

bool is(const char* value, const char* wanted) {
    return value != nullptr && std::string(value) == wanted;
}

// The second start of this test ends here, before any other code.
[[gnu::constructor]] void tell_what_came(int, char** words, char** variables) {
    if (!is(find_variable(variables, "RESTART_TEST"), "1"))
        return;
    const bool is_right = is(find_variable(variables, "KEPT"), "as it was") &&
                          is(find_variable(variables, "CHANGED"), "2") && variables[3] == nullptr &&
                          std::string(words[0]).ends_with("unit_runtime");
    _exit(is_right ? 23 : 1);
}

TEST(restart, has_the_same_words_and_other_variables) {
    const pid_t child = fork();
    if (child == 0) {
        environment some({"KEPT=as it was", "CHANGED=1"});
        changes different;
        different.add({"RESTART_TEST=", "1"});
        different.add({"CHANGED=", "2"});
        start_again(some.list(), different);
        _exit(2);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 23);
}

} // namespace
} // namespace anympi::runtime
