package import Foundation
package import MultipartForm

extension MultipartFormData {
    /// Collects a form from chunks that are pushed.
    package init(
        pushing chunks: some Sequence<some ContiguousBytes>,
        contentType: String?,
        options: MultipartCollector.Options = MultipartCollector.Options(),
        route: @escaping @Sendable (HeaderFields) throws -> MultipartCollector.Route = { _ in .accept }
    ) throws {
        var collector = try MultipartCollector(contentType: contentType, options: options, route: route)
        for chunk in chunks { try collector.append(chunk) }
        self = try collector.finish()
    }
}
