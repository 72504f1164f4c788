#if TestHooks
    package import MultipartFormCodec

    extension SystemCalls {
        /// Calls `body` while system calls of its task may fail.
        ///
        /// - Parameters:
        ///   - decide: Is called before each call; returns the error with which it fails, or nil to make it.
        ///   - body: The body.
        /// - Returns: The body's value.
        /// - Throws: The body's error.
        package static func intercepting<Result>(
            _ decide: @escaping Interceptor.Decision,
            during body: () throws -> Result
        ) rethrows -> Result {
            try interceptor.withValue(Interceptor(decide), operation: body)
        }
    }
#endif
