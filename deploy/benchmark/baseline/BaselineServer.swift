import FoundationEssentials
import Hummingbird
import Logging
import NIOCore

/// A baseline for the benchmark: Hummingbird alone. `BaselineServer DIRECTORY PORT` reads the files of the directory,
/// then answers `GET /NAME` on 127.0.0.1 with the bytes of that file through a default router, until SIGTERM. It has no
/// middleware, ETags or caches on purpose, so that it measures the floor.
@main struct BaselineServer {
    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 3, let port = Int(words[2]) else { fatalError("BaselineServer DIRECTORY PORT") }
        let router = Router()
        for name in try FileManager.default.contentsOfDirectory(atPath: words[1]) {
            let body = ByteBuffer(bytes: try Data(contentsOf: URL(filePath: words[1]).appending(path: name)))
            let type = name.hasSuffix(".xml") ? "application/xml; charset=utf-8" : "application/json"
            router.get("\(name)") { _, _ in
                Response(status: .ok, headers: [.contentType: type], body: ResponseBody(byteBuffer: body))
            }
        }
        var logger = Logger(label: "baseline")
        logger.logLevel = .warning
        let configuration = ApplicationConfiguration(address: .hostname("127.0.0.1", port: port))
        let application = Application(router: router, configuration: configuration, logger: logger)
        try await application.runService()
    }
}
