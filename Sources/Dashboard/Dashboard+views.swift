import HTTPTypes
import HummingbirdCore
import Ingest
import NIOCore
import Reporting
import Storage

/// The views, and their figures as CSV.
extension Dashboard {
    func show(_ view: View, _ request: Request) async -> Response {
        switch await admit(request) {
        case .refused(let response): return response
        case .admitted(let app):
            do throws(DashboardFailure) {
                let fields = try FormFields(request.uri.query ?? "")
                do throws(DashboardFailure) {
                    let asked = try ViewRequest(view, fields: fields, app: app, source: source, now: now())
                    if let address = asked.tidyAddress { return redirect(to: address) }
                    let filters = try await FilterBar(asked)
                    let notices = view.hasFigures ? await source.notices(of: app) : []
                    let body = try await body(asked)
                    return page(
                        status: .ok,
                        pages.view(asked, filters: filters, notices: notices, body: body, now: now())
                    )
                } catch {
                    return await failedPage(view, fields, app, error)
                }
            } catch {
                return page(status: error.status, pages.signIn(problem: "\(error)", target: "/"))
            }
        }
    }

    /// The page with the reason why it has no figures: a parameter in the URL is wrong, or the database failed. The
    /// days and conditions stay, so that one of them can be changed, unless they are what is wrong.
    private func failedPage(_ view: View, _ fields: FormFields, _ app: App, _ failure: DashboardFailure) async
        -> Response
    {
        for fields in [fields.limited(to: ["from", "through", "where"]), FormFields()] {
            do throws(DashboardFailure) {
                let plain = try ViewRequest(view, fields: fields, app: app, source: source, now: now())
                let filters = try await FilterBar(plain)
                return page(status: failure.status, pages.view(plain, filters: filters, failure: failure, now: now()))
            } catch {
                continue
            }
        }
        return page(status: failure.status, pages.signIn(problem: "\(failure)", target: "/"))
    }

    private func body(_ request: ViewRequest) async throws(DashboardFailure) -> String {
        switch request.view {
        case .overview: report(try await .overview(request))
        case .posts: report(try await .posts(request))
        case .viral: report(try await .viral(request))
        case .funnels: report(try await .funnels(request))
        case .attribution: report(try await .attribution(request))
        case .paths: report(try await .paths(request))
        case .retention: report(try await .retention(request))
        case .compare: report(try await .compare(request))
        case .breakdown: report(try await .breakdown(request))
        case .questions: pages.render(try await QuestionListView(request), "questions")
        case .links: pages.render(try await LinkListView(request, now: now()), "links")
        case .live:
            pages.render(
                LiveView(live, app: request.app.number, readiness: await readiness.readiness()),
                "live"
            )
        }
    }

    /// Answers a person who is signed in. A failure is shown in the view's frame.
    ///
    /// - Parameter others: the fields of the URL that only this page has; nil: any.
    func withView(
        _ view: View,
        _ request: Request,
        others: [String]? = [],
        _ answer: (ViewRequest) async throws(DashboardFailure) -> Response
    ) async -> Response {
        switch await admit(request) {
        case .refused(let response): return response
        case .admitted(let app):
            do throws(DashboardFailure) {
                do throws(DashboardFailure) {
                    let fields = try FormFields(request.uri.query ?? "")
                    return try await answer(
                        try ViewRequest(view, fields: fields, others: others, app: app, source: source, now: now())
                    )
                } catch {
                    let plain = try ViewRequest(view, fields: FormFields(), app: app, source: source, now: now())
                    return page(status: error.status, pages.view(plain, failure: error, now: now()))
                }
            } catch {
                return page(status: error.status, pages.signIn(problem: "\(error)", target: "/"))
            }
        }
    }

    private func report(_ page: ReportPage) -> String { pages.render(page, "report") }

    /// A report as CSV, for a person who is signed in. Every table of figures links to it.
    func csv(_ name: String, _ request: Request) async -> Response {
        switch await admit(request) {
        case .refused(let response): return response
        case .admitted(let app):
            do throws(DashboardFailure) {
                let parameters = try FormFields(request.uri.query ?? "").fields
                let result = try await source.report(name, parameters: parameters, of: app)
                return download(
                    ResponseBody(byteBuffer: ByteBuffer(string: result.text(as: .csv))),
                    contentType: "text/csv; charset=utf-8; header=present",
                    fileName: "\(name).csv"
                )
            } catch {
                return page(status: error.status, pages.signIn(problem: "\(error)", target: "/"))
            }
        }
    }
}
