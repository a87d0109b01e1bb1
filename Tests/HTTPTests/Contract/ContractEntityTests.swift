import NIOCore
import Testing

@testable import HTTP

@Suite struct ContractEntityTests {
    @Test("the contract is compressed and hashed once", arguments: [true, false]) func once(isGzip: Bool) {
        func address() -> UnsafeRawPointer? {
            OpenAPI.entity(isGzip: isGzip).body.withUnsafeReadableBytes { $0.baseAddress }
        }
        #expect(address() != nil)
        #expect(address() == address())
    }

    @Test("each coding has its own bytes and tag") func codings() {
        let (plain, compressed) = (OpenAPI.entity(isGzip: false), OpenAPI.entity(isGzip: true))
        #expect(Array(plain.body.readableBytesView) == OpenAPI.bytes)
        #expect(compressed.body.readableBytes < plain.body.readableBytes && compressed.etag != plain.etag)
    }
}
