import Foundation

/// This process's memory (Linux only: zero elsewhere) and CPU time.
enum ProcessStatus {
    /// The resident memory, in bytes.
    static var residentBytes: Int { kilobytes("VmRSS:") * 1024 }

    /// The peak resident memory, in bytes.
    static var peakResidentBytes: Int { kilobytes("VmHWM:") * 1024 }

    /// The CPU time of all threads, in seconds.
    static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func kilobytes(_ key: String) -> Int {
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, 256, file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if text.hasPrefix(key) { return Int(text.filter(\.isNumber)) ?? 0 }
        }
        return 0
    }
}
