import Foundation
import MultipartFormCodec
import NIOCore
import NIOFoundationCompat
import NIOPosix
import Synchronization

/// A message that arrives over several requests, in a directory of its own that outlives the process.
///
/// The length of the file is the offset: nothing else has to be kept in step with it.
final class StoredUpload: Sendable {
    /// What the first request said.
    struct Description: Codable {
        /// The Content-Type field of the message.
        var contentType: String?
        /// The length of the message, in bytes, if the client has declared it.
        var length: UInt64?
    }

    /// What a request learns about the upload.
    struct Status {
        /// How many bytes of the message have been stored.
        var offset: UInt64
        /// Whether the client has said that these are all.
        var isComplete: Bool
    }

    /// Why bytes cannot be appended.
    enum Refusal: Error {
        /// The offset is not where the stored bytes end.
        case offset(actual: UInt64)
        /// A later request has taken over.
        case superseded
        /// The message is longer than allowed.
        case tooLong
        /// The message has another length than declared, or was complete before.
        case inconsistentLength
    }

    /// What the first request said.
    let description: Description
    /// The file with the message.
    let message: URL

    private let directory: URL
    private let limit: UInt64
    /// Counts the requests; only the last one may write.
    private let turn = Mutex(0)

    /// Creates the directory of a new upload.
    init(creating directory: URL, _ description: Description, upTo limit: UInt64) throws {
        self.description = description
        (self.directory, self.limit) = (directory, limit)
        message = directory.appendingPathComponent("message")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        try Data().write(to: message)
        try JSONEncoder().encode(description).write(to: Self.descriptionFile(in: directory), options: .atomic)
    }

    /// Opens the directory of an upload, perhaps one from before a restart.
    init(opening directory: URL, upTo limit: UInt64) throws {
        let data = try Data(contentsOf: Self.descriptionFile(in: directory))
        description = try JSONDecoder().decode(Description.self, from: data)
        (self.directory, self.limit) = (directory, limit)
        message = directory.appendingPathComponent("message")
    }

    private static func descriptionFile(in directory: URL) -> URL {
        directory.appendingPathComponent("upload.json")
    }

    private var completion: URL { directory.appendingPathComponent("complete") }

    /// Stops a request that still writes, so that the offset remains true until the next one writes.
    func interrupt() throws -> Status {
        try turn.withLock { turn in
            turn += 1
            return try status()
        }
    }

    private func status() throws -> Status {
        let attributes = try FileManager.default.attributesOfItem(atPath: message.path)
        let size = (attributes[.size] as? NSNumber)?.uint64Value ?? 0
        return Status(offset: size, isComplete: FileManager.default.fileExists(atPath: completion.path))
    }

    /// Appends chunks as they arrive; what arrived before an error is kept.
    ///
    /// - Parameters:
    ///   - chunks: The bytes.
    ///   - offset: Where in the message they begin.
    ///   - isLast: Whether the message is complete after them.
    /// - Throws: ``Refusal``, an error of the file, or what the chunks throw.
    func append(
        _ chunks: some AsyncSequence<ByteBuffer, any Error>,
        at offset: UInt64,
        isLast: Bool
    ) async throws {
        let (own, file) = try turn.withLock { turn in
            turn += 1
            let status = try status()
            guard !status.isComplete else { throw Refusal.inconsistentLength }
            guard status.offset == offset else { throw Refusal.offset(actual: status.offset) }
            let file = try FileHandle(forWritingTo: message)
            try file.seekToEnd()
            return (turn, file)
        }
        defer { try? file.close() }
        var count = offset
        for try await chunk in chunks {
            count += UInt64(chunk.readableBytes)
            guard count <= description.length ?? count else { throw Refusal.inconsistentLength }
            guard count <= limit else { throw Refusal.tooLong }
            // Files may block, so not on a thread of Swift's tasks.
            try await NIOThreadPool.singleton.runIfActive {
                try self.whileCurrent(own) { try file.write(contentsOf: chunk.readableBytesView) }
            }
        }
        guard isLast else { return }
        guard count == description.length ?? count else { throw Refusal.inconsistentLength }
        try await NIOThreadPool.singleton.runIfActive {
            try self.whileCurrent(own) {
                try file.synchronize()
                try Data().write(to: self.completion)
            }
        }
    }

    /// Writes, unless a later request has taken over.
    private func whileCurrent(_ own: Int, _ write: () throws -> Void) throws {
        try turn.withLock { turn in
            guard turn == own else { throw Refusal.superseded }
            try write()
        }
    }

    /// Stops a request that still writes, and removes all files.
    func remove() throws {
        try turn.withLock { turn in
            turn += 1
            try FileManager.default.removeItem(at: directory)
        }
    }
}
