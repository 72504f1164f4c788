#if FullFoundation
    public import Foundation

    /// An input stream of the encoded bytes of a form, for `URLRequest.httpBodyStream` and other clients of streams.
    ///
    /// - Invariant: only one read at a time uses the reader. The read does not hold the lock, so another call, such as
    ///   `close()`, returns at once, on any thread. Such a call may even come from a custom `InputStream` that is
    ///   being read as content.
    ///
    /// When the stream fails or is closed, open content is closed. If the stream is closed during a read, the content
    /// is closed at the end of the read.
    final class EncodedInputStream: InputStream {
        /// Holds the reader. Each read keeps a reference to this object. So if the stream is closed during a read, the
        /// reader is released after the read.
        private final class SharedReader {
            var reader: EncodedFormReader

            init(_ reader: consuming EncodedFormReader) {
                self.reader = reader
            }
        }

        private let cancellation = Cancellation()

        private let lock = Lock()
        // The properties below are accessed only under the lock. The lock is never held while code outside this package
        // runs.
        private var status = Status.notOpen
        /// The error that ended the stream. Clients may read it after they close the stream.
        private var error: MultipartError?
        /// The owner of the reader; nil after the stream is closed.
        private var shared: SharedReader?
        private var isInUse = false
        private var pacing: Pacing?

        init(_ plan: EncodingPlan, from start: UInt64, bytesPerSecond: Int?, progress: EncodingProgress?) {
            shared = SharedReader(EncodedFormReader(plan, from: start, progress: progress, cancellation: cancellation))
            pacing = bytesPerSecond.map { Pacing(bytesPerSecond: $0) }
            super.init(data: Data())
        }

        override func open() {
            lock.withLock { if status == .notOpen { status = .open } }
        }

        override func close() {
            // The reader is released after the lock is unlocked, because the deinitializer of a content may call this
            // stream.
            let closed: SharedReader? = lock.withLock {
                // Closing an unopened stream has no effect, as with Foundation's own streams.
                if status == .notOpen { return nil }
                defer { shared = nil }
                status = .closed
                return shared
            }
            if closed != nil { cancellation.cancel() }
        }

        override var streamStatus: Status { lock.withLock { status } }

        override var streamError: (any Error)? { lock.withLock { error } }

        override var hasBytesAvailable: Bool { streamStatus == .open }

        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
            guard let (shared, count, delay) = lock.withLock({ beginRead(length) }) else { return -1 }
            guard count > 0 else { return 0 }
            if delay > 0 { cancellation.pause(nanoseconds: delay) }
            let result = Result { () throws(MultipartError) in
                // SAFETY: the caller's buffer has room for `length` bytes, and `count` is at most `length`.
                let room = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: count)
                return unsafe try shared.reader.read(into: room, from: .stream)
            }
            return lock.withLock { endRead(shared, result) }
        }

        /// Begins a read. Returns nil if the read must fail.
        ///
        /// - Returns: The reader; the number of bytes to read, which may be 0; and how many nanoseconds to wait before
        ///   the read.
        private func beginRead(_ length: Int) -> (shared: SharedReader, count: Int, delay: UInt64)? {
            guard status == .open || status == .atEnd, !isInUse, length >= 0, let shared else { return nil }
            guard length > 0, status == .open else { return (shared, 0, 0) }
            isInUse = true
            let count = min(length, pacing?.smoothCount ?? length)
            let delay = pacing?.delay(of: count, at: MonotonicClock.nanoseconds) ?? 0
            return (shared, count, delay)
        }

        /// Ends a read, and returns the number of bytes. Returns -1 if the reader failed or the stream was closed.
        private func endRead(_ shared: SharedReader, _ result: Result<Int, MultipartError>) -> Int {
            isInUse = false
            if status == .closed { return -1 }
            switch result {
            case .success(let count):
                if shared.reader.isAtEnd { status = .atEnd }
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

        // On Darwin, every subclass of `InputStream` must override the members below. This stream sends no events, and
        // has no properties.

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
            // Clients of `CFReadStream`, such as URLSession, call these methods on every subclass of `InputStream`. The
            // methods install no callbacks, so a client polls the stream.

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
        /// Creates an input stream that encodes the form as it is read, for `URLRequest.httpBodyStream`.
        ///
        /// A stream can be read only once. Create a new stream for each call of
        /// `urlSession(_:task:needNewBodyStream:)`. For `urlSession(_:task:needNewBodyStreamFrom:)`, create a stream
        /// that begins at the given offset.
        ///
        /// On Apple's platforms, you can set the Content-Length of the `URLRequest` to ``encodedLength``, and
        /// URLSession sends this length. On other platforms, do not set a Content-Length. There, URLSession sends every
        /// stream with the chunked transfer coding, and servers may refuse a message with this coding and a
        /// Content-Length (RFC 9112 §6.1).
        ///
        /// If encoding fails, a read returns -1, and `streamError` is the error, even after the stream is closed. The
        /// stream sends no events to a run loop, so read by polling or blocking.
        ///
        /// Any thread may use the stream, and so may the code of the content that is being read. During a read, other
        /// reads return -1.
        ///
        /// Close the stream to end a read, for instance after a timeout. Closing the stream does not block. The read
        /// then ends:
        /// - at once, if the read waits to keep the rate;
        /// - when the content returns, if the content blocks the read.
        ///
        /// The read returns -1, never 0, so that no client takes an incomplete message for a complete one.
        /// `streamError` is then nil.
        ///
        /// - Parameters:
        ///   - offset: The offset in the message at which to begin, in bytes. The first read moves there, as
        ///     ``makeReader(from:)`` does.
        ///   - bytesPerSecond: The maximum average rate since the first read, at least 1; nil for no limit. To keep the
        ///     rate, a read blocks, and returns at most the bytes of a quarter of a second.
        ///   - progress: Receives how many bytes the client has read. The client may not have sent them yet.
        /// - Returns: A stream that has not been opened.
        /// - Throws: ``MultipartError``:
        ///   - the form's ``firstError``;
        ///   - an error of the boundary, of a header, or of the total length;
        ///   - `body-part-is-asynchronous`;
        ///   - `offset-beyond-end`.
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
