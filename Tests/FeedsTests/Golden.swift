import Foundation

/// Bytes that a Rails server of 2009, or the plist gem, wrote.
enum Golden {
    static func bytes(_ name: String) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(
            path: "Golden"
        )
        return [UInt8](try Data(contentsOf: folder.appending(path: name + ".xml")))
    }
}
