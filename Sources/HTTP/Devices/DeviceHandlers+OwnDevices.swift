import enum Contract.Keys
import enum Contract.Reply
import struct Contract.Timestamp
import Credentials
import Domain
import Feeds
import HTTPServer
import HTTPTypes
import Leaderboard
import Storage

// A player's devices, and their tokens.
extension DeviceHandlers {
    /// `GET /v1/players/me/devices`
    func myDevices(_ request: Request) async throws -> Response {
        let token = try callers.playerToken(request)
        let player = try await callers.callingDevice(token).player
        let (devices, allCodes) = try await store.devicesAndCodes(of: player, ofToken: token)
        guard !devices.isEmpty else { throw Problem.unauthorized }
        let codes = allCodes.filter { $0.isGood(at: clock.now) }
        return replies.own(.ok, Reply.DeviceList(devices: devices.map { $0.reply(secret) }, codes: codes.map(\.reply)))
    }

    /// `DELETE /v1/players/me/devices/{id}`
    func cutOffDevice(_ request: Request, _ number: String) async throws -> Response {
        let token = try callers.playerToken(request)
        _ = try await callers.writingDevice(token)
        let devices = try await store.devices(ofToken: token)
        // A path may name anything. What is no number of a device is not compared with any.
        guard number.utf8.count == 32, number.utf8.allSatisfy({ $0 < 0x80 }),
            let device = devices.first(where: { number.isEqual(toLowercased: secret.number(of: $0.hash)) })
        else { throw Problem.noDevice }
        switch try await store.cutOff(device.hash, by: token, now: clock.now) {
        case .cut:
            rankings.forgetCaller(on: device.hash)
            return Response(status: .noContent, headers: [.cacheControl: "private, no-store"])
        case .noDevice: throw Problem.noDevice
        case .last: throw Problem.lastDevice
        case .tooNew(let end): throw Problem.deviceTooNew(until: end, now: clock.now)
        case nil: throw Problem.unauthorized
        }
    }

    /// `PUT /v1/players/me/token`, by the old token or the new one.
    func rotateToken(_ request: Request) async throws -> Response {
        let token = try callers.playerToken(request)
        let fields = try request.fields(Keys.TokenRotation.names)
        guard let text = try fields.text(Keys.TokenRotation.token.rawValue), let new = Token(text), new.kind == .device
        else { throw FieldError.badToken }
        let device = try await callers.writingDevice(token)
        return try await rates.counting(rates.spender(device), in: .playerCodes) {
            guard let (outcome, device, codesEnded) = try await store.rotate(token, to: new.hash, now: clock.now) else {
                throw Problem.unauthorized
            }
            let signKey = secret.signKey(of: new.hash).text
            var response = replies.own(.ok, Reply.RotatedToken(signKey: signKey, codesEnded: Int(codesEnded)))
            switch outcome {
            case .rotated: rankings.forgetCaller(on: device)
            case .known: response.headers[.idempotentReplayed] = "true"
            case .taken: throw FieldError.takenToken
            }
            return (response, counts: outcome == .rotated)
        }
    }
}

extension OwnDevice {
    /// A device as its player sees it: the id says nothing about what the device calls itself.
    func reply(_ secret: Secret) -> Reply.Device {
        Reply.Device(
            id: secret.number(of: hash), name: name, joinedAt: Timestamp(joinedAt), seenOn: seenOn?.isoDate,
            this: isThis, joinedBy: cameBy?.rawValue)
    }
}

extension UnusedCode {
    /// An unused code, as its player sees it.
    var reply: Reply.OpenCode {
        Reply.OpenCode(
            kind: kind, madeAt: Timestamp(madeAt), expiresAt: expiresAt.map(Timestamp.init),
            by: isOperators ? "operator" : "device")
    }
}
