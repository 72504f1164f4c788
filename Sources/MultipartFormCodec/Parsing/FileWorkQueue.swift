#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Gives work on new files to another thread in batches, while its owner takes the next bytes.
///
/// - Input: work, and the bytes that it writes, which are copied.
/// - Output: the first error of the work, from ``advance()`` or ``drain()``.
/// - Invariant: a batch is written while the queue fills the next one. At most one full batch waits in between. Long
///   content that moves to the disk is not copied: it is written before the owner takes the next bytes.
/// - Cost: three batches of at most `2 * batchSize` bytes each, once there is work for the disk.
struct FileWorkQueue {
    /// The number of bytes that are worth the change of threads. Twice the size is about 8% faster in the benchmark
    /// `arriving-file`, but takes twice the memory for each upload.
    static let batchSize = 128 * 1024

    /// Steps, and copies of the bytes that they write.
    private final class Batch: @unchecked Sendable {
        // SAFETY: the queue fills a batch, passes it to the worker's thread, and fills it again when the worker has
        // performed it: of three batches, at most two are passed on and not yet performed.
        private(set) var steps: [FileWork.Step] = []
        private var bytes: ContiguousArray<UInt8> = []
        /// Whether to pass the batch on, because it does more than write.
        private(set) var isReady = false
        /// Whether a step has content that is not copied, and that the form no longer counts.
        private(set) var hasLongContent = false

        /// Appends a step; copies the bytes that it writes, unless they are many.
        func append(_ step: FileWork.Step, in source: Span<UInt8>) {
            if case .write(let range) = step { return write(source.extracting(range)) }
            if case .writeData(let data) = step, data.count <= batchSize { return write(data.span) }
            steps.append(step)
            isReady = true
            if step.count != nil { hasLongContent = true }
        }

        func write(_ new: Span<UInt8>) {
            if bytes.isEmpty { bytes.reserveCapacity(2 * batchSize) }
            var start = bytes.count
            bytes.append(copying: new)
            if case .write(let range)? = steps.last {
                start = range.lowerBound
                steps.removeLast()
            }
            steps.append(.write(start..<bytes.count))
        }

        func perform(with worker: inout FileWorker) throws {
            defer { removeAll() }
            try worker.perform(steps, in: bytes.span)
        }

        private func removeAll() {
            steps.removeAll(keepingCapacity: true)
            bytes.removeAll(keepingCapacity: true)
            (isReady, hasLongContent) = (false, false)
        }
    }

    private var batches = [Batch()]
    private var current = 0
    /// The number of bytes of the current file so far.
    private var position = 0

    /// How many bytes to append at most before the next ``advance()``. The file's batches then end at multiples of
    /// `batchSize`: a file system writes long aligned pieces faster (ext4 by a sixth).
    var room: Int { Self.batchSize - position % Self.batchSize }
    /// The worker; nil as long as there has been nothing to do on the disk.
    private var worker: OffloadedState<FileWorker>?

    /// Takes over the steps of `work`, and copies the bytes that they write from `bytes`.
    mutating func append(_ work: inout FileWork, in bytes: Span<UInt8>) {
        guard !work.steps.isEmpty else { return }
        for step in work.steps {
            position = step.count.map { position + $0 } ?? 0
            batches[current].append(step, in: bytes)
        }
        work.removeAll()
    }

    /// Writes bytes to the file that has been created. Waits like ``advance()``.
    mutating func write(_ bytes: Data) async throws {
        var rest = bytes
        while !rest.isEmpty {
            let next = rest.prefix(room)
            position += next.count
            batches[current].write(next.span)
            rest = rest.dropFirst(next.count)
            try await advance()
        }
    }

    /// Passes the current batch to the worker's thread if it is ready. Waits if the thread has two batches to perform,
    /// or to write long content.
    mutating func advance() async throws {
        let batch = batches[current]
        guard batch.isReady || !batch.steps.isEmpty && room == Self.batchSize else { return }
        let hasLongContent = batch.hasLongContent
        try await begin()
        if hasLongContent { try await worker?.finish() }
    }

    /// Waits until all steps are performed. Throws the first error.
    mutating func drain() async throws {
        // An error without a file need not wait for a thread.
        if worker == nil, case .fail(let error)? = batches[current].steps.first { throw error }
        if !batches[current].steps.isEmpty { try await begin() }
        try await worker?.finish()
    }

    private mutating func begin() async throws {
        let batch = batches[current]
        let worker = self.worker ?? OffloadedState(FileWorker())
        self.worker = worker
        try await worker.begin { try batch.perform(with: &$0) }
        current = (current + 1) % 3
        if current == batches.count { batches.append(Batch()) }
    }
}
