internal import Foundation
internal import MultipartFormCodec
internal import TestSupport

/// An asynchronous entry of the library, with the outcome that it is made to have.
///
/// Each calls the library where the actor's own methods do: in a closure that is isolated to it, and that notes where
/// it runs without awaiting anything else.
struct AsynchronousEntry: Sendable {
    typealias Operation = @Sendable (isolated any Actor, Scene) async throws -> Void

    let name: String
    let outcome: Outcome
    let perform: Operation

    static let all = reading + receiving + collecting + collected + encoding + forwarding
}

// MARK: Parts as they arrive

extension AsynchronousEntry {
    private typealias Reader = @Sendable (isolated any Actor, Scene, MultipartParts) async throws -> Void

    /// Everything that reads a message part by part, from each source.
    private static var reading: [AsynchronousEntry] {
        readers.flatMap { name, read in
            Arrival.allCases.map { arrival in
                AsynchronousEntry(name: "\(name), \(arrival)", outcome: arrival.outcome) { caller, scene in
                    try await read(caller, scene, scene.parts(arrival))
                }
            }
        }
    }

    private static let readers: [(name: String, read: Reader)] = [
        (
            "parts in a loop",
            { _, scene, parts in
                defer { scene.note() }
                for try await _ in parts {}
            }
        ),
        (
            "parts.next()",
            { _, scene, parts in
                defer { scene.note() }
                var iterator = parts.makeAsyncIterator()
                while try await iterator.next() != nil {}
            }
        ),
        (
            "parts.next(isolation:)",
            { caller, scene, parts in
                defer { scene.note() }
                var iterator = parts.makeAsyncIterator()
                while try await iterator.next(isolation: caller) != nil {}
            }
        ),
        (
            "parts.next(isolation: nil)",
            { _, scene, parts in
                defer { scene.note() }
                var iterator = parts.makeAsyncIterator()
                while try await iterator.next(isolation: nil) != nil {}
            }
        ),
        (
            "body in a loop",
            { _, scene, parts in
                defer { scene.note() }
                for try await part in parts {
                    for try await _ in part.body {}
                }
            }
        ),
        (
            "body.next()",
            { _, scene, parts in
                defer { scene.note() }
                for try await part in parts {
                    var iterator = part.body.makeAsyncIterator()
                    while try await iterator.next() != nil {}
                }
            }
        ),
        (
            "body.next(isolation: nil)",
            { _, scene, parts in
                defer { scene.note() }
                for try await part in parts {
                    var iterator = part.body.makeAsyncIterator()
                    while try await iterator.next(isolation: nil) != nil {}
                }
            }
        ),
        (
            "parts.next(isolation: nil) in a function",
            { _, scene, parts in
                defer { scene.note() }
                try await readPartsElsewhere(parts)
            }
        ),
        (
            "body.next(isolation: nil) in a function",
            { _, scene, parts in
                defer { scene.note() }
                try await readBodiesElsewhere(parts)
            }
        ),
        (
            "collect(upTo:)",
            { _, scene, parts in
                defer { scene.note() }
                for try await part in parts { _ = try await part.collect(upTo: 1000) }
            }
        ),
        (
            "text(upTo:)",
            { _, scene, parts in
                defer { scene.note() }
                for try await part in parts { _ = try await part.text(upTo: 1000) }
            }
        ),
        (
            "save(to:upTo:)",
            { _, scene, parts in
                defer { scene.note() }
                for try await part in parts {
                    try await part.save(to: scene.url(part.filename ?? "field"), upTo: 1000)
                }
            }
        ),
    ]

    nonisolated(nonsending) private static func readPartsElsewhere(_ parts: MultipartParts) async throws {
        var iterator = parts.makeAsyncIterator()
        while try await iterator.next(isolation: nil) != nil {}
    }

    nonisolated(nonsending) private static func readBodiesElsewhere(_ parts: MultipartParts) async throws {
        for try await part in parts {
            var iterator = part.body.makeAsyncIterator()
            while try await iterator.next(isolation: nil) != nil {}
        }
    }

    /// A part that is not read as it should be.
    private static let receiving = [
        AsynchronousEntry(name: "collect(upTo:), too long", outcome: .failure(.limitPartBytes)) { _, scene in
            defer { scene.note() }
            for try await part in try scene.parts(.whole) { _ = try await part.collect(upTo: 100) }
        },
        AsynchronousEntry(name: "save(to:upTo:), too long", outcome: .failure(.limitPartBytes)) { _, scene in
            defer { scene.note() }
            for try await part in try scene.parts(.whole) where part.filename != nil {
                try await part.save(to: scene.vacant, upTo: 100)
            }
        },
        AsynchronousEntry(
            name: "save(to:upTo:), exists",
            outcome: .failure(.outputStreamFileAlreadyExists)
        ) { _, scene in
            defer { scene.note() }
            for try await part in try scene.parts(.whole) { try await part.save(to: scene.existing, upTo: 1000) }
        },
        AsynchronousEntry(
            name: "save(to:upTo:), no directory",
            outcome: .failure(.outputStreamCreationFailed)
        ) { _, scene in
            defer { scene.note() }
            for try await part in try scene.parts(.whole) { try await part.save(to: scene.unreachable, upTo: 1000) }
        },
        AsynchronousEntry(name: "collect(upTo:), out of turn", outcome: .failure(.bodyOutOfTurn)) { _, scene in
            defer { scene.note() }
            var iterator = try scene.parts(.whole).makeAsyncIterator()
            let first = try await iterator.next()
            _ = try await iterator.next()
            _ = try await first?.collect(upTo: 1000)
        },
        AsynchronousEntry(name: "save(to:upTo:), out of turn", outcome: .failure(.bodyOutOfTurn)) { _, scene in
            defer { scene.note() }
            var iterator = try scene.parts(.whole).makeAsyncIterator()
            let first = try await iterator.next()
            _ = try await iterator.next()
            try await first?.save(to: scene.vacant, upTo: 1000)
        },
        AsynchronousEntry(name: "parts.next(), after an error", outcome: .failure(.unexpectedEnd)) { _, scene in
            defer { scene.note() }
            var iterator = try scene.parts(.cutOff).makeAsyncIterator()
            do { while try await iterator.next() != nil {} } catch {}
            _ = try await iterator.next()
        },
    ]
}

// MARK: Collected forms

extension AsynchronousEntry {
    /// Everything that collects a message, to memory and to disk, from each source.
    private static var collecting: [AsynchronousEntry] {
        [MultipartCollector.Route.accept, .disk(upTo: .max)].flatMap { route in
            Arrival.allCases.map { arrival in
                let name = "collecting, \(route.action), \(arrival)"
                return AsynchronousEntry(name: name, outcome: arrival.outcome) { _, scene in
                    defer { scene.note() }
                    let options = MultipartCollector.Options(parser: arrival.options)
                    if arrival == .disconnectedStream {
                        _ = try await MultipartFormData(
                            collecting: scene.stream(arrival),
                            contentType: Scene.contentType,
                            options: options,
                            route: { _ in route }
                        )
                    } else {
                        _ = try await MultipartFormData(
                            collecting: scene.source(arrival),
                            contentType: Scene.contentType,
                            options: options,
                            route: { _ in route }
                        )
                    }
                }
            }
        }
    }

    /// The collector's own errors.
    private static let collected = [
        refused("limit of the disk", .limitDiskBytes, MultipartCollector.Options(maxDiskBytes: 100, diskThreshold: 0)),
        refused("limit of memory", .limitMemoryBytes, MultipartCollector.Options(maxMemoryBytes: 600)),
        refused("limit of the route", .limitPartBytes) { _ in .disk(upTo: 100) },
        refused("rejected", .partRejected) { $0.name == "f" ? .reject : .disk(upTo: .max) },
        refused(
            "no directory",
            .outputStreamCreationFailed,
            MultipartCollector.Options(diskThreshold: 0, temporaryDirectory: URL(fileURLWithPath: "/nowhere"))
        ),
        AsynchronousEntry(name: "collecting, the route throws", outcome: .foreign) { _, scene in
            defer { scene.note() }
            _ = try await MultipartFormData(
                collecting: scene.source(.whole),
                contentType: Scene.contentType,
                route: { headers in
                    if headers.name == "f" { throw POSIXError(.EACCES) }
                    return .disk(upTo: .max)
                }
            )
        },
        AsynchronousEntry(name: "collecting, no type", outcome: .failure(.unsupportedMediaType)) { _, scene in
            defer { scene.note() }
            _ = try await MultipartFormData(collecting: scene.source(.whole), contentType: nil)
        },
    ]

    private static func refused(
        _ reason: String,
        _ code: MultipartError.Code,
        _ options: MultipartCollector.Options = MultipartCollector.Options(),
        _ route: @escaping @Sendable (HeaderFields) -> MultipartCollector.Route = { _ in .accept }
    ) -> AsynchronousEntry {
        AsynchronousEntry(name: "collecting, \(reason)", outcome: .failure(code)) { _, scene in
            defer { scene.note() }
            _ = try await MultipartFormData(
                collecting: scene.source(.whole),
                contentType: Scene.contentType,
                options: options,
                route: route
            )
        }
    }
}
