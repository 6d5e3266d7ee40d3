import Foundation
import NIOHTTP1
import Redirects
import Time

/// Follows a link as eight visitors, and compares what the host answers with what the daemon decides.
struct VisitorCheck: Sendable {
    private static let visitors = [
        ("iPhone, Safari", SampleAgents.iPhone), ("iPhone, Facebook", SampleAgents.facebookOnIPhone),
        ("iPad, Safari", SampleAgents.iPad), ("Android, Chrome", SampleAgents.android),
        ("Android, Facebook", SampleAgents.facebookOnAndroid), ("Mac, Safari", SampleAgents.macSafari),
        ("Windows, Chrome", SampleAgents.desktop), ("Facebook's preview", SampleAgents.facebookCrawler),
    ]
    /// Stores and sites redirect, for example to a page in another language.
    private static let redirectLimit = 5

    let link: Link
    let app: LinkApp
    let client: HostClient

    func findings() async -> [DoctorFinding] {
        var findings: [DoctorFinding] = []
        /// Addresses that visitors are sent to, each with the first of them.
        var places: [(url: String, agent: String)] = []
        for (name, agent) in Self.visitors {
            let visitor = "\(link.shortURL): \(name)"
            do throws(HostClient.Failure) {
                let (expected, answer) = try await visit(as: agent)
                findings.append(Self.judged(answer, beside: expected, visitor))
                if let place = answer.header("location"), !places.contains(where: { $0.url == place }) {
                    places.append((place, agent))
                }
            } catch {
                return findings + [DoctorFinding(.wrong, "\(visitor): \(error.reason)")]
            }
        }
        for (url, agent) in places { findings.append(await destination(url, agent)) }
        return findings
    }

    /// A person asks with HEAD, which counts no click. A preview counts none anyway, and its page is worth reading.
    private func visit(as agent: String) async throws(HostClient.Failure) -> (Redirect, HostClient.Answer) {
        let method: HTTPMethod = agent == SampleAgents.facebookCrawler ? .GET : .HEAD
        let path = TrialSettings(link: link, app: app).path
        let visitor = Visitor(method: method.rawValue, target: path, headers: [(name: "User-Agent", value: agent)])
        let expected = Redirect.decide(visitor, link: link, app: app, clickID: LinkTrial.clickID, now: .now)
        return (expected, try await client.ask(link.host, path, method, agent: agent))
    }

    private static func judged(
        _ answer: HostClient.Answer,
        beside expected: Redirect,
        _ visitor: String
    ) -> DoctorFinding {
        guard answer.status == expected.status else {
            return DoctorFinding(
                .wrong,
                "\(visitor): answered with \(answer.status), and it should be \(expected.status)",
                advice: answer.advice(
                    otherwise: "Something between the visitor and tributaryd changes the answer: a proxy, a cache or a "
                        + "firewall."
                )
            )
        }
        guard answer.header("location") == expected.location else {
            return DoctorFinding(
                .wrong,
                "\(visitor): sent to \(answer.header("location") ?? "nowhere"), and it should be "
                    + (expected.location ?? "a page"),
                advice: "Does the host serve another database, or a daemon of another version?"
            )
        }
        if expected.outcome == .crawlerPage, !String(decoding: answer.body, as: UTF8.self).contains("og:url") {
            return DoctorFinding(
                .wrong,
                "\(visitor): the page has no preview tags",
                advice: "Does a proxy change pages?"
            )
        }
        switch expected.outcome {
        case .notAvailable, .expired, .notFound:
            return DoctorFinding(.warning, "\(visitor): finds nothing (\(expected.outcome.rawValue))")
        default:
            let place = expected.location ?? "a page (\(expected.outcome.rawValue))"
            return DoctorFinding(.good, "\(visitor): gets \(place)")
        }
    }

    /// Where a visitor is sent must answer. Only a page that does not exist is a mistake for sure.
    private func destination(_ url: String, _ agent: String) async -> DoctorFinding {
        var place = url
        for _ in 0...Self.redirectLimit {
            guard place.hasPrefix("http:") || place.hasPrefix("https:") else {
                return DoctorFinding(.good, "\(url): leads to \(place)")
            }
            let answer: HostClient.Answer
            do throws(HostClient.Failure) {
                answer = try await client.ask(place, .GET, agent: agent)
            } catch {
                return DoctorFinding(.warning, "\(url): \(error.reason)")
            }
            if (300..<400).contains(answer.status), let next = answer.header("location"),
                let resolved = URL(string: next, relativeTo: URL(string: place))
            {
                place = resolved.absoluteString
                continue
            }
            switch answer.status {
            case 200..<300: return DoctorFinding(.good, "\(url): answers")
            case 404, 410:
                return DoctorFinding(
                    .wrong,
                    "\(url): there is no such page (\(answer.status))",
                    advice: "Of a store: is the id right, and is the app published?"
                )
            default: return DoctorFinding(.warning, "\(url): answers with \(answer.status)")
            }
        }
        return DoctorFinding(.warning, "\(url): redirects more than \(Self.redirectLimit) times")
    }
}
