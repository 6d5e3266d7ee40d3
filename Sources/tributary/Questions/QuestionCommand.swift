import ArgumentParser

struct QuestionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "question",
        abstract: "Save reports with their parameters under names, and run them.",
        discussion: """
            A saved question has an address that stays: GET /v1/questions/NAME.csv answers it. So a BI tool keeps its \
            URL while the question changes. docs/questions.md says more.
            """,
        subcommands: [
            SaveQuestionCommand.self, ListQuestionsCommand.self, ShowQuestionCommand.self, RunQuestionCommand.self,
            DeleteQuestionCommand.self, RestoreQuestionCommand.self,
        ]
    )
}
