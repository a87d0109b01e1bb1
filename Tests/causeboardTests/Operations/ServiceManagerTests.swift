import Foundation
import Glibc
import Testing

@testable import causeboard

/// What a service manager receives at its socket, by path and by abstract name.
@Suite struct ServiceManagerTests {
    @Test("every notice is one datagram", arguments: ["/tmp/causeboard-notices", "@causeboard-notices"]) func notices(
        prefix: String
    ) throws {
        let name = "\(prefix)-\(getpid())"
        let receiver = try #require(Receiver(name))
        let manager = try #require(ServiceManager(socket: name))
        for notice in [ServiceManager.Notice.ready, .alive, .reloading(microseconds: 7), .stopping] {
            #expect(manager.tell(notice))
            #expect(receiver.next() == notice.text)
        }
        #expect(ServiceManager.Notice.reloading(microseconds: 7).text == "RELOADING=1\nMONOTONIC_USEC=7")
    }

    @Test("an abstract name may fill the address, and a path leaves room for its end") func longest() throws {
        let name = "@" + String(repeating: "n", count: 99) + String(1_000_000 + getpid() % 1_000_000)
        let full = name + String(repeating: "x", count: 108 - name.utf8.count)
        let receiver = try #require(Receiver(full))
        #expect(try #require(ServiceManager(socket: full)).tell(.ready))
        #expect(receiver.next() == "READY=1")
        #expect(ServiceManager(socket: full + "x") == nil)
        #expect(ServiceManager(socket: "/" + String(repeating: "p", count: 106)) != nil)
        #expect(ServiceManager(socket: "/" + String(repeating: "p", count: 107)) == nil)
    }

    @Test("what is no address tells nobody", arguments: [nil, "", "@", "/", "relative", "vsock:2:1234"]) func noAddress(
        text: String?
    ) { #expect(ServiceManager(socket: text) == nil) }

    @Test("a notice that nobody receives is lost, and ends nothing") func nobody() throws {
        #expect(!(try #require(ServiceManager(socket: "/tmp/causeboard-nobody-\(getpid())")).tell(.ready)))
    }

    @Test("the service manager watches the process that it names, for a time that is one") func patience() {
        func patience(_ microseconds: String?, of process: String?) -> Duration? {
            ServiceManager(socket: "@x", watchdogMicroseconds: microseconds, watchdogProcess: process, process: 42)?
                .patience
        }
        #expect(patience("60000000", of: nil) == .seconds(60))
        #expect(patience("60000000", of: "42") == .seconds(60))
        #expect(patience("60000000", of: "43") == nil)
        #expect(patience("60000000", of: "me") == nil)
        for none in [nil, "", "0", "-1", "soon", "99999999999999999999"] { #expect(patience(none, of: nil) == nil) }
        #expect(patience("9223372036854775807", of: nil) != nil)
    }
}

/// The socket of a service manager.
final class Receiver: Sendable {
    private let descriptor: CInt
    private let path: String?

    init?(_ name: String) {
        path = name.hasPrefix("/") ? name : nil
        descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        if path == nil { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        // Without an answer in 60 s a test fails instead of waiting for ever.
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let length = socklen_t(2 + bytes.count + (path == nil ? 0 : 1))
        if let path { unlink(path) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard bound == 0 else { return nil }
    }

    deinit {
        close(descriptor)
        if let path { unlink(path) }
    }

    /// The next datagram; nil when none comes.
    func next() -> String? {
        var buffer = [UInt8](repeating: 0, count: 512)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
    }

    /// The next datagram, of which the test does not know that it was sent. It is waited for on a thread of its own,
    /// because tasks share a few threads and the sender may need one.
    func arrival() async -> String? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in continuation.resume(returning: next()) }
        }
    }
}
