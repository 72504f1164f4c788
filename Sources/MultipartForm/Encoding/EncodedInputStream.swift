internal import Foundation

/// A form's encoded bytes as an input stream, for `URLRequest.httpBodyStream` and other clients of streams.
///
/// - Invariant: one read or seek at a time uses the reader, without holding the lock; whatever else is called meanwhile,
///   by any thread or by the content that is being read, waits for nothing. What is open is closed with the stream, or
///   when it fails, or at the end of the read that the stream was closed in.
final class EncodedInputStream: InputStream {
    private enum State {
        case notOpen
        case open
        case failed(MultipartEncodingError)
        /// Closed, perhaps after it had failed: clients close a stream before anybody asks for its error.
        case closed(after: MultipartEncodingError?)
    }

    /// A reader that whoever uses it keeps alive.
    private final class Source {
        var reader: FormDataReader

        init(_ reader: consuming FormDataReader) {
            self.reader = reader
        }
    }

    private let abandonment: Abandonment
    private let events = StreamEvents()
    private let clock = ContinuousClock()

    private let lock = NSLock()
    // What follows is touched under the lock only. Nothing of a caller's is freed or called there.
    private var state = State.notOpen
    /// Nil once the stream is closed.
    private var source: Source?
    private var isInUse = false
    private var offset: UInt64 = 0
    private var isAtEnd = false
    private var pacing: Pacing?
    private var start: ContinuousClock.Instant?

    init(_ plan: EncodingPlan, bytesPerSecond: Int?, progress: Progress?) {
        let abandonment = Abandonment()
        self.abandonment = abandonment
        source = Source(FormDataReader(plan, progress: progress, abandonment: abandonment))
        pacing = bytesPerSecond.map { Pacing(bytesPerSecond: $0) }
        super.init(data: Data())
        events.attach(self)
    }

    override func open() {
        let isOpened = lock.withLock {
            guard case .notOpen = state else { return false }
            state = .open
            return true
        }
        guard isOpened else { return }
        events.post(.openCompleted)
        tellWhetherThereIsMore()
    }

    override func close() {
        // What was there is freed after the lock.
        let before: (State, Source?)? = lock.withLock {
            // Foundation's own streams, too, may be closed and then opened. A seek is ended all the same.
            if case .notOpen = state, !isInUse { return nil }
            defer {
                state = .closed(after: error)
                source = nil
            }
            return (state, source)
        }
        guard before != nil else { return }
        abandonment.set()
        events.clear()
    }

    override var streamStatus: Status {
        lock.withLock {
            switch state {
            case .notOpen: .notOpen
            case .open: isAtEnd ? .atEnd : .open
            case .failed: .error
            case .closed: .closed
            }
        }
    }

    override var streamError: (any Error)? {
        lock.withLock { error }
    }

    /// The error that ended the stream.
    private var error: MultipartEncodingError? {
        switch state {
        case .failed(let error): error
        case .closed(let error): error
        case .notOpen, .open: nil
        }
    }

    override var hasBytesAvailable: Bool {
        lock.withLock {
            if case .open = state { !isAtEnd } else { false }
        }
    }

    /// What a read begins with.
    private enum Beginning {
        case refused
        case nothing
        case bytes(Source, count: Int, delay: Duration)
    }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        switch lock.withLock({ beginRead(length) }) {
        case .refused:
            return -1
        case .nothing:
            return 0
        case .bytes(let source, let count, let delay):
            if delay > .zero { abandonment.pause(for: delay) }
            let filled = use(source) { reader throws(MultipartEncodingError) in
                // SAFETY: the caller's buffer has room for `length` bytes, and `count` is at most that.
                unsafe try reader.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
            }
            return filled ?? -1
        }
    }

    private func beginRead(_ length: Int) -> Beginning {
        guard case .open = state, !isInUse, length >= 0, let source else { return .refused }
        guard length > 0, !isAtEnd else { return .nothing }
        isInUse = true
        let count = min(length, pacing?.smoothCount ?? length)
        return .bytes(source, count: count, delay: pacing?.delay(of: count, at: elapsed()) ?? .zero)
    }

    /// The time since this was first asked.
    private func elapsed() -> Duration {
        let now = clock.now
        let start = start ?? now
        self.start = start
        return start.duration(to: now)
    }

    /// Uses the reader, whose turn has begun, and ends the turn.
    ///
    /// - Returns: What the body returns; nil if it failed, and then the stream has, or if the stream has been closed.
    private func use<Value>(
        _ source: Source,
        _ body: (inout FormDataReader) throws(MultipartEncodingError) -> Value
    ) -> Value? {
        let result: Result<Value, MultipartEncodingError>
        do throws(MultipartEncodingError) {
            result = .success(try body(&source.reader))
        } catch {
            result = .failure(error)
        }
        let value: Value? = lock.withLock {
            isInUse = false
            if case .closed = state { return nil }
            offset = source.reader.offset
            isAtEnd = source.reader.isAtEnd
            switch result {
            case .success(let value):
                return value
            case .failure(let error):
                state = .failed(error)
                return nil
            }
        }
        tellWhetherThereIsMore()
        return value
    }

    private func tellWhetherThereIsMore() {
        let event: Stream.Event? = lock.withLock {
            switch state {
            case .open: isAtEnd ? .endEncountered : .hasBytesAvailable
            case .failed: .errorOccurred
            case .notOpen, .closed: nil
            }
        }
        if let event { events.post(event, replacing: [.hasBytesAvailable, .endEncountered]) }
    }

    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        length: UnsafeMutablePointer<Int>
    ) -> Bool {
        false
    }

    override var delegate: (any StreamDelegate)? {
        get { events.delegate }
        set { events.delegate = newValue }
    }

    override func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        events.schedule(in: runLoop, forMode: mode)
    }

    override func remove(from runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        events.remove(from: runLoop, forMode: mode)
    }

    #if canImport(Darwin)
        typealias Property = Any
    #else
        typealias Property = AnyObject
    #endif

    /// The offset in the message; nothing else is known.
    override func property(forKey key: PropertyKey) -> Property? {
        guard key == .fileCurrentOffsetKey else { return nil }
        return lock.withLock { source == nil ? nil : offset }.map { NSNumber(value: $0) }
    }

    /// Seeks, when the offset is set. If the form does not let it, the stream has failed.
    override func setProperty(_ property: Property?, forKey key: PropertyKey) -> Bool {
        guard key == .fileCurrentOffsetKey,
            let offset = (property as? NSNumber).flatMap({ UInt64(exactly: $0) }),
            let source = lock.withLock({ beginSeek() })
        else { return false }
        return use(source) { reader throws(MultipartEncodingError) in try reader.seek(toOffset: offset) } != nil
    }

    private func beginSeek() -> Source? {
        switch state {
        case .notOpen, .open: break
        case .failed, .closed: return nil
        }
        guard !isInUse else { return nil }
        isInUse = true
        return source
    }
}

#if canImport(Darwin)
    extension EncodedInputStream {
        // A CFReadStream client, as URLSession is one, calls these on any subclass. It is told that there are no
        // callbacks, and then reads as the bytes come.

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
