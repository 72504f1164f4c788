import Foundation

/// The resident memory of this process.
enum ResidentMemory {
    /// The peak, in bytes; 0 if the system does not report it.
    ///
    /// Linux keeps `ru_maxrss` across exec, so that a small program started by a large one seems large. The high
    /// water mark in `/proc/self/status` is that of the program alone.
    static var peakBytes: Int {
        #if os(Linux)
            highWaterMark
        #else
            var usage = rusage()
            return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0
        #endif
    }

    #if os(Linux)
        /// The value of the line `VmHWM:   12345 kB`.
        private static var highWaterMark: Int {
            let descriptor = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return 0 }
            defer { close(descriptor) }
            var bytes = [UInt8](repeating: 0, count: 8192)
            let count = read(descriptor, &bytes, bytes.count)
            let lines = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self).split(separator: "\n")
            guard let line = lines.first(where: { $0.hasPrefix("VmHWM:") }) else { return 0 }
            let digits = line.filter { ("0"..."9").contains($0) }
            return (Int(digits) ?? 0) * 1024
        }
    #endif
}
