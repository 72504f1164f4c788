internal import Foundation

/// Collects parts as they arrive, with their content in memory or in temporary files.
///
/// - Input: events, in order, each with the offset of the part's body.
/// - Output: the form.
/// - Invariant: `memoryBytes` and `diskBytes` count everything that is kept, and are within their limits. An error has
///   the offset at which its limit is exceeded, so it does not depend on how the message was divided into chunks.
/// - Cost: one copy of each byte, to memory or to disk. Header fields are read only when their part begins. Files are
///   removed with the store and its forms.
struct PartStore {
    private let options: MultipartCollector.Options
    private let route: @Sendable (HeaderFields) throws -> MultipartCollector.Route
    private let fileSystem: FileSystem
    private(set) var form: MultipartFormData
    private var memoryBytes: UInt64 = 0
    private var diskBytes: UInt64 = 0

    // The current part.
    private var index = -1
    private var headers = HeaderFields()
    private var kind = MultipartCollector.Route.Kind.accept
    /// Whether it has a file name.
    private var isFile = false
    private var limit: UInt64 = 0
    /// The offset in the message of its body.
    private var start: UInt64 = 0
    private var length: UInt64 = 0
    /// The part, while the form has its content.
    private var compact: PartList.CompactPart?
    /// Its content, if it is in memory and not in the form.
    private var data = Data()
    /// Whether `data` arrived in more than one piece.
    private var isGrown = false
    private var file: TemporaryFileWriter?

    init(
        boundary: Boundary,
        _ options: MultipartCollector.Options,
        fileSystem: FileSystem = .system,
        route: @escaping @Sendable (HeaderFields) throws -> MultipartCollector.Route
    ) {
        form = MultipartFormData(boundary: boundary)
        self.options = options
        self.route = route
        self.fileSystem = fileSystem
    }

    mutating func take(_ event: MultipartParser.Event<Void>, _ body: Span<UInt8>, bodyAt offset: UInt64) throws {
        switch event {
        case .part(let headers): try begin(headers, at: offset)
        case .body: try add(body)
        case .endOfPart: try endPart()
        case .end: break
        }
    }

    /// Takes the parser's events up to the first one that uses the disk; returns its bytes, or none for a part's end.
    mutating func takeEvents(of parser: inout MultipartParser) throws -> Data? {
        while let action = try parser.nextAction() {
            switch action {
            case .part:
                try begin(parser.headers, at: parser.bodyOffset)
            case .heldBody, .body:
                let isTaken = try parser.withBytes(of: action) { bytes throws(MultipartError) in
                    if usesDisk(for: bytes.count) { return false }
                    try add(bytes)
                    return true
                }
                guard isTaken else { return parser.data(of: action) }
            case .endOfPart:
                if usesDisk(for: 0) { return Data() }
                try endPart()
            case .end:
                break
            }
        }
        return nil
    }

    private func usesDisk(for count: Int) -> Bool {
        file != nil || kind == .disk || mustMoveToDisk(for: UInt64(count))
    }

    /// Takes what ``takeEvents(of:)`` returned, on a thread that may block.
    mutating func takeOnDisk(_ bytes: Data) throws(MultipartError) {
        if bytes.isEmpty { try endPart() } else { try add(bytes.span) }
    }

    mutating func discard() {
        form = MultipartFormData(boundary: form.boundary)
        headers = HeaderFields()
        compact = nil
        data = Data()
        file = nil
    }

    /// Begins a part; never uses the disk.
    private mutating func begin(_ headers: HeaderFields, at offset: UInt64) throws {
        index += 1
        self.headers = headers
        start = offset
        length = 0
        let route = try route(headers)
        kind = route.kind
        guard kind != .skip else { return }
        if kind == .reject { throw error(.partRejected, at: 0) }
        isFile = headers.hasFilename
        limit = route.limit ?? (isFile ? .max : options.maxFieldBytes)
        try charge(Self.memoryBytes(ofPartWith: headers))
        if kind == .disk {
            try charge(Self.memoryBytesOfFile)
        } else {
            compact = form.list.begin(received: headers)
        }
    }

    private mutating func add(_ bytes: Span<UInt8>) throws(MultipartError) {
        guard kind != .skip else { return }
        let count = UInt64(bytes.count)
        if kind == .disk {
            try openFile()
        } else if mustMoveToDisk(for: count) {
            try moveToDisk()
        }
        // If the bytes exceed both limits, the one with less room is exceeded first.
        let room = file == nil ? memoryRoom : diskRoom
        guard count <= min(room, limit - length) else {
            if limit - length <= room { throw error(.limitPartBytes, at: limit, limit: limit) }
            throw file == nil
                ? error(.limitMemoryBytes, at: length + room, limit: options.maxMemoryBytes)
                : error(.limitDiskBytes, at: length + room, limit: options.maxDiskBytes)
        }
        length += count
        guard file == nil else { return try write(bytes) }
        memoryBytes += count
        if compact != nil {
            guard length > PartList.longestContent else { return form.list.append(bytes) }
            takeCompact()
        }
        isGrown = !data.isEmpty
        // SAFETY: the bytes are copied inside the closure.
        unsafe bytes.withUnsafeBufferPointer { unsafe data.append($0) }
    }

    private mutating func takeCompact() {
        guard let part = compact else { return }
        data = form.list.take(part)
        compact = nil
    }

    private mutating func endPart() throws(MultipartError) {
        guard kind != .skip else { return }
        if kind == .disk { try openFile() }
        // The parser can use their memory again.
        defer { headers = HeaderFields() }
        if let part = compact {
            compact = nil
            return form.list.end(part)
        }
        trim()
        var content = BodyContent.data(data)
        do throws(POSIXError) {
            if let file = try file?.finish() { content = .temporaryFile(file) }
        } catch {
            throw fileError(.fileWriteFailed, error)
        }
        form.list.append(unwritten: BodyPart(headers: headers, content: content))
        data = Data()
        file = nil
    }

    /// Releases the spare capacity of data that has grown, as it is not counted. In long content it is not resident.
    private mutating func trim() {
        guard isGrown, data.count <= 64 * 1024 else { return }
        isGrown = false
        // SAFETY: the bytes are copied inside the closure.
        data = unsafe data.withUnsafeBytes { unsafe Data($0) }
    }

    private func mustMoveToDisk(for count: UInt64) -> Bool {
        file == nil && isFile && kind == .accept && (length + count > options.diskThreshold || count > memoryRoom)
    }

    /// Counts memory other than content.
    private mutating func charge(_ count: UInt64, at place: UInt64 = 0) throws(MultipartError) {
        guard count <= memoryRoom else { throw error(.limitMemoryBytes, at: place, limit: options.maxMemoryBytes) }
        memoryBytes += count
    }

    private mutating func moveToDisk() throws(MultipartError) {
        // The first byte that does not fit in memory, so that the error does not depend on the chunk.
        let place = min(options.diskThreshold, length + memoryRoom)
        takeCompact()
        let content = data
        data = Data()
        memoryBytes -= UInt64(content.count)
        try charge(Self.memoryBytesOfFile, at: place)
        guard place < diskRoom else { throw error(.limitDiskBytes, at: diskRoom, limit: options.maxDiskBytes) }
        try openFile()
        try write(content.span)
    }

    private mutating func openFile() throws(MultipartError) {
        guard file == nil else { return }
        do {
            file = try TemporaryFileWriter(in: options.directory, prefix: "part-", fileSystem: fileSystem)
        } catch {
            throw fileError(.fileCreationFailed, error)
        }
    }

    private mutating func write(_ bytes: Span<UInt8>) throws(MultipartError) {
        diskBytes += UInt64(bytes.count)
        do {
            try file?.write(bytes)
        } catch {
            throw fileError(.fileWriteFailed, error)
        }
    }

    private var memoryRoom: UInt64 { options.maxMemoryBytes - memoryBytes }
    private var diskRoom: UInt64 { options.maxDiskBytes - diskBytes }

    /// An error of the part, at an offset in its body.
    private func error(_ code: MultipartError.Code, at offset: UInt64, limit: UInt64? = nil) -> MultipartError {
        MultipartError(code, offset: start + offset, partIndex: index, partName: headers.name, limit: limit)
    }

    private func fileError(_ code: MultipartError.Code, _ cause: POSIXError) -> MultipartError {
        MultipartError(code, partIndex: index, partName: headers.name, underlying: cause)
    }

    /// The bytes that a part counts for besides its content: its header section, the places of its fields, and 512
    /// bytes for the part itself. `hostile memory` in Tests/Hostile measures it.
    private static func memoryBytes(ofPartWith headers: HeaderFields) -> UInt64 {
        headers.text.read { places, section in
            UInt64(512 + places.count * MemoryLayout<FieldPlace>.stride + section.count)
        }
    }

    private static let memoryBytesOfFile: UInt64 = 512
}
