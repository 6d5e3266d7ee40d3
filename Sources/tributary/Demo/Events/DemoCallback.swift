import Text

/// The callback URLs of the dialogs (docs/feed-posts.md, *Callbacks*).
enum DemoCallback {
    enum Outcome: Sendable {
        case posted(postID: String)
        case cancelled, failed, unconfirmed
    }

    /// The Feed Dialog: `fbconnect://…`, or the app's own page.
    static func feedDialog(_ outcome: Outcome, _ random: inout DemoRandom) -> String {
        switch outcome {
        case .posted(let postID):
            let parameter = "post_id=\(PercentEncoding.encoded(postID))"
            return random.pick(
                "fbconnect://success?\(parameter)",
                "\(DemoLink.site)/shared?\(parameter)#_=_"
            )
        case .cancelled, .unconfirmed:
            return random.pick(
                "fbconnect://success",
                "fbconnect://success#_=_",
                "fbconnect://cancel",
                "fbconnect://success?error_code=4201&error_message=User+canceled+the+Dialog+flow"
            )
        case .failed:
            return random.pick(
                "fbconnect://success?error_code=100&error_msg=Invalid+parameter",
                "fbconnect://cancel?error_code=2&error_message=An+unexpected+error+has+occurred"
            )
        }
    }

    /// The Share Dialog: the bridge of the native app.
    static func shareDialog(_ outcome: Outcome, _ random: inout DemoRandom) -> String {
        var arguments: [String: DemoValue] = ["action_id": .text(random.uuid().uppercased())]
        var results: [String: DemoValue] = [:]
        switch outcome {
        case .posted(let postID):
            results = ["didComplete": .flag(true), "completionGesture": "post", "postId": .text(postID)]
        case .cancelled:
            results = ["didComplete": .flag(true), "completionGesture": "cancel"]
        case .unconfirmed:
            results = ["didComplete": .flag(true)]
        case .failed:
            arguments["error"] = .object(["code": .number(102), "domain": "com.facebook.platform"])
        }
        let parameters = [
            ("bridge_args", DemoJSON.text(.object(arguments))), ("method_results", DemoJSON.text(.object(results))),
            ("version", "20130618"),
        ]
        return "fb\(DemoLink.appID)://bridge/share?" + DemoLink.query(parameters)
    }
}
