import Domain

/// Counts what each client has open and has sent, for every block of addresses that contains it (``AddressBlock``).
///
/// It holds only the blocks of open connections and of slow requests behind proxies. So it has at most three entries
/// for each of these.
struct ClientTable {
    private struct Use {
        /// Connections, and behind a trusted proxy slow requests.
        var places = 0
        let input: MemoryBudget
    }

    /// The connection limit of one address (``IPAddress/counted``), and of any block.
    private let ofAddressMax: Int
    private let ofBlockMax: Int
    /// The memory budget for what all clients have sent.
    private let input: MemoryBudget
    private var uses: [AddressBlock: Use] = [:]

    /// - Parameters:
    ///   - ofAddressMax: Connections of one address; larger IPv6 blocks may have a multiple.
    ///   - all: Connections in all. A block may have half of them, or as many as one address may have if that is more.
    init(ofAddressMax: Int, of all: Int, input: MemoryBudget) {
        self.ofAddressMax = ofAddressMax
        ofBlockMax = max(ofAddressMax, all / 2)
        self.input = input
    }

    /// The number of addresses and larger blocks in the table.
    var count: Int { uses.count }

    /// Counts one more connection of an address.
    /// - Returns: The memory budget of the address; nil if the address, or a block that contains it, is at its limit.
    mutating func enter(_ address: IPAddress) -> MemoryBudget? {
        if isFull(address) { return nil }
        var whole = input
        // The largest block comes first, because each smaller one gets a part of its budget.
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

    /// Whether an address, or a block that contains it, is at its limit.
    func isFull(_ address: IPAddress) -> Bool {
        address.blocks.contains { block in
            let (max, overflow) = ofAddressMax.multipliedReportingOverflow(by: block.factor)
            return uses[block].map { $0.places >= (overflow ? ofBlockMax : min(max, ofBlockMax)) } ?? false
        }
    }

    /// Counts one connection less.
    mutating func leave(_ address: IPAddress) {
        for block in address.blocks {
            guard var use = uses[block] else { continue }
            use.places -= 1
            uses[block] = use.places > 0 ? use : nil
        }
    }
}
