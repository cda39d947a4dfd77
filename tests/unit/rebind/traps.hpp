#pragma once

/// Every trap calls this function, which each program defines.
int trapped(const char* name);
