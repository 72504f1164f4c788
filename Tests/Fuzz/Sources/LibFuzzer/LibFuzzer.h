#include <stddef.h>
#include <stdint.h>

/// libFuzzer's loop, run by a program that has a `main` of its own.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*target)(const uint8_t *bytes, size_t count));
