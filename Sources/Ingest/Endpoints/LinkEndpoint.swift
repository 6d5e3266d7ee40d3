import HTTPTypes
import HummingbirdCore
import InboundLinks
import JSONReading
import NIOCore
import QRCodes
import Redirects

/// `/v1/links`: the short links of an app (docs/redirects.md, *Links over HTTP*).
struct LinkEndpoint: Sendable {
    let room: AnswerAdmission
    let source: any LinkSource
    let limits: IngestLimits

    /// How many links a request may create.
    static let countAtOnce = 1_000

    // MARK: All links

    func links(_ call: RoutedRequest, for caller: KeyGuard.Caller) async throws(Problem) -> Response {
        call.request.method == .post ? try await create(call, for: caller) : try await list(call, for: caller)
    }

    private func create(_ call: RoutedRequest, for caller: KeyGuard.Caller) async throws(Problem) -> Response {
        let parameters = try call.query.values(of: ["reuse"])
        let reuse = try Self.flag(parameters["reuse"], "reuse")
        let body = try await room.json(of: call.request, from: caller, limits)
        let drafts = try LinkDrafts(reading: body.bytes)
        let links = drafts.items.compactMap { try? $0.get() }
        let created = try await room.answer(caller, holding: body.ticket) { [source] () async throws(AnswerFailure) in
            try await source.create(links, reuse: reuse, for: caller.principal)
        }
        return try drafts.answer(created, for: caller)
    }

    private func list(_ call: RoutedRequest, for caller: KeyGuard.Caller) async throws(Problem) -> Response {
        let parameters = try call.query.values(of: ["host", "ref", "text", PageLimit.name, "after"])
        let choice = LinkChoice(
            host: try Self.host(parameters["host"]),
            ref: parameters["ref"],
            text: parameters["text"]
        )
        let limit = try PageLimit.read(parameters[PageLimit.name])
        let after = try parameters["after"].map { cursor throws(Problem) in
            guard let slash = cursor.firstIndex(of: "/") else {
                throw Problem(.invalidParameter, "after must be the `next` of an earlier answer.", field: "after")
            }
            return (host: String(cursor[..<slash]), slug: String(cursor[cursor.index(after: slash)...]))
        }
        let page = try await ListPage<Link>.read(limit) { count throws(Problem) in
            try await room.answer(caller) { [source] () async throws(AnswerFailure) in
                try await source.links(choice, after: after, limit: count, for: caller.principal)
            }
        }
        let json = page.json("links", next: { "\($0.host)/\($0.slug)" }) { link, json in json.raw(link.answer) }
        return Response(json: json, for: caller)
    }

    // MARK: One link

    func link(_ call: RoutedRequest, for caller: KeyGuard.Caller) async throws(Problem) -> Response {
        let host = try Self.host(try call.query.values(of: ["host"])["host"])
        switch call.request.method {
        case .patch: return try await change(call, host: host, for: caller)
        case .delete:
            let isDeleted = try await room.answer(caller) { [source] () async throws(AnswerFailure) in
                try await source.delete(host: host, slug: call.parameter, for: caller.principal)
            }
            guard isDeleted else { throw .unknownLink }
            var response = Response(status: .noContent)
            response.add(caller.fields)
            return response
        default:
            return Response(json: try await found(call, host: host, for: caller).answer, for: caller)
        }
    }

    private func change(
        _ call: RoutedRequest,
        host: String?,
        for caller: KeyGuard.Caller
    ) async throws(Problem) -> Response {
        let body = try await room.json(of: call.request, from: caller, limits)
        let change = try LinkDrafts.change(reading: body.bytes)
        let result = try await room.answer(caller, holding: body.ticket) { [source] () async throws(AnswerFailure) in
            try await source.update(host: host, slug: call.parameter, for: caller.principal, change: change)
        }
        switch result {
        case nil: throw .unknownLink
        case .updated(let link): return Response(json: link.answer, for: caller)
        case .faults(let faults): throw Problem(faults)
        }
    }

    func qr(_ call: RoutedRequest, for caller: KeyGuard.Caller) async throws(Problem) -> Response {
        let parameters = try call.query.values(of: ["host", "format"])
        let format = parameters["format"] ?? "svg"
        guard ["svg", "png"].contains(format) else {
            var problem = Problem(.invalidParameter, "format must be svg or png.", field: "format")
            problem.allowed = ["svg", "png"]
            throw problem
        }
        let link = try await found(call, host: try Self.host(parameters["host"]), for: caller)
        // A link's address is far shorter than the longest text that a code holds.
        guard let code = QRCode(link.shortURL) else { throw .unknownLink }
        var response =
            format == "svg"
            ? Response(status: .ok, contentType: "image/svg+xml", text: code.svg)
            : Response(
                status: .ok,
                headers: [.contentType: "image/png", .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: code.png()))
            )
        response.add(caller.fields)
        return response
    }

    private func found(
        _ call: RoutedRequest,
        host: String?,
        for caller: KeyGuard.Caller
    ) async throws(Problem) -> Link {
        let link = try await room.answer(caller) { [source] () async throws(AnswerFailure) in
            try await source.link(host: host, slug: call.parameter, for: caller.principal)
        }
        guard let link else { throw .unknownLink }
        return link
    }

    // MARK: Requests

    private static func flag(_ text: String?, _ name: String) throws(Problem) -> Bool {
        guard let text else { return false }
        guard let flag = Bool(text) else {
            throw Problem(.invalidParameter, "\(name) must be true or false.", field: name)
        }
        return flag
    }

    private static func host(_ text: String?) throws(Problem) -> String? {
        guard let text else { return nil }
        guard let host = LinkHost.named(by: text) else {
            throw Problem(.invalidParameter, "host must be the name of a host.", field: "host")
        }
        return host
    }
}

extension Problem {
    fileprivate static let unknownLink = Problem(.unknownLink, "The app has no link with this slug.", field: "slug")
}
