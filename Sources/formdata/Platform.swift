// What the tool imports of the system.
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

// All files of the tool use these imports. FoundationEssentials is preferred, because all of Foundation makes the tool
// three times as large. System functions that share their names with methods get other names here.

func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }

typealias SignalHandler = @convention(c) (Int32) -> Void

@discardableResult
func systemSignal(_ number: Int32, _ handler: SignalHandler?) -> SignalHandler? { signal(number, handler) }
