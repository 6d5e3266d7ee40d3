import HTTPTypes
import HummingbirdCore
import Ingest
import NIOCore
import QRCodes
import Redirects
import Storage

/// `/links`: the links of the app, a page for each, and the form that creates one.
extension Dashboard {
    /// The largest form with a link, in bytes. Its addresses may have 8 KiB each, and more once encoded.
    private static let linkFormLimit = 128 << 10

    /// - Returns: nil if there is no such page below `/links`.
    func respondToLinks(_ path: String, _ request: Request) async -> Response? {
        switch (request.method, path) {
        case (.get, "/links/new"), (.head, "/links/new"):
            return await withView(.links, request) { asked throws(DashboardFailure) in
                linkForm(asked, LinkForm(nil, app: asked.app))
            }
        case (.post, "/links/new"):
            return await withView(.links, request) { asked throws(DashboardFailure) in
                try await createLink(asked, request)
            }
        case (.get, "/links/link"), (.head, "/links/link"):
            return await withLink(request) { link, asked throws(DashboardFailure) in
                let view = LinkView(
                    link,
                    of: asked.app,
                    codeText: try await stores.ask { try await $0.links.textForQRCode(of: link) },
                    figures: await LinkFigures(of: link, asked),
                    isNew: try FormFields(request.uri.query ?? "")["new"] != nil,
                    now: now()
                )
                let place = Pages.Place(
                    title: view.address,
                    path: Link.pagePath,
                    fields: link.addressFields,
                    hasDays: true
                )
                return await pageOfFigures(asked, at: place, pages.render(view, "link"))
            }
        case (.get, "/links/qr.svg"), (.head, "/links/qr.svg"):
            return await code(request, "svg", contentType: "image/svg+xml") { ByteBuffer(string: $0.svg) }
        case (.get, "/links/qr.png"), (.head, "/links/qr.png"):
            return await code(request, "png", contentType: "image/png") { ByteBuffer(bytes: $0.png()) }
        default:
            return nil
        }
    }

    /// Answers for the link that the query names, or that there is none.
    private func withLink(
        _ request: Request,
        _ answer: (Link, ViewRequest) async throws(DashboardFailure) -> Response
    ) async -> Response? {
        await withView(.links, request, others: ["host", "slug", "new"]) { asked throws(DashboardFailure) in
            let fields = try FormFields(request.uri.query ?? "")
            let (host, slug) = (fields["host"] ?? "", fields["slug"] ?? "")
            let found = try await stores.ask { try await $0.links.link(of: asked.app, host: host, slug: slug) }
            guard let link = found else {
                let failure = DashboardFailure.invalid("The app has no link at this address, or it was deleted.")
                return page(status: .notFound, pages.view(asked, failure: failure, now: now()))
            }
            return try await answer(link, asked)
        }
    }

    private func code(
        _ request: Request,
        _ kind: String,
        contentType: String,
        _ bytes: (QRCode) -> ByteBuffer
    ) async -> Response? {
        await withLink(request) { link, _ throws(DashboardFailure) in
            guard let code = QRCode(try await stores.ask { try await $0.links.textForQRCode(of: link) }) else {
                throw .invalid("The link is too long for a QR code.")
            }
            // A file name of ASCII needs no encoding.
            let name = String(link.slug.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
            return download(
                ResponseBody(byteBuffer: bytes(code)),
                contentType: contentType,
                fileName: "\(name.isEmpty ? "link" : name).\(kind)"
            )
        }
    }

    // MARK: Creating

    private func linkForm(
        _ asked: ViewRequest,
        _ form: LinkForm,
        status: HTTPResponse.Status = .ok
    ) -> Response {
        let place = Pages.Place(title: "Create a link", path: "/links/new")
        return page(asked, at: place, form, "link-form", status: status)
    }

    /// Creates the link of a form. A session of a read key may only read, so its form has a write key, which is not
    /// kept.
    private func createLink(_ asked: ViewRequest, _ request: Request) async throws(DashboardFailure) -> Response {
        let app = asked.app
        let form: FormFields
        do throws(DashboardFailure) {
            form = try await self.form(request, upTo: Self.linkFormLimit)
        } catch {
            return linkForm(asked, LinkForm(nil, app: app, problem: "\(error)"), status: error.status)
        }
        let draft = LinkDraft(form, time: LocalTime(timeZone: app.profile.timeZone))
        do throws(DashboardFailure) {
            if let problem = try await keyProblem(form["key"] ?? "", of: app) {
                let faults = draft.faults + [LinkFault(.invalidValue, "key", problem)]
                return linkForm(asked, LinkForm(form, app: app, faults: faults), status: .forbidden)
            }
            guard draft.faults.isEmpty else {
                return linkForm(asked, LinkForm(form, app: app, faults: draft.faults), status: .unprocessableContent)
            }
            // One link has one result.
            switch try await stores.ask({ try await $0.links.create([draft.link], of: app, reuse: false)[0] }) {
            case .created(let link), .reused(let link):
                return redirect(to: link.page + "&new=1")
            case .faults(let faults):
                return linkForm(asked, LinkForm(form, app: app, faults: faults), status: .unprocessableContent)
            }
        } catch {
            return linkForm(asked, LinkForm(form, app: app, problem: "\(error)"), status: error.status)
        }
    }
}
