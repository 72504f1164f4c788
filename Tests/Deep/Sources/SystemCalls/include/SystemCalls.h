#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Whether the system calls of this process are replaced. At first they are passed on to the system.
bool system_calls_are_ours(void);

/// Interrupts calls at random from now on, and shortens transfers.
void system_calls_interrupt(uint64_t seed);

/// Interrupts each call three times in a row from now on, but `close` only once, which closes the file.
void system_calls_interrupt_each(void);

/// Makes the call with an index, counted from zero, fail with an error, and if it goes on, all later calls, too. A
/// failing `close` still frees its descriptor.
void system_calls_fail(uint64_t index, int error, bool goes_on);

/// Makes the call with an index transfer nothing, as at the end of a file, if it reads or writes.
void system_calls_end(uint64_t index);

/// Makes the call with an index transfer half of its bytes, if it reads or writes.
void system_calls_shorten(uint64_t index);

/// Whether the call that failed is one without which a file cannot be removed.
bool system_calls_may_leave_file(void);

/// Passes all calls on again, and returns the number of calls since the last change.
uint64_t system_calls_calm(void);

/// Makes `fstat` report a negative size, as of a file whose size the system does not know, or the size again.
void system_calls_hide_sizes(bool hidden);

/// The number of calls that closed a descriptor that was not open, such as one closed before: by then it could have
/// been another thread's.
uint64_t system_calls_stray_closes(void);

/// The number of questions to the name service, all of which fail.
uint64_t system_calls_name_requests(void);

/// Becomes another user, and opens every file with a prefix that appears or changes in a directory, until standard
/// input ends. Prints `ready` when it begins; at the end, the number of files that it has seen, and how often it has
/// read a beginning.
///
/// Returns the exit code of the process: 1 if the process may not become another user.
int system_calls_spy(const char *directory, const char *prefix, const char *beginning);

/// Gives a directory an access-control list for its new files, with a user and a group; false if there are none here.
bool system_calls_give_list(const char *directory);

/// Gives a file an extended attribute, if its file system has them.
void system_calls_give_attribute(const char *path);

/// Reads the access-control list of a file, in the system's format, and returns its length; less than 0 if it has none.
long system_calls_list(const char *path, void *buffer, long count);

/// Makes all threads share one arena, if the C library supports it, so that resident memory does not grow with their
/// number.
void system_calls_share_memory(void);
