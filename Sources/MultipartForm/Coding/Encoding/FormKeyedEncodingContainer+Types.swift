// The standard library's methods for these types leave nil out, and refuse integers of 128 bits.
extension FormKeyedEncodingContainer {
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try encodeLeaf(value, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try encodeLeaf(value, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try encodeLeaf(value, key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try encodeLeaf(value, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try encodeLeaf(value, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try encodeLeaf(value, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try encodeLeaf(value, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try encodeLeaf(value, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try encodeLeaf(value, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try encodeLeaf(value, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try encodeLeaf(value, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try encodeLeaf(value, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try encodeLeaf(value, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try encodeLeaf(value, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try encodeLeaf(value, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try encodeLeaf(value, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128, forKey key: Key) throws { try encodeRequired(value, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128, forKey key: Key) throws { try encodeRequired(value, key) }
}
