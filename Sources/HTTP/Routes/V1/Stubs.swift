enum Contract { static let openAPI: [UInt8] = [] }
