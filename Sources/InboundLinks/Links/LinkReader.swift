import Text

/// Reads raw inbound links (docs/links.md). Pure; accepts any text.
package enum LinkReader {
    /// Reads the URL that opened the app.
    ///
    /// - Parameters:
    ///   - url: the URL as received. It may be relative, or already decoded by a log.
    ///   - overrides: the values that the event states explicitly.
    ///   - rules: those that the app adds.
    package static func read(
        _ url: String,
        overriding overrides: LinkOverrides = .none,
        rules: ReadingRules = .none
    ) -> LinkReading {
        // Redacted before it is decoded: decoding removes the delimiters that show where a secret ends.
        let mayHoldSecrets = Redaction.mayBeNeeded(for: url)
        var redacted = mayHoldSecrets ? Redaction.redact(url) : url
        var original = url
        if let destination = LinkShim.destination(of: redacted) {
            redacted = Redaction.redact(destination)
            original = LinkShim.destination(of: url) ?? redacted
        }
        return read(
            redacted: redacted,
            original: original,
            mayHoldSecrets: mayHoldSecrets,
            overriding: overrides,
            rules: rules
        )
    }

    /// Reads a URL that was read before: ``InboundLink/redactedURL``. It is not redacted again, which might change it:
    /// the delimiter after a secret is gone.
    static func readAgain(
        _ redactedURL: String,
        overriding overrides: LinkOverrides,
        rules: ReadingRules
    ) -> LinkReading {
        read(
            redacted: redactedURL,
            original: redactedURL,
            mayHoldSecrets: redactedURL.contains("REDACTED") || Redaction.mayBeNeeded(for: redactedURL),
            overriding: overrides,
            rules: rules
        )
    }

    private static func read(
        redacted: String,
        original: String,
        mayHoldSecrets: Bool,
        overriding overrides: LinkOverrides,
        rules: ReadingRules
    ) -> LinkReading {
        let parts = URLParts(redacted)
        guard parts.couldBeURL else { return .invalid(redactedURL: redacted) }
        let isAuthorize = parts.hostIs("authorize")
        let outer = Parameters(of: parts, readsFragment: isAuthorize, keeping: rules.parameters)
        if LoginResult.matches(parts, outer, original: original) {
            return .loginResult(redactedURL: Redaction.redact(redacted, loginResult: true))
        }
        let stated = overrides.redacted
        var link = read(parts, outer, isAuthorize: isAuthorize, stated ?? overrides, rules)
        if mayHoldSecrets || stated != nil { link.redactFields() }
        link.redactedURL = redacted
        return .inboundLink(link)
    }

    /// The click that a link names in its `click_id`, or that its target names; nil if there is none.
    package static func clickID(in url: String) -> String? {
        guard case .inboundLink(let link) = read(url) else { return nil }
        return link.clickID
    }

    /// The link of an event without a URL, from the values that it states explicitly: a target or a channel.
    package static func read(_ overrides: LinkOverrides, rules: ReadingRules = .none) -> InboundLink {
        let stated = overrides.redacted
        var link = read(nil, Parameters(), isAuthorize: false, stated ?? overrides, rules)
        if stated != nil { link.redactFields() }
        return link
    }

    private static func read(
        _ parts: URLParts?,
        _ outer: Parameters,
        isAuthorize: Bool,
        _ overrides: LinkOverrides,
        _ rules: ReadingRules
    ) -> InboundLink {
        var link = InboundLink()
        link.stated = StatedFields(overrides)
        var payload: AppLinkPayload?
        /// Nil if the input URL itself is the target.
        var target: String?
        var isOwnTarget = false
        var isStatedTarget = false

        if let parts {
            let schemeAppID = parts.appID
            if let schemeAppID {
                link.appID = String(decoding: parts.bytes[schemeAppID.id], as: UTF8.self)
                link.schemeSuffix = String(decoding: parts.bytes[schemeAppID.suffix], as: UTF8.self).lowercasedASCII
            }
            let isLegacy = isAuthorize && schemeAppID != nil && parts.pathIsRoot
            if isLegacy, let stated = outer[.targetURL] {
                link.form = .legacyAuthorize
                target = stated
            } else if let data = outer.json(.appLinkData).flatMap({ AppLinkPayload(appLinkData: $0) }) {
                link.form = .appLink
                payload = data
                target = data.targetURL
                isOwnTarget = target == nil
                link.deferred = data.refererApp == nil && isDeferred(parts, outer, to: data.targetURL)
            } else if let args = outer.json(.applinkArgs).flatMap({ AppLinkPayload(applinkArgs: $0) }) {
                link.form = .applinkArgs
                payload = args
                target = args.targetURL
                isOwnTarget = target == nil
            } else if isLegacy {
                link.form = .legacyAuthorize
            } else {
                target = isAuthorize ? outer[.targetURL] : nil
                isOwnTarget = target == nil
            }
        }

        if let stated = filled(overrides.targetURL) {
            target = stated
            isOwnTarget = false
            isStatedTarget = true
        }
        if !isOwnTarget, let stated = target, let destination = LinkShim.destination(of: stated) {
            target = destination
        }
        let targetParts = isOwnTarget ? parts : target.map { URLParts($0) }
        // If the input URL is itself the target, its query was read already.
        let own =
            isOwnTarget
            ? outer
            : targetParts.map { Parameters(of: $0, readsFragment: false, keeping: rules.parameters) } ?? Parameters()
        func parameter(_ name: ParameterName) -> String? { own[name] ?? outer[name] }

        let referer = Referer(
            app: Referer.stated(overrides.refererApp) ?? payload?.refererApp,
            url: Referer.stated(overrides.refererURL) ?? payload?.refererURL
        )
        var facts = RuleFacts(outer: outer, target: own, targetURL: targetParts, refererApp: referer.app)
        if isStatedTarget, !own.tapPairs.isEmpty, !rules.isEmpty, let kept = targetParts?.text(without: own.tapPairs) {
            // As the target is stored, so that history that is read again does not move.
            facts.target = Parameters(of: URLParts(kept), readsFragment: false, keeping: rules.parameters)
        }
        let ruled = overrides.channel == nil ? rules.decision(on: facts) : nil
        let fbRefs = fbRefs(own, outer)
        link.refs = RefList.cleaned(overrides.refs)
        if link.refs.isEmpty {
            link.refs = fbRefs.isEmpty ? refs(payload, own, outer, form: link.form) : fbRefs
            var ruledRefs = ruled?.rule.refs ?? []
            if ruledRefs.isEmpty, fbRefs.isEmpty { ruledRefs = rules.refs(in: facts) }
            if !ruledRefs.isEmpty { (link.refs, link.refsWithoutRules) = (ruledRefs, link.refs) }
        }
        if let ruled {
            (link.channel, link.rule) = (ruled.rule.channel, .app(ruled.number))
        } else {
            (link.channel, link.rule) =
                ChannelEvidence(
                    explicit: overrides.channel,
                    outer: outer,
                    target: own,
                    hasFbRef: !fbRefs.isEmpty,
                    referer: referer,
                    form: link.form,
                    targetURL: targetParts
                ).decision
        }

        link.appID = link.appID ?? payload?.appID
        link.targetURL = isOwnTarget ? parts?.text(without: outer.tapPairs) : target
        if !isOwnTarget, !own.tapPairs.isEmpty { link.targetURL = targetParts?.text(without: own.tapPairs) }
        link.clickID = own.clickID ?? outer.clickID
        link.fbSource = parameter(.fbSource)
        link.actionIDs = parameter(.actionIDs)?.commaSeparated ?? []
        link.actionTypes = parameter(.actionTypes)?.commaSeparated ?? []
        link.requestIDs = parameter(.requestIDs)?.commaSeparated ?? []
        link.refererApp = referer.app
        link.refererURL = referer.url
        link.promoCode = payload?.promoCode
        link.fbclid = parameter(.fbclid)
        link.authenticated = outer.isFilled(.accessToken) || payload?.hasAccessToken ?? false
        link.paid =
            payload?.paid ?? false
            || [.campaignIDs, .acsToken, .adID].contains { own.isFilled($0) || outer.isFilled($0) }
        link.testTraffic =
            payload?.testTraffic ?? false || parameter(.testDeeplink).map { Truth.isTruthy($0) } ?? false
        if let clicked = parameter(.clickTime) {
            link.deferred = true
            link.clickedAt = ClickTime.read(clicked)
        }

        link.authenticated = overrides.authenticated ?? link.authenticated
        link.deferred = overrides.deferred ?? link.deferred
        link.paid = overrides.paid ?? link.paid
        link.clickedAt = overrides.clickedAt ?? link.clickedAt
        return link
    }

    private static func fbRefs(_ own: Parameters, _ outer: Parameters) -> [String] {
        let refs = own[.fbRef].map { RefList.cleaned($0.commaSeparated) } ?? []
        return refs.isEmpty ? outer[.fbRef].map { RefList.cleaned($0.commaSeparated) } ?? [] : refs
    }

    /// The refs of the first of the other sources that has any (docs/links.md, *Refs*).
    private static func refs(
        _ payload: AppLinkPayload?,
        _ own: Parameters,
        _ outer: Parameters,
        form: InboundLink.Form
    ) -> [String] {
        var refs: [String] = []
        if let payload {
            refs = RefList.cleaned(payload.fbRefs)
            if refs.isEmpty { refs = RefList.cleaned(payload.refs) }
        }
        // `fb_applink_args` beside an App Link may have refs that the App Link does not have.
        if refs.isEmpty, form == .appLink, let node = outer.json(.applinkArgs) {
            refs = RefList.cleaned(AppLinkPayload(applinkArgs: node)?.refs ?? [])
        }
        if refs.isEmpty, let ref = own[.ref], LegacyRef.channel(of: ref) == nil {
            refs = RefList.cleaned(ref.commaSeparated)
        }
        return refs
    }

    private static func filled(_ text: String?) -> String? {
        guard let text = text?.trimmed, !text.isEmpty else { return nil }
        return text
    }

    /// Whether the target is the input URL without `al_applink_data` and a `click_id` of ours. Such a link is delivered
    /// on the first launch after an install.
    private static func isDeferred(_ parts: URLParts, _ outer: Parameters, to target: String?) -> Bool {
        guard let target, let pair = outer.appLinkDataPair else { return false }
        if !outer.tapPairs.isEmpty {
            let pairs = (outer.tapPairs + [pair]).sorted { $0.lowerBound < $1.lowerBound }
            if let rest = parts.text(without: pairs), isSame(Array(rest.utf8), target) { return true }
        }
        let bytes = parts.bytes
        let whole = parts.whole
        var before = bytes[whole.lowerBound..<pair.lowerBound]
        var after = bytes[pair.upperBound..<whole.upperBound]
        if after.first == UInt8(ascii: "&") {
            after = after.dropFirst()
        } else {
            // Also drop the `&` or the `?` before the pair.
            before = before.dropLast()
        }
        return isSame(Array(before + after), target)
    }

    private static func isSame(_ rest: [UInt8], _ target: String) -> Bool {
        if rest.elementsEqual(target.utf8) { return true }
        // One of the two may have been decoded on its way here.
        let wanted = Array(target.utf8)
        guard let restText = PercentDecoding.text(rest, rest.indices, plusIsSpace: false),
            let wantedText = PercentDecoding.text(wanted, wanted.indices, plusIsSpace: false)
        else { return false }
        return restText == wantedText
    }
}

extension LinkOverrides {
    /// The overrides without secrets; nil if they cannot contain any.
    fileprivate var redacted: LinkOverrides? {
        func mayHoldSecrets(_ text: String?) -> Bool { text.map { Redaction.mayBeNeeded(for: $0) } ?? false }
        guard
            mayHoldSecrets(targetURL) || mayHoldSecrets(refererApp) || mayHoldSecrets(refererURL)
                || refs.contains(where: mayHoldSecrets)
        else { return nil }
        var redacted = self
        redacted.targetURL = targetURL.map { Redaction.redact($0) }
        redacted.refererApp = refererApp.map { Redaction.redact($0) }
        redacted.refererURL = refererURL.map { Redaction.redact($0) }
        redacted.refs = refs.map { Redaction.redact($0) }
        return redacted
    }
}

extension InboundLink {
    fileprivate mutating func redactFields() {
        func redact(_ field: inout String?) {
            if let text = field { field = Redaction.redact(text) }
        }
        redact(&appID)
        redact(&targetURL)
        redact(&fbSource)
        redact(&refererApp)
        redact(&refererURL)
        redact(&promoCode)
        redact(&fbclid)
        refs = refs.map { Redaction.redact($0) }
        refsWithoutRules = refsWithoutRules?.map { Redaction.redact($0) }
        actionIDs = actionIDs.map { Redaction.redact($0) }
        actionTypes = actionTypes.map { Redaction.redact($0) }
        requestIDs = requestIDs.map { Redaction.redact($0) }
    }
}
