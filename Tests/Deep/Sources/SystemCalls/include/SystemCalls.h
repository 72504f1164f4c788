#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Whether the system calls of this process are replaced. At first they are passed on to the system.
bool system_calls_are_ours(void);

/// Interrupts `open`, `read`, `write`, `close` and `link` at random from now on, and shortens transfers.
void system_calls_interrupt(uint64_t seed);

/// Makes the call with an index, counted from zero, fail with an error; `fstat` and `lseek` count, too. A failing
/// `close` still frees its descriptor.
void system_calls_fail(uint64_t index, int error);

/// Passes all calls on again, and returns the number of calls since the last change.
uint64_t system_calls_calm(void);

/// Makes `fstat` report a negative size, as of a file whose size the system does not know, or the size again.
void system_calls_hide_sizes(bool hidden);

/// The number of calls that closed a descriptor that was not open, such as one closed before: by then it could have
/// been another thread's.
uint64_t system_calls_stray_closes(void);

/// Makes all threads share one arena, if the C library supports it, so that resident memory does not grow with their
/// number.
void system_calls_share_memory(void);
