import Crypto
import Domain
import HTTPServer

extension BucketKey {
    init(_ token: TokenHash) { self.init(high: Self.word(token.bytes, at: 0), low: Self.word(token.bytes, at: 8)) }

    /// A player, whichever device and token it comes with.
    init(_ player: Player.ID) { self.init(high: 0, low: UInt64(bitPattern: player.rawValue)) }

    /// A device of the classic protocol as one address speaks for it.
    init(_ device: DeviceHash, from address: IPAddress?) {
        let address = address.map { BucketKey(AddressBlock($0)) }
        self.init(
            high: Self.word(device.bytes, at: 0) ^ (address?.high ?? 0),
            low: Self.word(device.bytes, at: 8) ^ (address?.low ?? 0))
    }

    /// A game, by its name in requests.
    init(_ game: Slug) {
        let hash = Array(SHA256.hash(data: Array(game.description.utf8)))
        self.init(high: Self.word(hash, at: 0), low: Self.word(hash, at: 8))
    }

    /// A game as the largest block of an address guesses codes of it.
    init(_ game: Slug, from address: IPAddress) {
        let game = BucketKey(game)
        let block = BucketKey(AddressBlock(address, level: AddressBlock.count(of: address) - 1))
        self.init(high: game.high ^ block.high, low: game.low ^ block.low)
    }

    /// Eight bytes as one number; bytes that are missing are 0.
    private static func word(_ bytes: [UInt8], at start: Int) -> UInt64 {
        var word: UInt64 = 0
        for index in start..<start + 8 { word = word << 8 | UInt64(index < bytes.count ? bytes[index] : 0) }
        return word
    }
}
