// Tells Tributary what happens in an iPhone or iPad app: copy this file into the app. It needs nothing but Foundation,
// iOS 13 and Swift 6. docs/app-kits.md explains it.
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Keeps events in a file until Tributary has them, so that none is lost and none counts twice.
///
///     let tributary = TributaryApp(url: URL(string: "https://events.example.com")!, key: "trib_a_…")
///     await tributary.setConsent(true, alreadyInstalled: …)  // at each launch, before anything else
///     await tributary.opened(by: url)                        // at each launch and each link; nil: without a link
///
/// Without consent it stores nothing, sends nothing, and forgets what it has stored.
actor TributaryApp {
    /// What the link of an installation leads to.
    struct DeferredLink: Sendable, Equatable {
        var clickID: String
        var appURL: URL?
        var targetURL: URL?
    }

    /// What became of a link that was pasted, or a code that was typed.
    enum Finding: Sendable, Equatable {
        case found(DeferredLink)
        /// Wrong, too old, or another phone's: let the person look again.
        case notFound
        /// Too many wrong ones: let the person wait so many seconds.
        case tooManyTries(seconds: TimeInterval)
        /// No network, or Tributary does not answer, or ``lastStatus`` says why it does not: keep what was typed.
        case noAnswer
    }

    /// The file. Events are JSON texts: they are sent as they were written, again and again.
    private struct State: Codable {
        var deviceID = UUID().uuidString.lowercased()
        var hasInstall: Bool
        /// Of the tap that led to the installation; the next event but a link tells it.
        var clickID: String?
        var events: [Event] = []
    }

    private struct Event: Codable, Hashable {
        var id: String
        var json: String
    }

    /// A phone that is offline for weeks keeps the newest.
    private static let eventLimit = 1_000
    private static let batchSize = 100
    private static let batchBytes = 500_000
    /// Another open within half an hour is the same visit.
    private static let visit: TimeInterval = 1_800
    /// How long an install waits for the link of its launch, in nanoseconds: SwiftUI tells it after the launch.
    private static let patience: UInt64 = 2_000_000_000

    private let url: URL
    private let key: String?
    private let file: URL
    /// An empty file, left when the consent was taken back: the install was told. It names nobody.
    private let mark: URL
    private let platform: String
    private let appVersion: String?
    private let now: @Sendable () -> Date
    /// Nil without consent, and while the file is locked.
    private var state: State?
    /// What the app has said with its consent; nil without consent.
    private var alreadyInstalled: Bool?
    private var heldInstall: Task<Void, Never>?
    private var lastOpen: Date?
    private var isSending = false
    private var failures = 0
    /// What the last request was answered with, for your own tests: 401 is a wrong key, nil means no answer.
    private(set) var lastStatus: Int?
    /// The server asked for silence until then.
    private var pausedUntil = Date.distantPast

    /// - Parameters:
    ///   - url: of Tributary, or of a route of your backend that passes requests on (docs/recipes.md).
    ///   - key: a key for apps (`tributary app add-key --scope app`); nil if your backend adds it.
    ///   - folder: where the file lies; default: Application Support.
    init(
        url: URL,
        key: String?,
        appVersion: String? = nil,
        folder: URL? = nil,
        platform: String = "ios",
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.url = url
        self.key = key
        let folder = folder ?? FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
        file = folder.appendingPathComponent("tributary.json")
        mark = folder.appendingPathComponent("tributary.installed")
        self.platform = platform
        self.appVersion = appVersion
        self.now = now
    }

    /// Call it at each launch with what the person has chosen. `false` deletes everything that is stored but one bit:
    /// that the install was told.
    ///
    /// - Parameter alreadyInstalled: whether the app was on this phone before it had this kit. Then no install is told.
    ///   It counts only as long as the kit has no file.
    func setConsent(_ isGiven: Bool, alreadyInstalled: Bool = false) {
        guard isGiven else {
            if state?.hasInstall == true { write(Data(), to: mark) }
            (state, self.alreadyInstalled, heldInstall) = (nil, nil, nil)
            try? FileManager.default.removeItem(at: file)
            return
        }
        self.alreadyInstalled = alreadyInstalled
        load()
    }

    /// Reads the file, or begins it. A file that cannot be read is not missing: before the first unlock after a start
    /// of the phone it is locked, and the next call tries again.
    private func load() {
        guard state == nil, let alreadyInstalled else { return }
        let wasTold = alreadyInstalled || FileManager.default.fileExists(atPath: mark.path)
        do {
            let data = try Data(contentsOf: file)
            // A damaged file was one of an installation, too.
            state = (try? JSONDecoder().decode(State.self, from: data)) ?? State(hasInstall: true)
        } catch CocoaError.fileReadNoSuchFile {
            state = State(hasInstall: wasTold)
            save()
        } catch {}
    }

    /// Whether the `install` is still to be told: ask for the pasted link or the code now, if you do.
    var isFirstLaunch: Bool {
        load()
        return state?.hasInstall == false && heldInstall == nil
    }

    /// The id of this installation; nil without consent. Your backend sends it with `user_id` when somebody logs in.
    var deviceID: String? {
        load()
        return state?.deviceID
    }

    /// A link opened the app, or nothing did (nil). The first call tells the `install`, too: without a link, two
    /// seconds later, because a link of the same launch may follow, and an install is credited to what was before it.
    func opened(by link: URL?) async {
        load()
        if link == nil, state?.hasInstall == false, state?.clickID == nil {
            heldInstall =
                heldInstall
                ?? Task {
                    try? await Task.sleep(nanoseconds: Self.patience)
                    // A link of the launch has told it.
                    if heldInstall != nil { await tell(nil) }
                }
            return
        }
        await tell(link)
    }

    private func tell(_ link: URL?) async {
        heldInstall = nil
        if let link { add("inbound_link", ["url": link.absoluteString]) }
        if state?.hasInstall == false {
            state?.hasInstall = true
            add("install", [:])
        }
        if link == nil, lastOpen.map({ now().timeIntervalSince($0) > Self.visit }) ?? true { add("app_open", [:]) }
        lastOpen = now()
        await send()
    }

    /// The dialog for a story ended; pass on cancelled ones, too. `callback` is the URL that the dialog called.
    func posted(callback: URL, dialog: String = "feed", ref: String? = nil) async {
        var fields = ["callback_url": callback.absoluteString, "dialog": dialog]
        fields["ref"] = ref
        add("feed_post", fields)
        await send()
    }

    /// Finds the tap of this installation by what the person has pasted or typed. Call it before ``opened(by:)`` at the
    /// first launch: the `install` then names the tap. Later, the next event does.
    func findLink(pasted text: String) async -> Finding {
        // A request has room for about as much; the link is one of the words.
        let words =
            text.utf8.count <= 2_000
            ? text
            : text.split(whereSeparator: \.isWhitespace)
                .filter { $0.contains("click_id") }.joined(separator: " ")
        return await findLink("text", words)
    }

    func findLink(code: String) async -> Finding { await findLink("code", code) }

    private func findLink(_ name: String, _ value: String) async -> Finding {
        load()
        guard !value.isEmpty, value.utf8.count <= 2_000 else { return .notFound }
        guard let deviceID = state?.deviceID else { return .noAnswer }
        var address = URLComponents(
            url: url.appendingPathComponent("v1/deferred-links"),
            resolvingAgainstBaseURL: false
        )
        let device = name == "code" ? [URLQueryItem(name: "device_id", value: deviceID)] : []
        address?.queryItems = [URLQueryItem(name: name, value: value)] + device
        // In a query, a server reads a plus sign as a blank.
        let written = address?.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
        address?.percentEncodedQuery = written
        guard let query = address?.url, let answer = await answer(to: URLRequest(url: query)) else { return .noAnswer }
        let fields = (try? JSONSerialization.jsonObject(with: answer.data)) as? [String: Any] ?? [:]
        switch answer.status {
        case 200:
            guard let clickID = fields["click_id"] as? String else { return .noAnswer }
            state?.clickID = clickID
            save()
            func place(_ name: String) -> URL? { (fields[name] as? String).flatMap { URL(string: $0) } }
            return .found(DeferredLink(clickID: clickID, appURL: place("app_url"), targetURL: place("target_url")))
        case 404 where fields["code"] as? String == "no_link": return .notFound
        case 429: return .tooManyTries(seconds: answer.retryAfter ?? 60)
        default: return .noAnswer
        }
    }

    /// Adds an event. Its id and its time are made now, once; `fields` are those of docs/event-reference.md.
    func add(_ type: String, _ fields: [String: String]) {
        load()
        guard var state else { return }
        let id = UUID().uuidString.lowercased()
        var event = fields
        event["type"] = type
        event["event_id"] = id
        event["occurred_at"] = Self.text(of: now())
        event["device_id"] = state.deviceID
        event["platform"] = platform
        event["app_version"] = appVersion
        // A link has its own click.
        if type != "inbound_link", let clickID = state.clickID {
            event["click_id"] = clickID
            state.clickID = nil
        }
        guard let json = try? JSONSerialization.data(withJSONObject: event) else { return }
        state.events.append(Event(id: id, json: String(decoding: json, as: UTF8.self)))
        if state.events.count > Self.eventLimit { state.events.removeFirst(state.events.count - Self.eventLimit) }
        self.state = state
        save()
    }

    /// Sends what waits. Call it when the app comes to the foreground, too. Does nothing while it already sends.
    func send() async {
        load()
        guard !isSending else { return }
        isSending = true
        defer { isSending = false }
        while let batch = nextBatch, now() >= pausedUntil {
            var request = URLRequest(url: url.appendingPathComponent("v1/events"))
            request.httpMethod = "POST"
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            // By `sent_at`, Tributary sees how wrong the phone's clock is.
            let events = batch.map(\.json).joined(separator: ",")
            request.httpBody = Data(#"{"sent_at":"\#(Self.text(of: now()))","events":[\#(events)]}"#.utf8)
            let answer = await answer(to: request)
            let done = answer.map { Self.done($0, of: batch) } ?? []
            if done.isEmpty {
                // No answer, too busy, or a wrong key or address: the events wait, with their ids.
                failures += 1
                let pause = answer?.retryAfter ?? min(pow(2, Double(failures)), 3_600)
                pausedUntil = now().addingTimeInterval(pause)
            } else {
                failures = 0
                state?.events.removeAll { done.contains($0) }
                save()
            }
        }
    }

    private var nextBatch: [Event]? {
        guard let events = state?.events.prefix(Self.batchSize), let first = events.first else { return nil }
        var bytes = 0
        let batch = events.prefix {
            bytes += $0.json.utf8.count + 1
            return bytes <= Self.batchBytes
        }
        return batch.isEmpty ? [first] : Array(batch)
    }

    /// The events that are stored, or refused for good. With 422 none of the batch is valid; only what is named counts.
    private static func done(_ answer: Answer, of batch: [Event]) -> Set<Event> {
        switch answer.status {
        case 200, 202: return Set(batch)
        case 422:
            let fields = (try? JSONSerialization.jsonObject(with: answer.data)) as? [String: Any]
            let rejected = fields?["rejected"] as? [[String: Any]] ?? []
            let places = rejected.compactMap { $0["index"] as? Int }
            return Set(places.filter(batch.indices.contains).map { batch[$0] })
        default: return []
        }
    }

    private typealias Answer = (status: Int, data: Data, retryAfter: TimeInterval?)

    private func answer(to request: URLRequest) async -> Answer? {
        var request = request
        request.timeoutInterval = 20
        if let key { request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization") }
        let answer: Answer? = await withCheckedContinuation { continuation in
            let task = URLSession.shared.dataTask(with: request) { data, response, _ in
                guard let response = response as? HTTPURLResponse else { return continuation.resume(returning: nil) }
                let wait = response.value(forHTTPHeaderField: "Retry-After").flatMap { TimeInterval($0) }
                continuation.resume(returning: (response.statusCode, data ?? Data(), wait))
            }
            task.resume()
        }
        lastStatus = answer?.status
        return answer
    }

    private static func text(of time: Date) -> String {
        let format = ISO8601DateFormatter()
        format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return format.string(from: time)
    }

    private func save() {
        guard let state, let data = try? JSONEncoder().encode(state) else { return }
        write(data, to: file)
    }

    private func write(_ data: Data, to file: URL) {
        let folder = file.deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try? data.write(to: file, options: .atomic)
        #if canImport(Darwin)
            // A new phone is a new installation, also if it gets the old one's backup.
            var (file, values) = (file, URLResourceValues())
            values.isExcludedFromBackup = true
            try? file.setResourceValues(values)
        #endif
    }
}

#if canImport(UIKit)
    import UIKit

    extension TributaryApp {
        /// Call it when somebody has tapped a `UIPasteControl` (iOS 16): iOS then asks nobody for permission. Only a
        /// link of yours leaves the phone.
        @MainActor
        func findLink(in providers: [NSItemProvider], host: String) async -> Finding {
            for provider in providers where provider.canLoadObject(ofClass: URL.self) {
                let pasted: URL? = await withCheckedContinuation { continuation in
                    _ = provider.loadObject(ofClass: URL.self) { url, _ in continuation.resume(returning: url) }
                }
                if let pasted, pasted.host == host { return await findLink(pasted: pasted.absoluteString) }
            }
            return .notFound
        }
    }
#endif
