#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace anympi::command {

/// A file that is made in a fresh private folder beside its final place, and renamed when it is complete. All
/// operations are relative to that open folder, so that another user who can write to the final folder cannot redirect
/// them by a link or a file. Functions that return nothing throw std::filesystem::filesystem_error.
class draft_file {
public:
    explicit draft_file(std::filesystem::path final_place);
    draft_file(const draft_file&) = delete;
    draft_file& operator=(const draft_file&) = delete;
    ~draft_file(); // removes the folder and its content

    /// Copies the content of a file.
    void fill_from(const std::filesystem::path& source) const;

    /// Writes a text into the draft.
    void fill_with(std::string_view text) const;

    /// The name of the draft for a program that is started in the folder.
    static constexpr char name[] = "./draft";
    bool enter_folder() const;

    /// Gives the draft its mode and its final name. A link with this name is replaced, not followed.
    void finish(mode_t mode) const;

private:
    [[noreturn]] void fail() const;

    std::filesystem::path final_place_;
    std::string folder_;
    int descriptor_ = -1; // the open folder
};

} // namespace anympi::command
