#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Whether the calls of this process can be tampered with. While they are not, they go through to the system.
bool system_calls_are_ours(void);

/// From now on `open`, `read`, `write`, `close` and `link` are interrupted at random, and transfer fewer bytes than asked for.
void system_calls_interrupt(uint64_t seed);

/// From now on the call with an index, counted from zero, fails with an error; `fstat` and `lseek` count, too. A `close`
/// frees its descriptor all the same.
void system_calls_fail(uint64_t index, int error);

/// Ends it, and tells how many calls there were.
uint64_t system_calls_calm(void);

/// How often a descriptor was closed that was not open, such as one that had been closed before: by then it may have been
/// another thread's.
uint64_t system_calls_stray_closes(void);

/// Has all threads take their memory from one place, where the C library can be told to: what is resident then grows
/// with what is in use, and not with the threads there have been.
void system_calls_share_memory(void);
