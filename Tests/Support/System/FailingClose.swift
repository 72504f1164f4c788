#if os(Linux) && (arch(x86_64) || arch(arm64))
    package import Foundation

    /// Makes `close` fail on the current thread from now on, by a filter of system calls.
    ///
    /// - Parameter code: The error of each call.
    /// - Returns: Whether the system accepted the filter.
    package func failClose(with code: POSIXErrorCode) -> Bool {
        /// The kernel's `sock_filter`.
        struct Instruction {
            var code: UInt16
            var ifTrue: UInt8 = 0
            var ifFalse: UInt8 = 0
            var operand: UInt32
        }
        /// The kernel's `sock_fprog`.
        struct Program {
            var length: UInt16
            var start: UnsafePointer<Instruction>
        }
        #if arch(x86_64)
            let closeNumber: UInt32 = 3
        #else
            let closeNumber: UInt32 = 57
        #endif
        let load: UInt16 = 0x20, jumpIfEqual: UInt16 = 0x15, answer: UInt16 = 0x06
        let fail: UInt32 = 0x0005_0000, allow: UInt32 = 0x7FFF_0000
        let instructions = [
            // The number of the system call is the first word of its data.
            Instruction(code: load, operand: 0),
            Instruction(code: jumpIfEqual, ifFalse: 1, operand: closeNumber),
            Instruction(code: answer, operand: fail | UInt32(code.rawValue)),
            Instruction(code: answer, operand: allow),
        ]
        // Swift imports no function with a variable number of arguments.
        typealias Function = @convention(c) (CInt, UInt, UInt, UInt, UInt) -> CInt
        guard let symbol = dlsym(nil, "prctl") else { return false }
        let prctl = unsafeBitCast(symbol, to: Function.self)
        let setNoNewPrivileges: CInt = 38, setSeccomp: CInt = 22
        guard prctl(setNoNewPrivileges, 1, 0, 0, 0) == 0 else { return false }
        return instructions.withUnsafeBufferPointer { instructions in
            guard let start = instructions.baseAddress else { return false }
            return withUnsafePointer(to: Program(length: UInt16(instructions.count), start: start)) { program in
                prctl(setSeccomp, 2, UInt(bitPattern: program), 0, 0) == 0
            }
        }
    }
#endif
