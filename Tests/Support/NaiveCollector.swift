package import Foundation
package import MultipartFormCodec

/// A collector that is obviously right: it feeds the parser byte by byte, keeps every body in an array, and counts all
/// it keeps again for each byte.
package struct NaiveCollector {
    /// A part of a form that was collected.
    package struct Part: Equatable {
        package let headers: HeaderFields
        /// The name, the file name and the type, as the part itself has them.
        package let texts: [String?]
        package fileprivate(set) var body: [UInt8]
        package fileprivate(set) var isOnDisk: Bool
        /// The memory that the header section counts for.
        fileprivate let headerBytes: Int

        package init(headers: HeaderFields, texts: [String?], body: [UInt8] = [], isOnDisk: Bool = false) {
            self.headers = headers
            self.texts = texts
            self.body = body
            self.isOnDisk = isOnDisk
            headerBytes = sectionLength(headers) + 16 * headers.count + 512
        }
    }

    /// The outcome of a message: its parts, or the error with its place and its limit.
    package enum Outcome: Equatable {
        case parts([Part])
        case error(String)
    }

    private let options: MultipartCollector.Options
    private let policy: @Sendable (HeaderFields) throws -> MultipartCollector.Route
    /// The number of the temporary file that cannot be created, from 1; 0 for none.
    private let failingFile: Int
    private var parser: MultipartParser

    private var parts: [Part] = []
    private var index = -1
    private var route = MultipartCollector.Route.accept
    private var bodyOffset: UInt64 = 0
    private var length = 0
    private var name: String?
    private var files = 0
    /// The largest limit that a route has stated so far.
    private var largestLimit = 0

    package init(
        boundary: Boundary,
        options: MultipartCollector.Options,
        failingFile: Int = 0,
        policy: @escaping @Sendable (HeaderFields) throws -> MultipartCollector.Route
    ) {
        self.options = options
        self.policy = policy
        self.failingFile = failingFile
        parser = MultipartParser(boundary: boundary, options: options.parser)
    }

    /// Collects a message.
    package mutating func collect(_ message: Data) -> Outcome {
        var count: UInt64 = 0
        do {
            for byte in message {
                count += 1
                parser.append(Data([byte]))
                while let event = try parser.next() { try take(event, endingAt: count) }
            }
            parser.finish()
            while let event = try parser.next() { try take(event, endingAt: count) }
            guard count <= totalLimit else { throw totalError }
            return .parts(parts)
        } catch {
            let offset = (error as? MultipartError)?.offset ?? 0
            let isTotal = count > totalLimit && offset >= totalLimit
            return .error(Self.description(of: isTotal ? totalError : error))
        }
    }

    /// The longest message, if the parser has no limit of its own.
    private var totalLimit: UInt64 {
        options.parser.maxTotalBytes == nil ? UInt64(options.defaults.totalBytes + largestLimit) : .max
    }

    private var totalError: MultipartError {
        MultipartError(.limitTotalBytes, offset: totalLimit, limit: Int(clamping: totalLimit))
    }

    private var diskLimit: Int { options.maxDiskBytes ?? options.defaults.diskBytes + largestLimit }

    private var partLimit: Int { options.parser.maxPartBytes == nil ? options.defaults.partBytes : .max }

    /// The parts of a form that the library has collected.
    package static func parts(of form: MultipartFormData) throws -> [Part] {
        try form.map { part in
            Part(
                headers: part.headers,
                texts: [part.name, part.filename, part.contentType],
                body: Array(try part.data()),
                isOnDisk: part.fileURL != nil
            )
        }
    }

    /// An error with its code, its place, its part and its limit.
    package static func description(of error: any Error) -> String {
        guard let error = error as? MultipartError else { return "\(error)" }
        let place = error.offset.map { "\($0)" } ?? "nowhere"
        return "\(error.code) \(place) \(error.partIndex ?? -1) \(error.partName ?? "") \(error.limit ?? 0)"
    }

    /// The memory the parts count for, by the rule that ``MultipartCollector.Options/maxMemoryBytes`` documents.
    package static func memoryBytes(of parts: [Part]) -> Int {
        parts.reduce(0) { total, part in
            let content = part.isOnDisk ? 512 : part.body.count
            return total + part.headerBytes + content
        }
    }

    /// The length of a header section as it is sent on: as it came, or with each field on a line of its own.
    private static func sectionLength(_ headers: HeaderFields) -> Int {
        headers.storage.read { fields, bytes in
            let received = Array(copying: bytes)
            let isRegular = received.split(separator: 10).allSatisfy { line in
                let name = line.prefix { $0 != 58 }
                return line.last == 13 && !name.contains(32) && !name.contains(9)
            }
            guard !isRegular || received.suffix(2) != [13, 10] else { return received.count }
            return fields.indices.reduce(2) { $0 + fields[$1].name.count + fields[$1].value.count + 4 }
        }
    }

    /// The total length of the parts' content on disk.
    package static func diskBytes(of parts: [Part]) -> Int {
        parts.reduce(0) { $0 + ($1.isOnDisk ? $1.body.count : 0) }
    }

    private mutating func take(_ event: MultipartParser.Event<Data>, endingAt offset: UInt64) throws {
        switch event {
        case .part(let headers):
            guard offset <= totalLimit else { throw totalError }
            index += 1
            bodyOffset = offset
            length = 0
            name = headers.name
            route = try policy(headers)
            largestLimit = max(largestLimit, route.limit ?? 0)
            if route == .reject {
                throw MultipartError(.partRejected, offset: offset, partIndex: index, partName: headers.name)
            }
            guard route != .skip else { return }
            parts.append(Part(headers: headers, texts: [headers.name, headers.filename, headers.contentType]))
            try check()
            parts[parts.count - 1].isOnDisk = route.action == .disk
            try checkTotals()
        case .body(let bytes):
            for byte in bytes {
                guard bodyOffset + UInt64(length) < totalLimit else { throw totalError }
                length += 1
                guard route != .skip else {
                    guard length > partLimit else { continue }
                    throw MultipartError(
                        .limitPartBytes,
                        offset: bodyOffset + UInt64(partLimit),
                        partIndex: index,
                        partName: name,
                        limit: partLimit
                    )
                }
                if route.action == .disk, parts[parts.count - 1].body.isEmpty { try createFile() }
                parts[parts.count - 1].body.append(byte)
                try check()
            }
        case .endOfPart:
            if route.action == .disk, parts[parts.count - 1].body.isEmpty { try createFile() }
        case .end:
            break
        }
    }

    /// Checks all limits after a byte.
    private mutating func check() throws {
        let part = parts[parts.count - 1]
        let isFile = part.headers.filename != nil
        let limit = route.limit ?? (isFile ? partLimit : options.maxFieldBytes)
        if part.body.count > limit { throw error(.limitPartBytes, at: limit, limit) }
        let isTooLong = part.body.count > options.diskThreshold || Self.memoryBytes(of: parts) > memoryLimit
        if isFile, route.action == .accept, !part.isOnDisk, !part.body.isEmpty, isTooLong { try goToDisk() }
        try checkTotals()
    }

    private mutating func goToDisk() throws {
        parts[parts.count - 1].isOnDisk = true
        try checkTotals()
        try createFile()
    }

    private mutating func createFile() throws {
        files += 1
        guard files == failingFile else { return }
        let name = parts[parts.count - 1].headers.name
        throw MultipartError(.outputStreamCreationFailed, partIndex: index, partName: name)
    }

    private func checkTotals() throws {
        let part = parts[parts.count - 1]
        let length = part.body.count
        if Self.memoryBytes(of: parts) > memoryLimit {
            throw error(.limitMemoryBytes, at: max(length, 1) - 1, memoryLimit)
        }
        let disk = Self.diskBytes(of: parts)
        if disk > diskLimit { throw error(.limitDiskBytes, at: length - (disk - diskLimit), diskLimit) }
    }

    private func error(_ code: MultipartError.Code, at offset: Int, _ limit: Int) -> MultipartError {
        let name = parts[parts.count - 1].headers.name
        return MultipartError(code, offset: bodyOffset + UInt64(offset), partIndex: index, partName: name, limit: limit)
    }

    private var memoryLimit: Int { options.maxMemoryBytes }
}
