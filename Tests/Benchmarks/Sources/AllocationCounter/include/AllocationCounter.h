#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// What a stretch of the program allocated.
typedef struct {
    /// Calls that gave memory: malloc, calloc, aligned_alloc, posix_memalign, and realloc.
    uint64_t calls;
    /// The most bytes in use at once, beyond those in use when counting began.
    uint64_t peak_bytes;
} AllocationCount;

/// Whether allocations can be counted on this system.
bool allocation_counter_is_available(void);

/// Begins to count from nothing.
void allocation_counter_start(void);

/// Ends counting, and tells what was counted.
AllocationCount allocation_counter_stop(void);

/// Makes the optimiser believe that the memory is read and written, so that the work that made it stays.
void keep_memory(void *memory);

#endif
