/// Asks whether to do something that needs a write key, for the template `confirmation`.
struct Confirmation {
    var title: String
    /// The page that leads to it.
    var trail = View.questions.path
    var trailTitle = "All questions"
    /// What it is about, and below it in smaller letters, more of it.
    var subject: String
    var detail: String
    /// What follows from it, as HTML, if that has to be said.
    var consequence: String?
    /// The words on the button that does it.
    var button: String
    /// The page to go to instead.
    var back = View.questions.path
    var backTitle = "Keep it"

    // The form, which ``Dashboard/confirming(_:at:fields:ask:missing:_:)`` fills.
    var path = ""
    var hidden: [HiddenField] = []
    var key = WriteKeyField()
}
