import Events
import Postgres
import Reporting
import Time

/// What a webhook knows of an event: what was told, and what holds now. Decides what to tell.
struct WebhookEvent: Sendable {
    var id: EventID
    var occurredAt: Timestamp
    /// Whether it is to be settled.
    var isDue: Bool
    /// The credits of the last word, then in lines of their own the sum of those that were left out, and the reasons
    /// of doubt; nil: there was none. Empty: they were deleted.
    var told: String?
    var toldPerson: String?
    /// It was deleted with its person.
    var isErased: Bool
    /// The people whom the credits of the last word name.
    var toldMentioned: [String]
    /// Nil if there is no such event any more.
    var facts: WebhookWord.Facts?

    /// - Parameters:
    ///   - row: of `select_next_events.sql`.
    ///   - settled: what was received until then is to be settled.
    init(_ row: PostgresRow, settledUntil: Timestamp) throws {
        let id = try row.uuid(0)
        self.id = EventID(high: id.high, low: id.low)
        occurredAt = Timestamp(microseconds: try row.timestamp(1))
        isDue = Timestamp(microseconds: try row.timestamp(2)) <= settledUntil
        told = try row.optionalText(3)
        toldPerson = try row.optionalText(4)
        isErased = try row.bool(5)
        toldMentioned = try row.textArray(6)
        guard try !row.bool(7), let person = try row.optionalText(14) else { return }
        facts = WebhookWord.Facts(
            id: self.id,
            type: try row.text(8),
            name: try row.optionalText(9),
            time: occurredAt,
            value: try row.optionalText(10),
            currency: try row.optionalText(11),
            sentBy: try row.text(15),
            person: person,
            deviceID: try row.optionalText(12),
            clickID: try row.optionalText(13)
        )
    }

    /// What is known of the event afterwards.
    struct Known: Sendable {
        var told: String?
        var person: String?
        var keys: [String] = []
        var mentioned: [String] = []
        var isSettled = false
    }

    /// The words that are due, in order, and what is known then.
    ///
    /// - Parameter answer: who gets the credit now; nil if the event is nobody's.
    func look(_ answer: CreditQuestion.Answer?) -> (words: [WebhookWord], known: Known) {
        guard !isErased, var facts, let answer else {
            // It is gone, and so is all that could be said of it. Whoever never heard of it need not know.
            let word = WebhookWord(
                kind: .changed,
                event: id,
                facts: nil,
                credits: Self.none,
                more: nil,
                previous: nil,
                mentioned: []
            )
            return (told == nil ? [] : [word], Known(told: told == nil ? nil : Self.none, isSettled: true))
        }
        let credits = answer.credits ?? Self.none
        facts.doubt = answer.doubt
        let doubt = answer.doubt.isEmpty ? nil : answer.doubt.joined(separator: ",")
        let now = ([credits] + [answer.more, doubt].compactMap(\.self)).joined(separator: "\n")
        let mentioned = Array(answer.posters).sorted()
        var known = Known(
            told: told,
            person: answer.person,
            keys: answer.keys,
            mentioned: mentioned,
            isSettled: isDue
        )
        // What does not count and was never told is nothing to tell.
        if told == nil, answer.credits == nil { return ([], known) }
        func word(_ kind: WebhookWord.Kind, previous: String?) -> WebhookWord {
            WebhookWord(
                kind: kind,
                event: id,
                facts: facts,
                credits: credits,
                more: answer.more,
                previous: previous,
                mentioned: (previous == nil ? answer.posters : answer.posters.union(toldMentioned)) + [answer.person]
            )
        }
        let isChanged = told != nil && (told != now || toldPerson != answer.person)
        let previous = isChanged && told != "" ? told?.split(separator: "\n").first.map(String.init) : nil
        known.told = now
        var words: [WebhookWord] = []
        if told == nil { words.append(word(.made, previous: nil)) }
        if isChanged, !isDue { words.append(word(.changed, previous: previous)) }
        if isDue { words.append(word(.settled, previous: previous)) }
        return (words, known)
    }

    /// The credits of an event that does not count.
    static let none = "null"
}
