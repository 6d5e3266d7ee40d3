import Cryptography
import InboundLinks
import Time
import Markup
import Storage

/// Renders the pages from their templates.
struct Pages {
    struct Link {
        var title: String
        var href: String
        var isCurrent: Bool
    }

    /// Which page of a view it is.
    struct Place {
        var title: String
        var path: String
        /// Its fields in the URL beside the days.
        var fields: [(name: String, value: String)] = []
        /// Whether it has figures of a range of days.
        var hasDays = false
        /// Whether it is a page of the request's view.
        var isOfView = true

        func href(of span: DateSpan) -> String {
            path + "?" + FormFields.encode([("from", span.from), ("through", span.through)] + fields)
        }
    }

    private struct Frame {
        var title: String
        var assetVersion: String
        var appName: String
        var appID: String
        /// The apps of a user who has several.
        var apps: [Choice]
        /// Where another app is chosen, and the view that it then shows.
        var appPath = AccountView.appPath
        var viewPath: String
        /// The page of the user's account; nil with a read key.
        var account: String?
        var timeZone: String
        var doors: [Link]
        var live: Link
        /// How long ago the last event came; nil if none is known.
        var lastEvent: String?
        var isLate: Bool
        /// The views of the current door, if they are several pages.
        var views: [Link]
        var presets: [Link]
        var path: String
        var from: String
        var through: String
        var today: String
        var hidden: [HiddenField]
        var hasDays: Bool
        /// The line into which days and filters fold on a phone; nil if there are none.
        var fold: String?
        var isUnfolded: Bool
        var hasButton: Bool
        var refreshes: Bool
        var problem: String
        var hasProblem: Bool
        /// Where to try again, if that may help.
        var retry: String?
        var notices: [String]
        var footnotes: [String]
        /// How far the app's events have arrived; nil on a page without figures.
        var freshness: String?
        var filters: FilterBar?
        var body: String
    }

    private struct SignIn {
        var assetVersion: String
        var problem: String
        var hasProblem: Bool
        var target: String
        var email: String
        /// Whether there are users, who sign in with a password.
        var hasUsers: Bool
    }

    /// The page of an invitation.
    private struct Join {
        var assetVersion: String
        var problem: String
        var hasProblem: Bool
        var path = Invitation.path
        var token: String
        var email: String
        var appName: String
        var role: String
        /// The address of a manager; nil if the owner invites.
        var inviter: String?
        var asksPassword: Bool
    }

    private struct Message {
        var assetVersion: String
        var title: String
        var problem: String
        /// Where to go from here, if anywhere, and the words of the link.
        var target: String?
        var link: String
    }

    private let templates: HTMLTemplates
    private let live: LiveIngest?
    /// A hash of the assets, as a part of their URLs.
    let assetVersion: String

    /// - Parameter live: what knows when the last events came; nil: the pages do not say it.
    init(live: LiveIngest? = nil) throws {
        self.live = live
        templates = try HTMLTemplates(PageFiles.templates)
        let digest = SHA256.hash((PageFiles.styleCSS + PageFiles.dashboardJS).utf8)
        assetVersion = digest.prefix(4).map { String($0, radix: 16) }.joined()
    }

    func render(_ object: Any, _ template: String) -> String {
        templates.html(object, template)
    }

    func signIn(problem: String, target: String, email: String, hasUsers: Bool) -> String {
        render(
            SignIn(
                assetVersion: assetVersion,
                problem: problem,
                hasProblem: !problem.isEmpty,
                target: target,
                email: email,
                hasUsers: hasUsers
            ),
            "sign-in"
        )
    }

    func join(_ invited: UserInvitation, token: String, problem: String) -> String {
        render(
            Join(
                assetVersion: assetVersion,
                problem: problem,
                hasProblem: !problem.isEmpty,
                token: token,
                email: invited.email,
                appName: invited.role.appName,
                role: invited.role.role.ofOne,
                inviter: invited.invitedBy.contains("@") ? invited.invitedBy : nil,
                asksPassword: invited.asksPassword
            ),
            "join"
        )
    }

    /// What was shared, with a frame that leads nowhere.
    func shared(_ content: SharedView, _ request: ViewRequest, notices: [String], freshness: String?) -> String {
        var page = content
        page.assetVersion = assetVersion
        page.notices = notices.map(ReportPage.sentence) + request.warnings.sentences
        page.footnotes = request.warnings.footnotes
        page.freshness = freshness.map(ReportPage.sentence) ?? ""
        return render(page, "shared")
    }

    /// A page outside of the frame, with nothing of an app.
    func message(title: String, problem: String, target: String?, link: String) -> String {
        let message = Message(assetVersion: assetVersion, title: title, problem: problem, target: target, link: link)
        return render(message, "message")
    }

    /// - Parameters:
    ///   - place: default: the view's first page.
    ///   - filters: the conditions above the figures; nil for a page that has none.
    ///   - form: the options in the body. They, the days and *Filter by* are one form with one button.
    ///   - notices: what a reader of the figures must know, beside the warnings of the reports in the body.
    ///   - freshness: how far the app's events have arrived.
    ///   - retry: where to try again after a failure that may pass.
    func view(
        _ request: ViewRequest,
        at place: Place? = nil,
        filters: FilterBar? = nil,
        notices: [String] = [],
        freshness: String? = nil,
        body: String = "",
        form: OptionsForm? = nil,
        failure: DashboardFailure? = nil,
        retry: String? = nil,
        now: Timestamp
    ) -> String {
        let zone = request.app.profile.timeZone
        let place =
            place
            ?? Place(
                title: request.view.title,
                path: request.view.path,
                fields: request.filters.parameters + request.given,
                hasDays: request.view.hasDays
            )
        let choices = DateSpan.choices(timeZone: zone, now: now, weeks: request.view.usualWeeks)
        let days = choices.first { $0.span == request.span }?.title ?? request.span.words
        let count = filters?.conditions.count ?? 0
        let fold = days + (count == 0 ? "" : ", \(count) filter\(count == 1 ? "" : "s")")
        let age = live?.age(ofApp: request.app.number)
        let current = place.isOfView ? Door.allCases.first { $0.views.contains(request.view) } : nil
        func link(to view: View) -> Link {
            Link(title: view.title, href: request.href(view), isCurrent: place.isOfView && view == request.view)
        }
        return render(
            Frame(
                title: place.title,
                assetVersion: assetVersion,
                appName: request.app.profile.name,
                appID: request.app.profile.id,
                apps: AccountView.apps(at: request.app),
                viewPath: request.view.path,
                account: Caller.current?.user.map { _ in AccountView.path },
                timeZone: zone,
                doors: Door.allCases.map { door in
                    Link(title: door.title, href: request.href(door.views[0]), isCurrent: door == current)
                },
                live: link(to: .live),
                lastEvent: age.map { "last event \(NumberText.duration(seconds: Double($0))) ago" },
                isLate: age.map { $0 >= LiveIngest.lateFrom } ?? false,
                views: current?.listed.map(link) ?? [],
                presets: choices.enumerated().map { position, choice in
                    // Two of them may be the same days; one is marked.
                    Link(
                        title: choice.title,
                        href: place.href(of: choice.span),
                        isCurrent: position == choices.firstIndex { $0.span == request.span }
                    )
                },
                path: place.path,
                from: request.span.from,
                through: request.span.through,
                today: request.today,
                hidden: (form.map { request.filters.parameters + $0.kept } ?? place.fields)
                    .map { HiddenField(name: $0.name, value: $0.value) },
                hasDays: place.hasDays,
                fold: place.hasDays || filters != nil ? fold : nil,
                isUnfolded: filters?.entry != nil,
                hasButton: form == nil,
                refreshes: request.view == .live,
                problem: failure.map { "\($0)" } ?? "",
                hasProblem: failure != nil,
                retry: retry,
                notices: notices.map { "\($0.prefix(1).uppercased())\($0.dropFirst())." }
                    + request.warnings.sentences,
                footnotes: request.warnings.footnotes,
                freshness: freshness.map { "\($0.prefix(1).uppercased())\($0.dropFirst())." },
                filters: filters,
                body: body
            ),
            "frame"
        )
    }
}
