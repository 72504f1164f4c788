#include <stddef.h>
#include <stdint.h>

/// libFuzzer's loop, for a program with its own `main`.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*target)(const uint8_t *bytes, size_t count));
