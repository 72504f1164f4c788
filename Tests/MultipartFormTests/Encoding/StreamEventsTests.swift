import Foundation
import MultipartForm
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct StreamEventsTests {
    /// Reads a stream as its events tell, and keeps both.
    private final class Reader: NSObject, StreamDelegate {
        var events: [Stream.Event] = []
        var bytes = Data()
        private let size: Int

        init(size: Int) {
            self.size = size
        }

        var isOver: Bool { events.last == .endEncountered || events.last == .errorOccurred }

        func stream(_ stream: Stream, handle event: Stream.Event) {
            events.append(event)
            guard event == .hasBytesAvailable, let stream = stream as? InputStream else { return }
            var buffer = [UInt8](repeating: 0, count: size)
            let count = stream.read(&buffer, maxLength: size)
            if count > 0 { bytes += buffer[..<count] }
        }

        /// Turns the thread's run loop until the stream is over, or far too long.
        func run(mode: RunLoop.Mode = .default) {
            let limit = Date(timeIntervalSinceNow: 60)
            while !isOver, Date() < limit, RunLoop.current.run(mode: mode, before: limit) {}
        }
    }

    /// Runs on a thread of its own, and waits.
    private func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result(catching: body)) }.start()
        }
    }

    private var form: MultipartFormData {
        var form = MultipartFormData()
        form.append("abc", withName: "a")
        return form
    }

    @Test(arguments: [1, 10, 1000])
    func `a delegate is told of the opening, of bytes as long as there are, and of the end`(size: Int) async throws {
        let form = form
        let (events, bytes) = try await onThread {
            let stream = try form.makeInputStream()
            let reader = Reader(size: size)
            stream.delegate = reader
            stream.schedule(in: .current, forMode: .default)
            stream.open()
            reader.run()
            return (reader.events.map(\.rawValue), reader.bytes)
        }
        let whole = try form.encode()
        #expect(bytes == whole)
        let available = [Stream.Event](repeating: .hasBytesAvailable, count: (whole.count + size - 1) / size)
        #expect(events == ([.openCompleted] + available + [.endEncountered]).map(\.rawValue))
    }

    @Test func `a delegate is told of an error`() async throws {
        let (events, error) = try await onThread {
            var form = MultipartFormData()
            form.append(length: nil, withName: "s") { FaultyStream([], fails: true) }
            let stream = try form.makeInputStream()
            let reader = Reader(size: 1000)
            stream.delegate = reader
            stream.schedule(in: .current, forMode: .default)
            stream.open()
            reader.run()
            return (reader.events.map(\.rawValue), stream.streamError as? MultipartEncodingError)
        }
        let expected: [Stream.Event] = [.openCompleted, .hasBytesAvailable, .errorOccurred]
        #expect(events == expected.map(\.rawValue))
        #expect(error == MultipartEncodingError(.inputStreamReadFailed, partIndex: 0))
    }

    @Test func `events wait for a run loop and a delegate, and each comes once`() async throws {
        let form = form
        let events = try await onThread {
            let stream = try form.makeInputStream()
            let reader = Reader(size: 1000)
            stream.open()
            let other = RunLoop.Mode("other")
            for mode in [.default, other, .default] { stream.schedule(in: .current, forMode: mode) }
            stream.delegate = reader
            reader.run(mode: other)
            return reader.events.map(\.rawValue)
        }
        let expected: [Stream.Event] = [.openCompleted, .hasBytesAvailable, .endEncountered]
        #expect(events == expected.map(\.rawValue))
    }

    @Test func `a run loop is woken from another thread`() async throws {
        nonisolated(unsafe) let stream = try form.makeInputStream()
        let (started, start) = AsyncStream<Void>.makeStream()
        async let bytes = onThread {
            let reader = Reader(size: 1000)
            stream.delegate = reader
            stream.schedule(in: .current, forMode: .default)
            // The second one is what the run loop waits for until it is woken.
            for delay in [0, 60] {
                let timer = Timer(timeInterval: Double(delay), repeats: false) { _ in start.finish() }
                RunLoop.current.add(timer, forMode: .default)
            }
            let limit = Date(timeIntervalSinceNow: 60)
            while !reader.isOver, Date() < limit {
                _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.1))
            }
            return reader.bytes
        }
        for await _ in started {}
        stream.open()
        #expect(try await !bytes.isEmpty)
    }

    @Test func `a run loop from which it was removed delivers nothing`() async throws {
        let form = form
        let (events, isAlive) = try await onThread {
            let stream = try form.makeInputStream()
            let reader = Reader(size: 1000)
            stream.delegate = reader
            stream.schedule(in: .current, forMode: .default)
            stream.open()
            stream.remove(from: .current, forMode: .default)
            return (reader.events.count, RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 60)))
        }
        #expect(events == 0)
        #expect(!isAlive)
    }

    @Test func `a closed or forgotten stream tells nothing`() async throws {
        let form = form
        let (events, isAlive) = try await onThread {
            let reader = Reader(size: 1000)
            do {
                let stream = try form.makeInputStream()
                stream.delegate = reader
                stream.schedule(in: .current, forMode: .default)
                stream.open()
                stream.close()
                _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
            }
            return (reader.events.count, RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 60)))
        }
        #expect(events == 0)
        #expect(!isAlive)
    }

    /// Turns the thread's run loop as long as it has something to wait for, or far too long.
    private func runUntilIdle() {
        let limit = Date(timeIntervalSinceNow: 60)
        while Date() < limit, RunLoop.current.run(mode: .default, before: limit) {}
        #expect(Date() < limit)
    }

    /// Where the stream is moved to, and the events that tell of it.
    struct Seek: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isOpen: Bool
        let readsAll: Bool
        let isToEnd: Bool
        let events: [Stream.Event]
    }

    static let seeks = [
        Seek(
            testDescription: "to the end, before it is opened",
            isOpen: false,
            readsAll: false,
            isToEnd: true,
            events: [.openCompleted, .endEncountered]
        ),
        Seek(
            testDescription: "to the end",
            isOpen: true,
            readsAll: false,
            isToEnd: true,
            events: [.openCompleted, .endEncountered]
        ),
        Seek(
            testDescription: "back from the end",
            isOpen: true,
            readsAll: true,
            isToEnd: false,
            events: [.openCompleted, .hasBytesAvailable, .endEncountered]
        ),
    ]

    @Test(arguments: seeks)
    func `the events fit the place that the stream was moved to`(seek: Seek) async throws {
        let form = form
        let length = try #require(form.encodedLength)
        let events = try await onThread {
            let stream = try form.makeInputStream()
            let reader = Reader(size: 1000)
            if seek.isOpen { stream.open() }
            if seek.readsAll { _ = try Outlets.drain(stream, size: 1000) }
            #expect(stream.setProperty(NSNumber(value: seek.isToEnd ? length : 0), forKey: .fileCurrentOffsetKey))
            if !seek.isOpen { stream.open() }
            stream.delegate = reader
            stream.schedule(in: .current, forMode: .default)
            reader.run()
            return reader.events.map(\.rawValue)
        }
        #expect(events == seek.events.map(\.rawValue))
    }

    /// A delegate that does something once, when it is told of bytes.
    private final class Meddler: NSObject, StreamDelegate {
        var events: [Stream.Event] = []
        private let meddle: (Stream) -> Void

        init(_ meddle: @escaping (Stream) -> Void) {
            self.meddle = meddle
        }

        func stream(_ stream: Stream, handle event: Stream.Event) {
            events.append(event)
            if event == .hasBytesAvailable { meddle(stream) }
        }
    }

    /// What the stream's owner may do while it is told of an event.
    private enum Meddling: CaseIterable {
        case close, remove, dropDelegate, replaceDelegate, reschedule

        /// Whether the stream may go on behind it.
        var isLast: Bool { self != .replaceDelegate && self != .reschedule }
    }

    @Test(arguments: Meddling.allCases)
    private func `a delegate may change the stream while it is told`(_ meddling: Meddling) async throws {
        let form = form
        let (events, rest) = try await onThread {
            let stream = try form.makeInputStream()
            let reader = Reader(size: 1000)
            let meddler = Meddler { stream in
                // There is something to be delivered next.
                var byte: UInt8 = 0
                _ = (stream as? InputStream)?.read(&byte, maxLength: 1)
                switch meddling {
                case .close: stream.close()
                case .remove: stream.remove(from: .current, forMode: .default)
                case .dropDelegate: stream.delegate = nil
                case .replaceDelegate: stream.delegate = reader
                case .reschedule:
                    stream.remove(from: .current, forMode: .default)
                    stream.delegate = reader
                    stream.schedule(in: .current, forMode: .default)
                }
            }
            stream.delegate = meddler
            stream.schedule(in: .current, forMode: .default)
            stream.open()
            // With nothing to wait for, the run loop ends.
            runUntilIdle()
            return (meddler.events.map(\.rawValue), reader.events.map(\.rawValue))
        }
        let first: [Stream.Event] = [.openCompleted, .hasBytesAvailable]
        let second: [Stream.Event] = meddling.isLast ? [] : [.hasBytesAvailable, .endEncountered]
        #expect(events == first.map(\.rawValue))
        #expect(rest == second.map(\.rawValue))
    }

    /// Counts how many calls there are at once; the calls may come from any thread.
    private final class Overlaps: NSObject, StreamDelegate, @unchecked Sendable {
        // SAFETY: what changes is touched under the lock only.
        private let lock = NSLock()
        private var inside = 0
        private(set) var most = 0
        private(set) var bytes = Data()
        private(set) var isOver = false

        func stream(_ stream: Stream, handle event: Stream.Event) {
            lock.withLock {
                inside += 1
                most = max(most, inside)
            }
            var byte: UInt8 = 0
            let count = event == .hasBytesAvailable ? (stream as? InputStream)?.read(&byte, maxLength: 1) : 0
            Thread.sleep(forTimeInterval: 0.0005)
            lock.withLock {
                inside -= 1
                if count == 1 { bytes.append(byte) }
                isOver = isOver || event == .endEncountered
            }
        }

        var hasEnded: Bool { lock.withLock { isOver } }
    }

    @Test func `two run loops tell one event at a time`() async throws {
        let form = form
        nonisolated(unsafe) let stream = try form.makeInputStream()
        let overlaps = Overlaps()
        stream.delegate = overlaps
        stream.open()
        try await withThrowingTaskGroup { group in
            for _ in 0..<2 {
                group.addTask {
                    try await onThread {
                        stream.schedule(in: .current, forMode: .default)
                        let limit = Date(timeIntervalSinceNow: 60)
                        while !overlaps.hasEnded, Date() < limit {
                            _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
                        }
                        stream.remove(from: .current, forMode: .default)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(overlaps.most == 1)
        #expect(try overlaps.bytes == form.encode())
    }

    /// A delegate that closes its stream when it goes.
    private final class Owner: NSObject, StreamDelegate {
        private let stream: InputStream
        private let events: Counter

        init(_ stream: InputStream, _ events: Counter) {
            self.stream = stream
            self.events = events
        }

        deinit {
            stream.close()
        }

        func stream(_ stream: Stream, handle event: Stream.Event) {
            events.increment()
            var byte: UInt8 = 0
            if event == .hasBytesAvailable { _ = (stream as? InputStream)?.read(&byte, maxLength: 1) }
        }
    }

    @Test func `a delegate may go while it is told, and close its stream`() async throws {
        let form = form
        let events = Counter()
        for delay in 0..<200 {
            nonisolated(unsafe) let stream = try form.makeInputStream()
            nonisolated(unsafe) var owner: Owner? = Owner(stream, events)
            stream.delegate = owner
            stream.open()
            let (scheduled, schedule) = AsyncStream<Void>.makeStream()
            async let turned: Void = onThread {
                stream.schedule(in: .current, forMode: .default)
                schedule.finish()
                runUntilIdle()
            }
            for await _ in scheduled {}
            usleep(UInt32(delay * 5))
            owner = nil
            try await turned
        }
        #expect(events.value > 0)
    }
}
