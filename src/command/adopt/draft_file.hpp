#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace anympi::command {

// A file that is made beside its final place and gets its name when it is complete. It lies in a fresh folder that no
// other user can enter, and everything is done relative to that open folder: another user who can write to the folder
// of the final place cannot put a link or a file of their own in the way. Functions without a result throw
// std::filesystem::filesystem_error.
class draft_file {
public:
    explicit draft_file(std::filesystem::path final_place);
    draft_file(const draft_file&) = delete;
    draft_file& operator=(const draft_file&) = delete;
    ~draft_file(); // removes the folder, with what it holds

    // Copies the content of a file.
    void fill_from(const std::filesystem::path& source) const;

    /// Writes a text into the draft.
    void fill_with(std::string_view text) const;

    // The draft under this name, for a program that is started in the folder.
    static constexpr char name[] = "./draft";
    bool enter_folder() const;

    // Gives the draft its mode and its final name. A link that has this name is replaced, not followed.
    void finish(mode_t mode) const;

private:
    [[noreturn]] void fail() const;

    std::filesystem::path final_place_;
    std::string folder_;
    int descriptor_ = -1; // of the folder
};

} // namespace anympi::command
