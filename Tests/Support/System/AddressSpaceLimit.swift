#if os(Linux)
    import Foundation

    /// Limits the process's address space to its current size plus `growth` bytes.
    ///
    /// - Returns: Whether the system accepted the limit.
    package func limitAddressSpace(growth: UInt64) -> Bool {
        guard let sizes = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
            let pages = sizes.split(separator: " ").first.flatMap({ UInt64($0) })
        else { return false }
        let length = rlim_t(pages * UInt64(sysconf(Int32(_SC_PAGESIZE))) + growth)
        var limit = rlimit(rlim_cur: length, rlim_max: length)
        return setrlimit(__rlimit_resource_t(UInt32(RLIMIT_AS.rawValue)), &limit) == 0
    }
#endif
