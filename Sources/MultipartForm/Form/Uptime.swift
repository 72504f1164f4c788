internal import Dispatch

/// The system's clock that never goes back.
enum Uptime {
    static var nanoseconds: UInt64 { DispatchTime.now().uptimeNanoseconds }
}
