#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

/// What controls access to a file besides its owner, its group and its mode.
///
/// On Linux, these are the extended attributes, by name. They include the access-control list, and the label of a
/// security module. On Darwin, a file without an access-control list has the empty value; a file with a list counts as
/// unknown.
package typealias AccessControl = [[UInt8]: [UInt8]]

extension SystemCalls {
    #if canImport(Darwin)
        /// Returns the empty value if an open file has no access-control list. Otherwise returns nil, because the
        /// library does not compare lists.
        package static func accessControl(of descriptor: Int32) -> AccessControl? {
            // SAFETY: the call takes only numbers.
            guard let list = unsafe acl_get_fd_np(descriptor, ACL_TYPE_EXTENDED) else { return [:] }
            // SAFETY: the system has allocated the list, and nothing uses the list after this call.
            unsafe acl_free(UnsafeMutableRawPointer(list))
            return nil
        }
    #else
        /// Returns the extended attributes of an open file; nil if they cannot be read, or if the names or a value
        /// exceed 4096 bytes.
        package static func accessControl(of descriptor: Int32) -> AccessControl? {
            // SAFETY: the call writes at most `count` bytes to `buffer`.
            guard let names = unsafe bytes(orNothingOn: ENOTSUP, { unsafe flistxattr(descriptor, $0, $1) }) else {
                return nil
            }
            var result: AccessControl = [:]
            for name in names.split(separator: 0) {
                // SAFETY: the name ends in a zero byte. The call writes at most `count` bytes to `buffer`.
                guard let value = unsafe bytes({ unsafe fgetxattr(descriptor, Array(name) + [0], $0, $1) }) else {
                    return nil
                }
                result[Array(name)] = value
            }
            return result
        }

        /// Returns the bytes that `read` writes to a buffer of 4096 bytes. If `read` fails, returns an empty array for
        /// the error `missing`, and nil for any other error, for instance because the buffer is too small.
        private static func bytes(
            orNothingOn missing: Int32? = nil,
            _ read: (_ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int
        ) -> [UInt8]? {
            var isKnown = true
            // SAFETY: `read` has written the bytes that it has counted.
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
                let answer = unsafe read(buffer.baseAddress, buffer.count)
                isKnown = answer >= 0 || errno == missing
                count = max(answer, 0)
            }
            return isKnown ? bytes : nil
        }
    #endif
}

#if !canImport(Darwin)
    // Declared here, because Swift's modules of the C libraries lack `sys/xattr.h`. Foundation's `attributesOfItem`
    // calls these functions, but also asks the name service for the names of the owner and the group.
    //
    // SAFETY: the functions take and return only pointers and integers. On all processors, Swift passes them as C does.

    @_silgen_name("flistxattr")
    private func flistxattr(_ descriptor: Int32, _ names: UnsafeMutableRawPointer?, _ count: Int) -> Int

    @_silgen_name("fgetxattr")
    private func fgetxattr(
        _ descriptor: Int32,
        _ name: UnsafePointer<UInt8>,
        _ value: UnsafeMutableRawPointer?,
        _ count: Int
    ) -> Int
#endif
