import ArgumentParser

struct QuestionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "question",
        abstract: "Save reports with their parameters under names, run them, send and watch them.",
        discussion: """
            A saved question has an address that stays: GET /v1/questions/NAME.csv answers it. So a BI tool keeps its \
            URL while the question changes. docs/questions.md says more.

            It can also be sent by itself after each day, week or month (docs/schedules.md), and shown to anyone who \
            has a secret address (docs/access.md).
            """,
        subcommands: [
            SaveQuestionCommand.self, ListQuestionsCommand.self, ShowQuestionCommand.self, RunQuestionCommand.self,
            DeleteQuestionCommand.self, RestoreQuestionCommand.self, ScheduleQuestionCommand.self,
            UnscheduleQuestionCommand.self, WatchQuestionCommand.self, UnwatchQuestionCommand.self,
            ListQuestionRunsCommand.self, RotateQuestionSecretCommand.self, ShareQuestionCommand.self,
            ListSharesCommand.self, UnshareQuestionCommand.self,
        ]
    )
}
