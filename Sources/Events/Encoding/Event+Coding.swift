import InboundLinks
import Time

extension Event {
    func write(to writer: inout EventBytesWriter) {
        writer.append(type.rawValue)
        writer.append(word: id.high)
        writer.append(word: id.low)
        writer.append(occurredAt.microseconds)
        writer.append(receivedAt.microseconds)
        writer.append(userID)
        writer.append(deviceID)
        writer.append(clickID)
        writer.append(platform?.rawValue)
        writer.append(properties)
        switch content {
        case .inboundLink(let touch), .linkClick(let touch): touch.write(to: &writer)
        case .feedPost(let post): post.write(to: &writer)
        case .install(let install):
            writer.append(install.limitAdTracking)
            writer.append(install.link) { $1.write(to: &$0) }
            writer.append(install.referrer)
        case .authentication(let login): login.write(to: &writer)
        case .conversion(let conversion): conversion.write(to: &writer)
        }
    }

    init(from reader: inout EventBytesReader) throws(EventCodingError) {
        let type = try reader.word(as: EventType.self)
        id = EventID(high: try reader.word(), low: try reader.word())
        occurredAt = Timestamp(microseconds: try reader.integer())
        receivedAt = Timestamp(microseconds: try reader.integer())
        userID = try reader.optionalText()
        deviceID = try reader.optionalText()
        clickID = try reader.optionalText()
        platform = try reader.optionalWord()
        properties = try reader.optionalText()
        switch type {
        case .inboundLink: content = .inboundLink(try Touch(from: &reader))
        case .linkClick: content = .linkClick(try Touch(from: &reader))
        case .feedPost: content = .feedPost(try FeedPost(from: &reader))
        case .install:
            let limitAdTracking = try reader.optionalFlag()
            content = .install(
                Install(
                    limitAdTracking: limitAdTracking,
                    link: try reader.flag() ? Touch(from: &reader) : nil,
                    referrer: try reader.optionalText()
                )
            )
        case .authentication: content = .authentication(try Login(from: &reader))
        case .conversion: content = .conversion(try Conversion(from: &reader))
        }
    }
}

extension Touch {
    fileprivate func write(to writer: inout EventBytesWriter) {
        writer.append(link.form.rawValue)
        writer.append(link.appID)
        writer.append(link.schemeSuffix)
        writer.append(link.targetURL)
        writer.append(link.authenticated)
        writer.append(link.channel.rawValue)
        writer.append(link.rule.rawValue)
        writer.append(link.refs)
        writer.append(link.fbSource)
        writer.append(link.actionIDs)
        writer.append(link.actionTypes)
        writer.append(link.requestIDs)
        writer.append(link.refererApp)
        writer.append(link.refererURL)
        writer.append(link.deferred)
        writer.append(link.clickedAt?.microseconds)
        writer.append(link.paid)
        writer.append(link.testTraffic)
        writer.append(link.promoCode)
        writer.append(link.fbclid)
        writer.append(link.redactedURL)
        writer.append(postID)
        writer.append(storyLink)
        writer.append(shortLink)
        writer.append(Int64(link.stated.rawValue))
    }

    fileprivate init(from reader: inout EventBytesReader) throws(EventCodingError) {
        var link = InboundLink()
        link.form = try reader.word()
        link.appID = try reader.optionalText()
        link.schemeSuffix = try reader.optionalText()
        link.targetURL = try reader.optionalText()
        link.authenticated = try reader.flag()
        link.channel = try reader.word()
        link.rule = try reader.word()
        link.refs = try reader.texts()
        link.fbSource = try reader.optionalText()
        link.actionIDs = try reader.texts()
        link.actionTypes = try reader.texts()
        link.requestIDs = try reader.texts()
        link.refererApp = try reader.optionalText()
        link.refererURL = try reader.optionalText()
        link.deferred = try reader.flag()
        link.clickedAt = try reader.optionalInteger().map { Timestamp(microseconds: $0) }
        link.paid = try reader.flag()
        link.testTraffic = try reader.flag()
        link.promoCode = try reader.optionalText()
        link.fbclid = try reader.optionalText()
        link.redactedURL = try reader.optionalText()
        self.init(
            link: link,
            postID: try reader.optionalText(),
            storyLink: try reader.optionalText(),
            shortLink: try reader.optionalText()
        )
        guard let fields = Int16(exactly: try reader.integer()) else { throw .malformed }
        self.link.stated = StatedFields(rawValue: fields)
    }
}

extension FeedPost {
    fileprivate func write(to writer: inout EventBytesWriter) {
        writer.append(outcome.rawValue)
        writer.append(postID)
        writer.append(refs)
        writer.append(link)
        writer.append(storyLink)
        writer.append(composer?.rawValue)
        writer.append(actionType)
        writer.append(objectID)
        writer.append(errorCode)
        writer.append(errorMessage)
        writer.append(redactedCallback)
    }

    fileprivate init(from reader: inout EventBytesReader) throws(EventCodingError) {
        outcome = try reader.word()
        postID = try reader.optionalText()
        refs = try reader.texts()
        link = try reader.optionalText()
        storyLink = try reader.optionalText()
        composer = try reader.optionalWord()
        actionType = try reader.optionalText()
        objectID = try reader.optionalText()
        errorCode = try reader.optionalInteger()
        errorMessage = try reader.optionalText()
        redactedCallback = try reader.optionalText()
    }
}

extension Login {
    fileprivate func write(to writer: inout EventBytesWriter) {
        writer.append(outcome.rawValue)
        writer.append(errorCode)
        writer.append(errorMessage)
        writer.append(redactedCallback)
    }

    fileprivate init(from reader: inout EventBytesReader) throws(EventCodingError) {
        self.init(
            outcome: try reader.word(),
            errorCode: try reader.optionalInteger(),
            errorMessage: try reader.optionalText(),
            redactedCallback: try reader.optionalText()
        )
    }
}

extension Conversion {
    fileprivate func write(to writer: inout EventBytesWriter) {
        writer.append(name)
        writer.append(value?.millionths)
        writer.append(currency)
    }

    fileprivate init(from reader: inout EventBytesReader) throws(EventCodingError) {
        name = try reader.text()
        value = try reader.optionalInteger().map { DecimalValue(millionths: $0) }
        currency = try reader.optionalText()
    }
}
