import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The bytes of one answer in the order in which they arrive, for one reader. When the reader is slow the transfer
/// pauses, so that what was read ahead stays within ``Limits/readAheadBytesMax`` and what is on its way.
final class BodyChunks: Sendable {
    private struct State {
        var response: HTTPURLResponse?
        var responseReader: CheckedContinuation<HTTPURLResponse, any Error>?
        var chunks: [Data] = []
        var bytes = 0
        var reader: CheckedContinuation<Data?, any Error>?
        var end: Result<Void, any Error>?
        var isPaused = false
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
                let (ready, resumes): (Result<Data?, any Error>?, Bool) = state.withLock { state in
                    if !state.chunks.isEmpty {
                        let chunk = state.chunks.removeFirst()
                        state.bytes -= chunk.count
                        let resumes = state.isPaused && state.bytes <= Limits.readAheadBytesMax / 2
                        if resumes { state.isPaused = false }
                        return (.success(chunk), resumes)
                    }
                    if let end = state.end { return (end.map { nil }, false) }
                    state.reader = reader
                    return (nil, false)
                }
                if resumes { task.resume() }
                if let ready { reader.resume(with: ready) }
            }
        } onCancel: {
            cancel()
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
        let (reader, pauses): (CheckedContinuation<Data?, any Error>?, Bool) = state.withLock { state in
            if let reader = state.reader {
                state.reader = nil
                return (reader, false)
            }
            state.chunks.append(chunk)
            state.bytes += chunk.count
            let pauses = !state.isPaused && state.bytes > Limits.readAheadBytesMax
            if pauses { state.isPaused = true }
            return (nil, pauses)
        }
        if pauses { task.suspend() }
        reader?.resume(returning: chunk)
    }

    func end(_ error: (any Error)?) {
        let end: Result<Void, any Error> = error.map { .failure($0) } ?? .success(())
        let (head, reader) = state.withLock { state in
            state.end = end
            defer { (state.responseReader, state.reader) = (nil, nil) }
            return (state.responseReader, state.chunks.isEmpty ? state.reader : nil)
        }
        head?.resume(throwing: error ?? URLError(.badServerResponse))
        reader?.resume(with: end.map { nil })
    }
}
