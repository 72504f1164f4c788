import Foundation

/// The most memory that this process has had resident.
package enum PeakMemory {
    /// In KiB.
    ///
    /// On Linux this is VmHWM: `ru_maxrss` begins with what the parent had when it made this process.
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
