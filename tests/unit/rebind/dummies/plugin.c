// A plug-in that an MPI library opens later. With DUMMY_HELPER it is a library that a plug-in needs.

#include "references.h"

#ifdef DUMMY_HELPER
int helper_calls(void) {
    return count_by_name() + count_by_table();
}
#else
int plugin_calls(void) {
    return count_by_name() + count_by_table();
}
#ifdef DUMMY_NEEDS_HELPER
extern int helper_calls(void);
int plugin_calls_helper(void) {
    return helper_calls();
}
#endif
#endif
