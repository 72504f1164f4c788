/// An open source of bytes that is read once, from start to end, and may block; closed with its last reference.
protocol ByteStream: AnyObject {
    /// Reads some bytes into a buffer that is not empty, and returns how many; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MultipartError) -> Int
}

/// Opens a stream at its start. It throws a `MultipartError`; a function that says so is newer than the floors.
typealias StreamOpening = () throws -> any ByteStream
