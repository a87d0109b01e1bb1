import Foundation

#if canImport(Security)
    import Security
#endif

/// Where a device keeps what nobody else may read.
protocol SecretStore: Sendable {
    /// Nil when nothing is kept under the name.
    func read(_ name: String) throws(CauseboardError) -> Data?
    /// Keeps it before it returns, in place of what was there.
    func write(_ secret: Data, _ name: String) throws(CauseboardError)
    func remove(_ name: String) throws(CauseboardError)
}

/// Secrets as files that only their owner reads.
struct SecretFiles: SecretStore {
    let directory: URL

    func read(_ name: String) throws(CauseboardError) -> Data? { try DurableFiles.read(url(name)) }

    func write(_ secret: Data, _ name: String) throws(CauseboardError) {
        try DurableFiles.makeDirectory(directory)
        try DurableFiles.write(secret, to: url(name))
    }

    func remove(_ name: String) throws(CauseboardError) { try DurableFiles.remove(url(name)) }

    private func url(_ name: String) -> URL { directory.appendingPathComponent(name + ".secret") }
}

#if canImport(Security)
    /// Secrets in the Keychain, of this device alone and readable after its first unlock, so that a game may send in
    /// the background.
    struct KeychainSecrets: SecretStore {
        /// One for each server and game.
        let service: String

        func read(_ name: String) throws(CauseboardError) -> Data? {
            var found: CFTypeRef?
            let query = attributes(name).merging([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitOne]) { $1 }
            let status = SecItemCopyMatching(query as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            try check(status, name)
            return found as? Data
        }

        func write(_ secret: Data, _ name: String) throws(CauseboardError) {
            let change: [CFString: Any] = [
                kSecValueData: secret, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            let status = SecItemUpdate(attributes(name) as CFDictionary, change as CFDictionary)
            guard status == errSecItemNotFound else { return try check(status, name) }
            try check(SecItemAdd(attributes(name).merging(change) { $1 } as CFDictionary, nil), name)
        }

        func remove(_ name: String) throws(CauseboardError) {
            let status = SecItemDelete(attributes(name) as CFDictionary)
            if status != errSecItemNotFound { try check(status, name) }
        }

        private func attributes(_ name: String) -> [CFString: Any] {
            [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: name]
        }

        private func check(_ status: OSStatus, _ name: String) throws(CauseboardError) {
            guard status == errSecSuccess else { throw .storage("the Keychain refused \(name): \(status)") }
        }
    }
#endif
