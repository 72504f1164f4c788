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
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { CALM, INTERRUPTING, REPEATING, FAILING, FAILING_ON, ENDING, SHORTENING };

/// What happens to a call.
enum outcome { MADE, FAILED, ENDED, SHORTENED };

static atomic_int mode = CALM;
static atomic_uint_fast64_t calls;
static atomic_uint_fast64_t state;
static atomic_uint_fast64_t failing_index;
static atomic_int failing_error;
static atomic_uint_fast64_t stray_closes;
static atomic_uint_fast64_t name_requests;
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

/// Decides about a call; sets `errno` if it fails.
static enum outcome outcome(void) {
    int current = atomic_load(&mode);
    if (current == CALM) { return MADE; }
    uint64_t index = atomic_fetch_add(&calls, 1);
    bool is_chosen = index == atomic_load(&failing_index);
    switch (current) {
    case INTERRUPTING:
        errno = EINTR;
        return next_random() % 3 == 0 ? FAILED : MADE;
    case REPEATING:
        errno = EINTR;
        interruptions = (interruptions + 1) % 4;
        return interruptions != 0 ? FAILED : MADE;
    case FAILING:
        errno = atomic_load(&failing_error);
        return is_chosen ? FAILED : MADE;
    case FAILING_ON:
        errno = atomic_load(&failing_error);
        return index >= atomic_load(&failing_index) ? FAILED : MADE;
    case ENDING:
        return is_chosen ? ENDED : MADE;
    default:
        return is_chosen ? SHORTENED : MADE;
    }
}

static bool fails(void) {
    return outcome() == FAILED;
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

static ssize_t transfer(long call, int descriptor, const void *buffer, size_t count) {
    switch (is_tampered_with(descriptor) ? outcome() : MADE) {
    case FAILED:
        return -1;
    case ENDED:
        return 0;
    case SHORTENED:
        return syscall(call, descriptor, buffer, count < 2 ? count : count / 2);
    default:
        return syscall(call, descriptor, buffer, is_tampered_with(descriptor) ? transferred(count) : count);
    }
}

ssize_t read(int descriptor, void *buffer, size_t count) {
    return transfer(SYS_read, descriptor, buffer, count);
}

ssize_t write(int descriptor, const void *buffer, size_t count) {
    return transfer(SYS_write, descriptor, buffer, count);
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
    if (fails()) {
        // Nothing else can remove the file.
        if (errno != EINTR) { atomic_store(&may_leave_file, true); }
        return -1;
    }
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int fchmod(int descriptor, mode_t permissions) {
    return is_tampered_with(descriptor) && fails() ? -1 : (int)syscall(SYS_fchmod, descriptor, permissions);
}

ssize_t flistxattr(int descriptor, char *names, size_t count) {
    return is_tampered_with(descriptor) && fails() ? -1 : syscall(SYS_flistxattr, descriptor, names, count);
}

ssize_t fgetxattr(int descriptor, const char *name, void *value, size_t count) {
    return is_tampered_with(descriptor) && fails() ? -1 : syscall(SYS_fgetxattr, descriptor, name, value, count);
}

// A name service that fails. Its answers could take seconds, so nothing may ask it.

int getpwuid_r(uid_t user, struct passwd *entry, char *buffer, size_t count, struct passwd **result) {
    (void)user, (void)entry, (void)buffer, (void)count;
    atomic_fetch_add(&name_requests, 1);
    *result = NULL;
    return EIO;
}

int getpwnam_r(const char *name, struct passwd *entry, char *buffer, size_t count, struct passwd **result) {
    (void)name;
    return getpwuid_r(0, entry, buffer, count, result);
}

int getgrgid_r(gid_t group, struct group *entry, char *buffer, size_t count, struct group **result) {
    (void)group, (void)entry, (void)buffer, (void)count;
    atomic_fetch_add(&name_requests, 1);
    *result = NULL;
    return EIO;
}

int getgrnam_r(const char *name, struct group *entry, char *buffer, size_t count, struct group **result) {
    (void)name;
    return getgrgid_r(0, entry, buffer, count, result);
}

#if defined(__LP64__)

int stat(const char *path, struct stat *status) {
    return !is_exempt(path) && fails() ? -1 : (int)syscall(SYS_newfstatat, AT_FDCWD, path, status, 0);
}

int lstat(const char *path, struct stat *status) {
    if (!is_exempt(path) && fails()) { return -1; }
    return (int)syscall(SYS_newfstatat, AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}

int fstat(int descriptor, struct stat *status) {
    if (is_tampered_with(descriptor) && fails()) { return -1; }
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

void system_calls_fail(uint64_t index, int error, bool goes_on) {
    atomic_store(&failing_index, index);
    atomic_store(&failing_error, error);
    begin(goes_on ? FAILING_ON : FAILING);
}

void system_calls_end(uint64_t index) {
    atomic_store(&failing_index, index);
    begin(ENDING);
}

void system_calls_shorten(uint64_t index) {
    atomic_store(&failing_index, index);
    begin(SHORTENING);
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

uint64_t system_calls_name_requests(void) {
    return atomic_load(&name_requests);
}

/// Opens a file and reads its beginning; true if that is what it looks for.
static bool reads(const char *path, const char *beginning) {
    char bytes[64];
    size_t length = strlen(beginning);
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) { return false; }
    bool found = read(descriptor, bytes, length) == (ssize_t)length && memcmp(bytes, beginning, length) == 0;
    close(descriptor);
    return found;
}

int system_calls_spy(const char *directory, const char *prefix, const char *beginning) {
    enum { NOBODY = 65534 };
    int watch = inotify_init1(IN_CLOEXEC);
    int events = IN_CREATE | IN_ATTRIB | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO;
    if (setgroups(0, NULL) != 0 || setgid(NOBODY) != 0 || setuid(NOBODY) != 0) { return 1; }
    if (inotify_add_watch(watch, directory, (uint32_t)events) < 0) { return 1; }
    long seen = 0, found = 0;
    puts("ready");
    fflush(stdout);
    struct pollfd requests[] = {{watch, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
    while (poll(requests, 2, -1) > 0 && requests[1].revents == 0) {
        _Alignas(struct inotify_event) char buffer[65536];
        ssize_t count = read(watch, buffer, sizeof buffer);
        for (char *next = buffer; next < buffer + count;) {
            const struct inotify_event *event = (const struct inotify_event *)next;
            next += sizeof *event + event->len;
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", directory, event->len > 0 ? event->name : "");
            if (event->len == 0 || strncmp(event->name, prefix, strlen(prefix)) != 0) { continue; }
            seen += (event->mask & IN_CREATE) != 0;
            found += reads(path, beginning);
        }
    }
    printf("%ld %ld\n", seen, found);
    return 0;
}

#else

bool system_calls_are_ours(void) {
    return false;
}

void system_calls_interrupt(uint64_t seed) {
    (void)seed;
}

void system_calls_fail(uint64_t index, int error, bool goes_on) {
    (void)index;
    (void)error;
    (void)goes_on;
}

void system_calls_end(uint64_t index) {
    (void)index;
}

void system_calls_shorten(uint64_t index) {
    (void)index;
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

uint64_t system_calls_name_requests(void) {
    return 0;
}

int system_calls_spy(const char *directory, const char *prefix, const char *beginning) {
    (void)directory;
    (void)prefix;
    (void)beginning;
    return 1;
}

#endif
