import Foundation
import MultipartFormCodec
import TestSupport
import Testing

@Suite struct SystemMemoryTests {
    private static let isSanitized = ProcessInfo.processInfo.environment["ASAN_OPTIONS"] != nil

    @Test(arguments: [(16, 1 << 20), (1 << 20, 16), (10 << 20, 20 << 20)])
    func `memory that grows or shrinks keeps its bytes`(count: Int, newCount: Int) throws {
        let memory = try #require(SystemMemory.allocate(count))
        for offset in 0..<16 { memory.storeBytes(of: UInt8(offset), toByteOffset: offset, as: UInt8.self) }
        let other = try #require(SystemMemory.reallocate(memory, newCount))
        defer { SystemMemory.release(other) }
        #expect(Array(UnsafeRawBufferPointer(start: other, count: 16)) == Array(0..<16))
        other.storeBytes(of: 1, toByteOffset: newCount - 1, as: UInt8.self)
    }

    @Test(.disabled(if: isSanitized, "a sanitizer's allocator ends the process when an allocation fails"))
    func `memory that the system refuses is nil`() throws {
        #expect(SystemMemory.allocate(.max - 1) == nil)
        let memory = try #require(SystemMemory.allocate(16))
        defer { SystemMemory.release(memory) }
        memory.storeBytes(of: 7, as: UInt8.self)
        #expect(SystemMemory.reallocate(memory, .max - 1) == nil)
        #expect(memory.load(as: UInt8.self) == 7)
    }

    #if os(Linux)
        @Test func `long memory begins at a large page`() throws {
            let memory = try #require(SystemMemory.allocate(4 * SystemMemory.largePage))
            defer { SystemMemory.release(memory) }
            #expect(Int(bitPattern: memory).isMultiple(of: SystemMemory.largePage))
        }

        @Test(.disabled(if: isSanitized, "a sanitizer needs much address space"))
        func `released memory can be allocated again`() async {
            await #expect(processExitsWith: .success) {
                try #require(limitAddressSpace(growth: 256 << 20))
                for count in [1 << 20, 10 << 20] {
                    for _ in 0..<500 {
                        let memory = SystemMemory.allocate(count)
                        try #require(memory != nil)
                        SystemMemory.release(memory)
                    }
                }
            }
        }

        @Test(.disabled(if: isSanitized, "a sanitizer needs much address space"))
        func `the memory of a copy is released with it`() async {
            await #expect(processExitsWith: .success) {
                let directory = try TemporaryDirectory()
                let part = try BodyPart(contentsOf: try directory.write(Data("a".utf8), as: "a"), name: "a")
                let copy = directory.url.appendingPathComponent("copy")
                try part.save(to: copy)
                try #require(limitAddressSpace(growth: 64 << 20))
                for _ in 0..<1000 {
                    try FileManager.default.removeItem(at: copy)
                    try part.save(to: copy)
                }
            }
        }
    #endif
}
