/// How much the figures of a batch may take in memory. One value of one report, of many refs, would otherwise be held
/// for each day, week and month of a month at once.
package struct FigureMemory: Sendable {
    /// What the folds may hold of groups, in bytes.
    var groups = AnswerSize.held
    /// How many cells of rows there may be. Of each, only the text is kept.
    var cells = 4 * AnswerSize.cells
    /// The bytes of the texts of what is read.
    var texts = AnswerSize.held
    /// What all posts of the app may take, in bytes.
    var posts = AnswerSize.held

    package init() {}

    init(groups: Int, cells: Int) {
        self.groups = groups
        self.cells = cells
    }

    init(posts: Int) { self.posts = posts }

    /// Thrown while people are read, as soon as the folds hold more.
    struct Exceeded: Error {}
}
