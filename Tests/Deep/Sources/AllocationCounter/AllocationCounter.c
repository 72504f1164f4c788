#include "AllocationCounter.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

void keep_memory(void *memory) {
    __asm__ volatile("" : : "r"(memory) : "memory");
}

#if defined(__linux__) && defined(__GLIBC__)

// An executable's own malloc replaces the C library's for every library of the process. It calls the entry points
// that glibc keeps for this purpose; while counting is off, the cost is one load and one branch.

#include <malloc.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

static atomic_bool is_counting;
static atomic_uint_fast64_t calls;
static atomic_int_fast64_t balance;
static atomic_int_fast64_t peak;

static inline bool counting(void) {
    return __builtin_expect(atomic_load_explicit(&is_counting, memory_order_relaxed), false);
}

static void add(void *memory, size_t released) {
    if (memory == NULL) { return; }
    atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
    int_fast64_t change = (int_fast64_t)malloc_usable_size(memory) - (int_fast64_t)released;
    int_fast64_t now = atomic_fetch_add_explicit(&balance, change, memory_order_relaxed) + change;
    int_fast64_t highest = atomic_load_explicit(&peak, memory_order_relaxed);
    while (now > highest && !atomic_compare_exchange_weak(&peak, &highest, now)) {}
}

void *malloc(size_t size) {
    void *memory = __libc_malloc(size);
    if (counting()) { add(memory, 0); }
    return memory;
}

void *calloc(size_t count, size_t size) {
    void *memory = __libc_calloc(count, size);
    if (counting()) { add(memory, 0); }
    return memory;
}

void *realloc(void *memory, size_t size) {
    if (!counting()) { return __libc_realloc(memory, size); }
    size_t released = memory == NULL ? 0 : malloc_usable_size(memory);
    void *moved = __libc_realloc(memory, size);
    add(moved, released);
    return moved;
}

void *memalign(size_t alignment, size_t size) {
    void *memory = __libc_memalign(alignment, size);
    if (counting()) { add(memory, 0); }
    return memory;
}

void *aligned_alloc(size_t alignment, size_t size) {
    return memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) { return EINVAL; }
    void *memory = memalign(alignment, size);
    if (memory == NULL) { return ENOMEM; }
    *result = memory;
    return 0;
}

void free(void *memory) {
    if (counting() && memory != NULL) {
        atomic_fetch_sub_explicit(&balance, (int_fast64_t)malloc_usable_size(memory), memory_order_relaxed);
    }
    __libc_free(memory);
}

bool allocation_counter_is_available(void) {
    return true;
}

void allocation_counter_start(void) {
    atomic_store(&calls, 0);
    atomic_store(&balance, 0);
    atomic_store(&peak, 0);
    atomic_store(&is_counting, true);
}

AllocationCount allocation_counter_stop(void) {
    atomic_store(&is_counting, false);
    return (AllocationCount){
        .calls = atomic_load(&calls),
        .peak_bytes = (uint64_t)atomic_load(&peak),
        .held_bytes = atomic_load(&balance),
    };
}

#else

bool allocation_counter_is_available(void) {
    return false;
}

void allocation_counter_start(void) {}

AllocationCount allocation_counter_stop(void) {
    return (AllocationCount){.calls = 0, .peak_bytes = 0, .held_bytes = 0};
}

#endif
