// A preloaded PMPI tool that lets the memory run out inside anympi, in each call of a program.
//
// Every call is made again and again: first the 1st allocation that anympi makes in it fails, then the 2nd, and so on;
// at last none. A call whose allocation failed must say MPI_ERR_NO_MEM or do without, and must leave everything as it
// was: the program goes on, and its own checks tell whether something was lost. Only allocations of anympi itself fail,
// not those of the MPI library, which are the library's concern.
//
// tests/programs/scarce_memory.py writes SCARCE(MPI_Name, (long a0), (a0)) for each function. Parameters are words,
// whatever they mean: so one text serves every ABI.
#ifndef SCARCE_MEMORY_H
#define SCARCE_MEMORY_H

enum { SCARCE_MOST = 8 }; // allocations of one call that fail, each once

struct scarce_call {
    const char* name;
    int fails;  // which allocation
    int before; // blocks that anympi held
    int kept;   // how often in a row more of them were left by a failure
    int outer;  // what was to fail in the call around this one
    int wanted; // the code of a call that failed in another way, which it must return with memory, too; else 0
};

struct scarce_call scarce_begin(const char* name);
void scarce_arm(struct scarce_call* call);

/// Whether the call is done, which returned `code`; otherwise it is made again.
int scarce_done(struct scarce_call* call, int code);

#define SCARCE(name, parameters, arguments)                                                                            \
    int P##name parameters;                                                                                            \
    int name parameters {                                                                                              \
        struct scarce_call scarce = scarce_begin(#name);                                                               \
        int code;                                                                                                      \
        do {                                                                                                           \
            scarce_arm(&scarce);                                                                                       \
            code = P##name arguments;                                                                                  \
        } while (!scarce_done(&scarce, code));                                                                         \
        return code;                                                                                                   \
    }

#endif
