import Domain

/// What every client has open and has sent, in each block of addresses that it is in (``AddressBlock``).
///
/// It holds the blocks of open connections and of slow requests behind proxies only, so it has at most three times as
/// many entries as there are connections and such requests.
struct ClientTable {
    private struct Use {
        /// Connections, and behind a trusted proxy slow requests.
        var places = 0
        let input: InputBudget
    }

    /// The most places of one address (``IPAddress/counted``), and of any block.
    private let ofAddressMax: Int
    private let ofBlockMax: Int
    /// The room for what all clients have sent.
    private let input: InputBudget
    private var uses: [AddressBlock: Use] = [:]

    /// - Parameters:
    ///   - ofAddressMax: Places of one address; larger blocks of IPv6 have a multiple.
    ///   - all: Places that there are. No block has more than half of them, unless one address may.
    init(ofAddressMax: Int, of all: Int, input: InputBudget) {
        self.ofAddressMax = ofAddressMax
        ofBlockMax = max(ofAddressMax, all / 2)
        self.input = input
    }

    /// The number of addresses and larger blocks that have places.
    var count: Int { uses.count }

    /// Takes a place for an address.
    /// - Returns: The room for what the address sends; nil when it, or a block that it is in, has no place left.
    mutating func enter(_ address: IPAddress) -> InputBudget? {
        if isFull(address) { return nil }
        var whole = input
        // The largest block comes first, because each smaller one has a part of its room.
        for level in (0..<AddressBlock.count(of: address)).reversed() {
            let block = AddressBlock(address, level: level)
            let parts = level == 0 ? Limits.addressesFillingInput : Limits.blocksFillingInput
            var use = uses[block] ?? Use(input: input.part(of: parts, in: whole))
            use.places += 1
            uses[block] = use
            whole = use.input
        }
        return whole
    }

    /// Whether an address, or a block that it is in, has no place left.
    func isFull(_ address: IPAddress) -> Bool {
        address.blocks.contains { block in
            let (max, overflow) = ofAddressMax.multipliedReportingOverflow(by: block.factor)
            return uses[block].map { $0.places >= (overflow ? ofBlockMax : min(max, ofBlockMax)) } ?? false
        }
    }

    /// Gives a place back.
    mutating func leave(_ address: IPAddress) {
        for block in address.blocks {
            guard var use = uses[block] else { continue }
            use.places -= 1
            uses[block] = use.places > 0 ? use : nil
        }
    }
}
