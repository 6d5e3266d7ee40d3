import HTTPTypes
import HummingbirdCore
import Ingest
import NIOCore
import Reporting
import Storage
import Time

/// The views, and their figures as CSV.
extension Dashboard {
    func show(_ view: View, _ request: Request) async -> Response? {
        guard let caller = Caller.current else { return nil }
        let app = caller.app
        if caller.isAway, view != .live {
            let fields = (try? FormFields(request.uri.query ?? "")) ?? FormFields()
            return await failedPage(view, fields, app, .unavailable, request)
        }
        do throws(DashboardFailure) {
            let fields = try FormFields(request.uri.query ?? "")
            do throws(DashboardFailure) {
                var asked = try ViewRequest(view, fields: fields, app: app, source: source, stores: stores, now: now())
                asked.origin = Self.origin(request)
                if [.overview, .posts, .activity].contains(view) {
                    // Without the primary, a standby still answers the reports.
                    let (from, last) = (CivilDate(asked.span.from), CivilDate(asked.span.through))
                    let to = last.map { CivilDate(number: $0.number + 1) }
                    asked.noted = (try? await stores.ask { try await $0.notes.list(of: app, from: from, to: to) }) ?? []
                }
                if let address = asked.tidyAddress { return redirect(to: address) }
                let filters = try await FilterBar(asked)
                let notices = view.hasFigures ? await source.notices(of: app) : []
                let freshness = view.hasFigures ? await live.freshness(of: app, from: source) : nil
                if view == .live { await live.learnAge(of: app, from: source) }
                let (body, form) = try await body(asked)
                return page(
                    status: .ok,
                    pages.view(
                        asked,
                        filters: filters,
                        notices: notices,
                        freshness: freshness,
                        body: body,
                        form: form,
                        now: now()
                    )
                )
            } catch {
                return await failedPage(view, fields, app, error, request)
            }
        } catch {
            return framedPage(error, title: view.title, app: app, request)
        }
    }

    /// The page with the reason why it has no figures: a parameter in the URL is wrong, or the database failed. The
    /// days and conditions stay, so that one of them can be changed, unless they are what is wrong.
    private func failedPage(
        _ view: View,
        _ fields: FormFields,
        _ app: App,
        _ failure: DashboardFailure,
        _ request: Request
    ) async -> Response {
        let retry = Self.retry(request, after: failure)
        for fields in [fields.limited(to: ["from", "through"] + Filters.names), FormFields()] {
            do throws(DashboardFailure) {
                let plain = try ViewRequest(view, fields: fields, app: app, source: source, stores: stores, now: now())
                let filters = try await FilterBar(plain)
                return page(
                    status: failure.status,
                    pages.view(plain, filters: filters, failure: failure, retry: retry, now: now())
                )
            } catch {
                continue
            }
        }
        return framedPage(failure, title: view.title, app: app, request)
    }

    /// Where a program reaches this daemon, as the browser does: `https://stats.example`. A proxy says whether it uses
    /// TLS.
    static func origin(_ request: Request) -> String? {
        guard let authority = request.head.authority,
            authority.utf8.allSatisfy({ byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"),
                    UInt8(ascii: "["), UInt8(ascii: "]"):
                    true
                default: false
                }
            })
        else { return nil }
        return (Session.isSecure(request.headers) ? "https://" : "http://") + authority
    }

    private func body(_ request: ViewRequest) async throws(DashboardFailure) -> (html: String, form: OptionsForm?) {
        if !request.view.reports.isEmpty, try await !request.source.hasEvents(request.app) {
            return (pages.render(ReportPage(firstEvent: FirstEvent(request, .touch)), "report"), nil)
        }
        return switch request.view {
        case .overview: report(try await .overview(request), request)
        case .posts: report(try await .posts(request), request)
        case .viral: report(try await .viral(request), request)
        case .generations: report(try await .generations(request), request)
        case .funnels: report(try await .funnels(request), request)
        case .attribution: report(try await .attribution(request), request)
        case .paths: report(try await .paths(request), request)
        case .retention: report(try await .retention(request), request)
        case .activity: report(try await .activity(request), request)
        case .compare: report(try await .compare(request), request)
        case .overlap: report(try await .overlap(request), request)
        case .breakdown: report(try await .breakdown(request), request)
        case .changes: report(try await .changes(request), request)
        case .goals: report(try await .goals(request), request)
        case .logins: report(try await .logins(request), request)
        case .money: (pages.render(try await CostsView(request), "money"), nil)
        case .questions: (pages.render(try await QuestionListView(request), "questions"), nil)
        case .links: (pages.render(try await LinkListView(request, now: now()), "links"), nil)
        case .live:
            (
                pages.render(
                    LiveView(
                        live,
                        request,
                        readiness: await readiness.readiness(),
                        reached: await live.milestones(of: request.app, from: request.source),
                        newest: try? await request.source.newestEvents(of: request.app)
                    ),
                    "live"
                ), nil
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
    ) async -> Response? {
        guard let caller = Caller.current else { return nil }
        let app = caller.app
        if caller.isAway { return framedPage(.unavailable, title: view.title, app: app, request) }
        do throws(DashboardFailure) {
            do throws(DashboardFailure) {
                let fields = try FormFields(request.uri.query ?? "")
                return try await answer(
                    try ViewRequest(
                        view,
                        fields: fields,
                        others: others,
                        app: app,
                        source: source,
                        stores: stores,
                        now: now()
                    )
                )
            } catch {
                let plain = try ViewRequest(
                    view,
                    fields: FormFields(),
                    app: app,
                    source: source,
                    stores: stores,
                    now: now()
                )
                let retry = Self.retry(request, after: error)
                return page(status: error.status, pages.view(plain, failure: error, retry: retry, now: now()))
            }
        } catch {
            return framedPage(error, title: view.title, app: app, request)
        }
    }

    private func report(_ page: ReportPage, _ request: ViewRequest) -> (html: String, form: OptionsForm?) {
        var page = page.choosingColumns(request)
        page.panels = page.panels.map(\.explainingChannels)
        return (pages.render(page, "report"), page.form)
    }

    /// A report as CSV, for a person who is signed in. Every table of figures links to it.
    func csv(_ path: String, _ request: Request) async -> Response? {
        guard let caller = Caller.current else { return nil }
        let app = caller.app
        let name = String(path.dropFirst("/csv/".count).dropLast(".csv".count))
        if caller.isAway { return framedPage(.unavailable, title: "\(name).csv", app: app, request) }
        do throws(DashboardFailure) {
            let parameters = try FormFields(request.uri.query ?? "").fields
            if let refusal = People.refusal(of: parameters) { throw refusal }
            if PeopleView.isAsked(by: parameters) { return try await peopleCSV(name, parameters, of: app) }
            let result = People.hidden(in: try await source.report(name, parameters: parameters, of: app))
            return download(
                ResponseBody(byteBuffer: ByteBuffer(string: result.text(as: .csv))),
                contentType: "text/csv; charset=utf-8; header=present",
                fileName: "\(name).csv"
            )
        } catch {
            return framedPage(error, title: "\(name).csv", app: app, request)
        }
    }
}
