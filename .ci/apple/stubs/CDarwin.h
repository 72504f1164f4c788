#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct os_unfair_lock_s { uint32_t _os_unfair_lock_opaque; } os_unfair_lock, *os_unfair_lock_t;
void os_unfair_lock_lock(os_unfair_lock_t lock);
void os_unfair_lock_unlock(os_unfair_lock_t lock);

typedef int32_t dev_t;
typedef uint64_t ino_t;
typedef uint16_t mode_t;
typedef uint16_t nlink_t;
typedef int64_t off_t;
typedef int32_t pid_t;
typedef uint32_t uid_t;
typedef uint32_t gid_t;
typedef long ssize_t;
typedef long time_t;

struct timespec {
    time_t tv_sec;
    long tv_nsec;
};

struct stat {
    dev_t st_dev;
    mode_t st_mode;
    nlink_t st_nlink;
    unsigned int st_uid, st_gid;
    ino_t st_ino;
    struct timespec st_mtimespec;
    off_t st_size;
};

#define O_RDONLY 0
#define O_RDWR 2
#define O_WRONLY 1
#define O_NONBLOCK 4
#define O_NOFOLLOW 0x100
#define O_CREAT 0x200
#define O_TRUNC 0x400
#define O_EXCL 0x800
#define O_CLOEXEC 0x1000000
#define O_NOCTTY 0x20000
#define F_GETFD 1
#define F_GETFL 3
#define F_SETFL 4
#define FD_CLOEXEC 1
#define AT_FDCWD -2
#define F_GETPATH 50
#define PATH_MAX 1024
#define RLIMIT_FSIZE 1
#define RLIMIT_NOFILE 8
#define ENOSPC 28
#define R_OK 4
#define W_OK 2
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define RENAME_EXCL 4

#define POLLIN 1
#define POLLOUT 4

struct pollfd {
    int fd;
    short events, revents;
};

#define EPERM 1
#define EINTR 4
#define EACCES 13
#define EPIPE 32
#define EINVAL 22
#define EMLINK 31
#define ENOTSUP 45
#define ENOSYS 78
#define EOPNOTSUPP 102

#define SIGALRM 14
#define SIGHUP 1
#define SIGQUIT 3
#define SIGINT 2
#define SIGKILL 9
#define SIGPIPE 13
#define SIGTERM 15
#define SIGXFSZ 25
#define SIG_BLOCK 1
#define SIG_UNBLOCK 2
#define SIG_SETMASK 3
#define SA_RESETHAND 4

typedef uint32_t sigset_t;
typedef void (*sig_t)(int);

struct sigaction {
    sig_t sa_handler;
    sigset_t sa_mask;
    int sa_flags;
};

typedef uint64_t rlim_t;

struct rlimit {
    rlim_t rlim_cur, rlim_max;
};

struct winsize {
    unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel;
};

int *__error(void);
char *strerror(int);
char *getenv(const char *);
void *malloc(size_t);
void *realloc(void *, size_t);
void free(void *);
void *memchr(const void *, int, size_t);
int memcmp(const void *, const void *, size_t);
void exit(int) __attribute__((noreturn));
int raise(int);
int atexit(void (*)(void));
int getrlimit(int, struct rlimit *);
int setrlimit(int, const struct rlimit *);
int kill(pid_t, int);
pid_t getpid(void);
int pipe(int[2]);
int mkfifo(const char *, mode_t);
int chmod(const char *, mode_t);
int chown(const char *, uid_t, gid_t);
int symlink(const char *, const char *);
int dup(int);
int ftruncate(int, off_t);
int pthread_sigmask(int, const sigset_t *, sigset_t *);
int usleep(unsigned int);
uid_t geteuid(void);
int seteuid(uid_t);
int setreuid(uid_t, uid_t);
int truncate(const char *, off_t);
int utimensat(int, const char *, const struct timespec[2], int);
int setenv(const char *, const char *, int);
int unsetenv(const char *);
int sched_yield(void);
int openpty(int *, int *, char *, void *, void *);
void _exit(int) __attribute__((noreturn));

sig_t signal(int, sig_t);
int sigaction(int, const struct sigaction *, struct sigaction *);
int sigaddset(sigset_t *, int);
int sigemptyset(sigset_t *);
int sigprocmask(int, const sigset_t *, sigset_t *);

typedef struct _acl *acl_t;
typedef enum { ACL_TYPE_EXTENDED = 0x100 } acl_type_t;
acl_t acl_get_fd_np(int, acl_type_t);
int acl_free(void *);

int stat(const char *, struct stat *);
int lstat(const char *, struct stat *);
int fstat(int, struct stat *);
int access(const char *, int);
int fchmod(int, mode_t);
int link(const char *, const char *);
int unlink(const char *);
int rename(const char *, const char *);
int renamex_np(const char *, const char *, unsigned int) __attribute__((availability(macos, introduced=10.12)));
int close(int);
off_t lseek(int, off_t, int);
ssize_t read(int, void *, size_t);
int poll(struct pollfd *, unsigned int, int);
ssize_t write(int, const void *, size_t);
int isatty(int);
unsigned int alarm(unsigned int);
unsigned int ualarm(unsigned int, unsigned int);
char *mkdtemp(char *);
int mkdir(const char *, mode_t);
int rmdir(const char *);
char *realpath(const char *, char *);
