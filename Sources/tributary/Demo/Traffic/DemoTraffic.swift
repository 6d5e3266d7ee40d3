/// A day of an app for recipes: who posts, who comes by which link, and what they do then.
///
/// Pure: the same number of people and seed give the same events. The day only moves their times.
struct DemoTraffic {
    /// Why a person comes.
    private enum Role: CaseIterable {
        /// Uses the app and posts stories.
        case poster
        /// Sees a friend's story.
        case friend
        case searcher, bookmarker, invited, nameTapper, elsewhere, unmarked
        /// Installs without any tap.
        case organic

        /// Whether they come for the app, and not because of a friend.
        var isRegular: Bool {
            switch self {
            case .poster, .searcher, .bookmarker: true
            case .friend, .invited, .nameTapper, .elsewhere, .unmarked, .organic: false
            }
        }
    }

    private(set) var events: [DemoEvent] = []
    /// The stories of each ref of ``DemoRef/all``, in the order in which they were posted.
    private(set) var stories: [[DemoStory]] = DemoRef.all.map { _ in [] }
    /// People who use the app on their own, and so may come back on another day.
    private(set) var regulars: [DemoPerson] = []
    /// People who got the app on this day.
    private(set) var settlers: [DemoSettler] = []
    /// Moments at which somebody could have logged in, and did not.
    private(set) var withoutLogin: [(person: DemoPerson, moment: Int)] = []
    let day: DemoDay
    var random: DemoRandom

    /// - Parameters:
    ///   - known: the regulars of earlier days, the latest last. Some of them come back in place of new people.
    ///   - settlers: people who got the app on earlier days, the days ago.
    init(
        people count: Int,
        seed: UInt64,
        day: DemoDay,
        known: [DemoPerson] = [],
        settlers: [(settler: DemoSettler, daysAgo: Int)] = []
    ) {
        self.day = day
        random = DemoRandom(seed: seed)
        var friends: [DemoPerson] = []
        for number in 0..<count {
            var person = DemoPerson(number: number, &random)
            let role = role()
            if role.isRegular {
                if let old = returning(known, as: number) { person = old }
                regulars.append(person)
            }
            switch role {
            case .poster: poster(person)
            // Friends come last, when there are stories to see.
            case .friend: friends.append(person)
            case .searcher: searcher(person)
            case .bookmarker: bookmarker(person)
            case .invited: invited(person)
            case .nameTapper: nameTapper(person)
            case .elsewhere: elsewhere(person)
            case .unmarked: unmarked(person)
            case .organic: organic(person)
            }
        }
        welcome(settlers, numberedFrom: count + 1)
        let posted = stories
        for person in friends { friend(person, stories: posted) }
        developer(DemoPerson(number: count, &random))
        var apart = DemoRandom(seed: ~seed)
        refuseLogins(&apart)
    }

    /// A person from an earlier day, for half of the regulars; recent people are more likely. Nil for a new person.
    private mutating func returning(_ known: [DemoPerson], as number: Int) -> DemoPerson? {
        guard !known.isEmpty, random.chance(0.5) else { return nil }
        let age = random.integer(in: 0...known.count - 1) * random.integer(in: 0...known.count - 1) / known.count
        return known[known.count - 1 - age].numbered(number)
    }

    private mutating func role() -> Role {
        random.pick(Role.self) { role in
            switch role {
            case .poster: 20
            case .friend: 43
            case .searcher: 7
            case .bookmarker: 8
            case .invited: 7
            case .nameTapper: 5
            case .elsewhere: 5
            case .unmarked: 3
            case .organic: 2
            }
        }
    }

    /// Adds an event, unless it is before or after the day.
    mutating func add(
        _ kind: DemoEvent.Kind,
        by person: DemoPerson,
        at moment: Int,
        _ fields: [String: DemoValue]
    ) {
        guard (0...DemoDay.length).contains(moment) else { return }
        var fields = fields
        fields["event_id"] = .text(random.uuid())
        events.append(DemoEvent(kind: kind, moment: moment, person: person.number, fields: fields))
    }

    mutating func append(_ event: DemoEvent) {
        events.append(event)
    }

    mutating func settle(_ settler: DemoSettler) {
        settlers.append(settler)
    }

    mutating func refrain(_ person: DemoPerson, at moment: Int) {
        withoutLogin.append((person, moment))
    }

    mutating func publish(_ story: DemoStory, ofRef index: Int) {
        stories[index].append(story)
    }

    /// An access token like those of Facebook, which Tributary must never store.
    mutating func makeToken() -> String {
        "EAAB" + random.token(40)
    }
}
