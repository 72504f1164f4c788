#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// The allocations between start and stop.
typedef struct {
    /// Successful calls of malloc, calloc, memalign, aligned_alloc, posix_memalign and realloc.
    uint64_t calls;
    /// The most bytes in use at once, beyond those in use when counting began.
    uint64_t peak_bytes;
    /// The bytes in use at the end, beyond those in use when counting began; negative if more were freed.
    int64_t held_bytes;
} AllocationCount;

/// Whether allocations can be counted on this system.
bool allocation_counter_is_available(void);

/// Resets the counts and begins to count.
void allocation_counter_start(void);

/// Ends counting, and returns the counts.
AllocationCount allocation_counter_stop(void);

/// Makes the optimiser assume that the memory is read and written, so that it keeps the work that wrote it.
void keep_memory(void *memory);

#endif
