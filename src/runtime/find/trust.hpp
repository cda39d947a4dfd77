#pragma once

struct stat;

// Tests of the owner and the mode of files that decide which library a process loads. `sudo` may keep the HOME of the
// user who calls it, so that root would otherwise trust that user's files.

namespace anympi::runtime {

/// Do the same as stat() and fstat(). They return false on an error.
bool ask_status(const char* path, struct stat& status);
bool ask_status(int descriptor, struct stat& status);

/// Returns true if the file belongs to the user of this process or to root.
bool is_own(const struct stat& file);

bool can_everybody_write(const struct stat& file);

/// Returns true if the folder belongs to the user of this process or to root, and not everybody can write to it.
bool is_own_folder(const char* path);

} // namespace anympi::runtime
