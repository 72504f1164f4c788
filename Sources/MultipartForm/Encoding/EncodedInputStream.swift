#if FullFoundation
    public import Foundation

    /// A form's encoded bytes as an input stream, for `URLRequest.httpBodyStream` and other clients of streams.
    ///
    /// - Invariant: one read at a time uses the reader, without holding the lock. Meanwhile all other calls, from any
    ///   thread or from the content being read, return at once. Open content is closed when the stream fails or is
    ///   closed. If the stream is closed during a read, its content is closed when the read ends.
    final class EncodedInputStream: InputStream {
        /// Keeps a reader alive during the read that uses it.
        private final class Source {
            var reader: EncodedFormReader

            init(_ reader: consuming EncodedFormReader) {
                self.reader = reader
            }
        }

        private let cancellation = Cancellation()

        private let lock = Lock()
        // The properties below are accessed only under the lock, which is never held while the caller's code runs.
        private var status = Status.notOpen
        /// The error that ended the stream; clients read it after they close the stream.
        private var error: MultipartError?
        /// The reader; nil once the stream is closed.
        private var source: Source?
        private var isInUse = false
        private var pacing: Pacing?

        init(_ plan: EncodingPlan, from start: UInt64, bytesPerSecond: Int?, progress: EncodingProgress?) {
            source = Source(EncodedFormReader(plan, from: start, progress: progress, cancellation: cancellation))
            pacing = bytesPerSecond.map { Pacing(bytesPerSecond: $0) }
            super.init(data: Data())
        }

        override func open() {
            lock.withLock { if status == .notOpen { status = .open } }
        }

        override func close() {
            // Freed after the lock is released, because a content's deinitializer may call this stream.
            let closed: Source? = lock.withLock {
                // As with Foundation's own streams, closing an unopened one has no effect.
                if status == .notOpen { return nil }
                defer { source = nil }
                status = .closed
                return source
            }
            if closed != nil { cancellation.cancel() }
        }

        override var streamStatus: Status { lock.withLock { status } }

        override var streamError: (any Error)? { lock.withLock { error } }

        override var hasBytesAvailable: Bool { streamStatus == .open }

        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
            guard let (source, count, delay) = lock.withLock({ beginRead(length) }) else { return -1 }
            guard count > 0 else { return 0 }
            if delay > 0 { cancellation.pause(nanoseconds: delay) }
            let result = Result { () throws(MultipartError) in
                // SAFETY: the caller's buffer has room for `length` bytes, and `count` is at most that.
                let room = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: count)
                return unsafe try source.reader.read(into: room, from: .stream)
            }
            return lock.withLock { endRead(source, result) }
        }

        /// Begins a read. Returns the source, the number of bytes to read, which may be 0, and the delay before the
        /// read; nil if the read must fail.
        private func beginRead(_ length: Int) -> (source: Source, count: Int, delay: UInt64)? {
            guard status == .open || status == .atEnd, !isInUse, length >= 0, let source else { return nil }
            guard length > 0, status == .open else { return (source, 0, 0) }
            isInUse = true
            let count = min(length, pacing?.smoothCount ?? length)
            let delay = pacing?.delay(of: count, at: MonotonicClock.nanoseconds) ?? 0
            return (source, count, delay)
        }

        /// Ends a read. Returns the number of bytes, or -1 if the reader failed or the stream was closed.
        private func endRead(_ source: Source, _ result: Result<Int, MultipartError>) -> Int {
            isInUse = false
            if status == .closed { return -1 }
            switch result {
            case .success(let count):
                if source.reader.isAtEnd { status = .atEnd }
                return count
            case .failure(let error):
                status = .error
                self.error = error
                return -1
            }
        }

        override func getBuffer(
            _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
            length: UnsafeMutablePointer<Int>
        ) -> Bool {
            false
        }

        // On Darwin, every subclass must override the members below. This stream sends no events, and has no
        // properties.

        private weak var receiver: (any StreamDelegate)?

        override var delegate: (any StreamDelegate)? {
            get { lock.withLock { receiver } }
            set { lock.withLock { receiver = newValue } }
        }

        override func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode) {}

        override func remove(from runLoop: RunLoop, forMode mode: RunLoop.Mode) {}

        #if canImport(Darwin)
            typealias Property = Any
        #else
            typealias Property = AnyObject
        #endif

        override func property(forKey key: PropertyKey) -> Property? { nil }

        override func setProperty(_ property: Property?, forKey key: PropertyKey) -> Bool { false }
    }

    #if canImport(Darwin)
        extension EncodedInputStream {
            // A CFReadStream client such as URLSession calls these methods on any subclass. They offer no callbacks, so
            // the client polls.

            @objc(_scheduleInCFRunLoop:forMode:)
            private func scheduleInCFRunLoop(_ runLoop: AnyObject, forMode mode: AnyObject) {}

            @objc(_unscheduleFromCFRunLoop:forMode:)
            private func unscheduleFromCFRunLoop(_ runLoop: AnyObject, forMode mode: AnyObject) {}

            @objc(_setCFClientFlags:callback:context:)
            private func setCFClientFlags(
                _ flags: CFOptionFlags,
                callback: UnsafeRawPointer?,
                context: UnsafeRawPointer?
            ) -> Bool {
                false
            }
        }
    #endif

    extension MultipartFormData {
        /// The encoded form as an input stream, read as it is sent, for `URLRequest.httpBodyStream`.
        ///
        /// A stream is read once: make a new one for each `urlSession(_:task:needNewBodyStream:)`. For
        /// `urlSession(_:task:needNewBodyStreamFrom:)`, make one that begins at the given offset.
        ///
        /// On Apple's platforms, a `URLRequest` with a Content-Length of ``encodedLength`` is sent with that length.
        /// Elsewhere omit it: URLSession sends every stream with the chunked transfer coding, and servers may refuse a
        /// message that has both (RFC 9112 §6.1).
        ///
        /// If encoding fails, reading returns -1 and `streamError` is the error, even after the stream is closed. Read
        /// by polling or blocking; the stream sends no events to a run loop.
        ///
        /// Any thread may use the stream, and so may a content being read. While one thread reads, other reads return
        /// -1.
        ///
        /// Close the stream to end a read, for instance after a timeout. Closing does not block. A read that waits for
        /// the rate ends at once; a read that a content blocks ends when the content returns. Such a read returns -1,
        /// never 0, so that no client takes an incomplete message for a complete one; `streamError` is then nil.
        ///
        /// - Parameters:
        ///   - offset: Where in the message to begin, in bytes. The first read moves there, as ``makeReader(from:)``
        ///     does.
        ///   - bytesPerSecond: The maximum rate, at least 1, on average since the first read; nil for no limit. A read
        ///     blocks to keep it, and returns at most the bytes of a quarter of a second.
        ///   - progress: Receives how many bytes the client has read, sent or not.
        /// - Returns: A stream that has not been opened.
        /// - Throws: ``MultipartError``: the form's ``firstError``, a header that cannot be written, or
        ///   `offset-beyond-end`.
        public func makeInputStream(
            from offset: UInt64 = 0,
            bytesPerSecond: Int? = nil,
            progress: EncodingProgress? = nil
        ) throws -> sending InputStream {
            let plan = try EncodingPlan(self)
            if let length = plan.length, offset > length { throw EncodedFormReader.beyondEnd(offset, of: length) }
            return EncodedInputStream(plan, from: offset, bytesPerSecond: bytesPerSecond, progress: progress)
        }
    }
#endif
