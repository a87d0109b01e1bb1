import HTTPServer

extension Problem {
    /// The problem that a client gets when a connection refuses its request, or the rest of it.
    init(_ refusal: Refusal) {
        self =
            switch refusal {
            case .noHTTP: .noHTTP
            case .headTooSlow: .headTooSlow
            case .noTunnels: .noTunnels
            case .badHost: .badHost
            case .codingOfOldVersion: .codingOfOldVersion
            case .unknownCoding: .unknownCoding
            case .brokenBody: .brokenBody
            case .tooLarge: .tooLarge
            case .tooSlow: .tooSlow
            case .smallPieces: .smallPieces
            case .tooManyConnections: .tooManyConnections
            case .busy: .busy
            }
    }
}
