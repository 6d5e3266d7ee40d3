import HTTPTypes
import HummingbirdCore
import InboundLinks
import JSONReading
import NIOCore
import Redirects

/// The links of the body of `POST /v1/links`, read but not yet stored: one object, an array, or `{"links": […]}`.
struct LinkDrafts {
    /// A link, or the fault of the first field that cannot be read.
    let items: [Result<Link, LinkFault>]
    /// Whether the body is one link, and not a list.
    let isSingle: Bool

    init(reading bytes: ByteBuffer) throws(Problem) {
        let root = try Self.root(of: bytes)
        let list: JSONNode
        if root.kind == .array {
            list = root
        } else if let links = root["links"] {
            for (name, _) in root.members where name != "links" {
                throw Problem(
                    .unknownField,
                    "A list of links has no field beside `links`.",
                    field: Redaction.redact(name)
                )
            }
            guard links.kind == .array else {
                throw Problem(.invalidField, "links must be an array of links.", field: "links")
            }
            list = links
        } else {
            items = [Self.link(root)]
            isSingle = true
            return
        }
        let count = list.count
        guard count > 0 else { throw Problem(.emptyBatch, "There is no link in the body.") }
        guard count <= LinkEndpoint.countAtOnce else {
            throw Problem(
                .tooManyLinks,
                "A request may create \(LinkEndpoint.countAtOnce) links; send the rest in another."
            )
        }
        items = list.elements.map(Self.link)
        isSingle = false
    }

    private static func root(of bytes: ByteBuffer) throws(Problem) -> JSONNode {
        do throws(JSONError) {
            return try JSONDocument(reading: bytes.readableBytesView).root
        } catch {
            throw Problem(.malformedBody, "The body is not valid JSON (RFC 8259): an object, or an array of objects.")
        }
    }

    private static func link(_ node: JSONNode) -> Result<Link, LinkFault> {
        Result { () throws(LinkFault) in
            var link = Link(host: "", slug: "")
            try set(node, of: &link, skipping: ["host", "slug"])
            return link
        }
    }

    /// What the body of `PATCH /v1/links/SLUG` does to a link.
    static func change(
        reading bytes: ByteBuffer
    ) throws(Problem) -> @Sendable (inout Link) throws(LinkFault) -> Void {
        let root = try root(of: bytes)
        guard root.kind == .object else {
            throw Problem(.malformedBody, "The body must be a JSON object with the fields to change.")
        }
        return { link throws(LinkFault) in try set(root, of: &link) }
    }

    /// - Parameter optional: fields that count as absent if they are null.
    private static func set(
        _ node: JSONNode,
        of link: inout Link,
        skipping optional: Set<String> = []
    ) throws(LinkFault) {
        guard node.kind == .object else { throw LinkFault(.invalidType, "links", "a link must be an object") }
        var seen: Set<String> = []
        for (name, value) in node.members {
            guard seen.insert(name).inserted else {
                throw LinkFault(.duplicateField, Redaction.redact(name), "a field is given twice")
            }
            if value.kind == .null, optional.contains(name) { continue }
            guard try link.set(name, to: value) else {
                throw LinkFault(.unknownField, Redaction.redact(name), "a link has no such field")
            }
        }
    }

    // MARK: The answer

    /// - Parameter created: the result of each link that could be read, in their order.
    func answer(_ created: [LinkCreation], for caller: KeyGuard.Caller) throws(Problem) -> Response {
        var results = created[...]
        let all = items.map { item -> LinkCreation in
            switch item {
            case .success: results.popFirst() ?? .faults([])
            case .failure(let fault): .faults([fault])
            }
        }
        if isSingle, let only = all.first {
            switch only {
            case .created(let link): return Response(status: .created, json: link.answer, for: caller)
            case .reused(let link): return Response(json: link.answer, for: caller)
            case .faults(let faults): throw Problem(faults)
            }
        }
        var rejections: [LinkRejection] = []
        var createdCount = 0
        var reusedCount = 0
        for (index, result) in all.enumerated() {
            switch result {
            case .created: createdCount += 1
            case .reused: reusedCount += 1
            case .faults(let faults): rejections += faults.map { LinkRejection(index: index, fault: $0) }
            }
        }
        guard createdCount + reusedCount > 0 else {
            var problem = Problem(.invalidLink, "No link of the list can be created; see `rejected`.")
            problem.linkRejections = rejections
            throw problem
        }
        var json = JSONWriter()
        json.object { json in
            json.member("created", createdCount)
            json.member("reused", reusedCount)
            json.key("links")
            json.array { json in
                for result in all {
                    switch result {
                    case .created(let link), .reused(let link): json.raw(link.answer)
                    case .faults: json.null()
                    }
                }
            }
            json.member("rejected", rejections)
        }
        return Response(status: createdCount > 0 ? .created : .ok, json: json.text, for: caller)
    }
}

extension Link {
    /// As answers have it: all fields, and the link's address.
    var answer: String {
        var json = JSONWriter()
        json.object { json in
            for (name, value) in record {
                json.key(name)
                value.write(to: &json)
            }
            json.member("url", shortURL)
        }
        return json.text
    }
}
