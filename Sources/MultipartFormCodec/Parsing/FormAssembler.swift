#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Assembles a form from the parts of a message. Keeps content in memory, or lists in ``work`` the steps that write it
/// to temporary files.
///
/// - Input: the message in chunks of any size.
/// - Output: the form, and ``work``, the steps to perform on the disk. If assembling fails, the last step throws the
///   error. The form is valid once all steps have been performed without an error. The steps refer to bytes of the
///   chunk, so the caller performs them, or copies the bytes, before the next chunk.
/// - Invariant: `memoryBytes` and `diskBytes` count what the form takes in memory and on disk, and are within their
///   limits. The offset of an error does not depend on how the message was divided into chunks.
/// - Cost: linear. Each byte of a part that is not skipped is copied to memory, to disk, or first to memory and then to
///   disk. A temporary file is removed when all parts with this file have been released.
///
/// The content of each part has a place, and may move to another place as it grows:
///
///     place     content                                   moves to
///     skipped   of a part with the route `skip`           -
///     inline    short, of a part whose header section     memory, if the content exceeds `PartList.maxInlineContent`;
///               can be sent unchanged                     file, in the same case as from memory
///     memory    other content in memory                   file, if the part is a file with the route `accept`, and
///                                                         the content exceeds `diskThreshold` or the form's memory
///     newFile   of a part with the route `disk`, before   file, at the first byte or at the end of the part
///               the first byte
///     file      in a temporary file                       -
struct FormAssembler {
    /// The place of a part's content: see the table above.
    private enum Place {
        case skipped, inline, memory, newFile, file
    }

    let options: MultipartCollector.Options
    private var parser: MultipartParser
    private(set) var form: MultipartFormData
    /// The steps to perform on the disk, in the order of the message's bytes. The caller removes the steps that it has
    /// performed.
    var work = FileWork()
    /// Whether the last step of the work is an error.
    private(set) var hasFailed = false
    private var memoryBytes = 0
    private var diskBytes = 0
    /// The default maximum length of the message, in bytes. The value is `.max` if the options set `maxTotalBytes`,
    /// because the parser enforces it.
    private var maxTotalBytes: UInt64
    /// The maximum number of bytes on disk. If the options do not set `maxDiskBytes`, the value is the default.
    private var maxDiskBytes: Int

    // The properties of the current part follow. Its index is -1 before the first part.
    private var index = -1
    private var headers = HeaderFields()
    private var place = Place.skipped
    /// Whether the content moves to a file if it gets long.
    private var mayMove = false
    /// The maximum length of the part's content, in bytes.
    private var limit = 0
    /// The part's route, if ``limit`` is the route's limit; otherwise nil.
    private var limitingRoute: MultipartCollector.Route?
    /// Whether the part is a field that is not skipped. Then ``limit`` is `maxFieldBytes`, unless the route has a
    /// limit.
    private var isField = false
    /// The offset of the part's body in the message.
    private var start: UInt64 = 0
    private var length = 0
    /// The part's entry in the form. The entry already has the part's header section.
    private var part: PartList.OpenPart?
    private var data = Data()
    /// Whether `data` arrived in more than one piece.
    private var isGrown = false

    init(boundary: Boundary, _ options: MultipartCollector.Options) {
        parser = MultipartParser(reported: boundary, options.parser)
        form = MultipartFormData(boundary: boundary)
        self.options = options.bounded
        maxTotalBytes = options.parser.maxTotalBytes == nil ? UInt64(options.defaults.totalBytes) : .max
        maxDiskBytes = self.options.maxDiskBytes ?? options.defaults.diskBytes
    }

    /// Parses bytes and adds their parts to the form. `route` decides what to do with each part. If `isLast` is true,
    /// the message ends after the bytes. Does nothing after an error.
    mutating func assemble(
        _ bytes: Span<UInt8>,
        isLast: Bool = false,
        _ route: (HeaderFields) throws -> MultipartCollector.Route
    ) {
        guard !hasFailed else { return }
        do {
            try parse(bytes, route)
            guard isLast else { return }
            parser.finish()
            try parse(Span(), route)
        } catch {
            fail(error)
        }
    }

    /// Ends the form with an error, which becomes the last step of ``work``. The steps for the bytes so far precede it.
    /// Does nothing after another error.
    mutating func fail(_ error: any Error) {
        guard !hasFailed else { return }
        hasFailed = true
        work.append(.fail(error))
    }

    private mutating func parse(
        _ bytes: Span<UInt8>,
        _ route: (HeaderFields) throws -> MultipartCollector.Route
    ) throws {
        while let event = try nextPending(in: bytes) {
            switch event {
            case .part:
                try begin(route)
            case .heldBody:
                let held = parser.heldBody
                try add(held.span, at: nil)
            case .body:
                let range = parser.bodyRange
                try add(bytes.extracting(range), at: range.lowerBound)
            case .endOfPart:
                endPart()
            case .end:
                break
            }
        }
    }

    /// Returns the parser's next event. Throws if the message exceeds its maximum length before that event.
    @inline(__always)
    private mutating func nextPending(in bytes: Span<UInt8>) throws(MultipartError) -> PendingEvents.Event? {
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

    private mutating func begin(_ decide: (HeaderFields) throws -> MultipartCollector.Route) throws {
        guard parser.bodyOffset <= maxTotalBytes else { throw totalError }
        index += 1
        headers = parser.headers
        start = parser.bodyOffset
        length = 0
        let route = try decide(headers)
        if route.action == .reject { throw error(.partRejected, at: 0) }
        let isFile = headers.hasFilename
        mayMove = isFile && route.action == .accept
        isField = !isFile && route.action != .skip
        limitingRoute = route.limit == nil ? nil : route
        limit = route.limit ?? (isField ? options.maxFieldBytes : defaultPartLimit)
        if let limit = route.limit { raiseDefaults(by: limit) }
        place = .skipped
        guard route.action != .skip else { return }
        form.list.reserve(memoryRoom)
        let part = form.list.begin(received: headers)
        self.part = part
        try charge(512 + part.sectionLength + headers.count * MemoryLayout<FieldRanges>.stride)
        if route.action == .disk { try charge(Self.memoryBytesOfFile) }
        place = route.action == .disk ? .newFile : part.isSendable ? .inline : .memory
    }

    /// The maximum length in bytes of a file or a skipped part whose route has no limit. The value is `.max` if the
    /// options set `maxPartBytes`, because the parser enforces it.
    private var defaultPartLimit: Int { options.parser.maxPartBytes == nil ? options.defaults.partBytes : .max }

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

    /// Adds body bytes to the part. `origin` is the position of the bytes in the chunk; nil if they are not in the
    /// chunk.
    private mutating func add(_ bytes: Span<UInt8>, at origin: Int?) throws(MultipartError) {
        let room = maxTotalBytes - (start + UInt64(length))
        guard UInt64(bytes.count) > room else { return try keep(bytes, at: origin) }
        if room > 0 { try keep(bytes.extracting(first: Int(clamping: room)), at: origin) }
        throw totalError
    }

    private mutating func keep(_ bytes: Span<UInt8>, at origin: Int?) throws(MultipartError) {
        let count = bytes.count
        if place == .newFile {
            createFile()
        } else if mustMoveToDisk(for: count) {
            try moveToDisk()
        }
        // The form's limit on memory or disk leaves `formRoom` bytes. The part's limit leaves `partRoom` bytes. The
        // limit that leaves fewer bytes is exceeded first.
        let formRoom = place == .skipped ? .max : place == .file ? diskRoom : memoryRoom
        let partRoom = limit - length
        guard count <= min(formRoom, partRoom) else {
            // Writes the bytes within both limits first. If writing them fails, that error is thrown, because it
            // concerns earlier bytes than the error of the limit.
            if place == .file { write(bytes.extracting(first: min(formRoom, partRoom)), at: origin) }
            throw limitError(formRoom, partRoom)
        }
        length += count
        switch place {
        case .skipped:
            break
        case .inline where length <= PartList.maxInlineContent:
            memoryBytes += count
            form.list.append(bytes)
        case .inline, .memory:
            memoryBytes += count
            moveInlineContentToData()
            isGrown = !data.isEmpty
            data.append(copying: bytes)
        case .newFile, .file:
            write(bytes, at: origin)
        }
    }

    /// Whether the part's content must move from memory to disk, because `count` more bytes would exceed
    /// `diskThreshold` or the memory that is left.
    // Inlined, because a call would copy the whole assembler.
    @inline(__always)
    private func mustMoveToDisk(for count: Int) -> Bool {
        mayMove && place != .file && (count > options.diskThreshold - length || count > memoryRoom)
    }

    private mutating func moveToDisk() throws(MultipartError) {
        // `spill` is the offset in the content of the first byte that does not fit in memory. It does not depend on how
        // the message was divided into chunks.
        let spill = min(options.diskThreshold, length + memoryRoom)
        // If `limit` is not greater than `spill`, the content exceeds the part's limit before it needs the disk.
        guard spill < limit else { throw error(.limitPartBytes, at: limit, limit: limit, limitName) }
        moveInlineContentToData()
        let content = data
        data = Data()
        memoryBytes -= content.count
        try charge(Self.memoryBytesOfFile, at: spill)
        guard spill < diskRoom else { throw error(.limitDiskBytes, at: diskRoom, limit: maxDiskBytes) }
        createFile()
        diskBytes += content.count
        work.append(.writeData(content))
    }

    private mutating func moveInlineContentToData() {
        guard place == .inline, let part else { return }
        data = form.list.takeContent(of: part)
        place = .memory
    }

    private mutating func createFile() {
        place = .file
        let target = FileTarget.temporary(in: options.temporaryDirectory, partIndex: index, partName: headers.name)
        work.append(.create(target))
    }

    private mutating func write(_ bytes: Span<UInt8>, at origin: Int?) {
        diskBytes += bytes.count
        if let origin {
            work.append(.write(origin..<origin + bytes.count))
        } else {
            work.append(.writeData(Data(copying: bytes)))
        }
    }

    private mutating func endPart() {
        // Releases the fields, so that the parser can reuse their memory.
        defer { headers = HeaderFields() }
        guard place != .skipped, let part else { return }
        if place == .newFile { createFile() }
        switch place {
        case .skipped, .inline:
            form.list.end(part, nil)
        case .memory:
            trim()
            form.list.end(part, .data(data))
            data = Data()
        case .newFile, .file:
            let file = TemporaryFile(length: UInt64(length))
            work.append(.finish(file))
            form.list.end(part, .temporaryFile(file))
        }
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
    private mutating func charge(_ count: Int, at offset: Int = 0) throws(MultipartError) {
        guard count <= memoryRoom else { throw error(.limitMemoryBytes, at: offset, limit: options.maxMemoryBytes) }
        memoryBytes += count
    }

    private var memoryRoom: Int { options.maxMemoryBytes - memoryBytes }
    private var diskRoom: Int { maxDiskBytes - diskBytes }

    /// The name of ``limit`` in an error, such as `disk(upTo:)` or `maxFieldBytes`. Nil means `maxPartBytes`.
    private var limitName: String? { limitingRoute?.limitName ?? (isField ? "maxFieldBytes" : nil) }

    /// Returns the error of content that is too long. The part's limit leaves `partRoom` bytes, and the form's limit
    /// leaves `formRoom` bytes. The error names the limit that leaves fewer bytes; if both leave the same number, the
    /// part's limit.
    private func limitError(_ formRoom: Int, _ partRoom: Int) -> MultipartError {
        if partRoom <= formRoom { return error(.limitPartBytes, at: limit, limit: limit, limitName) }
        return place == .file
            ? error(.limitDiskBytes, at: length + formRoom, limit: maxDiskBytes)
            : error(.limitMemoryBytes, at: length + formRoom, limit: options.maxMemoryBytes)
    }

    /// The error of a message that is too long. It names no part, because only later bytes show whether the bytes at
    /// the limit belong to a part or to a delimiter.
    private var totalError: MultipartError {
        MultipartError(.limitTotalBytes, offset: maxTotalBytes, limit: Int(clamping: maxTotalBytes))
    }

    /// Returns an error of the part, at an offset in the part's body.
    private func error(
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
    private static let memoryBytesOfFile = 512
}
