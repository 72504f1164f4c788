import Foundation

/// Makes writes beyond a size fail in all files of the process, as on a full disk, for root too.
///
/// - Parameter length: The maximal length of a file, in bytes.
/// - Returns: Whether the system accepted the limit.
package func limitFileSize(to length: UInt64) -> Bool {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: rlim_t(length), rlim_max: rlim_t(length))
    #if canImport(Darwin)
        return setrlimit(RLIMIT_FSIZE, &limit) == 0
    #else
        return setrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit) == 0
    #endif
}
