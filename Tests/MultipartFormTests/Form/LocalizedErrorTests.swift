import Foundation
import MultipartForm
import Testing

/// What Foundation, and a program that shows an error it knows nothing about, makes of the library's errors.
@Suite struct LocalizedErrorTests {
    static let errors: [(error: any Error & CustomStringConvertible, description: String)] = [
        (
            MultipartParsingError(.limitHeaderBytes, offset: 20481, partIndex: 3, limit: 16384),
            "part 3: header section or padding exceeds 16384 bytes (at offset 20481)"
        ),
        (
            MultipartEncodingError(.missingName, partIndex: 2),
            "part 2: part has no name"
        ),
        (
            MultipartReceivingError(.limitDiskBytes, partIndex: 3, limit: 1_073_741_824),
            "part 3: contents on disk exceed 1073741824 bytes"
        ),
    ]

    @Test(arguments: errors.indices)
    func `an error's localized description is its description`(index: Int) {
        let (error, description) = Self.errors[index]
        #expect(error.localizedDescription == description)
        #expect(error.description == description)
    }
}
