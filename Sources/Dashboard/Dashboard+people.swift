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
                let place = Pages.Place(title: "People", path: path, isOfView: false)
                return await pageOfFigures(asked, at: place, pages.render(view, "people"))
            }
        case PersonView.path:
            return await withView(.breakdown, request, others: PersonView.fields) { asked throws(DashboardFailure) in
                let key = try PersonView.key(try FormFields(request.uri.query ?? ""))
                let view = PersonView(try await source.person(key, of: asked.app), asked: key, of: asked.app)
                let place = Pages.Place(title: "Person", path: path, isOfView: false)
                return await pageOfFigures(asked, at: place, pages.render(view, "person"))
            }
        default: return nil
        }
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
