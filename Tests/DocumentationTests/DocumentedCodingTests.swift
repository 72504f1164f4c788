import Foundation
import MultipartFormCodec
import TestSupport
import Testing

private struct Chart {
    var png: Data
}

extension Chart: FormPartEncodable, FormPartDecodable {
    func formPart(named name: String) -> BodyPart {
        BodyPart(png, name: name, filename: "chart.png", contentType: "image/png")
    }

    init(formPart: BodyPart) throws {
        png = try formPart.data()
    }
}

private struct Metadata: Codable, Equatable {
    var title: String
    var date: Date
}

private struct One<Value: Decodable>: Decodable {
    var d: Value
}

/// The code that `CodingValues.md` shows, compiled and run.
@Suite struct DocumentedCodingTests {
    struct Profile: Codable {
        var name: String
        var age: Int?
        var tags: [String]
        var address: Address
        var avatar: FormFile?
    }

    struct Address: Codable {
        var street: String
        var zip: String
    }

    private static let profile = Profile(
        name: "Ada",
        age: 36,
        tags: ["a", "b"],
        address: Address(street: "X", zip: "1"),
        avatar: FormFile(Data("jpeg".utf8), filename: "a.jpg", contentType: "image/jpeg")
    )

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test func `a dictionary of any values is appended`() throws {
        let file = directory.url.appendingPathComponent("a.txt")
        try Data("text".utf8).write(to: file)
        let web = try #require(URL(string: "https://example.com/a"))
        let parameters: [String: Any] = [
            "a": file, "b": Data("bytes".utf8), "c": ["x", "y"], "d": 1, "e": web, "f": true,
        ]
        var form = MultipartFormData()

        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
            switch value {
            case let file as URL where file.isFileURL: form.append(file, withName: name)
            case let data as Data: form.append(data, withName: name, fileName: name)
            case let values as [Any]: for value in values { form.append("\(value)", withName: name + "[]") }
            default: form.append("\(value)", withName: name)
            }
        }

        #expect(form.firstError == nil)
        #expect(form.map(\.name) == ["a", "b", "c[]", "c[]", "d", "e", "f"])
        #expect(form.map(\.filename) == ["a.txt", "b", nil, nil, nil, nil, nil])
        let texts = try form.map { try $0.text() }
        #expect(texts == ["text", "bytes", "x", "y", "1", "https://example.com/a", "true"])
    }

    @Test func `a value is encoded and decoded`() throws {
        func encode(_ profile: Profile) throws -> (MultipartFormData, Data, String) {
            let form = try FormDataEncoder().encode(profile)
            let contentType = form.contentType
            let body = try form.encode()
            return (form, body, contentType)
        }
        let (form, body, contentType) = try encode(Self.profile)
        #expect(form.map(\.name) == ["name", "age", "tags[]", "tags[]", "address[street]", "address[zip]", "avatar"])

        let received = try FormDataDecoder().decode(Profile.self, from: body, contentType: contentType)
        #expect(received.name == "Ada" && received.age == 36 && received.tags == ["a", "b"])
        #expect(received.address.street == "X" && received.address.zip == "1")
        #expect(received.avatar?.filename == "a.jpg" && received.avatar?.contentType == "image/jpeg")
    }

    @Test func `a part is JSON`() throws {
        var form = MultipartFormData()
        form.append(Data("{\"title\":\"T\",\"date\":\"1970-01-01T00:00:00Z\"}".utf8), withName: "metadata")
        form.append(Data(), withName: "file", fileName: "f", mimeType: "text/plain")
        func print(_ title: String) { #expect(title == "T") }

        struct Upload: Codable {
            var metadata: FormJSON<Metadata>
            var file: FormFile
        }

        var decoder = FormDataDecoder()
        decoder.configureJSON = { $0.dateDecodingStrategy = .iso8601 }
        let upload = try decoder.decode(Upload.self, from: form)
        print(upload.metadata.value.title)
        #expect(upload.metadata.value == Metadata(title: "T", date: Date(timeIntervalSince1970: 0)))

        let encoded = try FormDataEncoder().encode(upload)
        #expect(encoded.map(\.contentType) == ["application/json", "text/plain"])
    }

    @Test func `values of the root are JSON`() throws {
        struct Keyboard: Codable { var keyboard: [[String]] }
        struct Message: Codable {
            var chat_id: Int
            var reply_markup: Keyboard
            var photo: FormFile
        }
        let message = Message(
            chat_id: 7,
            reply_markup: Keyboard(keyboard: [["Yes", "No"]]),
            photo: FormFile(Data(), filename: "photo.jpg")
        )

        // chat_id=7, reply_markup={"keyboard":[["Yes","No"]]}, and the file
        var encoder = FormDataEncoder()
        encoder.keyPathEncoding = .json
        let form = try encoder.encode(message)

        #expect(form.map(\.filename) == [nil, nil, "photo.jpg"])
        #expect(try form["chat_id"]?.text() == "7")
        #expect(try form["reply_markup"]?.text() == #"{"keyboard":[["Yes","No"]]}"#)
    }

    @Test func `what a page's inputs send is read, with dates in its time zone`() throws {
        struct Booking: Decodable {
            enum Board: String, Decodable { case none, half, full }

            var guest: String
            var age: Int?
            var breakfast: Bool
            var board: Board
            var wishes: [String]
            var passport: FormFile?
            var arrival: Date
            var call: Date?
        }
        func read(_ form: MultipartFormData) throws -> Booking {
            var decoder = FormDataDecoder()
            decoder.absentBoolsAreFalse = true
            let zone = TimeZone(identifier: "Europe/Berlin") ?? .current
            decoder.dateDecoding = .html(in: zone)
            let booking = try decoder.decode(Booking.self, from: form)
            return booking
        }
        var form = MultipartFormData()
        for (name, text) in [
            ("guest", "Ada"), ("age", "36"), ("breakfast", "on"), ("board", "half"), ("wishes[]", "sea"),
            ("wishes[]", "quiet"), ("arrival", "2026-11-21"), ("call", "2026-11-21T19:00"),
        ] {
            form.append(text, withName: name)
        }
        form.append(Data("%PDF".utf8), withName: "passport", fileName: "p.pdf", mimeType: "application/pdf")
        let booking = try read(form)
        #expect(booking.guest == "Ada" && booking.age == 36 && booking.breakfast && booking.board == .half)
        #expect(booking.wishes == ["sea", "quiet"] && booking.passport?.filename == "p.pdf")
        #expect(booking.call == booking.arrival + 19 * 3600)
        #expect(booking.call == Date(timeIntervalSince1970: 1_795_284_000))

        var sparse = MultipartFormData()
        for (name, text) in [("guest", ""), ("age", ""), ("board", "none"), ("arrival", "2026-11-21"), ("call", "")] {
            sparse.append(text, withName: name)
        }
        sparse.append(Data(), withName: "passport", fileName: "", mimeType: "application/octet-stream")
        let other = try read(sparse)
        #expect(other.guest == "" && other.age == nil && !other.breakfast && other.wishes == [])
        #expect(other.passport == nil && other.call == nil)
    }

    @Test func `a page's other times are texts`() throws {
        struct Times: Decodable {
            var time: String
            var month: String
            var week: String
        }
        var form = MultipartFormData()
        for (name, text) in [("time", "19:00"), ("month", "2026-11"), ("week", "2026-W47")] {
            form.append(text, withName: name)
        }
        let times = try FormDataDecoder().decode(Times.self, from: form)
        #expect([times.time, times.month, times.week] == ["19:00", "2026-11", "2026-W47"])
        var decoder = FormDataDecoder()
        decoder.dateDecoding = .html(in: .current)
        for name in ["time", "month", "week"] {
            let error = #expect(throws: DecodingError.self) { try decoder.decode([String: Date].self, from: form) }
            #expect(error.flatMap { MultipartError($0) }?.code == .invalidValue)
            form.removeAll(named: name)
        }
    }

    @Test func `a type makes its own part`() throws {
        let form = try FormDataEncoder().encode(["chart": Chart(png: Data("png".utf8))])
        #expect(form["chart"]?.filename == "chart.png")
        #expect(try FormDataDecoder().decode([String: Chart].self, from: form)["chart"]?.png == Data("png".utf8))
    }

    @Test func `options are set on both sides`() throws {
        var encoder = FormDataEncoder()
        encoder.keyEncoding = .convertToSnakeCase
        encoder.dateEncoding = .secondsSince1970

        var decoder = FormDataDecoder()
        decoder.keyEncoding = .convertToSnakeCase
        decoder.dateDecoding = .secondsSince1970

        struct Event: Codable, Equatable { var startDate: Date }
        let event = Event(startDate: Date(timeIntervalSince1970: 5))
        let form = try encoder.encode(event)
        #expect(form.first?.name == "start_date")
        #expect(try decoder.decode(Event.self, from: form) == event)
    }

    func answer(_ error: any Error) -> (status: Int, text: String) {
        let refusal = MultipartError(error)
        return (refusal?.httpStatus ?? 500, refusal?.clientMessage ?? "failed")
    }

    @Test func `an error is answered with its path and its code`() throws {
        var form = MultipartFormData()
        form.append("Ada", withName: "name")
        form.append("X", withName: "address[street]")
        let missing = try #require(
            throws: DecodingError.self,
            performing: { try FormDataDecoder().decode(Profile.self, from: form) }
        )
        #expect(answer(missing) == (400, "missing-value \"address[zip]\""))
        form.append("1", withName: "address[zip]")
        form.append("x", withName: "age")
        let invalid = try #require(
            throws: DecodingError.self,
            performing: { try FormDataDecoder().decode(Profile.self, from: form) }
        )
        #expect(answer(invalid) == (400, "invalid-value \"age\""))

        let lost = try directory.write(Data("x".utf8), as: "lost")
        var files = MultipartFormData()
        files.append(lost, withName: "f")
        try FileManager.default.removeItem(at: lost)
        let unreadable = try #require(
            throws: DecodingError.self,
            performing: { try FormDataDecoder().decode([String: Data].self, from: files) }
        )
        #expect(answer(unreadable) == (500, "failed"))
    }

    @Test func `a value that an enumeration does not have is answered without it`() {
        var form = MultipartFormData()
        form.append("gold", withName: "plan")
        let error = #expect(throws: DecodingError.self) {
            try FormDataDecoder().decode([String: Signup.Plan].self, from: form)
        }
        #expect(error.map(answer)?.status == 400)
        #expect(error.map(answer)?.text == "invalid-value \"plan\"")
        #expect(answer(CocoaError(.fileReadUnknown)) == (500, "failed"))
    }

    struct Change: Decodable {
        enum CodingKeys: String, CodingKey { case age }

        /// Nil to leave the age, `.some(nil)` to clear it.
        var age: Int??

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            guard values.contains(.age) else { return }
            age = .some(try values.decodeNil(forKey: .age) ? nil : values.decode(Int.self, forKey: .age))
        }
    }

    @Test func `a change leaves, clears or sets a value`() throws {
        func age(_ text: String?) throws -> Int?? {
            var form = MultipartFormData()
            if let text { form.append(text, withName: "age") }
            return try FormDataDecoder().decode(Change.self, from: form).age
        }
        #expect(try age(nil) == .none)
        #expect(try age("") == .some(nil))
        #expect(try age("36") == .some(36))
    }

    struct Signup: Decodable {
        enum Plan: String, Decodable { case free, team }
        enum CodingKeys: String, CodingKey { case email, seats, plan }

        var email: String
        var seats: Int?
        var plan: Plan

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            var faults: [String] = []
            func field<Value>(_ key: CodingKeys, _ decode: (CodingKeys) throws -> Value) throws -> Value? {
                do {
                    return try decode(key)
                } catch let error as DecodingError {
                    // Rethrows what is not the field's fault: an exceeded limit, a file that cannot be read.
                    guard let fault = MultipartError(error), fault.httpStatus == 400 else { throw error }
                    faults.append("\(fault.partName ?? key.stringValue): \(fault.code)")
                    return nil
                }
            }
            let email = try field(.email) { try values.decode(String.self, forKey: $0) }
            let seats = try field(.seats) { try values.decodeIfPresent(Int.self, forKey: $0) }
            let plan = try field(.plan) { try values.decode(Plan.self, forKey: $0) }
            guard let email, let seats, let plan else { throw FormFaults(texts: faults) }
            (self.email, self.seats, self.plan) = (email, seats, plan)
        }
    }

    struct FormFaults: Error {
        var texts: [String]
    }

    @Test func `all faulty fields are reported at once`() throws {
        var form = MultipartFormData()
        form.append("many", withName: "seats")
        form.append("gold", withName: "plan")
        let faults = #expect(throws: FormFaults.self) { try FormDataDecoder().decode(Signup.self, from: form) }
        #expect(faults?.texts == ["email: missing-value", "seats: invalid-value", "plan: invalid-value"])

        form = MultipartFormData()
        form.append("ada@example.com", withName: "email")
        form.append("team", withName: "plan")
        let signup = try FormDataDecoder().decode(Signup.self, from: form)
        #expect((signup.email, signup.seats, signup.plan) == ("ada@example.com", nil, .team))
    }

    @Test func `a file that cannot be read is no fault of its field`() throws {
        let lost = try directory.write(Data("x".utf8), as: "lost")
        var form = MultipartFormData([try BodyPart(fieldContentsOf: lost, name: "email")])
        form.append("gold", withName: "plan")
        try FileManager.default.removeItem(at: lost)
        let error = #expect(throws: DecodingError.self) { try FormDataDecoder().decode(Signup.self, from: form) }
        #expect(error.flatMap { MultipartError($0) }?.code == MultipartError.Code("unreadable-part"))
    }

    /// What the article's table of nil and empty values says of a type: its value, or the code of the error.
    private static func outcome<Value: Decodable>(_ type: Value.Type, _ part: BodyPart?) -> String {
        var form = MultipartFormData()
        if let part { form.append(part) }
        do {
            return "\(try FormDataDecoder().decode(One<Value>.self, from: form).d)"
        } catch {
            return MultipartError(error)?.code.description ?? "\(error)"
        }
    }

    private static let emptyValues: [(part: BodyPart?, outcomes: [String])] = [
        (nil, ["missing-value", "nil", "missing-value", "nil", "[]", "nil"]),
        (BodyPart("", name: "d"), ["", "Optional(\"\")", "empty-value", "nil", "[\"\"]", "nil"]),
        (
            BodyPart(Data(), name: "d", filename: ""),
            ["unexpected-file", "nil", "unexpected-file", "nil", "[]", "nil"]
        ),
        (
            BodyPart("x", name: "d"),
            ["x", "Optional(\"x\")", "invalid-value", "invalid-value", "[\"x\"]", "Optional([\"x\"])"]
        ),
    ]

    @Test(arguments: emptyValues.indices)
    func `nil and empty values are decoded as the table says`(row: Int) {
        let (part, outcomes) = Self.emptyValues[row]
        let types: [any Decodable.Type] = [
            String.self, String?.self, Int.self, Int?.self, [String].self, [String]?.self,
        ]
        #expect(types.map { Self.outcome($0, part) } == outcomes)
    }

    @Test func `Alamofire's names of structs in arrays are custom ones`() throws {
        struct Item: Codable { var id: Int }
        var encoder = FormDataEncoder()
        encoder.arrayEncoding = .custom { key, _ in key + "[]" }
        let form = try encoder.encode(["items": [Item(id: 1), Item(id: 2)]])
        #expect(form.map(\.name) == ["items[][id]", "items[][id]"])
    }
}
