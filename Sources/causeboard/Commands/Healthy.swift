import ArgumentParser
import Logging

/// What a container's health check runs, where there may be no other program that speaks HTTP.
struct Healthy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: """
            Ask the server on this machine whether it is well, at the address that its settings name. \
            Exits 1 when it is not.
            """)

    @OptionGroup var database: DatabaseOptions

    @Flag(help: "Ask whether it is ready for requests too, with its database.") var ready = false

    func run() async throws {
        let settings = try await Settings(database)
        _ = Log.start(settings.logLevel ?? .warning, settings.logFormat)
        let serving = try ServeSettings(settings)
        let isSecure = try settings.value(\.tlsCertificate) != nil
        let plainPort = try settings.value(\.plainPort)
        let address: (host: String, port: Int)
        if let plainPort, isSecure {
            address = (serving.host, plainPort)
        } else if !isSecure {
            address = (serving.host, serving.port)
        } else if let admin = serving.admin {
            address = (admin.host, admin.port)
        } else {
            throw CommandError("The server speaks TLS alone. Give it an admin listener or a plain port to be asked at.")
        }
        let question = HealthQuestion(host: address.host, port: address.port, path: ready ? "/readyz" : "/healthz")
        guard let answer = question.ask() else {
            throw CommandError("\(question.place) does not answer. See that the server runs there, and its log.")
        }
        if let own = SecretSource.installation(settings), let other = answer.installation, other != own {
            throw CommandError(
                "\(question.place) is the server of another installation. Start this one's, or name its port.")
        }
        guard answer.status == 200 else {
            throw CommandError(
                "\(question.place) answers \(answer.status). Its log, or /readyz of its admin listener, says why.")
        }
        try Output.line("ok")
    }
}
