import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The bytes of one answer in the order in which they arrive, for one reader. What a slow reader has not taken beyond
/// ``Limits/readAheadBytesMax`` waits on disk, because `URLSession` cannot be made to wait on every system.
final class BodyChunks: Sendable {
    private struct State {
        var response: HTTPURLResponse?
        var responseReader: CheckedContinuation<HTTPURLResponse, any Error>?
        var chunks: [Data] = []
        /// What came after the chunks.
        var spill: SpillFile?
        var bytes = 0
        var reader: CheckedContinuation<Data?, any Error>?
        var end: Result<Void, any Error>?
    }

    private let task: URLSessionDataTask
    private let state = Mutex(State())

    init(_ task: URLSessionDataTask) { self.task = task }

    func cancel() { task.cancel() }

    /// Waits for the head of the answer.
    func response() async throws -> HTTPURLResponse {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { reader in
                let known: Result<HTTPURLResponse, any Error>? = state.withLock { state in
                    if let response = state.response { return .success(response) }
                    if let end = state.end { return end.flatMap { .failure(URLError(.badServerResponse)) } }
                    state.responseReader = reader
                    return nil
                }
                if let known { reader.resume(with: known) }
            }
        } onCancel: {
            cancel()
        }
    }

    /// The next bytes; nil at the end.
    func next() async throws -> Data? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { reader in
                let ready: Result<Data?, any Error>? = state.withLock { state in
                    if let chunk = Self.take(&state) { return chunk.map { $0 } }
                    if let end = state.end { return end.map { nil } }
                    state.reader = reader
                    return nil
                }
                if let ready { reader.resume(with: ready) }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Nil when nothing waits.
    private static func take(_ state: inout State) -> Result<Data, any Error>? {
        if !state.chunks.isEmpty {
            let chunk = state.chunks.removeFirst()
            state.bytes -= chunk.count
            return .success(chunk)
        }
        do { return try state.spill?.take(atMost: Limits.readAheadBytesMax).map { .success($0) } } catch {
            return .failure(error)
        }
    }

    func begin(_ response: HTTPURLResponse) {
        let reader = state.withLock { state in
            state.response = response
            defer { state.responseReader = nil }
            return state.responseReader
        }
        reader?.resume(returning: response)
    }

    func add(_ chunk: Data) {
        let (reader, error): (CheckedContinuation<Data?, any Error>?, (any Error)?) = state.withLock { state in
            if let reader = state.reader {
                state.reader = nil
                return (reader, nil)
            }
            do {
                try Self.keep(chunk, &state)
                return (nil, nil)
            } catch { return (nil, error) }
        }
        reader?.resume(returning: chunk)
        if let error {
            end(error)
            cancel()
        }
    }

    private static func keep(_ chunk: Data, _ state: inout State) throws {
        if state.spill?.isEmpty ?? true, state.bytes + chunk.count <= Limits.readAheadBytesMax {
            state.chunks.append(chunk)
            state.bytes += chunk.count
        } else {
            let spill = try state.spill ?? SpillFile()
            state.spill = spill
            try spill.append(chunk)
        }
    }

    /// The first end counts.
    func end(_ error: (any Error)?) {
        let (head, reader) = state.withLock { state in
            state.end = state.end ?? error.map { .failure($0) } ?? .success(())
            defer { (state.responseReader, state.reader) = (nil, nil) }
            return (state.responseReader, state.reader)
        }
        head?.resume(throwing: error ?? URLError(.badServerResponse))
        reader?.resume(with: error.map { .failure($0) } ?? .success(nil))
    }
}
