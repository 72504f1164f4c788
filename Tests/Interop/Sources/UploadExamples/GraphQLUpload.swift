package import AsyncHTTPClient
package import Foundation
package import MultipartFormCodec
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import Synchronization

/// A file among the variables of a GraphQL request. In the JSON it is null; its content is a part of the form.
package struct GraphQLFile: Encodable, Sendable {
    /// Appends the file to a form as the part with a name.
    fileprivate let append: @Sendable (inout MultipartFormData, String) -> Void

    /// Creates a variable of a file.
    ///
    /// - Parameter url: The file.
    package init(contentsOf url: URL) {
        append = { form, name in form.append(url, withName: name) }
    }

    /// Creates a variable of bytes.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - filename: The file name to send.
    ///   - contentType: The media type to send.
    package init(_ data: Data, filename: String, contentType: String) {
        append = { form, name in
            form.append(data, withName: name, fileName: filename, mimeType: contentType)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encodeNil()
        let files = GraphQLFiles.key.flatMap { encoder.userInfo[$0] } as? GraphQLFiles
        files?.append(self, at: encoder.codingPath)
    }
}

/// The files that were found while the variables were encoded, and their paths.
private final class GraphQLFiles: Sendable {
    static let key = CodingUserInfoKey(rawValue: "graphQLFiles")

    private let found = Mutex<[(path: String, file: GraphQLFile)]>([])

    var all: [(path: String, file: GraphQLFile)] { found.withLock(\.self) }

    /// Keeps a file with its path, such as `variables.files.0`.
    func append(_ file: GraphQLFile, at path: [any CodingKey]) {
        let keys = path.map { $0.intValue.map(String.init) ?? $0.stringValue }
        found.withLock { $0.append((keys.joined(separator: "."), file)) }
    }
}

/// A GraphQL request with files, as the GraphQL multipart request specification has it.
package struct GraphQLRequest<Variables: Encodable & Sendable>: Encodable, Sendable {
    /// The document.
    package var query: String
    /// Its variables.
    package var variables: Variables

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - query: The document.
    ///   - variables: Its variables, each file a ``GraphQLFile``.
    package init(_ query: String, variables: Variables) {
        self.query = query
        self.variables = variables
    }

    /// Makes the form: `operations`, then `map`, then the files in the order of the map.
    ///
    /// - Returns: The form.
    /// - Throws: An error of the variables.
    package func makeForm() throws -> MultipartFormData {
        let files = GraphQLFiles()
        let encoder = JSONEncoder()
        if let key = GraphQLFiles.key { encoder.userInfo[key] = files }
        let operations = try encoder.encode(self)
        let found = files.all
        // In the order of the files, which a dictionary would lose.
        let map = try found.enumerated().map { index, entry in
            "\"\(index)\":" + String(decoding: try encoder.encode([entry.path]), as: UTF8.self)
        }

        var form = MultipartFormData()
        form.append(String(decoding: operations, as: UTF8.self), withName: "operations")
        form.append("{\(map.joined(separator: ","))}", withName: "map")
        for (index, (_, file)) in found.enumerated() { file.append(&form, "\(index)") }
        return form
    }
}

/// Sends a GraphQL request with AsyncHTTPClient.
///
/// - Parameters:
///   - request: The request.
///   - url: The server's address.
///   - client: The client that sends it.
/// - Returns: The response's JSON, which may have errors beside or instead of data.
/// - Throws: ``UploadError``, or an error of the form or the client.
package func send(
    _ request: GraphQLRequest<some Encodable & Sendable>,
    to url: URL,
    with client: HTTPClient
) async throws -> Data {
    let form = try request.makeForm()
    var upload = HTTPClientRequest(url: url.absoluteString)
    upload.method = .POST
    upload.headers.add(name: "Content-Type", value: form.contentType)
    // A page of another site cannot send this field unasked, so servers require it of forms.
    upload.headers.add(name: "Apollo-Require-Preflight", value: "true")
    upload.body = .stream(
        form.chunks().map { try await client.buffer($0) },
        length: form.encodedLength.map { .known(Int64($0)) } ?? .unknown
    )
    let response = try await client.execute(upload, timeout: .minutes(5))
    guard response.status == .ok else { throw UploadError.refused }
    return Data(buffer: try await response.body.collect(upTo: 1 << 20))
}
