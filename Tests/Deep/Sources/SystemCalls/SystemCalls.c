#define _GNU_SOURCE
#include "SystemCalls.h"

#include <stdlib.h>

#if defined(__GLIBC__)
#include <malloc.h>

void system_calls_share_memory(void) {
    mallopt(M_ARENA_MAX, 1);
}
#else
void system_calls_share_memory(void) {}
#endif

#if defined(__linux__)

// An executable's own functions replace the C library's. These call the kernel.

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { CALM, INTERRUPTING, REPEATING, FAILING };

static atomic_int mode = CALM;
static atomic_uint_fast64_t calls;
static atomic_uint_fast64_t state;
static atomic_uint_fast64_t failing_index;
static atomic_int failing_error;
static atomic_uint_fast64_t stray_closes;
static atomic_bool hides_sizes;
static atomic_bool may_leave_file;

/// How often in a row the thread's calls have been interrupted.
static _Thread_local int interruptions;

/// The descriptors whose calls may fail: those of files outside /proc. libdispatch reads /proc every second and ends
/// the process if it cannot; pipes and the like belong to other libraries, too.
enum { DESCRIPTORS = 4096 };
static atomic_bool is_file[DESCRIPTORS];

static bool is_tampered_with(int descriptor) {
    return descriptor >= 0 && descriptor < DESCRIPTORS && atomic_load(&is_file[descriptor]);
}

/// The next of a sequence of random numbers (SplitMix64).
static uint64_t next_random(void) {
    uint64_t value = atomic_fetch_add(&state, 0x9E3779B97F4A7C15) + 0x9E3779B97F4A7C15;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
    return value ^ (value >> 31);
}

/// Whether a call fails; sets `errno` for it.
static bool fails(void) {
    uint64_t index;
    switch (atomic_load(&mode)) {
    case INTERRUPTING:
        atomic_fetch_add(&calls, 1);
        errno = EINTR;
        return next_random() % 3 == 0;
    case REPEATING:
        atomic_fetch_add(&calls, 1);
        errno = EINTR;
        interruptions = (interruptions + 1) % 4;
        return interruptions != 0;
    case FAILING:
        index = atomic_fetch_add(&calls, 1);
        errno = atomic_load(&failing_error);
        return index == atomic_load(&failing_index);
    default:
        return false;
    }
}

/// The same for a call without which a file that nobody needs cannot be removed.
static bool fails_and_leaves_file(void) {
    bool failed = fails();
    if (failed && atomic_load(&mode) == FAILING) { atomic_store(&may_leave_file, true); }
    return failed;
}

static bool is_exempt(const char *path) {
    return strncmp(path, "/proc/", 6) == 0;
}

/// How many of `count` bytes a call transfers.
static size_t transferred(size_t count) {
    if (atomic_load(&mode) != INTERRUPTING || count < 2) { return count; }
    switch (next_random() % 3) {
    case 0:
        return 1;
    case 1:
        return 1 + next_random() % count;
    default:
        return count;
    }
}

int open(const char *path, int flags, ...) {
    mode_t permissions = 0;
    if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) {
        va_list arguments;
        va_start(arguments, flags);
        permissions = va_arg(arguments, mode_t);
        va_end(arguments);
    }
    if (!is_exempt(path) && fails()) { return -1; }
    int descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, flags, permissions);
    if (descriptor >= 0 && descriptor < DESCRIPTORS) { atomic_store(&is_file[descriptor], !is_exempt(path)); }
    return descriptor;
}

ssize_t read(int descriptor, void *buffer, size_t count) {
    if (!is_tampered_with(descriptor)) { return syscall(SYS_read, descriptor, buffer, count); }
    return fails() ? -1 : syscall(SYS_read, descriptor, buffer, transferred(count));
}

ssize_t write(int descriptor, const void *buffer, size_t count) {
    if (!is_tampered_with(descriptor)) { return syscall(SYS_write, descriptor, buffer, count); }
    return fails() ? -1 : syscall(SYS_write, descriptor, buffer, transferred(count));
}

int close(int descriptor) {
    bool failed = is_tampered_with(descriptor) && fails();
    int error = errno;
    // A close is not repeated.
    interruptions = 0;
    // Before the number can be used for another file.
    if (descriptor >= 0 && descriptor < DESCRIPTORS) { atomic_store(&is_file[descriptor], false); }
    int result = (int)syscall(SYS_close, descriptor);
    if (result < 0 && errno == EBADF && descriptor >= 0) { atomic_fetch_add(&stray_closes, 1); }
    if (failed) { errno = error; }
    return failed ? -1 : result;
}

int link(const char *path, const char *new_path) {
    return fails() ? -1 : (int)syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD, new_path, 0);
}

int rename(const char *path, const char *new_path) {
    return fails() ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, new_path, 0);
}

int unlink(const char *path) {
    return fails_and_leaves_file() ? -1 : (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int fchmod(int descriptor, mode_t permissions) {
    return is_tampered_with(descriptor) && fails() ? -1 : (int)syscall(SYS_fchmod, descriptor, permissions);
}

#if defined(__LP64__)

int stat(const char *path, struct stat *status) {
    return !is_exempt(path) && fails() ? -1 : (int)syscall(SYS_newfstatat, AT_FDCWD, path, status, 0);
}

int lstat(const char *path, struct stat *status) {
    if (!is_exempt(path) && fails_and_leaves_file()) { return -1; }
    return (int)syscall(SYS_newfstatat, AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}

int fstat(int descriptor, struct stat *status) {
    if (is_tampered_with(descriptor) && fails_and_leaves_file()) { return -1; }
    int result = (int)syscall(SYS_fstat, descriptor, status);
    if (is_tampered_with(descriptor) && atomic_load(&hides_sizes)) { status->st_size = -1; }
    return result;
}

off_t lseek(int descriptor, off_t offset, int origin) {
    return is_tampered_with(descriptor) && fails() ? -1 : syscall(SYS_lseek, descriptor, offset, origin);
}

#endif

bool system_calls_are_ours(void) {
    return true;
}

static void begin(int new_mode) {
    atomic_store(&may_leave_file, false);
    atomic_store(&calls, 0);
    atomic_store(&mode, new_mode);
}

void system_calls_interrupt(uint64_t seed) {
    atomic_store(&state, seed);
    begin(INTERRUPTING);
}

void system_calls_interrupt_each(void) {
    begin(REPEATING);
}

void system_calls_fail(uint64_t index, int error) {
    atomic_store(&failing_index, index);
    atomic_store(&failing_error, error);
    begin(FAILING);
}

uint64_t system_calls_calm(void) {
    atomic_store(&mode, CALM);
    return atomic_load(&calls);
}

bool system_calls_may_leave_file(void) {
    return atomic_load(&may_leave_file);
}

void system_calls_hide_sizes(bool hidden) {
    atomic_store(&hides_sizes, hidden);
}

bool system_calls_give_list(const char *directory) {
    enum { OWNER = 1, USER = 2, GROUP = 4, NAMED_GROUP = 8, MASK = 16, OTHERS = 32 };
    const struct {
        uint32_t version;
        struct { uint16_t kind, permissions; uint32_t id; } entries[6];
    } list = {2, {{OWNER, 7, -1}, {USER, 6, 1234}, {GROUP, 7, -1}, {NAMED_GROUP, 6, 1234}, {MASK, 7, -1}, {OTHERS, 0, -1}}};
    return setxattr(directory, "system.posix_acl_default", &list, sizeof list, 0) == 0;
}

void system_calls_give_attribute(const char *path) {
    setxattr(path, "user.attribute", "x", 1, 0);
}

long system_calls_list(const char *path, void *buffer, long count) {
    return getxattr(path, "system.posix_acl_access", buffer, (size_t)count);
}

uint64_t system_calls_stray_closes(void) {
    return atomic_load(&stray_closes);
}

#else

bool system_calls_are_ours(void) {
    return false;
}

void system_calls_interrupt(uint64_t seed) {
    (void)seed;
}

void system_calls_fail(uint64_t index, int error) {
    (void)index;
    (void)error;
}

uint64_t system_calls_calm(void) {
    return 0;
}

void system_calls_interrupt_each(void) {}

bool system_calls_may_leave_file(void) {
    return false;
}

void system_calls_hide_sizes(bool hidden) {
    (void)hidden;
}

bool system_calls_give_list(const char *directory) {
    (void)directory;
    return false;
}

void system_calls_give_attribute(const char *path) {
    (void)path;
}

long system_calls_list(const char *path, void *buffer, long count) {
    (void)path;
    (void)buffer;
    (void)count;
    return -1;
}

uint64_t system_calls_stray_closes(void) {
    return 0;
}

#endif
