import Foundation
import MultipartFormCodec
import TestSupport
import Testing

/// A message with two faults has the error of the first one, by its offset, however the form is collected.
@Suite(.timeLimit(.minutes(10))) struct FaultOrderTests {
    @Test func `of a full disk and any other fault, the first one is the error`() async {
        await #expect(processExitsWith: .success) {
            let directory = try TemporaryDirectory()
            let scenes = try Scene.all(directory.url)
            // The limit of a process can only be lowered.
            for room in [20, 19, 12, 11, 10, 5, 3, 2, 0] {
                try #require(limitFileSize(to: UInt64(room)))
                for scene in scenes { try await scene.check(room: room) }
                try #require(directory.contents.isEmpty)
            }
        }
    }

    @Test func `of a missing directory and any other fault, the first one is the error`() async throws {
        let directory = try TemporaryDirectory()
        for scene in try Scene.all(directory.url) { try await scene.check(room: nil) }
        #expect(directory.contents.isEmpty)
    }
}

/// A message with a file, a limit, and the error that they have while the disk is in order.
private struct Scene {
    typealias Route = @Sendable (HeaderFields) -> MultipartCollector.Route

    struct Outcome: Equatable {
        var code: MultipartError.Code?
        var offset: UInt64?
    }

    private static let content = "0123456789abcdefghij"
    private static let boundary: Boundary = "b"

    private let message: Data
    private let options: MultipartCollector.Options
    private let route: Route
    private let alone: Outcome

    private init(_ message: Data, _ options: MultipartCollector.Options, _ route: @escaping Route) throws {
        self.message = message
        self.options = options
        self.route = route
        alone = try Self.outcome { try Self.push([message], options, route) }
    }

    static func all(_ directory: URL) throws -> [Scene] {
        var form = MultipartFormData(boundary: boundary)
        form.append(Data(content.utf8), withName: "f", fileName: "x")
        form.append("Ada", withName: "a")
        let whole = try form.encode()
        let start = start(in: whole)
        var scenes: [Scene] = []
        for message in [whole, whole.prefix(start + 12), whole.dropLast(4)] {
            for threshold in [0, 5] {
                let plain = MultipartCollector.Options(diskThreshold: threshold, temporaryDirectory: directory)
                for options in limited(plain, start) { scenes.append(try Scene(message, options) { _ in .accept }) }
                for limit in [3, 11] {
                    scenes.append(try Scene(message, plain) { $0.name == "f" ? .disk(upTo: limit) : .accept })
                }
                scenes.append(try Scene(message, plain) { $0.name == "f" ? .accept : .reject })
            }
        }
        return scenes
    }

    /// Options with each limit.
    private static func limited(_ plain: MultipartCollector.Options, _ start: Int) -> [MultipartCollector.Options] {
        let changes: [(inout MultipartCollector.Options) -> Void] = [
            { _ in }, { $0.maxDiskBytes = 3 }, { $0.maxDiskBytes = 11 }, { $0.parser.maxPartBytes = 11 },
            { $0.parser.maxTotalBytes = start + 11 }, { $0.defaults.totalBytes = start + 11 },
            { $0.defaults.partBytes = 11 }, { $0.maxFieldBytes = 1 }, { $0.parser.maxParts = 1 },
        ]
        return changes.map { change in
            var options = plain
            change(&options)
            return options
        }
    }

    /// The offset of the file's first byte.
    private static func start(in message: Data) -> Int {
        message.range(of: Data("\r\n\r\n".utf8))?.upperBound ?? 0
    }

    /// The expected outcome if a file has room for so many bytes, or cannot be created.
    private func expected(room: Int?) -> Outcome {
        let fault = alone.offset.map { Int($0) } ?? message.count
        // The bytes of the file before the other fault.
        let count = min(fault - Self.start(in: message), Self.content.utf8.count)
        guard count > (route(["Content-Disposition": "form-data; name=f"]) == .accept ? options.diskThreshold : 0)
        else {
            return alone
        }
        guard let room else { return Outcome(code: .outputStreamCreationFailed) }
        return count > room ? Outcome(code: .outputStreamWriteFailed) : alone
    }

    /// Compares the outcome of every way to collect with the expected one.
    func check(room: Int?) async throws {
        let expected = expected(room: room)
        var options = options
        if room == nil { options.temporaryDirectory = options.temporaryDirectory?.appendingPathComponent("missing") }
        for size in [1, message.count] {
            let chunks = ChunkSplitter.pieces(of: message, size: size)
            var outcomes = [
                "pushed": try Self.outcome { try Self.push(chunks, options, route) },
                "collected": try await collected(chunks, options),
            ]
            #if FullFoundation
                outcomes["collected from a stream"] = try Self.outcome {
                    _ = try MultipartFormData(
                        collecting: InputStream(data: message),
                        contentType: Self.boundary.contentType,
                        options: options,
                        route: route
                    )
                }
            #endif
            for (name, outcome) in outcomes {
                let scene = "chunks of \(size), room for \(room ?? -1), \(options)"
                try #require(outcome == expected, "\(name), \(scene)")
            }
        }
    }

    private static func push(
        _ chunks: [Data],
        _ options: MultipartCollector.Options,
        _ route: @escaping Route
    ) throws {
        var collector = MultipartCollector(boundary: boundary, options: options, route: route)
        for chunk in chunks { try collector.append(chunk) }
        _ = try collector.finish()
    }

    private func collected(_ chunks: [Data], _ options: MultipartCollector.Options) async throws -> Outcome {
        do {
            _ = try await MultipartFormData(
                collecting: ChunkSource(chunks),
                contentType: Self.boundary.contentType,
                options: options,
                route: route
            )
            return Outcome()
        } catch let error as MultipartError {
            return Outcome(code: error.code, offset: error.offset)
        }
    }

    private static func outcome(of collect: () throws -> Void) throws -> Outcome {
        do {
            try collect()
            return Outcome()
        } catch let error as MultipartError {
            return Outcome(code: error.code, offset: error.offset)
        }
    }
}
