#pragma once

struct stat;

// Whose files may decide which library a process loads. `sudo` may keep the HOME of the user who calls it, so that root
// would take what lies there for its own.

namespace anympi::runtime {

// As stat() and fstat(). They return false where these fail.
bool ask_status(const char* path, struct stat& status);
bool ask_status(int descriptor, struct stat& status);

// Returns true if the file belongs to the user of this process or to root.
bool is_own(const struct stat& file);

bool can_everybody_write(const struct stat& file);

// Returns true if the folder belongs to the user of this process or to root, and not everybody can write to it.
bool is_own_folder(const char* path);

} // namespace anympi::runtime
