import Foundation

/// The peak resident memory of this process.
package enum PeakMemory {
    /// In KiB.
    ///
    /// On Linux this is VmHWM: `ru_maxrss` includes the parent's memory at the time of the fork.
    package static var kibibytes: Int {
        #if os(Linux)
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? -1
        #else
            var usage = rusage()
            getrusage(RUSAGE_SELF, &usage)
            return Int(usage.ru_maxrss) / 1024
        #endif
    }
}
