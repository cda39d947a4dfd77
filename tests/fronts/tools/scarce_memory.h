// A preloaded PMPI tool that makes allocations of anympi fail, in each call of a program.
//
// Every call is made again and again: first the 1st allocation of anympi in the call fails, then the 2nd, and so on; in
// the last try none fails. A call with a failed allocation must report MPI_ERR_NO_MEM or succeed, and must not change
// any state: the program continues, and its own checks show whether something was lost. Only allocations of anympi
// itself fail, not allocations of the MPI library.
//
// tests/programs/scarce_memory.py writes SCARCE(MPI_Name, (long a0), (a0)) for each function. Parameters are machine
// words, whatever they mean, so one text serves every ABI.
#ifndef SCARCE_MEMORY_H
#define SCARCE_MEMORY_H

enum { SCARCE_MOST = 8 }; // the number of allocations of one call that fail, each once

struct scarce_call {
    const char* name;
    int fails;  // the number of the allocation
    int before; // the number of blocks that anympi held
    int kept;   // how often in a row a failure left more blocks
    int outer;  // the failing allocation of the surrounding call
    int wanted; // the code of a call that failed in another way, which it must also return with memory; otherwise 0
};

struct scarce_call scarce_begin(const char* name);
void scarce_arm(struct scarce_call* call);

/// Returns true if the call, which returned `code`, is finished; otherwise it is made again.
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
