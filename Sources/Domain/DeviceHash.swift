/// A device as the database knows it: the keyed hash of its game and its id, 32 bytes.
package struct DeviceHash: Sendable, Hashable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}
