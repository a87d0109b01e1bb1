import Crypto
import Domain
import Drawings

/// A file that pages refer to. Its address has the hash of its bytes, so it may be cached for ever.
package struct PageAsset: Sendable {
    /// Its name in `Assets`, such as `style.css`; `anonymous.svg` is drawn.
    package let name: String
    package let bytes: [UInt8]
    /// `/assets/{hash}.css`
    package let path: String
    /// The first 128 bits of the bytes' SHA-256 in hexadecimal, and the extension: the last segment of its path.
    package let file: String

    private init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
        let hash = SHA256.hash(data: bytes).withUnsafeBytes { Hex.text($0.prefix(16)) }
        file = hash + "." + (name.split(separator: ".").last.map(String.init) ?? "")
        path = "/assets/" + file
    }

    package var contentType: String {
        switch name.split(separator: ".").last {
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        default: "image/svg+xml"
        }
    }

    package static let all =
        PageFiles.assets.map { PageAsset(name: $0.name, bytes: Array($0.text.utf8)) } + [
            PageAsset(name: "anonymous.svg", bytes: Flag.anonymousSVG())
        ]

    private static let byFile = Dictionary(all.map { ($0.file, $0) }) { first, _ in first }

    /// - Parameter file: The last segment of an asset's path.
    package static func find(_ file: String) -> PageAsset? { byFile[file] }

    package static func named(_ name: String) -> PageAsset {
        guard let asset = all.first(where: { $0.name == name }) else {
            preconditionFailure("no asset is named \(name)")
        }
        return asset
    }
}
