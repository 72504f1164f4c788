import Foundation

/// Finds what an operation has left: open descriptors of this process, and files in a directory.
struct Leftovers {
    private let directory: URL
    private let descriptors: Int

    /// Counts the descriptors that are open now.
    ///
    /// - Parameter directory: A directory that must be empty later.
    init(directory: URL) {
        self.directory = directory
        descriptors = OpenDescriptors.count
    }

    /// The files in the directory.
    var files: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? ["(unreadable)"]
    }

    /// Waits until nothing is left.
    ///
    /// - Parameter limit: The time to wait at most.
    /// - Returns: Whether nothing is left.
    func areGone(within limit: Duration = .seconds(2)) async -> Bool {
        await eventually(within: limit) { files.isEmpty && OpenDescriptors.count <= descriptors }
    }

    /// Waits until nothing is left, but not beyond an instant.
    func areGone(by limit: ContinuousClock.Instant) async -> Bool {
        await areGone(within: limit - ContinuousClock.now)
    }

    /// Waits until the number of open descriptors is stable, since connections may still be closing.
    static func settle() async {
        _ = await comesToRest(within: .seconds(5)) { OpenDescriptors.count }
    }
}

/// Waits until a number is no longer 0 and has not changed for 300 ms.
///
/// - Returns: Whether that happened within the limit.
func comesToRest<Number: BinaryInteger>(within limit: Duration, _ number: () -> Number) async -> Bool {
    var last: Number = 0
    var calm = 0
    return await eventually(within: limit, every: .milliseconds(10)) {
        let now = number()
        calm = now == last ? calm + 1 : 0
        last = now
        return now > 0 && calm == 30
    }
}
