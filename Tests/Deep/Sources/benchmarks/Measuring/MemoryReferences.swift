import AllocationCounter
import Foundation

/// The memory operations that cases are compared with.
struct MemoryReferences {
    /// The bytes, which the case reads or writes, too.
    let bytes: [UInt8]
    /// Memory of the same length that has been written before.
    private let warm: WarmMemory

    /// Creates references over some bytes.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        warm = WarmMemory(count: bytes.count)
    }

    /// One copy into warm memory.
    var copy: Operation {
        Operation(name: "memcpy") {
            bytes.withUnsafeBytes { source in
                // SAFETY: the warm memory is as long as the bytes.
                warm.memory.copyMemory(from: source)
                keep_memory(warm.memory.baseAddress)
            }
        }
    }

    /// One copy into memory that is allocated before and freed after.
    var freshCopy: Operation {
        Operation(name: "memcpy-fresh") {
            guard let memory = malloc(bytes.count) else { throw BenchmarkError("no memory for a copy") }
            bytes.withUnsafeBytes { source in
                // SAFETY: the memory is as long as the bytes, and freed once.
                if let start = source.baseAddress { memcpy(memory, start, source.count) }
                keep_memory(memory)
            }
            free(memory)
        }
    }

    /// The sum of the bytes, eight at a time, in vector code.
    var sum: Operation {
        Operation(name: "sum") {
            bytes.withUnsafeBytes { source in
                var sum: UInt64 = 0
                // SAFETY: an array's bytes are aligned to 16, and only whole words are read.
                let words = UnsafeRawBufferPointer(rebasing: source[..<(source.count & ~7)])
                for word in words.bindMemory(to: UInt64.self) { sum &+= word }
                withUnsafeMutablePointer(to: &sum) { keep_memory($0) }
            }
        }
    }

    /// One `memchr` from each CR to the next.
    var findCarriageReturns: Operation {
        Operation(name: "memchr") {
            bytes.withUnsafeBytes { source in
                guard let start = source.baseAddress else { return }
                var count = 0
                var offset = 0
                // SAFETY: the offset never passes the end; each turn moves past the byte it found.
                while let found = memchr(start + offset, 0x0D, source.count - offset) {
                    count += 1
                    offset = UnsafeRawPointer(found) - start + 1
                }
                withUnsafeMutablePointer(to: &count) { keep_memory($0) }
            }
        }
    }
}

/// Memory whose pages have been written, so that a copy into it does not wait for the system.
final class WarmMemory {
    /// The memory.
    let memory: UnsafeMutableRawBufferPointer

    /// Allocates the memory and writes to all of it.
    init(count: Int) {
        memory = .allocate(byteCount: count, alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 1)
    }

    deinit {
        memory.deallocate()
    }
}
