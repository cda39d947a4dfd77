#pragma once

#include "runtime/find/configuration_text.hpp"

#include <string>

// The configuration files on disk. Errors are thrown: settings_error, or std::runtime_error with a message for people.

namespace anympi::command {

/// Returns the path of the user's file or of the site's file.
std::string path_of_configuration(runtime::whose owner);

/// Returns the text of a file, empty if the file does not exist.
std::string text_of_configuration(const std::string& path);

/// Replaces a file atomically, so that no process reads an incomplete file. Creates the folder if needed, keeps the
/// mode of the file, and follows a link.
void write_configuration(const std::string& path, const std::string& text);

/// Holds a lock between reading and replacing a file, so that no change of another process is lost. Creates the folder
/// if needed. Has no effect if the folder cannot be locked.
class configuration_lock {
public:
    explicit configuration_lock(const std::string& path);
    configuration_lock(const configuration_lock&) = delete;
    configuration_lock& operator=(const configuration_lock&) = delete;
    ~configuration_lock();

private:
    int folder_;
};

/// Lets the user change a file in an editor ($VISUAL, $EDITOR). The file is replaced if all lines of the new text are
/// valid. Otherwise the new text is kept as a draft beside the file, and the next call opens the draft. Returns the
/// exit code.
int edit_configuration(const std::string& path, runtime::whose owner);

} // namespace anympi::command
