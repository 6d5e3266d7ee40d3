import HTTPTypes
import HummingbirdCore
import Ingest
import NIOCore
import Storage

/// Changes of what an app has beside its events. A session of a read key may only read, so each form that changes
/// something then has a write key. Of a user, the role decides (``Dashboard/operations``).
extension Dashboard {
    private static let changeFormLimit = 64 << 10

    /// The fields of a form.
    func form(_ request: Request) async throws(DashboardFailure) -> FormFields {
        try await form(request, upTo: Self.changeFormLimit)
    }

    /// - Parameter limit: in bytes.
    func form(_ request: Request, upTo limit: Int) async throws(DashboardFailure) -> FormFields {
        let body: ByteBuffer
        do throws(Problem) {
            body = try await request.collected(upTo: limit)
        } catch {
            throw .badForm(error.code)
        }
        return try FormFields(String(buffer: body)).withPlainLines
    }

    /// Answers for a form that changes something.
    ///
    /// - Parameters:
    ///   - view: whose page it is.
    ///   - isFree: whether anybody who is signed in may do what the form asks for.
    ///   - again: the page with the form, if nothing was done.
    func changing(
        _ request: Request,
        of view: View = .questions,
        isFree: (FormFields) -> Bool = { _ in false },
        again: (FormState, ViewRequest) async throws(DashboardFailure) -> Response,
        _ act: (FormFields, ViewRequest) async throws(DashboardFailure) -> Response
    ) async -> Response? {
        await withView(view, request) { asked throws(DashboardFailure) in
            let form = try await form(request)
            return try await change(form, asked, isFree: isFree(form), again: again, act)
        }
    }

    /// Does what a form asks for, which may need a write key. A refusal leads to the form again.
    func change(
        _ form: FormFields,
        _ asked: ViewRequest,
        isFree: Bool = false,
        again: (FormState, ViewRequest) async throws(DashboardFailure) -> Response,
        _ act: (FormFields, ViewRequest) async throws(DashboardFailure) -> Response
    ) async throws(DashboardFailure) -> Response {
        if !isFree, let key = try await refusedKey(form, of: asked.app) {
            return try await again(FormState(fields: form, key: key), asked)
        }
        do throws(DashboardFailure) {
            return try await act(form, asked)
        } catch .invalid(let problem) {
            return try await again(FormState(fields: form, problem: problem), asked)
        }
    }

    /// Answers for a page that asks whether to do something, and for its form, which may need a write key.
    ///
    /// - Parameters:
    ///   - view: whose page it is.
    ///   - fields: what the page's address names, and its form again.
    ///   - ask: what to ask, without the form; nil if there is nothing to do it to.
    ///   - missing: the answer then.
    func confirming(
        _ request: Request,
        at path: String,
        of view: View = .questions,
        fields: [String],
        ask: (FormFields, ViewRequest) async throws(DashboardFailure) -> Confirmation?,
        missing: (FormFields, ViewRequest) -> Response,
        _ act: (FormFields, ViewRequest) async throws(DashboardFailure) -> Response
    ) async -> Response? {
        let isForm = request.method == .post
        return await withView(view, request, others: isForm ? [] : fields) { asked throws(DashboardFailure) in
            let form = try await isForm ? form(request) : FormFields(request.uri.query ?? "")
            let key = try await isForm ? refusedKey(form, of: asked.app) : WriteKeyField()
            guard let key else { return try await act(form, asked) }
            guard var page = try await ask(form, asked) else { return missing(form, asked) }
            page.path = path
            page.hidden = fields.map { HiddenField(name: $0, value: form[$0] ?? "") }
            page.key = key
            let place = Pages.Place(title: page.title, path: path)
            return self.page(asked, at: place, page, "confirmation", status: isForm ? .forbidden : .ok)
        }
    }

    /// Why a key may change nothing of this app; nil if it may, or if none is needed.
    func keyProblem(_ text: String, of app: App) async throws(DashboardFailure) -> String? {
        guard Caller.needsWriteKey else { return nil }
        let key = text.filter { !$0.isWhitespace }
        let takesWriteKey = Operation.takesWriteKey
        guard !key.isEmpty else {
            return "Enter the app's " + (takesWriteKey ? "write key (trib_w_…)" : "manage key (trib_m_…)")
        }
        guard Session.isPlausible(key) else { return "This is not a Tributary key" }
        let principal: Principal?
        do throws(SinkError) {
            principal = try await authenticator.principal(forKey: key)
        } catch {
            throw DashboardFailure(error)
        }
        guard let principal else { return "No app has this key: it is unknown, revoked or expired" }
        guard principal.appNumber == app.number else { return "This is a key of another app" }
        guard principal.scope == .manage || takesWriteKey && principal.scope == .write else {
            return takesWriteKey
                ? "This is not a write key; only a write key or a manage key may change something"
                : "This is not a manage key; only a manage key may change this"
        }
        Actor.ofForm?.set(Actor.key(principal.keyPrefix, label: principal.label))
        return nil
    }

    /// The field for the write key with what is wrong with the key of a form; nil if the form may change the app.
    func refusedKey(_ form: FormFields, of app: App) async throws(DashboardFailure) -> WriteKeyField? {
        try await keyProblem(form[WriteKeyField.name] ?? "", of: app).map { WriteKeyField(problem: $0) }
    }
}
