import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Tells Tributary what happens in an app. Keeps events in a file until Tributary has them, so that none is lost and
/// none counts twice.
///
///     let tributary = TributaryApp(url: URL(string: "https://events.example.com")!, key: "trib_a_…")
///     await tributary.setConsent(true, alreadyInstalled: …)  // at each launch, before anything else
///     await tributary.opened(by: url)                        // at each launch and each link; nil: without a link
///
/// Without consent it stores nothing, sends nothing, and forgets what it has stored. It does nothing on the main
/// thread, and only ``send()`` and ``findLink(code:)`` wait for the network.
public actor TributaryApp {
    /// What the link of an installation leads to.
    public struct DeferredLink: Sendable, Equatable {
        public var clickID: String
        public var appURL: URL?
        public var targetURL: URL?
    }

    /// What became of a link that was pasted, or a code that was typed.
    public enum Finding: Sendable, Equatable {
        case found(DeferredLink)
        /// Wrong, too old, or another phone's: let the person look again.
        case notFound
        /// Too many wrong ones: let the person wait so many seconds.
        case tooManyTries(seconds: TimeInterval)
        /// No network, or Tributary does not answer, or ``lastStatus`` says why it does not: keep what was typed.
        case noAnswer
    }

    /// What a test replaces.
    struct World: Sendable {
        var now: @Sendable () -> Date = { Date() }
        var sleep: @Sendable (TimeInterval) async -> Void = { seconds in
            try? await Task.sleep(nanoseconds: UInt64(seconds * 1_000_000_000))
        }
        var makeID: @Sendable () -> String = { UUID().uuidString.lowercased() }
        var answer: @Sendable (URLRequest) async -> Answer?
    }

    private typealias Event = StoredState.Event

    /// A phone that is offline for weeks keeps the newest.
    private static let eventLimit = 1_000
    private static let byteLimit = 2_000_000
    private static let batchSize = 100
    private static let batchBytes = 500_000
    /// Another open within half an hour is the same visit.
    private static let visit: TimeInterval = 1_800
    /// How long an install waits for the link of its launch: SwiftUI tells it after the launch.
    private static let patience: TimeInterval = 2
    private static let transport = Transport()

    private let url: URL
    private let key: String?
    private let file: StateFile
    private let platform: String
    private let appVersion: String?
    private let debug: (@Sendable (String) -> Void)?
    private let world: World
    /// Nil without consent, and while the file is locked.
    private var state: StoredState?
    /// What the app has said with its consent; nil without consent.
    private var alreadyInstalled: Bool?
    private var heldInstall: Task<Void, Never>?
    private var sending: Task<Void, Never>?
    private var lastOpen: Date?
    private var failures = 0
    /// The server asked for silence. If the clock goes back before its begin, it is over.
    private var silence: Range<Date>?
    /// What the last request was answered with: 401 is a wrong key, nil means no answer.
    public private(set) var lastStatus: Int?

    /// - Parameters:
    ///   - url: of Tributary, or of a route of your backend that passes requests on.
    ///   - key: a key for apps (`tributary app add-key --scope app`); nil if your backend adds it.
    ///   - folder: where the file lies; default: Application Support.
    ///   - debug: gets a line for all that is sent, and says why an install was or was not joined.
    public init(
        url: URL,
        key: String?,
        appVersion: String? = nil,
        folder: URL? = nil,
        platform: String = "ios",
        debug: (@Sendable (String) -> Void)? = nil
    ) {
        let world = World { await Self.transport.answer(to: $0) }
        self.init(url, key, appVersion, folder, platform, debug, world)
    }

    init(
        _ url: URL,
        _ key: String?,
        _ appVersion: String?,
        _ folder: URL?,
        _ platform: String,
        _ debug: (@Sendable (String) -> Void)?,
        _ world: World
    ) {
        self.url = url
        self.key = key
        let folder = folder ?? FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
        file = StateFile(folder: folder)
        self.platform = platform
        self.appVersion = appVersion
        self.debug = debug
        self.world = world
    }

    /// Call it at each launch with what the person has chosen. `false` deletes everything that is stored but one bit:
    /// that the install was told.
    ///
    /// - Parameter alreadyInstalled: whether the app was on this phone before it had this kit. Then no install is told.
    ///   It counts only as long as the kit has no file.
    public func setConsent(_ isGiven: Bool, alreadyInstalled: Bool = false) {
        if isGiven {
            self.alreadyInstalled = alreadyInstalled
            return load()
        }
        heldInstall?.cancel()
        let content = state.map(StateFile.Content.state) ?? file.read()
        (state, self.alreadyInstalled, heldInstall) = (nil, nil, nil)
        switch content {
        case .state(let known): file.remove(marking: known.hasInstall)
        case .missing: break
        case .damaged, .locked: file.remove(marking: true)
        }
    }

    /// Reads the file, or begins it. While it is locked, the next call tries again.
    private func load() {
        guard state == nil, let alreadyInstalled else { return }
        switch file.read() {
        case .state(let known): state = known
        case .locked: say("the file is locked: nothing is told until it can be read")
        case .damaged: begin(hasInstall: "its file is damaged")
        case .missing where file.isMarked: begin(hasInstall: "it was told before")
        case .missing: begin(hasInstall: alreadyInstalled ? "the app was here before this kit" : nil)
        }
    }

    private func begin(hasInstall reason: String?) {
        state = StoredState(deviceID: world.makeID(), hasInstall: reason != nil, events: [])
        if let reason { say("no install: \(reason)") }
        save()
    }

    /// Whether the `install` is still to be told: ask for the pasted link or the code now, if you do.
    public var isFirstLaunch: Bool {
        load()
        return state?.hasInstall == false && heldInstall == nil
    }

    /// The id of this installation; nil without consent. Your backend sends it with `user_id` when somebody logs in.
    public var deviceID: String? {
        load()
        return state?.deviceID
    }

    /// A link opened the app, or nothing did (nil). The first call tells the `install`, too: without a link, two
    /// seconds later, because a link of the same launch may follow, and an install is credited to what was before it.
    public func opened(by link: URL?) {
        load()
        guard link == nil, state?.hasInstall == false, state?.clickID == nil else { return tell(link) }
        guard heldInstall == nil else { return }
        say("install: waits \(Int(Self.patience)) seconds for a link")
        heldInstall = Task {
            await world.sleep(Self.patience)
            // A link of the launch has told it, or the consent was taken back.
            if !Task.isCancelled { tell(nil) }
        }
    }

    private func tell(_ link: URL?) {
        heldInstall?.cancel()
        heldInstall = nil
        if let link { store("inbound_link", ["url": link.absoluteString]) }
        if state?.hasInstall == false {
            state?.hasInstall = true
            say("install: names \(state?.clickID.map { "the click \($0)" } ?? "no click")")
            store("install", [:])
        }
        let now = world.now()
        if link == nil, lastOpen.map({ abs(now.timeIntervalSince($0)) > Self.visit }) ?? true { store("app_open", [:]) }
        if state != nil { lastOpen = now }
        beginSending()
    }

    /// The dialog for a story ended; pass on cancelled ones, too. `callback` is the URL that the dialog called.
    public func posted(callback: URL, dialog: String = "feed", ref: String? = nil) {
        var fields = ["callback_url": callback.absoluteString, "dialog": dialog]
        fields["ref"] = ref
        add("feed_post", fields)
    }

    /// Adds an event. Its id and its time are made now, once; `fields` are those of docs/event-reference.md.
    public func add(_ type: String, _ fields: [String: String] = [:]) {
        load()
        store(type, fields)
        beginSending()
    }

    private func store(_ type: String, _ fields: [String: String]) {
        guard var state else { return }
        let id = world.makeID()
        var event = fields
        event["type"] = type
        event["event_id"] = id
        event["occurred_at"] = Self.text(of: world.now())
        event["device_id"] = state.deviceID
        event["platform"] = platform
        event["app_version"] = appVersion
        // A link has its own click.
        if type != "inbound_link", let clickID = state.clickID {
            event["click_id"] = clickID
            state.clickID = nil
        }
        guard let json = try? JSONSerialization.data(withJSONObject: event) else { return }
        guard json.count <= Self.batchBytes else { return say("\(type) is too large for a request: it is not kept") }
        state.events.append(Event(id: id, json: String(decoding: json, as: UTF8.self)))
        var bytes = state.events.reduce(0) { $0 + $1.encoded.utf8.count }
        var dropped = max(0, state.events.count - Self.eventLimit)
        bytes -= state.events.prefix(dropped).reduce(0) { $0 + $1.encoded.utf8.count }
        while bytes > Self.byteLimit {
            bytes -= state.events[dropped].encoded.utf8.count
            dropped += 1
        }
        state.events.removeFirst(dropped)
        if dropped > 0 { say("\(dropped) event was dropped: \(state.events.count) wait") }
        self.state = state
        save()
    }

    /// Finds the tap of this installation by what the person has pasted or typed. Call it before ``opened(by:)`` at the
    /// first launch: the `install` then names the tap. Later, the next event does.
    public func findLink(pasted text: String) async -> Finding {
        // A request has room for about as much; the link is one of the words.
        let words =
            text.utf8.count <= 2_000
            ? text
            : text.split(whereSeparator: \.isWhitespace)
                .filter { $0.lowercased().contains("click_id") }.joined(separator: " ")
        return await findLink("text", words)
    }

    /// Asks for a copied text only if it seems to have a link of this host: in capitals, encoded, or within a link of
    /// Facebook's, Tributary finds it.
    func findLink(copied text: String, host: String) async -> Finding {
        let small = text.lowercased()
        guard small.contains("click_id"), small.contains(host.lowercased()) else { return .notFound }
        return await findLink(pasted: text)
    }

    public func findLink(code: String) async -> Finding { await findLink("code", code) }

    private func findLink(_ name: String, _ value: String) async -> Finding {
        load()
        guard let deviceID = state?.deviceID else { return .noAnswer }
        guard !value.isEmpty, value.utf8.count <= 2_000 else { return .notFound }
        var address = URLComponents(
            url: url.appendingPathComponent("v1/deferred-links"),
            resolvingAgainstBaseURL: false
        )
        let device = name == "code" ? [URLQueryItem(name: "device_id", value: deviceID)] : []
        address?.queryItems = [URLQueryItem(name: name, value: value)] + device
        // In a query, a server reads a plus sign as a blank.
        let written = address?.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
        address?.percentEncodedQuery = written
        guard let query = address?.url, let answer = await answer(to: URLRequest(url: query)) else {
            say("link: no answer")
            return .noAnswer
        }
        say("link: answer \(answer.status) \(String(decoding: answer.body.prefix(500), as: UTF8.self))")
        let fields = answer.fields ?? [:]
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

    /// Sends what waits, and returns when there is nothing more to do. Call it when the app comes to the foreground.
    public func send() async {
        load()
        beginSending()
        await sending?.value
    }

    private func beginSending() {
        guard sending == nil, state?.events.isEmpty == false, !isSilent else { return }
        sending = Task {
            await sendAll()
            sending = nil
        }
    }

    private var isSilent: Bool { silence?.contains(world.now()) ?? false }

    /// Each turn takes an event from the queue, or is the last.
    private func sendAll() async {
        while let batch = nextBatch, !isSilent {
            var request = URLRequest(url: url.appendingPathComponent("v1/events"))
            request.httpMethod = "POST"
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            // By `sent_at`, Tributary sees how wrong the phone's clock is.
            let events = batch.map(\.json).joined(separator: ",")
            request.httpBody = Data(#"{"sent_at":"\#(Self.text(of: world.now()))","events":[\#(events)]}"#.utf8)
            for event in batch { say("sends \(event.json)") }
            let answer = await answer(to: request)
            let done = answer.map { self.done($0, of: batch) } ?? []
            if done.isEmpty {
                // No answer, too busy, or a wrong key or address: the events wait, with their ids.
                failures = min(failures + 1, 12)
                let pause = answer?.retryAfter ?? min(pow(2, Double(failures)), 3_600)
                let now = world.now()
                silence = now..<now.addingTimeInterval(pause)
                say("\(Self.words(answer)) tries again in \(Int(pause)) seconds")
            } else {
                failures = 0
                say("answer \(answer?.status ?? 0): \(done.count) of \(batch.count) done")
                state?.events.removeAll { done.contains($0) }
                save()
            }
        }
    }

    private static func words(_ answer: Answer?) -> String {
        switch answer?.status {
        case nil: "no answer:"
        case 401, 403: "answer \(answer?.status ?? 0): is the key right?"
        case 404: "answer 404: is the url right?"
        case let status?: "answer \(status):"
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
    private func done(_ answer: Answer, of batch: [Event]) -> Set<Event> {
        guard [200, 202, 422].contains(answer.status), let fields = answer.fields else { return [] }
        var refused: Set<Event> = []
        for rejection in fields["rejected"] as? [Any] ?? [] {
            guard let rejection = rejection as? [String: Any], let index = rejection["index"] as? Int,
                batch.indices.contains(index)
            else { continue }
            refused.insert(batch[index])
            let words = ["code", "message"].compactMap { rejection[$0] as? String }.joined(separator: " ")
            let fields = (try? JSONSerialization.jsonObject(with: Data(batch[index].json.utf8))) as? [String: Any]
            say("rejected \(fields?["type"] as? String ?? "event"): \(words)")
        }
        return answer.status == 422 ? refused : Set(batch)
    }

    private func answer(to request: URLRequest) async -> Answer? {
        var request = request
        if let key { request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization") }
        let answer = await world.answer(request)
        lastStatus = answer?.status
        return answer
    }

    private static func text(of time: Date) -> String {
        let format = ISO8601DateFormatter()
        format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return format.string(from: time)
    }

    private func save() {
        if let state { file.write(state) }
    }

    private func say(_ line: @autoclosure () -> String) { debug?(line()) }

    // For tests: what goes on in the background.
    var held: Task<Void, Never>? { heldInstall }
    var waitingCount: Int { state?.events.count ?? 0 }
    func settle() async { await sending?.value }
}
