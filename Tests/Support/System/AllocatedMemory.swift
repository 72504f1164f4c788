#if canImport(Glibc)
    internal import Foundation

    /// Memory of the C library's allocator.
    package enum AllocatedMemory {
        /// The length of the memory that was allocated at an address, in bytes; nil if the library cannot tell.
        package static func length(at start: UnsafeRawPointer?) -> Int? {
            // The headers that Swift imports do not declare it.
            typealias Function = @convention(c) (UnsafeRawPointer?) -> Int
            guard let start, let symbol = dlsym(nil, "malloc_usable_size") else { return nil }
            return unsafeBitCast(symbol, to: Function.self)(start)
        }
    }
#endif
