import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a server has answered, whole.
struct Answer: Sendable {
    var status: Int
    var body = Data()
    /// In seconds: a number above 0, and a day at most.
    var retryAfter: TimeInterval?

    init(status: Int, body: Data, retryAfter: String?) {
        self.status = status
        self.body = body
        self.retryAfter = retryAfter.flatMap(TimeInterval.init).flatMap { $0 > 0 ? min($0, 86_400) : nil }
    }

    /// Nil if the body is no JSON object: then somebody else has answered, such as the page of a Wi-Fi's login.
    var fields: [String: Any]? { (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] }
}

/// Asks over HTTP, and gives up what is slow or large. It follows no redirect, and keeps no cookies.
struct Transport: Sendable {
    private let session: URLSession
    private let reader: AnswerReader

    /// - Parameters:
    ///   - silence: how many seconds a server may say nothing.
    ///   - whole: how many seconds an answer may take, all of it.
    init(silence: TimeInterval = 20, whole: TimeInterval = 60) {
        reader = AnswerReader()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = silence
        configuration.timeoutIntervalForResource = whole
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        session = URLSession(configuration: configuration, delegate: reader, delegateQueue: nil)
    }

    /// Nil if no whole answer came.
    func answer(to request: URLRequest) async -> Answer? {
        await withCheckedContinuation { continuation in
            let task = session.dataTask(with: request)
            reader.begin(task, continuation)
            task.resume()
        }
    }
}

/// Collects the pieces of answers. `@unchecked`: `lock` guards `running`.
private final class AnswerReader: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private static let limit = 1_000_000
    private let lock = NSLock()
    private var running: [Int: (body: Data, continuation: CheckedContinuation<Answer?, Never>)] = [:]

    func begin(_ task: URLSessionTask, _ continuation: CheckedContinuation<Answer?, Never>) {
        lock.lock()
        defer { lock.unlock() }
        running[task.taskIdentifier] = (Data(), continuation)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        lock.lock()
        running[dataTask.taskIdentifier]?.body.append(data)
        let isTooLarge = (running[dataTask.taskIdentifier]?.body.count ?? 0) > Self.limit
        lock.unlock()
        if isTooLarge { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        lock.lock()
        let known = running.removeValue(forKey: task.taskIdentifier)
        lock.unlock()
        guard let known else { return }
        guard error == nil, known.body.count <= Self.limit, let response = task.response as? HTTPURLResponse else {
            return known.continuation.resume(returning: nil)
        }
        // Not every URLSession tells that an answer was cut.
        let length = response.value(forHTTPHeaderField: "Content-Length").flatMap(Int.init) ?? known.body.count
        if length > known.body.count, response.value(forHTTPHeaderField: "Content-Encoding") == nil {
            return known.continuation.resume(returning: nil)
        }
        let wait = response.value(forHTTPHeaderField: "Retry-After")
        known.continuation.resume(
            returning: Answer(status: response.statusCode, body: known.body, retryAfter: wait)
        )
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(nil) }
}
