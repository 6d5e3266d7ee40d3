package import JSONReading

extension LinkTrial {
    /// Reads a trial from one JSON object: `user_agent`, `method`, `path`, `headers`, `settings`. Other members,
    /// such as `id`, say nothing about it.
    package init(_ json: JSONNode) throws(LinkFault) {
        guard json.kind == .object else { throw LinkFault(.invalidType, "line", "a line must be a JSON object") }
        var settings = TrialSettings()
        if let given = json["settings"], given.kind != .null { try settings.read(given) }
        var headers: [(name: String, value: String)] = []
        if let agent = json["user_agent"] {
            headers.append(("User-Agent", try LinkValue.text(agent, "user_agent") ?? ""))
        }
        if let given = json["headers"], given.kind != .null {
            guard given.kind == .object else {
                throw LinkFault(.invalidType, "headers", "headers must be an object of texts")
            }
            for (name, value) in given.members { headers.append((name, try LinkValue.text(value, "headers") ?? "")) }
        }
        let method = try json["method"].map { node throws(LinkFault) in try LinkValue.text(node, "method") } ?? nil
        let path = try json["path"].map { node throws(LinkFault) in try LinkValue.text(node, "path") } ?? nil
        try self.init(
            settings: settings,
            visitor: Visitor(method: method ?? "GET", target: path ?? settings.path, headers: headers)
        )
    }
}
