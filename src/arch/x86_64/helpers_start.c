/*
 * The start-up code of a program, instead of the compiler's crt1.o. glibc 2.34 gave __libc_start_main a new version,
 * and every program that is linked with that glibc asks for the new version. This start-up code asks for the old
 * version (arch/old_glibc.hpp). It passes no constructors, because its programs do not have any.
 */
__asm__(".pushsection .text._start, \"ax\", @progbits\n"
        "    .globl _start\n"
        "    .type _start, @function\n"
        "_start:\n"
        "    .cfi_startproc\n"
        "    .cfi_undefined %rip\n" /* the outermost function */
        "    xor %ebp, %ebp\n"
        "    mov %rdx, %r9\n" /* the dynamic linker's function to call at the end of the process */
        "    mov (%rsp), %rsi\n"
        "    lea 8(%rsp), %rdx\n"
        "    and $-16, %rsp\n"
        "    push %rax\n"
        "    push %rsp\n" /* the end of the stack, as the seventh argument */
        "    xor %r8d, %r8d\n"
        "    xor %ecx, %ecx\n"
        "    lea main(%rip), %rdi\n"
        "    call *__libc_start_main@GOTPCREL(%rip)\n"
        "    hlt\n"
        "    .cfi_endproc\n"
        "    .size _start, . - _start\n"
        "    .popsection\n");
