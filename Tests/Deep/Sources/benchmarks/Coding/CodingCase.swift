import AllocationCounter
import Foundation
import MultipartFormCodec

/// Encodes and decodes a value of ten fields, a nested struct and an array of ten structs, compared with JSON.
struct CodingCase: BenchmarkCase {
    /// How often the value is coded in each run.
    private static let count = 1000

    var name: String { "coding" }
    var isCounted: Bool { true }

    func run(_ settings: Settings) throws -> [BenchmarkResult] {
        let order = Order.example
        let form = try FormDataEncoder().encode(order)
        let body = try form.encode()
        let received = try MultipartFormData(parsing: body, contentType: form.contentType)
        let json = try JSONEncoder().encode(order)
        guard try FormDataDecoder().decode(Order.self, from: received) == order else {
            throw BenchmarkError("the decoder lost a value")
        }
        let encodeJSON = Operation(name: "JSONEncoder") {
            for _ in 0..<Self.count { _ = try JSONEncoder().encode(order) }
        }
        let decodeJSON = Operation(name: "JSONDecoder") {
            for _ in 0..<Self.count { _ = try JSONDecoder().decode(Order.self, from: json) }
        }
        let encode = Operation(name: "encode") {
            for _ in 0..<Self.count { _ = try FormDataEncoder().encode(order) }
        }
        let encodeMessage = Operation(name: "encode-message") {
            for _ in 0..<Self.count { _ = try FormDataEncoder().encode(order).encode() }
        }
        let decode = Operation(name: "decode") {
            for _ in 0..<Self.count { _ = try FormDataDecoder().decode(Order.self, from: received) }
        }
        let decodeMessage = Operation(name: "decode-message") {
            for _ in 0..<Self.count {
                _ = try FormDataDecoder().decode(Order.self, from: body, contentType: form.contentType)
            }
        }
        return try [
            (encode, encodeJSON), (encodeMessage, encodeJSON), (decode, decodeJSON), (decodeMessage, decodeJSON),
        ]
        .map { operation, reference in
            let comparison = try Comparison(operation, against: [reference], runs: settings.runs)
            let parts = form.count * Self.count
            var result = BenchmarkResult(
                name,
                entry: operation.name,
                chunk: nil,
                bytes: body.count * Self.count,
                parts: parts,
                comparison
            )
            result.allocationsPerPart = try AllocationTotal(operation.run).map { Double($0.calls) / Double(parts) }
            return result
        }
    }
}

/// A value as a shop's form may have it.
private struct Order: Codable, Equatable {
    struct Address: Codable, Equatable {
        var street: String
        var city: String
        var zip: Int
    }

    struct Item: Codable, Equatable {
        var id: Int
        var title: String
        var price: Double
        var isGift: Bool
    }

    var number: Int
    var customer: String
    var email: String
    var phone: String?
    var total: Double
    var discount: Double
    var weight: Float
    var isPaid: Bool
    var count: UInt16
    var comment: String
    var address: Address
    var items: [Item]

    static let example = Order(
        number: 20_261_121,
        customer: "Ada Lovelace",
        email: "ada@example.com",
        phone: "+44 20 7946 0000",
        total: 123.45,
        discount: 0.05,
        weight: 2.5,
        isPaid: true,
        count: 10,
        comment: "Please ring the bell twice, the first time it never works.",
        address: Address(street: "12 St James's Square", city: "London", zip: 10115),
        items: (0..<10).map { Item(id: $0, title: "Item number \($0)", price: Double($0) * 1.25, isGift: $0 % 2 == 0) }
    )
}
