import Concurrency
import Domain
import HTTPTypes
import NIOCore
import Testing

@testable import HTTP
@testable import HTTPServer

@Suite struct ClientKeyTests {
    @Test("gates take turns between addresses: a /64 has one turn, a /56 at most 2, and a /48 at most 4")
    func networks() throws {
        let responder = try Exchange.responderWithSilentDatabase().0
        func key(_ address: String) -> ClientKey {
            let peer = Peer(address: IPAddress(address), isEncrypted: false)
            return responder.rates.clientKey(
                of: Request(method: .get, target: "/", headers: RequestHeaders(), body: ByteBuffer(), peer: peer))
        }
        #expect(key("192.0.2.1") != key("192.0.2.2"))
        #expect(key("2001:db8:0:1::1") == key("2001:db8:0:1:ffff::9"), "one /64")
        #expect(key("2001:db8:0:1::1") != key("2001:db8:0:2::1"), "two customers of one network")
        #expect(key("2001:db8:0:1::1") != key("2001:db8:1:1::1"))
        let home = Set((0..<256).map { key("2001:db8:0:a\(Hex.text([UInt8($0)]))::1") })
        #expect(home.count == 2)
        let network = Set((0..<65_536).map { key("2001:db8:0:\(String($0, radix: 16))::1") })
        #expect(network.count == 4)
    }
}
