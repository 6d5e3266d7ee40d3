import RandomTesting
@testable import Reporting
import Time

/// How a report is asked at random. Its questions have the oracle's answers with them.
struct OracleReport: Sendable {
    typealias Names = Oracle.RowNames

    /// One question or several.
    var ask: @Sendable (inout RandomQuestions) -> [OracleQuestion]
    /// A question with `--compare-previous`; nil if those of `ask` have it.
    var askBesidePrevious: (@Sendable (inout RandomQuestions) -> OracleQuestion)?

    /// By the names of reports. Each report of the catalogue has an entry.
    static let all: [String: OracleReport] = [
        "activity": activity, "attribution": attribution, "breakdown": breakdown, "changes": changes,
        "channels": channels, "compare": compare, "funnel": funnel, "generations": generations, "goals": goals,
        "installs": installs, "links": links, "logins": logins, "overlap": overlap, "paths": paths, "posts": posts,
        "refs": refs, "retention": retention, "viral": viral,
    ]

    private static let activity = OracleReport(
        ask: { [.activity($0.activity())] },
        askBesidePrevious: { questions in
            var query = questions.activity()
            // The preceding range shows the groups that this one shows, which the oracle does not know.
            query.limit = 10_000
            let period = Oracle.Period(rawValue: query.period.rawValue) ?? .day
            return .besidePrevious(
                query.span,
                Names(keys: [1], calendar: (column: 0, period: period), counts: Array(2...8))
            ) { span in
                var query = query
                query.span = span
                return .activity(query)
            }
        }
    )

    private static let attribution = OracleReport(
        ask: { [.attribution($0.attribution())] },
        askBesidePrevious: { questions in
            var query = questions.attribution()
            // The preceding range shows the groups that this one shows, which the oracle does not know.
            query.limit = 10_000
            return .besidePrevious(query.span, Names(keys: [0, 1], part: 1, counts: [2, 4])) { span in
                var query = query
                query.span = span
                return .attribution(query)
            }
        }
    )

    /// Questions about single posts are for one place only (`OracleQuestion.Place`).
    private static let breakdown = OracleReport(ask: { questions in
        [.breakdown(questions.breakdown())]
            + (questions.random.chance(50) ? [.breakdown(questions.breakdown(with: .post))] : [])
    })

    private static let changes = OracleReport(ask: { questions in
        (0..<3).map { _ in .changes(questions.changes()) }
    })

    private static let channels = OracleReport(
        ask: { [.channels($0.channels())] },
        askBesidePrevious: { questions in
            let query = questions.channels()
            return .besidePrevious(query.span, names([0], by: query.period, counts: Array(1...6))) { span in
                var query = query
                query.span = span
                return .channels(query)
            }
        }
    )

    private static let compare = OracleReport(ask: { [.compare($0.compare())] })

    private static let funnel = OracleReport(ask: { questions in
        [
            .funnel(questions.funnel()), .funnel(questions.variedFunnel(), questions.funnelTable()),
            .funnel(questions.variedFunnel(), questions.funnelTable()),
        ]
    })

    private static let generations = OracleReport(
        ask: { [.generations($0.generations())] },
        askBesidePrevious: { questions in
            var query = questions.generations()
            // The preceding range shows the groups that this one shows, which the oracle does not know.
            query.limit = 10_000
            let counts = [1, 2, 3, 4, 8, 10]
            return .besidePrevious(
                query.span,
                query.grouping == .ungrouped
                    ? Names(keys: [0], counts: counts, trimmed: [7])
                    : Names(keys: [0, 1], part: 1, counts: counts.map { $0 + 1 }, trimmed: [8]),
                by: query.grouping
            ) { span in
                var query = query
                query.span = span
                return .generations(query)
            }
        }
    )

    private static let goals = OracleReport(
        ask: { [.goals($0.span(), limit: $0.optionalLimit())] },
        askBesidePrevious: {
            .besidePrevious($0.span(), Names(keys: [0], counts: [1, 2, 3], texts: [4, 5])) { .goals($0) }
        }
    )

    private static let installs = OracleReport(ask: { questions in
        [.installs(questions.funnel()), .installs(questions.variedFunnel(), questions.funnelTable())]
    })

    private static let links = OracleReport(ask: { [.links($0.links())] })

    private static let logins = OracleReport(
        ask: { questions in
            let grouping = questions.random.pick(groupingsOfLogins)
            return [.logins(questions.span(), by: grouping, limit: questions.optionalLimit())]
        },
        askBesidePrevious: { questions in
            let grouping = questions.random.pick(groupingsOfLogins)
            let names =
                grouping == .ungrouped || grouping.period != nil
                ? names([0, 1], by: grouping.period, counts: [2, 3]) : Names(keys: [0, 1, 2], part: 0, counts: [3, 4])
            return .besidePrevious(questions.span(), names) { .logins($0, by: grouping) }
        }
    )

    private static let groupingsOfLogins: [Oracle.Grouping] =
        [.ungrouped, .day, .week, .month] + Oracle.Grouping.ofEveryEvent

    private static let overlap = OracleReport(
        ask: { questions in
            let isOfPair = questions.random.chance(50)
            return [.overlap(questions.overlap(ofPair: isOfPair))]
        },
        askBesidePrevious: { questions in
            let query = questions.overlap(ofPair: true)
            return .besidePrevious(query.span, Names(keys: [0, 1], counts: [2, 3, 4, 5, 6, 8])) { span in
                var query = query
                query.span = span
                return .overlap(query)
            }
        }
    )

    private static let paths = OracleReport(
        ask: { [.paths($0.paths())] },
        askBesidePrevious: { questions in
            let query = questions.paths()
            return .besidePrevious(query.span, Names(keys: [0], counts: [1, 3])) { span in
                var query = query
                query.span = span
                return .paths(query)
            }
        }
    )

    private static let posts = OracleReport(
        ask: { questions in
            let posts = OracleQuestion.posts(
                questions.span(),
                by: questions.period(),
                where: questions.random.chance(50) ? questions.conditionsOfPosts() : [],
                limit: questions.optionalLimit()
            )
            guard questions.random.chance(50) else { return [posts] }
            let each = questions.eachPost()
            var named = each
            named.isNamed = true
            return [posts, .eachPost(each), .eachPost(named)]
        },
        askBesidePrevious: { questions in
            let length = questions.period()
            let conditions = questions.random.chance(50) ? questions.conditionsOfPosts() : []
            return .besidePrevious(questions.span(), names([0, 1], by: length, counts: [2, 3, 4, 5, 7])) {
                .posts($0, by: length, where: conditions)
            }
        }
    )

    private static let refs = OracleReport(
        ask: { [.refs($0.refs())] },
        askBesidePrevious: { questions in
            var query = questions.refs()
            // Which refs the preceding range shows is a question of both ranges.
            query.limit = nil
            let counts = Array(1...4) + Array(6...12)
            return .besidePrevious(query.span, names([0], by: query.period, counts: counts)) { span in
                var query = query
                query.span = span
                return .refs(query)
            }
        }
    )

    private static let retention = OracleReport(
        ask: { [.retention($0.retention())] },
        askBesidePrevious: { questions in
            var query = questions.retention()
            query.limit = 10_000
            let isMatured = questions.random.chance(50)
            let now = questions.stream.now
            return .besidePrevious(
                query.span,
                query.pooledAt == nil
                    ? Names(keys: [1, 2], calendar: (column: 0, period: query.period), counts: [3, 4, 6, 7])
                    : Names(keys: [0, 1, 2], counts: [3, 4, 6, 7]),
                more: isMatured ? [] : [("matured", "off")],
                by: query.grouping,
                part: { oracle, span in
                    var query = query
                    query.span = span
                    return isMatured ? oracle.matured(query, now: now).span : span
                },
                { span in
                    var query = query
                    query.span = span
                    return .retention(query)
                }
            )
        }
    )

    private static let viral = OracleReport(
        ask: { [.viral($0.viral())] },
        askBesidePrevious: { questions in
            var query = questions.viral()
            query.limit = nil
            let now = questions.stream.now
            return .besidePrevious(
                query.span,
                Names(keys: [0], counts: [1, 2, 3, 4, 5, 6, 9], trimmed: [10]),
                part: { _, span in query.within.map { span.before(now.advanced(by: .zero - $0)) } ?? span },
                { span in
                    var query = query
                    query.span = span
                    return .viral(query)
                }
            )
        }
    )

    /// Those of a report by period, whose first column is then the period.
    private static func names(_ keys: [Int], by length: Oracle.PeriodLength?, counts: [Int]) -> Names {
        guard let period = length.flatMap({ Oracle.Period(rawValue: $0.rawValue) }) else {
            return Names(keys: keys, counts: counts)
        }
        return Names(keys: keys.map { $0 + 1 }, calendar: (column: 0, period: period), counts: counts.map { $0 + 1 })
    }
}
