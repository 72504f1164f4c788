import Foundation
import MultipartForm
import TestSupport
import Testing

@Suite struct ProgressTests {
    private let directory: TemporaryDirectory
    private let output: URL

    init() throws {
        directory = try TemporaryDirectory()
        output = directory.url.appendingPathComponent("output")
    }

    private typealias Outlet = (MultipartFormData, Progress) async throws -> Void

    /// Every outlet that reports progress.
    private var outlets: [(name: String, encode: Outlet)] {
        [
            ("encode", { _ = try $0.encode(progress: $1) }),
            (
                "into a buffer",
                { form, progress in
                    var buffer = Data()
                    try form.encode(into: &buffer, progress: progress)
                }
            ),
            (
                "file",
                { form, progress in
                    defer { try? FileManager.default.removeItem(at: output) }
                    try form.writeEncodedData(to: output, progress: progress)
                }
            ),
            ("in memory", { _ = try $0.encode(inMemoryUpTo: .max, directory: directory.url, progress: $1) }),
            ("temporary file", { _ = try $0.encode(inMemoryUpTo: 0, directory: directory.url, progress: $1) }),
            (
                "reader",
                { form, progress in
                    var reader = try form.makeReader(progress: progress)
                    while try reader.next(maxLength: 1000) != nil {}
                }
            ),
            (
                "stream",
                { form, progress in
                    let stream = try form.makeInputStream(progress: progress)
                    stream.open()
                    _ = try Outlets.drain(stream, size: 1000)
                }
            ),
            ("chunks", { form, progress in for try await _ in form.chunks(ofSize: 1000, progress: progress) {} }),
        ]
    }

    /// A form whose second part calls `whenRead` before each read.
    private func form(length: UInt64?, whenRead: @escaping @Sendable () -> Void = {}) -> MultipartFormData {
        var form = MultipartFormData()
        form.append(Data(count: 300_000), withName: "a")
        form.append(withLength: length, name: "s") {
            StubStream([UInt8](repeating: 1, count: 10_000), fails: false, whenRead: whenRead)
        }
        form.append(Data(count: 300_000), withName: "b")
        return form
    }

    @Test(arguments: [10_000, nil] as [UInt64?])
    func `every outlet reports the total and counts up to it`(length: UInt64?) async throws {
        for (name, encode) in outlets {
            let progress = Progress(totalUnitCount: 0)
            // The first part is done when the second one is read.
            let seen = Counter()
            let form = form(length: length) {
                if progress.completedUnitCount >= 290_000, progress.completedUnitCount < 320_000 { seen.increment() }
            }
            try await encode(form, progress)
            let count = Int64(try form.encode().count)
            #expect(progress.totalUnitCount == (length == nil ? -1 : count), "\(name)")
            #expect(progress.completedUnitCount == count, "\(name)")
            #expect(name == "file" || name == "temporary file" || seen.value > 0, "\(name)")
        }
    }

    @Test(arguments: [10_000, nil] as [UInt64?])
    func `cancelling ends every outlet`(length: UInt64?) async throws {
        for (name, encode) in outlets {
            let progress = Progress(totalUnitCount: 0)
            let form = form(length: length) { progress.cancel() }
            await #expect(throws: MultipartError(.cancelled), "\(name)") { try await encode(form, progress) }
            #expect(directory.contents.isEmpty, "\(name)")
        }
    }

    @Test func `nothing is read if the progress is already cancelled`() async throws {
        for (name, encode) in outlets {
            let progress = Progress(totalUnitCount: 0)
            progress.cancel()
            let form = form(length: nil) { Issue.record("read") }
            await #expect(throws: MultipartError(.cancelled), "\(name)") { try await encode(form, progress) }
        }
    }

    @Test func `a reader reports its offset, also after a seek`() throws {
        let form = form(length: nil)
        let progress = Progress(totalUnitCount: 0)
        var reader = try form.makeReader(progress: progress)
        _ = try reader.next(maxLength: 5000)
        #expect(progress.completedUnitCount == 5000)
        try reader.seek(toOffset: 200_000)
        #expect(progress.completedUnitCount == 200_000)
        try reader.seek(toOffset: 17)
        #expect(progress.completedUnitCount == 17)
    }

    @Test func `cancelling the progress closes the file`() throws {
        let file = try directory.write(Data(count: 100_000), as: "file")
        var form = MultipartFormData()
        form.append(file, withName: "f")
        let progress = Progress(totalUnitCount: 0)
        var reader = try form.makeReader(progress: progress)
        _ = try reader.next(maxLength: 5000)
        #expect(OpenDescriptors.count(on: file) == 1)
        progress.cancel()
        #expect(throws: MultipartError(.cancelled)) { try reader.next(maxLength: 5000) }
        #expect(OpenDescriptors.count(on: file) == 0)
    }
}
