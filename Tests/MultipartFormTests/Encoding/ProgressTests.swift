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

    private typealias WayOut = (MultipartFormData, Progress) async throws -> Void

    /// Every way out that tells a progress.
    private var waysOut: [(name: String, encode: WayOut)] {
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

    /// A form of which a content tells when it is read.
    private func form(length: UInt64?, whenRead: @escaping @Sendable () -> Void = {}) -> MultipartFormData {
        var form = MultipartFormData()
        form.append(Data(count: 300_000), withName: "a")
        form.append(withLength: length, name: "s") {
            FaultyStream([UInt8](repeating: 1, count: 10_000), fails: false, whenRead: whenRead)
        }
        form.append(Data(count: 300_000), withName: "b")
        return form
    }

    @Test(arguments: [10_000, nil] as [UInt64?])
    func `every way out tells the total and counts up to it`(length: UInt64?) async throws {
        for (name, encode) in waysOut {
            let progress = Progress(totalUnitCount: 0)
            // A third of the way is behind when the second content is read.
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
    func `cancelling ends every way out`(length: UInt64?) async throws {
        for (name, encode) in waysOut {
            let progress = Progress(totalUnitCount: 0)
            let form = form(length: length) { progress.cancel() }
            await #expect(throws: MultipartError(.cancelled), "\(name)") { try await encode(form, progress) }
            #expect(directory.contents.isEmpty, "\(name)")
        }
    }

    @Test func `a progress that was cancelled before lets nothing be read`() async throws {
        for (name, encode) in waysOut {
            let progress = Progress(totalUnitCount: 0)
            progress.cancel()
            let form = form(length: nil) { Issue.record("read") }
            await #expect(throws: MultipartError(.cancelled), "\(name)") { try await encode(form, progress) }
        }
    }

    @Test func `a reader counts what it handed out, and where it was told to go on`() throws {
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

    @Test func `what was open is closed when the progress is cancelled`() throws {
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
