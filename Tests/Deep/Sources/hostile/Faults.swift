import Foundation
import MultipartFormCodec
import SystemCalls
import TestSupport

/// Every API that touches files, while calls are interrupted and transfers shortened, at random and each in turn, and
/// then with each call failing in turn, alone and with all calls after it.
enum Faults {
    /// A use of an API; its result is the same each time.
    private struct Operation: Sendable {
        let name: String
        /// The number of files it leaves when it succeeds.
        var files = 0
        let run: @Sendable (_ directory: URL) async throws -> Data
    }

    /// What happens to one call.
    private enum Fault {
        case error(Int32)
        /// The call fails, and so do all calls after it.
        case errors(Int32)
        /// The call transfers nothing, as at the end of a file.
        case end
        /// The call transfers half of its bytes.
        case short

        func begin(at index: UInt64) {
            switch self {
            case .error(let error): system_calls_fail(index, error, false)
            case .errors(let error): system_calls_fail(index, error, true)
            case .end: system_calls_end(index)
            case .short: system_calls_shorten(index)
            }
        }
    }

    private static let faults =
        [EIO, ENOSPC, EMFILE, EACCES, EXDEV].map(Fault.error) + [.errors(EIO), .errors(EXDEV), .end, .short]

    static func run(count: Int) async throws {
        guard system_calls_are_ours() else { return print("skipped: the system's calls cannot be replaced here") }
        let inputs = try TemporaryDirectory()
        print("| API | calls | calls while interrupted | failures | of these without consequence |")
        print("| --- | ---: | ---: | ---: | ---: |")
        let operations = try operations(inputs)
        let warmUp = try TemporaryDirectory()
        for operation in operations {
            _ = try await operation.run(warmUp.url)
            try warmUp.clear()
        }
        // A file that another thread reads is closed there.
        guard await eventually({ inputs.openFileCount + warmUp.openFileCount == 0 }) else {
            Hostile.fail("a file is left open")
        }
        let descriptors = OpenDescriptors.count
        for operation in operations {
            let trial = try await Trial(operation, descriptors)
            let interrupted = try await trial.interrupt(count: count)
            try await trial.interruptEach()
            let failing = try await trial.failEach()
            print(
                "| \(operation.name) | \(failing.calls) | \(interrupted) |"
                    + " \(failing.failed + failing.harmless) | \(failing.harmless) |"
            )
        }
        for path in [inputs.url.path, "/dev/null", inputs.url.path + "/none"] {
            guard (try? InputFile(path: path)) == nil else { Hostile.fail("\(path) is opened as a regular file") }
        }
        try checkUnknownSize()
        try await FileRights.check()
        try SavedUploads.check()
        guard system_calls_name_requests() == 0 else { Hostile.fail("the name service is asked") }
        guard system_calls_stray_closes() == 0 else { Hostile.fail("a descriptor is closed twice") }
    }

    /// Fails if a file is appended whose size the system does not know.
    private static func checkUnknownSize() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(Data("content".utf8), as: "content")
        system_calls_hide_sizes(true)
        var form = MultipartFormData()
        form.append(file, withName: "f")
        system_calls_hide_sizes(false)
        guard form.firstError?.code == .bodyPartFileSizeNotAvailable, form.firstError?.path == file.path else {
            Hostile.fail("a file of unknown size is appended: \(String(describing: form.firstError))")
        }
    }

    /// An operation and its expected result.
    private struct Trial {
        let operation: Operation
        let expected: Data
        let output: TemporaryDirectory
        let descriptors: Int

        init(_ operation: Operation, _ descriptors: Int) async throws {
            self.operation = operation
            self.descriptors = descriptors
            output = try TemporaryDirectory()
            expected = try await operation.run(output.url)
            try await check(isFailed: false)
        }

        /// Runs the operation while its calls are interrupted at random; the result must be the same.
        ///
        /// - Returns: The calls of all runs.
        func interrupt(count: Int) async throws -> UInt64 {
            var calls: UInt64 = 0
            for seed in 1...count {
                system_calls_interrupt(UInt64(seed))
                let result = await attempt()
                calls += system_calls_calm()
                guard case .success(expected) = result else {
                    Hostile.fail("\(operation.name), interrupted, seed \(seed): \(result)")
                }
                try await check(isFailed: false)
            }
            guard calls > 0 else { Hostile.fail("\(operation.name) makes no calls") }
            return calls
        }

        /// Runs the operation while each of its calls is interrupted three times; the result must be the same.
        func interruptEach() async throws {
            system_calls_interrupt_each()
            let result = await attempt()
            let calls = system_calls_calm()
            guard case .success(expected) = result, calls > 0 else {
                Hostile.fail("\(operation.name), each of \(calls) calls interrupted: \(result)")
            }
            try await check(isFailed: false)
        }

        /// Runs the operation repeatedly, with another call failing each time, until all have failed.
        ///
        /// - Returns: The number of its calls, of runs that threw, and of runs that still gave the right result.
        func failEach() async throws -> (calls: UInt64, failed: Int, harmless: Int) {
            var (calls, failed, harmless) = (UInt64(0), 0, 0)
            for fault in faults {
                var index: UInt64 = 0
                repeat {
                    fault.begin(at: index)
                    let result = await attempt()
                    calls = system_calls_calm()
                    switch (result, fault) {
                    case (.success(expected), _):
                        harmless += index < calls ? 1 : 0
                        try await check(isFailed: false, fault)
                    case (.failure(is MultipartError), .error), (.failure(is MultipartError), .errors),
                        (.failure(is MultipartError), .end):
                        failed += 1
                        try await check(isFailed: true, fault)
                    default:
                        Hostile.fail("\(operation.name), call \(index), \(fault): \(result)")
                    }
                    index += 1
                } while index <= calls
            }
            guard failed > 0 else { Hostile.fail("\(operation.name): no failing call is reported") }
            return (calls, failed, harmless)
        }

        private func attempt() async -> Result<Data, any Error> {
            do {
                return .success(try await operation.run(output.url))
            } catch {
                return .failure(error)
            }
        }

        /// Fails if the operation has left a descriptor open or a file that should not be there.
        private func check(isFailed: Bool, _ fault: Fault? = nil) async throws {
            let extra = output.contents.count - (isFailed ? 0 : operation.files)
            let maxExtra = if case .errors = fault { 2 } else { 1 }
            guard extra == 0 || 1...maxExtra ~= extra && system_calls_may_leave_file() else {
                Hostile.fail("\(operation.name) leaves \(output.contents)")
            }
            try output.clear()
            // A file that another thread reads is closed there.
            guard await eventually({ OpenDescriptors.count <= descriptors }) else {
                Hostile.fail("\(operation.name) leaves a descriptor open")
            }
        }
    }

    /// The operations, for a form with content in memory, in a file, and in a stream.
    private static func operations(_ inputs: TemporaryDirectory) throws -> [Operation] {
        let bytes = Data((0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let file = try inputs.write(bytes, as: "content")
        var built = MultipartFormData(boundary: Boundary("BND"))
        built.append("value", withName: "field")
        built.append(file, withName: "file")
        built.append(
            BodyPart(length: UInt64(bytes.count), name: "stream", filename: "s", contentType: "a/b") {
                InputStream(data: bytes)
            }
        )
        let form = built
        let message = try form.encode()
        let stored = try inputs.write(message, as: "message")
        return [
            Operation(name: "`writeEncodedData`", files: 1) { directory in try write(form, in: directory) },
            Operation(name: "`writeEncodedData`, awaited", files: 1) { directory in
                let url = directory.appendingPathComponent("form")
                try await form.writeEncodedData(to: url)
                return try content(of: url)
            },
            Operation(name: "`BodyPart(contentsOf:)`") { _ in try BodyPart(contentsOf: file, name: "f").data() },
            Operation(name: "`encode`") { _ in try form.encode() },
            Operation(name: "`withEncodedForm`") { directory in
                try await form.withEncodedForm(inMemoryUpTo: 0, temporaryDirectory: directory) { encoded in
                    guard case .file(let file) = encoded else { return Data() }
                    return try content(of: file)
                }
            },
            Operation(name: "`EncodedFormReader`") { _ in
                var reader = try form.makeReader()
                var result = Data()
                while let chunk = try reader.next(maxLength: 500) { result += chunk }
                return result
            },
            Operation(name: "`makeInputStream`") { _ in try EncodingEntryPoints.stream(form, size: 100) },
            Operation(name: "`chunks`") { _ in try await EncodingEntryPoints.chunks(form, size: 500) },
            Operation(name: "`init(parsingFileAt:)`") { _ in try contents(of: parse(stored, form.contentType)) },
            Operation(name: "`init(parsingFileAt:)`, awaited") { _ in
                try contents(
                    of: await MultipartFormData(
                        parsingFileAt: stored,
                        contentType: form.contentType,
                        inMemoryUpTo: 100
                    )
                )
            },
            Operation(name: "`MultipartCollector`") { directory in
                try contents(of: collect(message, form.boundary, directory))
            },
            Operation(name: "`init(collecting:)`") { directory in
                try contents(
                    of: await MultipartFormData(
                        collecting: ChunkSource(ChunkSplitter.pieces(of: message, size: 1000)),
                        contentType: form.boundary.contentType,
                        options: MultipartCollector.Options(diskThreshold: 100, temporaryDirectory: directory)
                    )
                )
            },
            Operation(name: "`init(collecting:)` of an `InputStream`") { directory in
                try contents(
                    of: MultipartFormData(
                        collecting: InputStream(data: message),
                        contentType: form.boundary.contentType,
                        options: MultipartCollector.Options(diskThreshold: 100, temporaryDirectory: directory)
                    )
                )
            },
            Operation(name: "`save` from memory", files: 1) { directory in try save(form[0], in: directory) },
            Operation(name: "`save` of a file", files: 1) { directory in try save(form[1], in: directory) },
            Operation(name: "`save` of a stream", files: 1) { directory in try save(form[2], in: directory) },
            Operation(name: "`save` of a sequence", files: 1) { directory in
                let url = directory.appendingPathComponent("saved")
                let pieces = ChunkSource(ChunkSplitter.pieces(of: bytes, size: 1000))
                try await BodyPart(pieces, length: nil, name: "a").save(to: url)
                return try content(of: url)
            },
            Operation(name: "`save` of a collected part", files: 1) { directory in
                try move(collect(message, form.boundary, directory)[1], to: directory)
            },
            Operation(name: "`save`, awaited", files: 1) { directory in
                let url = directory.appendingPathComponent("saved")
                try await collect(message, form.boundary, directory)[1].save(to: url)
                return try content(of: url)
            },
            Operation(name: "`save` of a file, awaited", files: 1) { directory in
                let url = directory.appendingPathComponent("saved")
                try await form[1].save(to: url)
                return try content(of: url)
            },
            Operation(name: "`save` of a collected part, copied", files: 1) { directory in
                let part = try collect(message, form.boundary, directory)[1]
                // A new file would not have it.
                if let path = part.fileURL?.path { system_calls_give_attribute(path) }
                return try move(part, to: directory)
            },
            Operation(name: "`save` of a collected part with permissions", files: 1) { directory in
                try move(collect(message, form.boundary, directory)[1], to: directory, permissions: 0o644)
            },
            Operation(name: "`save` of a collected part to another device", files: 1) { directory in
                try moveBetweenDevices(message, form.boundary, to: directory)
            },
            Operation(name: "`save` of an arriving part", files: 1) { directory in
                let url = directory.appendingPathComponent("saved")
                let chunks = ChunkSource(ChunkSplitter.pieces(of: message, size: 1000))
                for try await part in try chunks.multipartParts(contentType: form.contentType) where part.name == "file"
                {
                    try await part.save(to: url, upTo: .max)
                }
                return try content(of: url)
            },
            Operation(name: "`EncodedFormChunks(encoding:)`") { _ in
                let chunks = EncodedFormChunks(
                    encoding: ChunkSource(Array(form)),
                    boundary: form.boundary,
                    ofSize: 500
                )
                return try await EncodingEntryPoints.bytes(of: chunks, size: 500)
            },
        ]
    }

    // The functions that are not awaited.

    private static func write(_ form: MultipartFormData, in directory: URL) throws -> Data {
        let url = directory.appendingPathComponent("form")
        try form.writeEncodedData(to: url)
        return try content(of: url)
    }

    private static func parse(_ message: URL, _ contentType: String) throws -> MultipartFormData {
        try MultipartFormData(parsingFileAt: message, contentType: contentType, inMemoryUpTo: 100)
    }

    private static func save(_ part: BodyPart, in directory: URL) throws -> Data {
        let url = directory.appendingPathComponent("saved")
        try part.save(to: url, permissions: 0o640)
        return try content(of: url)
    }

    /// Moves a collected part's file and reads it there. If the file cannot be moved, the part must still have it.
    private static func move(_ part: BodyPart, to directory: URL, permissions: Int? = nil) throws -> Data {
        let before = try part.data()
        let url = directory.appendingPathComponent("moved")
        do {
            try part.save(to: url, permissions: permissions)
            return try content(of: url)
        } catch {
            // The file is read by calls that do not fail.
            _ = system_calls_calm()
            guard (try? part.data()) == before else { Hostile.fail("a file that was not moved is lost: \(error)") }
            throw error
        }
    }

    private static func moveBetweenDevices(
        _ message: Data,
        _ boundary: Boundary,
        to directory: URL
    ) throws -> Data {
        let memory = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
        let manager = FileManager.default
        let uploads = (manager.isWritableFile(atPath: memory.path) ? memory : directory)
            .appendingPathComponent("uploads-\(getpid())", isDirectory: true)
        mkdir(uploads.path, 0o700)
        let result = Result { try move(collect(message, boundary, uploads)[1], to: directory) }
        _ = system_calls_calm()
        let names = try manager.contentsOfDirectory(atPath: uploads.path)
        guard names.isEmpty || system_calls_may_leave_file() else { Hostile.fail("uploads are left: \(names)") }
        try manager.removeItem(at: uploads)
        return try result.get()
    }

    private static func collect(
        _ message: Data,
        _ boundary: Boundary,
        _ directory: URL
    ) throws -> MultipartFormData {
        var collector = MultipartCollector(
            boundary: boundary,
            options: MultipartCollector.Options(diskThreshold: 100, temporaryDirectory: directory)
        )
        for start in stride(from: 0, to: message.count, by: 1000) {
            try collector.append(message[start..<min(start + 1000, message.count)])
        }
        return try collector.finish()
    }

    /// The content of all parts, concatenated.
    private static func contents(of form: MultipartFormData) throws -> Data {
        var result = Data()
        for part in form { result.append(try part.data()) }
        return result
    }

    /// The bytes of a file, read by calls that are not replaced.
    private static func content(of url: URL) throws -> Data {
        guard let file = fopen(url.path, "r") else { throw CocoaError(.fileReadUnknown) }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 64 * 1024)
        return Data(bytes.prefix(fread(&bytes, 1, bytes.count, file)))
    }
}
