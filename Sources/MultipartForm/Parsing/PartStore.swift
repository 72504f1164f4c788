internal import Foundation

/// Makes a form of a message's parts as they arrive, their contents in memory or in temporary files.
///
/// - Input: events, in order; before a part's first one, the offset of its body.
/// - Output: the form.
/// - Invariant: `memoryBytes` and `diskBytes` are those of all contents kept, and within their limits.
/// - Cost: one copy of each byte, to memory or to disk. Files are removed with the store and its forms.
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
    private var route = PartRoute.accept
    private var start: UInt64 = 0
    private var length: UInt64 = 0
    /// Its content, while it is in memory.
    private var data = Data()
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
        data = Data()
        file = nil
    }

    private mutating func begin(_ headers: HeaderFields) throws {
        index += 1
        self.headers = headers
        start = bodyOffset
        length = 0
        route = try policy(headers)
        if route == .reject { throw MultipartReceivingError(.partRejected, partIndex: index) }
        if route == .toDisk { try openFile() }
    }

    private mutating func add(_ bytes: Span<UInt8>) throws {
        guard route != .skip else { return }
        let count = UInt64(bytes.count)
        let isField = headers.filename == nil
        guard !isField || count <= options.maxFieldBytes - length else {
            throw MultipartParsingError(
                .limitPartBytes,
                offset: start + options.maxFieldBytes,
                partIndex: index,
                limit: options.maxFieldBytes
            )
        }
        length += count
        let fitsMemory = count <= options.maxMemoryBytes - memoryBytes
        if file == nil, route == .accept, !isField, length > options.diskThreshold || !fitsMemory { try moveToDisk() }
        guard file == nil else { return try write(bytes) }
        guard fitsMemory else {
            throw MultipartReceivingError(.limitMemoryBytes, partIndex: index, limit: options.maxMemoryBytes)
        }
        memoryBytes += count
        // SAFETY: the bytes are copied inside the closure.
        unsafe bytes.withUnsafeBufferPointer { unsafe data.append($0) }
    }

    /// Keeps the part that is complete.
    mutating func endPart() throws(MultipartReceivingError) {
        guard route != .skip else { return }
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

    private mutating func moveToDisk() throws(MultipartReceivingError) {
        try openFile()
        let content = data
        data = Data()
        memoryBytes -= UInt64(content.count)
        try write(content.span)
    }

    private mutating func openFile() throws(MultipartReceivingError) {
        do {
            file = try TemporaryFileWriter(in: options.directory, fileSystem: fileSystem)
        } catch {
            throw MultipartReceivingError(.fileCreationFailed, partIndex: index, underlying: error)
        }
    }

    private mutating func write(_ bytes: Span<UInt8>) throws(MultipartReceivingError) {
        let count = UInt64(bytes.count)
        guard count <= options.maxDiskBytes - diskBytes else {
            throw MultipartReceivingError(.limitDiskBytes, partIndex: index, limit: options.maxDiskBytes)
        }
        diskBytes += count
        do {
            try file?.write(bytes)
        } catch {
            throw MultipartReceivingError(.fileWriteFailed, partIndex: index, underlying: error)
        }
    }
}
