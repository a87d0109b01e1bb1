import FoundationEssentials
import Hummingbird
import Logging
import NIOCore

/// What Hummingbird alone reaches: `Yardstick DIRECTORY PORT` reads the directory's files, then answers `GET /NAME` on
/// 127.0.0.1 with the bytes of that file through a default router and nothing else, until SIGTERM. Deliberately without
/// middleware, ETags and caches: a floor to measure from.
@main
struct Yardstick {
    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 3, let port = Int(words[2]) else { fatalError("Yardstick DIRECTORY PORT") }
        let router = Router()
        for name in try FileManager.default.contentsOfDirectory(atPath: words[1]) {
            let body = ByteBuffer(bytes: try Data(contentsOf: URL(filePath: words[1]).appending(path: name)))
            let type = name.hasSuffix(".xml") ? "application/xml; charset=utf-8" : "application/json"
            router.get("\(name)") { _, _ in
                Response(status: .ok, headers: [.contentType: type], body: ResponseBody(byteBuffer: body))
            }
        }
        var logger = Logger(label: "yardstick")
        logger.logLevel = .warning
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            logger: logger
        )
        try await application.runService()
    }
}
