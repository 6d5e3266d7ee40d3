extension DemoTraffic {
    /// Somebody who has had the app for long: opens it, posts, perhaps buys.
    mutating func poster(_ person: DemoPerson) {
        var moment = DemoDay.moment(&random)
        if random.chance(0.15) {
            add(.inboundLink, by: person, at: moment, person.fields(.user, .device).with("url", bookmarkLink()))
            moment += random.wait(minutes: 1)
        }
        if random.chance(0.8) {
            add(.authentication, by: person, at: moment, login(of: person))
        }
        for _ in 0..<random.integer(in: 1...4) {
            moment += random.wait(minutes: 20)
            post(by: person, at: moment)
        }
        if random.chance(0.2) {
            purchase(by: person, at: moment + random.wait(minutes: 15), cents: 399...1_999)
        }
    }

    /// Somebody is asked to post a story. A callback tells the outcome.
    mutating func post(by person: DemoPerson, at moment: Int) {
        if random.chance(0.06) {
            shareToStories(by: person, at: moment)
            return
        }
        let index = random.index(weights: DemoRef.all.map(\.posting))
        let ref = DemoRef.all[index]
        let outcome = outcome(of: ref)
        let isOpenGraph = ref.names == DemoRef.cookAlong.names
        let link = storyLink(isOpenGraph ? "/cook/" : "/r/")
        var fields = person.fields(.user)
        fields["ref"] = random.chance(0.5) ? .list(ref.names) : .text(ref.names.joined(separator: ","))
        fields["link"] = .text(link)
        if isOpenGraph {
            tellOpenGraph(outcome, &fields)
        } else {
            let isShareDialog = person.platform.isPhone && random.chance(0.4)
            fields["dialog"] = isShareDialog ? "share" : "feed"
            fields["callback_url"] = .text(
                isShareDialog
                    ? DemoCallback.shareDialog(outcome, &random) : DemoCallback.feedDialog(outcome, &random)
            )
        }
        add(.feedPost, by: person, at: moment, fields)

        guard case .posted(let postID) = outcome, moment <= DemoDay.length else { return }
        if random.chance(0.04) {
            // The web page and the backend both report the post, which counts once.
            fields["callback_url"] = nil
            fields["post_id"] = .text(postID)
            add(.feedPost, by: person, at: moment, fields)
        }
        let trail = trail(of: postID, isOpenGraph: isOpenGraph)
        publish(DemoStory(ref: ref, postID: postID, link: link, moment: moment, trail: trail), ofRef: index)
    }

    /// Sharing to Stories has no callback.
    private mutating func shareToStories(by person: DemoPerson, at moment: Int) {
        var fields = person.fields(.user, .device)
        fields["outcome"] = "unconfirmed"
        fields["composer"] = "stories"
        fields["ref"] = "photo"
        add(.feedPost, by: person, at: moment, fields)
    }

    /// The Graph API answers with an id, or with an error.
    private mutating func tellOpenGraph(_ outcome: DemoCallback.Outcome, _ fields: inout [String: DemoValue]) {
        fields["composer"] = "open_graph"
        fields["action_type"] = "\(DemoLink.namespace):cook"
        fields["object_id"] = .text(random.digits(15))
        if case .posted(let postID) = outcome {
            fields["post_id"] = .text(postID)
        } else {
            fields["outcome"] = "failed"
            fields["error_code"] = .number(3501)
            fields["error_message"] = "Another active action is already associated with this object"
        }
    }

    private mutating func outcome(of ref: DemoRef) -> DemoCallback.Outcome {
        let parts = ref.outcomes
        let rest = 1 - parts.posted - parts.cancelled - parts.failed
        switch random.index(weights: [parts.posted, parts.cancelled, parts.failed, rest]) {
        case 0: return .posted(postID: "1000\(random.digits(11))_\(random.digits(15))")
        case 1: return .cancelled
        case 2: return .failed
        default: return .unconfirmed
        }
    }

    /// Most stories have a link of their own; some share the recipe's.
    private mutating func storyLink(_ path: String) -> String {
        let dish = random.pick("tomato-soup", "gnocchi", "plum-cake", "mushroom-pie", "lentil-stew", "rye-bread")
        let mark = random.chance(0.8) ? "?s=\(random.token(6))" : ""
        return DemoLink.site + path + dish + mark
    }

    private mutating func trail(of postID: String, isOpenGraph: Bool) -> DemoStory.Trail {
        // The Graph API answers with the id of the action. The story is grouped with another one.
        if isOpenGraph { return .openGraph(actionIDs: [postID, random.digits(15)]) }
        return switch random.index(weights: [0.7, 0.1, 0.2]) {
        case 0: .echo
        case 1: .postID
        default: .targetRef
        }
    }
}

extension [String: DemoValue] {
    func with(_ key: String, _ text: String) -> Self {
        var fields = self
        fields[key] = .text(text)
        return fields
    }
}
