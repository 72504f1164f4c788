import Foundation
import MultipartFormCodec

/// Prints one value as JSON and as a form in each array style, for `Servers/nested.py`.
@main
enum NestedForms {
    private struct Value: Encodable {
        struct Item: Encodable {
            var id: Int
            var size: String
        }

        struct Address: Encodable {
            var street: String
            var city: String
        }

        var text = "Ada"
        var texts = ["red", "blue"]
        var oneText = ["red"]
        var structs = [Item(id: 1, size: "S"), Item(id: 2, size: "L")]
        var arrays = [["a", "b"], ["c"]]
        var nested = Address(street: "Main Street", city: "London")
        var words = ["north": "cold", "south": "warm"]
        var numbers = [3: "third", 7: "seventh"]
    }

    private struct Form: Encodable {
        var style: String
        var contentType: String
        var body: Data
        var names: [String]
    }

    private struct Output: Encodable {
        var value: Value
        var forms: [Form]
    }

    private static let styles: [(String, FormDataEncoder.ArrayEncoding)] = [
        ("brackets", .brackets),
        ("noBrackets", .noBrackets),
        ("indexInBrackets", .indexInBrackets),
        ("custom", .custom { key, _ in "\(key)[]" }),
    ]

    static func main() throws {
        let value = Value()
        let forms = try styles.map { style, encoding in
            var encoder = FormDataEncoder()
            encoder.arrayEncoding = encoding
            let form = try encoder.encode(value)
            return Form(
                style: style,
                contentType: form.contentType,
                body: try form.encode(),
                names: form.compactMap(\.name)
            )
        }
        FileHandle.standardOutput.write(try JSONEncoder().encode(Output(value: value, forms: forms)))
    }
}
