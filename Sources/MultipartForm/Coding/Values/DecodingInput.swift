/// A form and the options to decode it with.
final class DecodingInput {
    let parts: PartList
    let options: FormDataDecoder

    init(_ parts: PartList, _ options: FormDataDecoder) {
        self.parts = parts
        self.options = options
    }
}
