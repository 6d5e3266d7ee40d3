import Addresses
import Events
import Gzip
import InboundLinks
import JSONReading
import NIOCore
import NIOHTTP1
import Redirects
import Synchronization
import Text
import Time

/// Everything on a host of short links that is no path of the daemon itself (docs/redirects.md).
///
/// Nothing here waits, so that a visit needs no task. ``DirectHandler`` calls the steps as the request arrives.
struct RedirectEndpoint: Sendable {
    /// A request on a host of short links.
    struct Visit: Sendable {
        /// The position of the database whose link it is.
        let database: Int
        let visitor: Visitor
        let host: String
        /// The app whose host it is.
        let app: LinkApp
        let path: LinkPath
        let links: LinkDirectory.Contents
        /// Whom the limit of requests counts; nil if it is unknown.
        let address: IPAddress?
        let acceptsGzip: Bool
        /// ISO 3166-1 alpha-2; nil if no trusted proxy says it.
        let country: String?
    }

    /// By the positions of their databases.
    let apps: [ServedApps]
    let proxies: TrustedProxies
    /// Nil: no proxy says a visitor's country.
    let countryHeader: String?
    /// Nil: no limit.
    let limiter: RateLimiter<IPAddress>?
    let metrics: RedirectMetrics
    let ids: ClickIDs
    let now: @Sendable () throws(ClockFault) -> Timestamp

    /// - Parameter peer: where the connection comes from.
    /// - Returns: nil if the request is for another host, or for a path of the daemon itself.
    func visit(_ head: HTTPRequestHead, from peer: SocketAddress?) -> Visit? {
        guard apps.contains(where: { $0.directory.contents.table.hasHosts }) else { return nil }
        let origin = proxies.origin(of: head, from: peer.flatMap(IPAddress.init))
        guard let host = origin.host.flatMap(LinkHost.named), let (database, links, app) = place(of: host) else {
            return nil
        }
        let visitor = Visitor(method: head.method.rawValue, target: head.uri, headers: head.headers)
        guard let path = LinkPath(visitor.target.path) else { return nil }
        return Visit(
            database: database,
            visitor: visitor,
            host: host,
            app: app,
            path: path,
            links: links,
            address: origin.visitor?.visitor,
            acceptsGzip: head.headers[canonicalForm: "accept-encoding"].contains {
                $0.hasPrefix("gzip") && !$0.hasSuffix("q=0")
            },
            country: origin.isProxied
                ? countryHeader.flatMap { head.headers.first(name: $0) }.flatMap(CountryCode.normalised) : nil
        )
    }

    /// The app whose host it is, and the position of its database. If several databases have the host, that is the
    /// first one from which the app has not moved.
    private func place(of host: String) -> (database: Int, links: LinkDirectory.Contents, app: LinkApp)? {
        let places = apps.indices.lazy.compactMap { database in
            let links = apps[database].directory.contents
            return links.table.app(of: host).map { (database: database, links: links, app: $0) }
        }
        return places.first { !$0.links.movedApps.contains($0.app.id) } ?? places.first
    }

    /// - Parameter end: called once with the answer, on any thread.
    func answer(_ visit: Visit, end: @escaping @Sendable (Reply) -> Void) {
        if let limiter, let address = visit.address,
            case .limited(let wait) = limiter.take(for: address, at: .now).decision
        {
            metrics.answered(RedirectMetrics.limited)
            return end(finish(Self.tooMany(wait), visit))
        }
        switch visit.path {
        case .robots:
            // Previewers must reach links.
            end(finish(Self.file("User-agent: *\nAllow: /\n", "text/plain; charset=utf-8"), visit))
        case .icon:
            var reply = Reply(status: .noContent, contentType: nil, text: "")
            reply.cacheControl = "max-age=86400"
            end(reply)
        case .appleAssociation:
            end(
                finish(
                    AssociationFiles.apple(visit.app).map { Self.file($0, "application/json") } ?? Self.notFound,
                    visit
                )
            )
        case .androidAssociation:
            end(
                finish(
                    AssociationFiles.android(visit.app).map { Self.file($0, "application/json") } ?? Self.notFound,
                    visit
                )
            )
        case .link:
            redirect(visit, end: end)
        }
    }

    private func redirect(_ visit: Visit, end: @escaping @Sendable (Reply) -> Void) {
        let (visitor, app) = (visit.visitor, visit.app)
        if visitor.target.path.isEmpty {
            var page = reply(to: visit, .notFound(visitor, app: app))
            page.status = .badRequest
            return end(page)
        }
        guard visitor.method != .other, let slug = visitor.target.slug else {
            return end(reply(to: visit, .notFound(visitor, app: app)))
        }
        guard let link = visit.links.table.link(host: visit.host, askedAs: slug) else {
            guard visit.links.isCurrent else {
                metrics.answered(RedirectMetrics.unavailable)
                return end(finish(Self.unavailable, visit))
            }
            return end(reply(to: visit, .notFound(visitor, app: app)))
        }
        let time: Timestamp
        let clockFault: ClockFault?
        do throws(ClockFault) {
            time = try now()
            clockFault = nil
        } catch {
            // Events cannot be dated now, but the visitor need not wait for that.
            time = .now
            clockFault = error
        }
        let id = ids.make(at: time)
        let redirect = Redirect.decide(
            visitor,
            link: link,
            app: app,
            clickID: id.description,
            now: clockFault == nil ? time : nil
        )
        let clicks = apps[visit.database].clicks
        guard redirect.isCounted else {
            if redirect.hit != .none { clicks.count(redirect.hit, ofHost: link.host, slug: link.slug, at: time) }
            return end(reply(to: visit, redirect))
        }
        guard clockFault == nil, let appNumber = visit.links.appNumbers[app.id] else {
            clicks.lose(because: clockFault?.reason ?? "the app \(app.id) is unknown")
            metrics.stored(in: nil)
            if redirect.carry.code != nil { metrics.showedNoCode() }
            return end(reply(to: visit, redirect.withoutCode))
        }
        let click = Submission(
            appNumber: appNumber,
            keyPrefix: "link",
            receivedAt: time,
            events: [Event(clickOn: link, visit, redirect, id: id, at: time)],
            rulesVersion: visit.links.rulesVersion(of: app.id)
        )
        // Written before the commit: afterwards it would hold up the next one.
        let reply = reply(to: visit, redirect)
        guard redirect.carry.code != nil else {
            return clicks.store(click, isSought: false) {
                end(reply)
            } end: { place in
                metrics.stored(in: place)
            }
        }
        // A code is looked up in the database.
        let commit = ClickCommit()
        clicks.store(click, isSought: true) {
            let isKnown = commit.isKnown.load(ordering: .acquiring)
            if !isKnown { metrics.showedNoCode() }
            end(isKnown ? reply : make(redirect.withoutCode, visit))
        } end: { place in
            if place == .database { commit.isKnown.store(true, ordering: .releasing) }
            metrics.stored(in: place)
        }
    }

    // MARK: Answers

    private func reply(to visit: Visit, _ redirect: Redirect) -> Reply {
        metrics.answered(redirect.outcome.rawValue)
        return make(redirect, visit)
    }

    private func make(_ redirect: Redirect, _ visit: Visit) -> Reply {
        let nonce = redirect.page == nil ? "" : Self.nonce()
        var reply = Reply(status: HTTPResponseStatus(statusCode: redirect.status), contentType: nil, text: "")
        for (name, value) in LinkHeaders.all(redirect, nonce: nonce) {
            switch name {
            case "Content-Type": reply.contentType = value
            case "Cache-Control": reply.cacheControl = value
            default: reply.fields.append(HeaderField(name, value))
            }
        }
        if let html = redirect.html(nonce: nonce) {
            reply.body = .text(html)
            if case .crawler? = redirect.page {
                reply.fields.append(HeaderField("Vary", "Accept-Encoding"))
                if visit.acceptsGzip, let bytes = GzipDeflation.deflating(Array(html.utf8)) {
                    reply.body = .bytes(bytes)
                    reply.fields.append(HeaderField("Content-Encoding", "gzip"))
                }
            }
        }
        return finish(reply, visit)
    }

    private func finish(_ reply: Reply, _ visit: Visit) -> Reply {
        var reply = reply
        reply.omitsBody = visit.visitor.method == .head
        return reply
    }

    private static func file(_ text: String, _ contentType: String) -> Reply {
        var reply = Reply(status: .ok, contentType: contentType, text: text)
        reply.cacheControl = "max-age=3600"
        return reply
    }

    private static let notFound = plain(.notFound, "There is no such file on this host.\n")

    private static let unavailable = plain(
        .serviceUnavailable,
        "This link is not known here yet. Please try again in a moment.\n",
        retryAfter: 5
    )

    private static func tooMany(_ wait: Duration) -> Reply {
        plain(
            .tooManyRequests,
            "Too many requests from your address. Please try again in a moment.\n",
            retryAfter: wait.wholeSecondsRoundedUp
        )
    }

    private static func plain(_ status: HTTPResponseStatus, _ text: String, retryAfter: Int64? = nil) -> Reply {
        var fields = LinkHeaders.always.filter { $0.name != "Cache-Control" }.map { HeaderField($0.name, $0.value) }
        if let retryAfter { fields.append(HeaderField("Retry-After", String(retryAfter))) }
        return Reply(status: status, contentType: "text/plain; charset=utf-8", text: text, fields: fields)
    }

    private static func nonce() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).flatMap { _ in withUnsafeBytes(of: generator.next() as UInt64) { Array($0) } }.hexadecimal
    }
}

/// Whether a click is in the database, as far as is known when its visitor is answered.
private final class ClickCommit: Sendable {
    let isKnown = Atomic(false)
}

/// Makes the ids of clicks, for all connections.
final class ClickIDs: Sendable {
    private let maker = Mutex(EventIDMaker())

    func make(at time: Timestamp) -> EventID { maker.withLock { $0.makeID(at: time) } }
}

extension Event {
    /// The click of a visitor.
    fileprivate init(
        clickOn link: Link,
        _ visit: RedirectEndpoint.Visit,
        _ redirect: Redirect,
        id: EventID,
        at time: Timestamp
    ) {
        var properties = JSONWriter()
        properties.object { json in
            json.member("link", link.slug)
            json.member("host", link.host)
            json.member("outcome", redirect.outcome.rawValue)
            // The look-up of codes finds the click by it.
            if redirect.carry.code != nil { json.member("shows_code", true) }
        }
        let target = visit.visitor.target
        let stated = LinkOverrides(
            targetURL: link.targetURL ?? link.appURL,
            refs: link.refs,
            channel: link.channel,
            refererApp: redirect.refererApp,
            refererURL: redirect.refererURL,
            // What the query says of these is not about this click.
            authenticated: false,
            deferred: false
        )
        var touch = Touch(
            visitOf: "https://\(link.host)\(target.path)" + (target.query.map { "?\($0)" } ?? ""),
            stated: stated,
            rules: visit.links.rules(of: visit.app.id)
        )
        touch.recordShortLink(link)
        self.init(
            id: id,
            occurredAt: time,
            receivedAt: time,
            clickID: id.description,
            platform: redirect.platform,
            country: visit.country,
            language: visit.visitor.headers.language,
            properties: properties.text,
            content: .linkClick(touch)
        )
    }
}
