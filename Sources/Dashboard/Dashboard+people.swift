import HTTPTypes
import HummingbirdCore
import Ingest
import Reporting
import Storage

/// `/people`: who is behind a figure, and `/person`: one person's timeline.
extension Dashboard {
    /// - Returns: nil if there is no such page.
    func respondToPeople(_ path: String, _ request: Request) async -> Response? {
        switch path {
        case PeopleView.path:
            return await withView(.breakdown, request, others: nil) { asked throws(DashboardFailure) in
                let view = try await PeopleView(try FormFields(request.uri.query ?? "").redacted, asked)
                return await framed(asked, "People", path, pages.render(view, "people"))
            }
        case PersonView.path:
            return await withView(.breakdown, request, others: PersonView.fields) { asked throws(DashboardFailure) in
                let key = try PersonView.key(try FormFields(request.uri.query ?? ""))
                let view = PersonView(try await source.person(key, of: asked.app), asked: key, of: asked.app)
                return await framed(asked, "Person", path, pages.render(view, "person"))
            }
        default: return nil
        }
    }

    private func framed(_ asked: ViewRequest, _ title: String, _ path: String, _ body: String) async -> Response {
        page(
            status: .ok,
            pages.view(
                asked,
                at: Pages.Place(title: title, path: path, isOfView: false),
                notices: await source.notices(of: asked.app),
                freshness: await source.freshness(of: asked.app),
                body: body,
                now: now()
            )
        )
    }

    /// The list as CSV, sent as it is read.
    func peopleCSV(
        _ name: String,
        _ parameters: [(name: String, value: String)],
        of app: App
    ) async throws(DashboardFailure) -> Response {
        let text = try await source.peopleText(name, parameters: parameters, of: app)
        return download(
            ResponseBody(text),
            contentType: "text/csv; charset=utf-8; header=present",
            fileName: "\(name)-people.csv"
        )
    }
}
