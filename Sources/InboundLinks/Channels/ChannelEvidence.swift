/// Everything that decides the channel of a touch (docs/links.md, *Channels*).
struct ChannelEvidence {
    var explicit: Channel?
    var outer: Parameters
    /// The target's own query. It wins over `outer`.
    var target: Parameters
    /// Whether there is an `fb_ref` other than the sentinel.
    var hasFbRef: Bool
    var referer: Referer
    var form: InboundLink.Form
    var targetURL: URLParts?

    /// The channel by the first rule that applies.
    var decision: (channel: Channel, rule: ChannelRule) {
        if let explicit { return (explicit, .explicit) }
        if has(.requestIDs) || has(.appRequestType) || has(.notificationType) {
            return (.requests, .requestParameters)
        }
        let source = self[.fbSource]
        if let source, let channel = FacebookSource.channel(of: source) { return (channel, .fbSource) }
        if let ref = self[.ref], let channel = LegacyRef.channel(of: ref) { return (channel, .legacyRef) }
        if has(.actionIDs) || has(.actionTypes) || has(.actionMap) || has(.aggregationID) || hasFbRef {
            return (.storyLinks, .storyParameters)
        }
        if has(.bookmarkPosition) { return (.bookmarks, .bookmarkPosition) }
        if self[.appCenter] == "1" { return (.other, .appCenter) }
        let fromFacebook = referer.isKnown && referer.isFacebook
        if referer.isKnown, !fromFacebook { return (.other, .foreignReferer) }
        if let targetURL {
            let shape = TargetShape(targetURL)
            if form != .plain || shape.isFacebook || fromFacebook { return (shape.channel, .targetShape) }
        }
        if let source, !FacebookSource.normalised(source).isEmpty { return (.other, .unknownFbSource) }
        return (.unattributed, .unattributed)
    }

    private subscript(name: ParameterName) -> String? {
        target[name] ?? outer[name]
    }

    private func has(_ name: ParameterName) -> Bool {
        target.isFilled(name) || outer.isFilled(name)
    }
}
