#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Assembles a form from the events of a parser. Keeps the content of parts in memory or in temporary files.
///
/// - Input: a parser, and the bytes that it parses.
/// - Output: the form. Before that, the assembler returns each event that needs the disk, and the caller passes the
///   event to ``assembleOnDisk(_:of:in:)`` on a thread that may block.
/// - Invariant: `memoryBytes` and `diskBytes` count what the form takes in memory and on disk, and are within their
///   limits. The offset of an error does not depend on how the message was divided into chunks.
/// - Cost: linear. Each byte is copied to memory, to disk, or first to memory and then to disk. A temporary file is
///   removed when the assembler and all parts with this file have been released.
struct FormAssembler {
    let options: MultipartCollector.Options
    private(set) var form: MultipartFormData
    var memoryBytes = 0
    var diskBytes = 0
    /// The default maximum length of the message, in bytes. If the options set a maximum, the parser enforces that one,
    /// and this value is `.max`.
    var maxTotalBytes: UInt64
    var maxDiskBytes: Int

    // The properties of the current part follow. Its index is -1 before the first part.
    var index = -1
    var headers = HeaderFields()
    var kind = MultipartCollector.Route.Kind.accept
    /// Whether the part has a file name.
    var isFile = false
    /// The maximum length of the part's content, in bytes.
    var limit = 0
    /// The part's route, if ``limit`` is the route's limit; otherwise nil.
    private var limitingRoute: MultipartCollector.Route?
    /// The name of ``limit`` in an error, such as `disk(upTo:)` or `maxFieldBytes`. Nil means `maxPartBytes`.
    var limitName: String? { limitingRoute?.limitName ?? (isFile || kind == .skip ? nil : "maxFieldBytes") }
    /// The offset of the part's body in the message.
    var start: UInt64 = 0
    var length = 0
    /// The part's entry in the form. The form already has the part's header section.
    private var part: PartList.OpenPart?
    /// Whether the part's content is inline. Inline content is in the form, right after the part's header section.
    private var isInline = false
    /// The part's content, if it is in memory and not inline.
    var data = Data()
    /// Whether `data` arrived in more than one piece.
    private var isGrown = false
    var file: TemporaryFileWriter?
    /// Whether another thread writes the files, and the caller awaits the writes.
    let isAwaited: Bool
    /// How many bytes of the current body event have been added. If the event needs the disk, the caller passes it
    /// again, and these bytes are skipped.
    var addedBytes = 0
    /// How many bytes of the current body event are still to be added. If they need a new file, ``prepareDisk(for:)``
    /// creates it.
    var neededBytes = 0

    init(boundary: Boundary, _ options: MultipartCollector.Options, isAwaited: Bool = false) {
        self.isAwaited = isAwaited
        form = MultipartFormData(boundary: boundary)
        self.options = options.bounded
        maxTotalBytes = options.parser.maxTotalBytes == nil ? UInt64(options.defaults.totalBytes) : .max
        maxDiskBytes = self.options.maxDiskBytes ?? options.defaults.diskBytes
    }

    /// Makes room for a part of `limit` bytes: raises the default limits for the message and for the disk. Does not
    /// change limits that the options set.
    private mutating func raiseDefaults(by limit: Int) {
        let defaults = options.defaults
        if options.parser.maxTotalBytes == nil {
            maxTotalBytes = max(maxTotalBytes, UInt64(defaults.totalBytes) + UInt64(limit))
        }
        if options.maxDiskBytes == nil {
            let (sum, isTooLarge) = defaults.diskBytes.addingReportingOverflow(limit)
            maxDiskBytes = max(maxDiskBytes, isTooLarge ? .max : sum)
        }
    }

    /// The maximum length in bytes of a file or a skipped part whose route has no limit. The value is `.max` if the
    /// options set `maxPartBytes`, because the parser enforces it.
    private var defaultPartLimit: Int { options.parser.maxPartBytes == nil ? options.defaults.partBytes : .max }

    /// Parses bytes and adds their parts to the form, on a thread that may block.
    ///
    /// `route` decides what to do with each part. To end the message, call the parser's `finish()`, and then call this
    /// function with an empty span.
    mutating func assemble(
        _ bytes: Span<UInt8>,
        of parser: inout MultipartParser,
        _ route: (HeaderFields) throws -> MultipartCollector.Route
    ) throws {
        do {
            while let event = try assembleInMemory(of: &parser, in: bytes, route) {
                try assembleOnDisk(event, of: parser, in: bytes)
            }
        } catch {
            // Before `error` is thrown, the buffered bytes are written. If the write fails, the write's error is thrown
            // instead, because it concerns earlier bytes.
            try flushFile()
            throw error
        }
    }

    /// Parses bytes and adds their parts to the form, up to the first event that needs the disk. Returns this event, or
    /// nil if no event needs the disk.
    ///
    /// After an event, the caller does one of these:
    ///
    /// - prepares the disk, and passes the event and the same bytes to this function again
    /// - passes the event and the same bytes to ``assembleOnDisk(_:of:in:)``
    mutating func assembleInMemory(
        _ prepared: PendingEvents.Kind? = nil,
        of parser: inout MultipartParser,
        in bytes: Span<UInt8>,
        _ route: (HeaderFields) throws -> MultipartCollector.Route
    ) throws -> PendingEvents.Kind? {
        var next = prepared
        while let event = try next ?? nextPending(of: &parser, in: bytes) {
            next = nil
            switch event {
            case .part:
                try begin(parser.headers, at: parser.bodyOffset, route)
            case .heldBody, .body:
                let isTaken = try parser.withBody(of: event, in: bytes) { body throws(MultipartError) in
                    try addInMemory(body)
                }
                guard isTaken else { return event }
            case .endOfPart:
                if usesDisk(for: 0) { return event }
                try endPart()
            case .end:
                break
            }
        }
        return nil
    }

    /// Returns the parser's next event. Throws if the message exceeds its maximum length before that event.
    @inline(__always)
    private func nextPending(
        of parser: inout MultipartParser,
        in bytes: Span<UInt8>
    ) throws(MultipartError) -> PendingEvents.Kind? {
        do throws(MultipartError) {
            if let event = try parser.nextPending(in: bytes) { return event }
        } catch {
            // The message may also exceed `maxTotalBytes`. Then the error with the smaller offset is thrown: `error` or
            // `totalError`. If the offsets are equal, `totalError` is thrown.
            let isTooLong = parser.chunkOffset + UInt64(bytes.count) > maxTotalBytes
            guard isTooLong, let offset = error.offset, offset >= maxTotalBytes else { throw error }
            throw totalError
        }
        guard parser.earliestErrorOffset <= maxTotalBytes else { throw totalError }
        return nil
    }

    /// Adds body bytes without using the disk: to memory or, if another thread writes the part's file, to the file's
    /// buffer. Returns false if some of the bytes need the disk, and were therefore not added.
    @inline(__always)
    private mutating func addInMemory(_ body: Span<UInt8>) throws(MultipartError) -> Bool {
        guard usesDisk(for: body.count) else {
            try add(body)
            return true
        }
        return isAwaited ? try addToPiece(body) : false
    }

    /// Processes an event that needs the disk: body bytes or the end of the part. Call it on a thread that may block.
    mutating func assembleOnDisk(
        _ event: PendingEvents.Kind,
        of parser: MultipartParser,
        in bytes: Span<UInt8>
    ) throws(MultipartError) {
        guard event != .endOfPart else { return try endPart() }
        try parser.withBody(of: event, in: bytes) { body throws(MultipartError) in try add(body) }
    }

    mutating func discard() {
        form = MultipartFormData(boundary: form.boundary)
        headers = HeaderFields()
        part = nil
        data = Data()
        file = nil
    }

    /// Begins a part, without using the disk.
    private mutating func begin(
        _ headers: HeaderFields,
        at offset: UInt64,
        _ route: (HeaderFields) throws -> MultipartCollector.Route
    ) throws {
        guard offset <= maxTotalBytes else { throw totalError }
        index += 1
        self.headers = headers
        start = offset
        length = 0
        let route = try route(headers)
        kind = route.kind
        if kind == .reject { throw error(.partRejected, at: 0) }
        isFile = headers.hasFilename
        limit = route.limit ?? (isFile || kind == .skip ? defaultPartLimit : options.maxFieldBytes)
        limitingRoute = route.limit == nil ? nil : route
        if let limit = route.limit { raiseDefaults(by: limit) }
        guard kind != .skip else { return }
        form.list.reserve(memoryRoom)
        let part = form.list.begin(received: headers)
        try charge(512 + part.sectionLength + headers.count * MemoryLayout<FieldRanges>.stride)
        if kind == .disk { try charge(Self.memoryBytesOfFile) }
        isInline = part.isSendable && kind != .disk
        self.part = part
    }

    mutating func add(_ bytes: Span<UInt8>) throws(MultipartError) {
        let room = maxTotalBytes - (start + UInt64(length))
        guard UInt64(bytes.count) > room else { return try keep(bytes) }
        if room > 0 { try keep(bytes.extracting(first: Int(clamping: room))) }
        throw totalError
    }

    private mutating func keep(_ bytes: Span<UInt8>) throws(MultipartError) {
        let count = bytes.count
        guard kind != .skip else {
            guard count <= limit - length else { throw error(.limitPartBytes, at: limit, limit: limit) }
            return length += count
        }
        try createFile(for: count)
        // The form's limit on memory or disk leaves `room` bytes. The part's limit leaves `limit - length` bytes. The
        // limit that leaves fewer bytes is exceeded first.
        let room = file == nil ? memoryRoom : diskRoom
        guard count <= min(room, limit - length) else {
            // Before a limit's error is thrown, the bytes within both limits are written. If the write fails, the
            // write's error is thrown instead, because it concerns earlier bytes.
            if file != nil { try write(bytes.extracting(first: min(room, limit - length))) }
            if limit - length <= room { throw error(.limitPartBytes, at: limit, limit: limit, limitName) }
            throw file == nil
                ? error(.limitMemoryBytes, at: length + room, limit: options.maxMemoryBytes)
                : error(.limitDiskBytes, at: length + room, limit: maxDiskBytes)
        }
        length += count
        guard file == nil else { return try write(bytes) }
        memoryBytes += count
        if isInline {
            guard length > PartList.maxInlineContent else { return form.list.append(bytes) }
            moveInlineContentToData()
        }
        isGrown = !data.isEmpty
        data.append(copying: bytes)
    }

    mutating func moveInlineContentToData() {
        guard isInline, let part else { return }
        data = form.list.takeContent(of: part)
        isInline = false
    }

    mutating func endPart() throws(MultipartError) {
        guard kind != .skip else { return }
        if kind == .disk { try openFile() }
        // Releases the fields, so that the parser can reuse their memory.
        defer { headers = HeaderFields() }
        guard let part else { return }
        guard !isInline else { return form.list.end(part, nil) }
        trim()
        form.list.end(part, try finishFile() ?? .data(data))
        data = Data()
        file = nil
    }

    /// Releases the spare capacity of content that arrived in several pieces, because `memoryBytes` counts only bytes
    /// in use. Content of more than 64 KiB keeps its spare capacity, which is not resident in memory.
    private mutating func trim() {
        guard isGrown, data.count <= 64 * 1024 else { return }
        isGrown = false
        data = Data(copying: data.span)
    }

    /// Counts `count` bytes of memory that a part needs besides its content. Throws if the form then exceeds
    /// `maxMemoryBytes`.
    ///
    /// Besides its content, a part needs memory for its header section and the ranges of its fields, 512 bytes for its
    /// other data, and 512 bytes if it has a temporary file. The check `hostile memory` in Tests/Deep measures how much
    /// memory a process really takes for a form.
    mutating func charge(_ count: Int, at offset: Int = 0) throws(MultipartError) {
        guard count <= memoryRoom else { throw error(.limitMemoryBytes, at: offset, limit: options.maxMemoryBytes) }
        memoryBytes += count
    }

    var memoryRoom: Int { options.maxMemoryBytes - memoryBytes }
    var diskRoom: Int { maxDiskBytes - diskBytes }

    /// The error of a message that is too long. It names no part, because only the next delimiter shows which bytes
    /// belong to a part.
    private var totalError: MultipartError {
        MultipartError(.limitTotalBytes, offset: maxTotalBytes, limit: Int(clamping: maxTotalBytes))
    }

    /// Returns an error of the part, at an offset in the part's body.
    func error(
        _ code: MultipartError.Code,
        at offset: Int,
        limit: Int? = nil,
        _ limitName: String? = nil
    ) -> MultipartError {
        MultipartError(
            code,
            offset: start + UInt64(offset),
            partIndex: index,
            partName: headers.name,
            limit: limit,
            limitName: limitName
        )
    }

    /// The memory that is counted for a temporary file, in bytes.
    static let memoryBytesOfFile = 512
}
