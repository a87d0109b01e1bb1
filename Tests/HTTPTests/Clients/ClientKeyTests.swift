import HTTPTypes
import NIOCore
import Storage
import Testing

@testable import HTTP

@Suite struct ClientKeyTests {
    @Test("gates take turns between IPv4 addresses and between the /48 networks of IPv6")
    func networks() throws {
        let responder = try Exchange.responderWithSilentDatabase().0
        func key(_ address: String) -> ClientKey {
            let peer = Peer(address: IPAddress(address), isEncrypted: false)
            return responder.clientKey(
                of: Request(method: .get, target: "/", headers: RequestHeaders(), body: ByteBuffer(), peer: peer)
            )
        }
        #expect(key("2001:db8:0:1::1") == key("2001:db8:0:ffff::9"))
        #expect(key("2001:db8:0:1::1") != key("2001:db8:1:1::1"))
        #expect(key("192.0.2.1") != key("192.0.2.2"))
    }
}
