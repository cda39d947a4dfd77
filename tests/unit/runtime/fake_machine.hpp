#pragma once

#include "runtime/find/machine_root.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

/// A machine in a temporary folder: its folders, its libraries (dummies), and an empty environment.
class fake_machine : public testing::Test {
protected:
    void SetUp() override {
        clearenv();
        std::string pattern = std::filesystem::temp_directory_path() / "anympi-machine-XXXXXX";
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        root_ = std::filesystem::canonical(pattern);
        set("HOME", path("home"));
    }

    void TearDown() override { std::filesystem::remove_all(root_); }

    anympi::runtime::machine machine() const { return {root_.c_str()}; }

    std::string path(const std::string& name) const { return root_ / name; }

    static std::string dummy(const std::string& name) { return std::string(DUMMIES) + "/" + name + ".so"; }

    /// Installs a dummy under a name on this machine.
    std::string install(const std::string& name, const std::string& which) const {
        prepare(name);
        std::filesystem::create_symlink(dummy(which), path(name));
        return path(name);
    }

    std::string write(const std::string& name, const std::string& content) const {
        prepare(name);
        std::ofstream(path(name), std::ios::binary) << content;
        return path(name);
    }

    std::string link(const std::string& name, const std::string& target) const {
        prepare(name);
        std::filesystem::create_symlink(target, path(name));
        return path(name);
    }

    std::string folder(const std::string& name) const {
        std::filesystem::create_directories(path(name));
        return path(name);
    }

    /// Puts an executable of a launcher among the parents of this process.
    void start_by(const std::string& executable) const {
        link("proc/" + std::to_string(getppid()) + "/exe", executable);
    }

    static void set(const char* name, const std::string& value) { setenv(name, value.c_str(), 1); }

    static std::string content_of(const std::string& file) {
        std::ifstream stream(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

private:
    void prepare(const std::string& name) const {
        std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    }

    std::filesystem::path root_;
};
