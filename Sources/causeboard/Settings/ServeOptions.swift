import ArgumentParser

/// The flags that every command has.
struct DatabaseOptions: ParsableArguments {
    @Option(\.data) var data: String?
    @Option(\.databaseURL) var databaseURL: String?
    @Option(\.secretFile) var secretFile: String?
    @Option(\.settings) var settings: String?
    @Option(\.logLevel) var logLevel: String?
    @Option(\.logFormat) var logFormat: String?
}

/// The flags of `serve`.
struct ServeOptions: ParsableArguments {
    @Option(\.host) var host: String?
    @Option(\.port) var port: String?
    @Option(\.publicURL) var publicURL: String?
    @Option(\.tlsCertificate) var tlsCertificate: String?
    @Option(\.tlsKey) var tlsKey: String?
    @Option(\.plainPort) var plainPort: String?
    @Flag(\.tlsRedirect) var tlsRedirect = false
    @Option(\.adminListen) var adminListen: String?
    @Flag(\.adminPublic) var adminPublic = false
    @Flag(\.play) var play = false
    @Option(\.trustedProxies) var trustedProxies: [String] = []
    @Option(\.proxyHeader) var proxyHeader: String?
    @Option(\.limit) var limit: [String] = []
    @Option(\.limits) var limits: String?
    @Option(\.connectionsPerAddress) var connectionsPerAddress: String?
    @Option(\.eventNetwork) var eventNetwork: [String] = []
    @Option(\.connections) var connections: String?
    @Option(\.streamURL) var streamURL: String?
    @Option(\.replicaURL) var replicaURL: String?
    @Flag(\.migrate) var migrate = false
    @Option(\.namesMemory) var namesMemory: String?
    @Option(\.diskReserve) var diskReserve: String?
    @Option(\.databaseMax) var databaseMax: String?
    @Option(\.purgeAfter) var purgeAfter: String?
    @Option(\.savesAfter) var savesAfter: String?
    @Option(\.sweepAfter) var sweepAfter: String?
    @Option(\.pastAfter) var pastAfter: String?
    @Option(\.archive) var archive: String?
    @Option(\.archiveBaseDays) var archiveBaseDays: String?
    @Option(\.archiveKeep) var archiveKeep: String?
    @Option(\.accessLog) var accessLog: String?
    @Option(\.traceOtlp) var traceOtlp: String?
    @Option(\.traceLines) var traceLines: String?
    @Option(\.traceSample) var traceSample: String?
}
