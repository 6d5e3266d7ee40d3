import HTTPTypes
import HummingbirdCore
import Reporting
import Storage

/// `/questions/schedule`: the form that has a question sent or watched, and the one that ends it.
extension Dashboard {
    static let scheduleDeletionPath = "/questions/unschedule"

    /// - Returns: nil if there is no such page.
    func respondToSchedules(_ path: String, _ request: Request) async -> Response? {
        switch (request.method, path) {
        case (.get, ScheduleForm.path), (.head, ScheduleForm.path):
            return await withView(.questions, request, others: ["name"]) { asked throws(DashboardFailure) in
                try await scheduleForm(FormState(fields: try FormFields(request.uri.query ?? "")), asked)
            }
        case (.post, ScheduleForm.path):
            return await changing(request, again: scheduleForm) { form, asked throws(DashboardFailure) in
                let question = try await known(form, asked)
                try await stores.schedule(ScheduleForm.draft(form), of: asked.app, now: asked.now)
                return redirect(to: question.page)
            }
        case (_, Self.scheduleDeletionPath):
            return await confirming(
                request,
                at: path,
                fields: ["name", "number"],
                ask: scheduleDeletion,
                missing: { fields, _ in redirect(to: SavedQuestion.page(fields["name"] ?? "")) }
            ) { form, asked throws(DashboardFailure) in
                let question = try await known(form, asked)
                let number = Int64(form["number"] ?? "") ?? 0
                try await stores.ask { try await $0.schedules.delete(number, of: asked.app) }
                return redirect(to: question.page)
            }
        default: return nil
        }
    }

    func known(_ fields: FormFields, _ asked: ViewRequest) async throws(DashboardFailure) -> SavedQuestion {
        let question = try await stores.questions(of: asked.app).first { $0.name == fields["name"] }
        guard let question else { throw .invalid("The app has no question of this name, or it was deleted.") }
        return question
    }

    private func scheduleForm(_ form: FormState, _ asked: ViewRequest) async throws(DashboardFailure) -> Response {
        let question = try await known(form.fields, asked)
        let place = Pages.Place(title: "Send \(question.name)", path: ScheduleForm.path)
        return page(asked, at: place, ScheduleForm(question, form, asked), "schedule-form", status: form.status)
    }

    private func scheduleDeletion(_ fields: FormFields, _ asked: ViewRequest)
        async throws(DashboardFailure) -> Confirmation?
    {
        let question = try await known(fields, asked)
        let schedules = try await stores.ask {
            try await $0.schedules.list(of: asked.app, question: question.name)
        }
        return schedules.first { "\($0.number)" == fields["number"] }.map { schedule in
            Confirmation(
                title: "Send \(question.name) no more?",
                subject: schedule.words,
                detail: schedule.target.kind,
                consequence: "Its list of runs is deleted with it.",
                button: "End it",
                back: question.page
            )
        }
    }
}
