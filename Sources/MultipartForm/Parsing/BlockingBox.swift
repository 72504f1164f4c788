/// A value that an asynchronous function uses, in part on threads that may block.
final class BlockingBox<Value>: @unchecked Sendable {
    // SAFETY: one function uses the value, or the operation that it waits for.
    var value: Value

    init(_ value: Value) {
        self.value = value
    }

    /// Runs an operation on a thread for files.
    func perform(_ operation: @escaping @Sendable (inout Value) throws -> Void) async throws {
        // Weak, since the operation may be freed after this returns.
        try await BlockingPool.files.run { [weak self] in
            if let self { try operation(&self.value) }
        }
    }
}
