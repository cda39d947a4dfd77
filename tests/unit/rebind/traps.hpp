#pragma once

/// Called by every trap; each program says what it does then.
int trapped(const char* name);
