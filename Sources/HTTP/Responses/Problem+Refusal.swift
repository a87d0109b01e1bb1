import HTTPServer

extension Problem {
    /// What is said to a client of whose request a connection takes nothing, or not all.
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
