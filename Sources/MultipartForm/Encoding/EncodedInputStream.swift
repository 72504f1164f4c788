internal import Foundation

/// A form's encoded bytes as an input stream, for `URLRequest.httpBodyStream` and other clients of streams.
///
/// Like Foundation's own it is for one thread at a time, and reading it blocks as long as its contents do. What is open
/// is closed with the stream, or when it fails.
final class EncodedInputStream: InputStream {
    private enum State {
        case notOpen
        case open
        case failed(MultipartEncodingError)
        case closed
    }

    private var state = State.notOpen
    /// Nil once the stream is closed.
    private var reader: FormDataReader?
    private var pacing: Pacing?
    private let clock = ContinuousClock()
    private var start: ContinuousClock.Instant?
    private let events = StreamEvents()

    init(_ reader: consuming FormDataReader, bytesPerSecond: Int?) {
        self.reader = consume reader
        pacing = bytesPerSecond.map { Pacing(bytesPerSecond: $0) }
        super.init(data: Data())
        events.attach(self)
    }

    override func open() {
        guard case .notOpen = state else { return }
        state = .open
        events.post(.openCompleted)
        tellWhetherThereIsMore()
    }

    override func close() {
        // Foundation's own streams, too, may be closed and then opened.
        if case .notOpen = state { return }
        reader = nil
        state = .closed
        events.clear()
    }

    private var isAtEnd: Bool { reader?.isAtEnd ?? true }

    override var streamStatus: Status {
        switch state {
        case .notOpen: .notOpen
        case .open: isAtEnd ? .atEnd : .open
        case .failed: .error
        case .closed: .closed
        }
    }

    override var streamError: (any Error)? {
        if case .failed(let error) = state { error } else { nil }
    }

    override var hasBytesAvailable: Bool {
        if case .open = state { !isAtEnd } else { false }
    }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        guard case .open = state, length >= 0 else { return -1 }
        guard length > 0, !isAtEnd else { return 0 }
        let count = min(length, pacing?.smoothCount ?? length)
        if let delay = pacing?.delay(of: count, at: elapsed()), delay > .zero {
            Thread.sleep(forTimeInterval: delay / .seconds(1))
        }
        do throws(MultipartEncodingError) {
            // SAFETY: the caller's buffer has room for `length` bytes, and `count` is at most that.
            let room = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: count)
            let filled = unsafe try reader?.read(into: room) ?? 0
            tellWhetherThereIsMore()
            return filled
        } catch {
            fail(error)
            return -1
        }
    }

    private func tellWhetherThereIsMore() {
        events.post(isAtEnd ? .endEncountered : .hasBytesAvailable, replacing: [.hasBytesAvailable, .endEncountered])
    }

    private func fail(_ error: MultipartEncodingError) {
        state = .failed(error)
        events.post(.errorOccurred, replacing: [.hasBytesAvailable, .endEncountered])
    }

    /// The time since this was first asked.
    private func elapsed() -> Duration {
        let now = clock.now
        let start = start ?? now
        self.start = start
        return start.duration(to: now)
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
        guard key == .fileCurrentOffsetKey, let offset = reader?.offset else { return nil }
        return NSNumber(value: offset)
    }

    /// Seeks, when the offset is set. If the form does not let it, the stream has failed.
    override func setProperty(_ property: Property?, forKey key: PropertyKey) -> Bool {
        guard key == .fileCurrentOffsetKey,
            let offset = (property as? NSNumber).flatMap({ UInt64(exactly: $0) })
        else { return false }
        switch state {
        case .notOpen, .open: break
        case .failed, .closed: return false
        }
        do throws(MultipartEncodingError) {
            try reader?.seek(toOffset: offset)
        } catch {
            fail(error)
            return false
        }
        if case .open = state { tellWhetherThereIsMore() }
        return true
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
