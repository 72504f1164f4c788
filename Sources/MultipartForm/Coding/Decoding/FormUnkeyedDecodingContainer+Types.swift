// See FormKeyedDecodingContainer+Types.
extension FormUnkeyedDecodingContainer {
    mutating func decodeIfPresent(_ type: Bool.Type) throws -> Bool? { try decodeOptional(type) }
    mutating func decodeIfPresent(_ type: String.Type) throws -> String? { try decodeOptional(type) }
    mutating func decodeIfPresent(_ type: Double.Type) throws -> Double? { try decodeOptional(type) }
    mutating func decodeIfPresent(_ type: Float.Type) throws -> Float? { try decodeOptional(type) }
    mutating func decodeIfPresent(_ type: Int.Type) throws -> Int? { try decodeOptional(type) }
    mutating func decodeIfPresent(_ type: Int8.Type) throws -> Int8? { try decodeOptional(type) }
    mutating func decodeIfPresent(_ type: Int16.Type) throws -> Int16? { try decodeOptional(type) }
    mutating func decodeIfPresent(_ type: Int32.Type) throws -> Int32? { try decodeOptional(type) }
    mutating func decodeIfPresent(_ type: Int64.Type) throws -> Int64? { try decodeOptional(type) }
    mutating func decodeIfPresent(_ type: UInt.Type) throws -> UInt? { try decodeOptional(type) }
    mutating func decodeIfPresent(_ type: UInt8.Type) throws -> UInt8? { try decodeOptional(type) }
    mutating func decodeIfPresent(_ type: UInt16.Type) throws -> UInt16? { try decodeOptional(type) }
    mutating func decodeIfPresent(_ type: UInt32.Type) throws -> UInt32? { try decodeOptional(type) }
    mutating func decodeIfPresent(_ type: UInt64.Type) throws -> UInt64? { try decodeOptional(type) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decodeIfPresent(_ type: Int128.Type) throws -> Int128? { try decodeOptional(type) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decodeIfPresent(_ type: UInt128.Type) throws -> UInt128? { try decodeOptional(type) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try decodeLeaf(type) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeLeaf(type) }
}
