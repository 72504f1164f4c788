package import Foundation
package import MultipartForm

/// A second collector, obviously right: it feeds the parser a message byte by byte, keeps every body in an array, and
/// counts all it keeps anew for each byte.
package struct NaiveCollector {
    /// A part of a form that was collected.
    package struct Part: Equatable {
        package var headers: HeaderFields
        package var body: [UInt8] = []
        package var isOnDisk = false
    }

    /// What became of a message: its parts, or the error with its place and its limit.
    package enum Outcome: Equatable {
        case parts([Part])
        case error(String)
    }

    private let limits: Limits
    private let options: CollectionOptions
    private let policy: PartRoute.Policy
    /// Which temporary file cannot be created, from 1; 0 for none.
    private let failingFile: Int
    private var parser: MultipartParser

    private var parts: [Part] = []
    private var index = -1
    private var route = PartRoute.accept
    private var bodyOffset: UInt64 = 0
    private var files = 0

    package init(
        boundary: Boundary,
        limits: Limits,
        mode: ParsingMode,
        options: CollectionOptions,
        failingFile: Int = 0,
        policy: @escaping PartRoute.Policy
    ) {
        self.limits = limits
        self.options = options
        self.policy = policy
        self.failingFile = failingFile
        parser = MultipartParser(boundary: boundary, limits: limits, mode: mode)
    }

    /// Collects a message.
    package mutating func collect(_ message: Data) -> Outcome {
        do {
            for (offset, byte) in message.enumerated() {
                parser.append(Data([byte]))
                while let event = try parser.next() { try take(event, endingAt: UInt64(offset) + 1) }
            }
            parser.finish()
            while let event = try parser.next() { try take(event, endingAt: UInt64(message.count)) }
            return .parts(parts)
        } catch {
            return .error(Self.description(of: error))
        }
    }

    /// An error with its type, its code, its place and its limit.
    package static func description(of error: any Error) -> String {
        switch error {
        case let error as MultipartParsingError:
            "parsing \(error.code.rawValue) \(error.offset) \(error.partIndex ?? -1) \(error.limit ?? 0)"
        case let error as MultipartReceivingError:
            "receiving \(error.code.rawValue) \(error.partIndex ?? -1) \(error.limit ?? 0)"
        default: "\(error)"
        }
    }

    /// What the parts count for in memory, by the rule that ``CollectionOptions/maxMemoryBytes`` documents.
    package static func memoryBytes(of parts: [Part]) -> UInt64 {
        parts.reduce(0) { total, part in
            let section = part.headers.text.read { _, bytes in bytes.count }
            return total + UInt64(section + 16 * part.headers.count + (part.isOnDisk ? 1024 : 512 + part.body.count))
        }
    }

    /// How long the parts' contents on disk are together.
    package static func diskBytes(of parts: [Part]) -> UInt64 {
        parts.reduce(0) { $0 + ($1.isOnDisk ? UInt64($1.body.count) : 0) }
    }

    private mutating func take(_ event: MultipartParser.Event, endingAt offset: UInt64) throws {
        switch event {
        case .part(let headers):
            index += 1
            bodyOffset = offset
            route = try policy(headers)
            if route == .reject { throw MultipartReceivingError(.partRejected, partIndex: index) }
            guard route != .skip else { return }
            parts.append(Part(headers: headers))
            try check()
            if route == .toDisk { try goToDisk() }
        case .body(let bytes):
            guard route != .skip else { return }
            for byte in bytes {
                parts[parts.count - 1].body.append(byte)
                try check()
            }
        case .endOfPart, .end:
            break
        }
    }

    /// Checks all limits after a byte.
    private mutating func check() throws {
        let part = parts[parts.count - 1]
        let isFile = part.headers.filename != nil
        if !isFile, UInt64(part.body.count) > options.maxFieldBytes {
            throw MultipartParsingError(
                .limitPartBytes,
                offset: bodyOffset + options.maxFieldBytes,
                partIndex: index,
                limit: options.maxFieldBytes
            )
        }
        let isTooLong = UInt64(part.body.count) > options.diskThreshold || Self.memoryBytes(of: parts) > memoryLimit
        if isFile, route == .accept, !part.isOnDisk, !part.body.isEmpty, isTooLong { try goToDisk() }
        try checkTotals()
    }

    private mutating func goToDisk() throws {
        parts[parts.count - 1].isOnDisk = true
        guard Self.memoryBytes(of: parts) <= memoryLimit else { return try checkTotals() }
        files += 1
        if files == failingFile { throw MultipartReceivingError(.fileCreationFailed, partIndex: index) }
        try checkTotals()
    }

    private func checkTotals() throws {
        if Self.memoryBytes(of: parts) > memoryLimit {
            throw MultipartReceivingError(.limitMemoryBytes, partIndex: index, limit: memoryLimit)
        }
        if Self.diskBytes(of: parts) > options.maxDiskBytes {
            throw MultipartReceivingError(.limitDiskBytes, partIndex: index, limit: options.maxDiskBytes)
        }
    }

    private var memoryLimit: UInt64 { options.maxMemoryBytes }
}
