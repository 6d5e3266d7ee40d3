import Events
import InboundLinks

extension Oracle {
    struct ChannelsQuery {
        var span: Span
        /// Limits conversions, and so their value.
        var goal: String?
        var lookback: Duration = .days(7)
        /// Read by `OracleQuestion`.
        var period: PeriodLength?
    }

    /// `channel, touches, people, authenticated_touches, installs, conversions, value`
    ///
    /// Chosen: an authenticated touch is one with the flag, including a `link_click`.
    func channels(_ query: ChannelsQuery) -> [[String]] {
        let touches = touches.filter { query.span.contains($0.time) && isKept($0) }
        let credited = LastTouch(self, span: query.span, goal: query.goal, lookback: query.lookback, by: .channel)
        return Channel.allCases.map { channel in
            [channel.rawValue] + Self.touchCells(touches.filter { $0.touch?.channel == channel })
                + credited.cells(of: Name(channel.rawValue))
        } + [
            [Name.direct.text] + Self.touchCells([]) + credited.cells(of: .direct),
            [Name.total.text] + Self.touchCells(touches) + credited.totalCells,
        ]
    }

    /// `touches, people, authenticated_touches`
    static func touchCells(_ touches: [Fact]) -> [String] {
        [
            String(touches.count),
            String(Set(touches.compactMap(\.person)).count),
            String(touches.count { $0.touch?.isAuthenticated ?? false }),
        ]
    }

    /// Installs, conversions and value credited to the last touch, for `channels` and `refs`.
    struct LastTouch {
        private let installs: [Name: (share: Fraction, value: Fraction)]
        private let conversions: [Name: (share: Fraction, value: Fraction)]

        init(_ oracle: Oracle, span: Span, goal: String?, lookback: Duration, by grouping: Grouping) {
            func rows(_ credited: Credited) -> [Name: (share: Fraction, value: Fraction)] {
                let credits = oracle.credits(of: credited, goal: goal, in: span, lookback: lookback, model: .last)
                return oracle.byRow(credits, by: grouping)
            }
            installs = rows(.install)
            conversions = rows(.conversion)
        }

        var names: Set<Name> {
            Set(installs.keys).union(conversions.keys)
        }

        func installs(of name: Name) -> Fraction { installs(of: [name]) }

        func installs(of names: Set<Name>) -> Fraction { .sum(names.compactMap { installs[$0]?.share }) }

        var totalInstalls: Fraction {
            .sum(installs.values.map(\.share))
        }

        /// `installs, conversions, value`
        func cells(of name: Name) -> [String] { cells(of: [name]) }

        func cells(of names: Set<Name>) -> [String] {
            [
                Cell.amount(installs(of: names)),
                Cell.amount(.sum(names.compactMap { conversions[$0]?.share })),
                Cell.amount(.sum(names.compactMap { conversions[$0]?.value })),
            ]
        }

        var totalCells: [String] {
            [
                Cell.amount(totalInstalls),
                Cell.amount(.sum(conversions.values.map(\.share))),
                Cell.amount(.sum(conversions.values.map(\.value))),
            ]
        }
    }
}
