// The system modules that all files of the tool use. FoundationEssentials is preferred, because Foundation makes the
// tool three times as large.
#if canImport(FoundationEssentials)
    @_exported import FoundationEssentials
#else
    @_exported import Foundation
#endif

#if canImport(Darwin)
    @_exported import Darwin
#elseif canImport(Glibc)
    @_exported import Glibc
#elseif canImport(Musl)
    @_exported import Musl
#elseif canImport(Android)
    @_exported import Android
#endif

// Other names for the system's `open` and `signal`. Members of the tool's types have the same names and would hide the
// functions.

func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }

typealias SignalHandler = @convention(c) (Int32) -> Void

@discardableResult
func systemSignal(_ number: Int32, _ handler: SignalHandler?) -> SignalHandler? { signal(number, handler) }
