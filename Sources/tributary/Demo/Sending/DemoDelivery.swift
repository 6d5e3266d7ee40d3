/// The requests that bring the events of a day to the daemon. Backends send batches, web pages send single forms,
/// phones send late because they were offline, and some requests are sent twice.
struct DemoDelivery {
    private(set) var requests: [DemoRequest] = []
    private let day: DemoDay
    private var random: DemoRandom
    private var waiting: [DemoRequest.Path: [String]] = [:]

    init(_ traffic: DemoTraffic, seed: UInt64) {
        day = traffic.day
        random = DemoRandom(seed: ~seed)

        let people = Dictionary(grouping: traffic.events, by: \.person)
        let phones = Set(people.keys.sorted().filter { _ in random.chance(0.05) })
        for person in phones.sorted() {
            sendFromPhone(people[person] ?? [])
        }
        // Events of the same moment keep their order: the offset decides.
        let rest = traffic.events.filter { !phones.contains($0.person) }.enumerated()
            .sorted { ($0.element.moment, $0.offset) < ($1.element.moment, $1.offset) }
            .map(\.element)
        let mistakeEvery = max(20, rest.count / 60)
        for (position, event) in rest.enumerated() {
            send(event)
            if position % mistakeEvery == mistakeEvery - 1 {
                let mistakes = DemoMistake.allCases
                let mistake = mistakes[random.integer(in: 0...mistakes.count - 1)]
                enqueue(mistake.line(on: day, &random), to: .events)
            }
        }
        for path in [DemoRequest.Path.events, .inboundLinks, .feedPosts] { flush(path) }
        sendSomeAgain()
    }

    private mutating func send(_ event: DemoEvent) {
        let (path, weights): (DemoRequest.Path, [Double]) =
            switch event.kind {
            case .inboundLink: (.inboundLinks, [0.15, 0.3, 0.55])
            case .feedPost: (.feedPosts, [0.15, 0.4, 0.45])
            case .linkClick, .install, .authentication, .conversion, .appOpen: (.events, [0, 0, 1])
            }
        switch random.index(weights: weights) {
        case 0: sendAsForm(event, to: path)
        case 1: enqueue(json(event, namingKind: false), to: path)
        default: enqueue(json(event, namingKind: true), to: .events)
        }
    }

    private mutating func sendAsForm(_ event: DemoEvent, to path: DemoRequest.Path) {
        let fields = event.members(of: day, namingKind: false).sorted { $0.key < $1.key }
        let form = DemoLink.query(fields.map { ($0.key, $0.value.formText) })
        requests.append(DemoRequest(path: path, format: .form, body: .fixed(Array(form.utf8)), eventCount: 1))
    }

    /// Sends all events of one person, as a phone that is online again does. Its clock is up to an hour wrong.
    private mutating func sendFromPhone(_ events: [DemoEvent]) {
        let skew = random.integer(in: -3_600...3_000) * 1_000
        let lines = events.map { DemoJSON.text(.object($0.members(of: day, namingKind: true, skew: skew))) }
        requests.append(
            DemoRequest(
                path: .events,
                format: .json,
                body: .clocked(events: lines.joined(separator: ","), skew: skew),
                eventCount: lines.count
            )
        )
    }

    private mutating func enqueue(_ line: String, to path: DemoRequest.Path) {
        waiting[path, default: []].append(line)
        if waiting[path, default: []].count >= (path == .events ? 250 : 80) { flush(path) }
    }

    private mutating func flush(_ path: DemoRequest.Path) {
        guard let lines = waiting.removeValue(forKey: path) else { return }
        let isNDJSON = path != .feedPosts
        let text = isNDJSON ? lines.joined(separator: "\n") + "\n" : #"{"events":[\#(lines.joined(separator: ","))]}"#
        requests.append(
            DemoRequest(
                path: path,
                format: isNDJSON ? .ndjson : .json,
                body: .fixed(Array(text.utf8)),
                isCompressed: random.chance(0.5),
                eventCount: lines.count
            )
        )
    }

    /// Repeats some requests, as a backend does that got no answer in time.
    private mutating func sendSomeAgain() {
        var again: [DemoRequest] = []
        var all: [DemoRequest] = []
        for request in requests {
            all.append(request)
            if case .fixed = request.body, random.chance(request.eventCount > 1 ? 0.04 : 0.01) { again.append(request) }
            if again.count > 3 { all.append(again.removeFirst()) }
        }
        requests = all + again
    }

    private func json(_ event: DemoEvent, namingKind: Bool) -> String {
        DemoJSON.text(.object(event.members(of: day, namingKind: namingKind)))
    }
}
