public import Contract

extension Causeboard {
    /// A code of 8 characters that brings another device to this player; it is good once, for ten minutes.
    public func makeDeviceCode() async throws(CauseboardError) -> DeviceCode {
        try await session.send(Call("POST", Addresses.myCodes.path()), as: DeviceCode.self)
    }

    /// A code of 26 characters for the player to keep, for when all devices are lost; it is good once.
    public func makeRecoveryCode() async throws(CauseboardError) -> DeviceCode {
        try await session.send(Call("POST", Addresses.myRecovery.path()), as: DeviceCode.self)
    }

    /// Brings this device to the player of a code, of either kind.
    /// - Parameters:
    ///   - code: As the player typed it: in either case, with spaces and hyphens.
    ///   - deviceName: What the player calls this device.
    ///   - merges: Whether this device's own player, if it has scores, donations or saves, becomes one with the code's.
    /// - Throws: `.giveUp` with `codeRefused` when the code is wrong, used or old, and with `hasHistory` when the
    ///   device has a player with scores, donations or saves and `merges` is false: ask the player then.
    @discardableResult public func join(code: String, deviceName: String? = nil, merges: Bool = false)
        async throws(CauseboardError) -> Player
    {
        var registration = DeviceRegistration()
        registration.code = code
        registration.deviceName = deviceName
        registration.merge = merges ? true : nil
        return try await enter(registration)
    }

    /// The devices that speak for the player, in the order in which they came.
    public func devices() async throws(CauseboardError) -> [Device] {
        try await session.send(Call("GET", Addresses.myDevices.path()), as: DeviceList.self).devices
    }

    /// The player's valid, unused codes. Show them beside the devices. If the player does not recognise one, call
    /// ``rotateToken()`` to revoke it.
    public func openCodes() async throws(CauseboardError) -> [OpenCode] {
        try await session.send(Call("GET", Addresses.myDevices.path()), as: DeviceList.self).codes
    }

    /// Cuts a device off; its token ends at once. One that is gone already is no error.
    /// - Throws: `.giveUp` with `lastDevice` for the player's only device, and with `deviceTooNew` if this device
    ///   joined less than 24 hours ago and the other one is older.
    public func cutOff(_ device: Device) async throws(CauseboardError) {
        let outcome = await session.send(Call("DELETE", Addresses.myDevice.path(device.id)), isSigned: false)
        guard case .answer(let answer) = outcome else { throw .askAgain(after: nil, .unreachable) }
        if !answer.isSuccess, answer.problem?.name != .notFound {
            throw CauseboardError(answer, now: session.connection.clock.now.date)
        }
    }

    /// Replaces this device's token. The old token and all codes of the player stop working at once. You may repeat a
    /// call that failed.
    public func rotateToken() async throws(CauseboardError) { try await session.rotateToken() }
}
