import Events
import InboundLinks
import Time

extension Oracle {
    struct LinksQuery {
        var span: Span
        /// Limits conversions, and so their value.
        var goal: String?
        var lookback: Duration = .days(7)
        /// How many links have rows of their own; nil for all.
        var limit: Int?
    }

    /// `link, host, ref, clicks, people, previews, bots, installs, authentications, conversions, value,
    /// preview_share, bot_share, returned, return_rate`, without refs and hits, which are no facts.
    func links(_ query: LinksQuery) -> [[String]] {
        let clicks = touches.filter { fact in
            query.span.contains(fact.time) && isKept(fact)
                && fact.touch.map { $0.isClick && $0.shortLink != nil } ?? false
        }
        func credits(_ credited: Credited) -> [Credit] {
            self.credits(of: credited, goal: query.goal, in: query.span, lookback: query.lookback, model: .last)
                .filter { $0.share > .zero && $0.touch?.shortLink != nil }
        }
        let (installs, conversions) = (credits(.install), credits(.conversion))
        // The links of the last touches before granted authentications.
        let authentications = facts.compactMap { fact -> (link: Name, share: Fraction)? in
            guard fact.login?.outcome == .granted, query.span.contains(fact.time),
                let last = touches(before: fact, lookback: query.lookback).last, let link = last.touch?.shortLink,
                isKept(last)
            else { return nil }
            return (link, keptPart(of: last))
        }

        // "Another event of the person has its id as `click_id`, from an hour before the click to 90 days after it."
        func isReturned(_ fact: Fact) -> Bool {
            guard let touch = fact.touch else { return false }
            let id = touch.isInboundLink ? touch.openedClick : fact.eventID
            return returns.contains {
                $0.click == id && $0.person == fact.person && fact.time.advanced(by: .seconds(-3_600)) <= $0.time
                    && $0.time <= fact.time.advanced(by: .days(90))
            }
        }

        // "Hits have no property but their link", and are of nobody.
        let hits = conditions.allSatisfy { $0.key == .link } && whole.isEmpty ? "0" : ""

        /// - Parameter links: those of the row; nil for `total`.
        func row(_ name: Name, _ links: Set<Name>?) -> [String] {
            func isShown(_ link: Name?) -> Bool { links.map { links in link.map(links.contains) ?? false } ?? true }
            let own = clicks.filter { isShown($0.touch?.shortLink) }
            let conversions = conversions.filter { isShown($0.touch?.shortLink) }
            return [
                name.text,
                links == [name] ? String(name.text.prefix { $0 != "/" }) : "",
                "",
                String(own.count),
                String(Set(own.compactMap(\.person)).count),
                hits,
                hits,
                Cell.amount(.sum(installs.filter { isShown($0.touch?.shortLink) }.map(\.share))),
                Cell.amount(.sum(authentications.filter { isShown($0.link) }.map(\.share))),
                Cell.amount(.sum(conversions.map(\.share))),
                Cell.amount(.sum(conversions.map(\.value))),
            ] + Array(repeating: hits.isEmpty ? Cell.undefined : Cell.rate(0, of: own.count), count: 2)
                + [String(own.count(where: isReturned)), Cell.rate(own.count(where: isReturned), of: own.count)]
        }
        let names = Set(clicks.compactMap { $0.touch?.shortLink } + authentications.map(\.link))
            .union((installs + conversions).compactMap { $0.touch?.shortLink })
        func count(_ name: Name) -> Int { clicks.count { $0.touch?.shortLink == name } }
        let sorted = names.sorted { count($0) == count($1) ? $0 < $1 : count($0) > count($1) }
        let shown = sorted.prefix(query.limit ?? sorted.count)
        let others = Set(sorted.dropFirst(shown.count))
        return shown.map { row($0, [$0]) } + (others.isEmpty ? [] : [row(.others, others)]) + [row(.total, nil)]
    }
}
