#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Passes work on new files to another thread in batches, so that the queue's owner can read the next bytes meanwhile.
///
/// - Input: work, and the bytes that the work writes. The queue copies these bytes.
/// - Output: the first error of the work, from ``advance()`` or ``drain()``.
/// - Invariant: at any time, the thread performs at most one batch, at most one batch waits for the thread, and the
///   queue fills one batch. Content of more than `batchSize` bytes that moves from memory to the disk is not copied.
///   Instead, ``advance()`` waits until it is written.
/// - Cost: three batches of at most `2 * batchSize` bytes each, once there is work for the disk.
struct FileWorkQueue {
    /// The length of a full batch, in bytes. Batches of twice this length make the benchmark `arriving-file` about 8%
    /// faster, but take twice the memory for each upload.
    static let batchSize = 128 * 1024

    /// Steps, and copies of the bytes that they write.
    private final class Batch: @unchecked Sendable {
        // SAFETY: the queue and the worker's thread never use a batch at the same time. The queue passes its three
        // batches to the thread in turn. At any time, at most the last two batches that it has passed are still to be
        // performed. The queue fills the third batch.
        private(set) var steps: [FileWork.Step] = []
        private var bytes: ContiguousArray<UInt8> = []
        /// Whether the batch has a step other than writing copied bytes. ``advance()`` passes such a batch on, even if
        /// it is not full.
        private(set) var isReady = false
        /// Whether a step has content that is not copied. The form no longer counts this memory, so ``advance()`` waits
        /// until the content is written.
        private(set) var hasLongContent = false

        /// Appends a step, and copies the bytes that it writes. Data of more than `batchSize` bytes is not copied.
        func append(_ step: FileWork.Step, in source: Span<UInt8>) {
            if case .write(let range) = step { return write(source.extracting(range)) }
            if case .writeData(let data) = step, data.count <= batchSize { return write(data.span) }
            steps.append(step)
            isReady = true
            if case .writeData = step { hasLongContent = true }
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

    /// The maximum number of bytes to append before the next ``advance()``. This maximum makes each full batch end at a
    /// multiple of `batchSize` in the file, because file systems write long aligned pieces faster (ext4 by a sixth).
    var room: Int { Self.batchSize - position % Self.batchSize }
    /// The worker; nil as long as there has been nothing to do on the disk.
    private var worker: OffloadedState<FileWorker>?

    /// Takes over the steps of `work`, and copies the bytes that they write from `bytes`.
    mutating func append(_ work: inout FileWork, in bytes: Span<UInt8>) {
        guard !work.steps.isEmpty else { return }
        for step in work.steps {
            // A step that does not write begins or ends a file.
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

    /// Passes the current batch to the worker's thread if the batch is full or `isReady`. If the thread still has two
    /// batches to perform, first waits until one is left. If the batch has long content, also waits until the batch has
    /// been performed.
    mutating func advance() async throws {
        let batch = batches[current]
        guard batch.isReady || !batch.steps.isEmpty && room == Self.batchSize else { return }
        let hasLongContent = batch.hasLongContent
        try await begin()
        if hasLongContent { try await worker?.finish() }
    }

    /// Waits until all steps are performed. Throws the first error.
    mutating func drain() async throws {
        // If there is no worker and the first step is an error, nothing is to be written. Throws the error at once,
        // without starting a thread.
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
