internal import Foundation

/// Makes a form of a message's parts as they arrive, their contents in memory or in temporary files.
///
/// - Input: events, in order; before a part's first one, the offset of its body.
/// - Output: the form.
/// - Invariant: `memoryBytes` and `diskBytes` are those of all that is kept, and within their limits. A limit is
///   checked at the offset that reaches it, so the error does not depend on how the message was cut.
/// - Cost: one copy of each byte, to memory or to disk. Nothing is read of a header section after its part has begun.
///   Files are removed with the store and its forms.
struct PartStore {
    private let options: CollectionOptions
    private let policy: PartRoute.Policy
    private let fileSystem: FileSystem
    private(set) var form: MultipartFormData
    private var memoryBytes: UInt64 = 0
    private var diskBytes: UInt64 = 0

    /// The offset in the message where the body of the next part begins.
    var bodyOffset: UInt64 = 0

    // The part that is arriving.
    private var index = -1
    private var headers = HeaderFields()
    /// Whether it has a file name.
    private var isFile = false
    private var route = PartRoute.accept
    private var start: UInt64 = 0
    private var length: UInt64 = 0
    /// Its content, while it is in memory.
    private var data = Data()
    /// Whether that came in more than one piece.
    private var isGrown = false
    /// Its content, when it is not.
    private var file: TemporaryFileWriter?

    init(
        boundary: Boundary,
        options: CollectionOptions,
        policy: @escaping PartRoute.Policy,
        fileSystem: FileSystem
    ) {
        form = MultipartFormData(boundary: boundary)
        self.options = options
        self.policy = policy
        self.fileSystem = fileSystem
    }

    /// Takes the next event, and the bytes of a body.
    mutating func take(_ event: MultipartParser.BorrowedEvent, _ body: Span<UInt8>) throws {
        switch event {
        case .part(let headers): try begin(headers)
        case .body: try add(body)
        case .endOfPart: try endPart()
        case .end: break
        }
    }

    /// Drops everything, files included.
    mutating func discard() {
        form = MultipartFormData(boundary: form.boundary)
        headers = HeaderFields()
        data = Data()
        file = nil
    }

    private mutating func begin(_ headers: HeaderFields) throws {
        index += 1
        self.headers = headers
        start = bodyOffset
        length = 0
        route = try policy(headers)
        guard route != .skip else { return }
        if route == .reject { throw MultipartReceivingError(.partRejected, partIndex: index) }
        isFile = headers.hasFilename
        try charge(CollectionOptions.memoryBytes(ofPartWith: headers))
        if route == .toDisk { try openFile() }
    }

    private mutating func add(_ bytes: Span<UInt8>) throws {
        guard route != .skip else { return }
        let count = UInt64(bytes.count)
        if file == nil, isFile, route == .accept, length + count > options.diskThreshold || count > memoryRoom {
            try moveToDisk()
        }
        // Of two limits that the bytes exceed, the one with less room is reached first.
        let room = file == nil ? memoryRoom : diskRoom
        let fieldRoom = isFile ? .max : options.maxFieldBytes - length
        guard count <= min(room, fieldRoom) else {
            if fieldRoom <= room { throw fieldError }
            throw file == nil ? memoryError : diskError
        }
        length += count
        guard file == nil else { return try write(bytes) }
        memoryBytes += count
        isGrown = !data.isEmpty
        // SAFETY: the bytes are copied inside the closure.
        unsafe bytes.withUnsafeBufferPointer { unsafe data.append($0) }
    }

    /// Keeps the part that is complete.
    mutating func endPart() throws(MultipartReceivingError) {
        guard route != .skip else { return }
        trim()
        var content = BodyContent.data(data)
        do throws(POSIXError) {
            if let file = try file?.finish() { content = .temporaryFile(file) }
        } catch {
            throw MultipartReceivingError(.fileWriteFailed, partIndex: index, underlying: error)
        }
        form.append(received: BodyPart(headers: headers, content: content))
        data = Data()
        file = nil
    }

    /// Gives back the room that data has after it has grown, up to half its length: it is not counted. In long contents
    /// such room is not resident, and a copy would cost more than it.
    private mutating func trim() {
        guard isGrown, data.count <= 64 * 1024 else { return }
        isGrown = false
        // SAFETY: the bytes are copied inside the closure.
        data = unsafe data.withUnsafeBytes { unsafe Data($0) }
    }

    /// Counts memory that is kept beside contents.
    private mutating func charge(_ count: UInt64) throws(MultipartReceivingError) {
        guard count <= memoryRoom else { throw memoryError }
        memoryBytes += count
    }

    /// Goes on in a file with the content that is in memory so far.
    private mutating func moveToDisk() throws(MultipartReceivingError) {
        let content = data
        data = Data()
        memoryBytes -= UInt64(content.count)
        try openFile()
        guard UInt64(content.count) <= diskRoom else { throw diskError }
        try write(content.span)
    }

    private mutating func openFile() throws(MultipartReceivingError) {
        try charge(CollectionOptions.memoryBytesOfFile)
        do {
            file = try TemporaryFileWriter(in: options.directory, fileSystem: fileSystem)
        } catch {
            throw MultipartReceivingError(.fileCreationFailed, partIndex: index, underlying: error)
        }
    }

    /// Writes bytes for which there is room.
    private mutating func write(_ bytes: Span<UInt8>) throws(MultipartReceivingError) {
        diskBytes += UInt64(bytes.count)
        do {
            try file?.write(bytes)
        } catch {
            throw MultipartReceivingError(.fileWriteFailed, partIndex: index, underlying: error)
        }
    }

    private var memoryRoom: UInt64 { options.maxMemoryBytes - memoryBytes }
    private var diskRoom: UInt64 { options.maxDiskBytes - diskBytes }

    private var memoryError: MultipartReceivingError {
        MultipartReceivingError(.limitMemoryBytes, partIndex: index, limit: options.maxMemoryBytes)
    }

    private var diskError: MultipartReceivingError {
        MultipartReceivingError(.limitDiskBytes, partIndex: index, limit: options.maxDiskBytes)
    }

    private var fieldError: MultipartParsingError {
        MultipartParsingError(
            .limitPartBytes,
            offset: start + options.maxFieldBytes,
            partIndex: index,
            limit: options.maxFieldBytes
        )
    }
}
