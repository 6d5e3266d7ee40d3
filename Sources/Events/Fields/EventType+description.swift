extension EventType {
    /// What happened, in one sentence.
    package var meaning: String {
        switch self {
        case .inboundLink: "A link opened the app."
        case .feedPost: "The app asked a person to publish a story."
        case .linkClick: "Somebody clicked a link on the web."
        case .install: "The app was installed."
        case .authentication: "A person logged in, or tried to."
        case .conversion: "A person reached a goal, such as a purchase."
        case .appOpen: "A person opened the app, without a link. It shows that they are active; it is no touch."
        }
    }

    /// Whether an event of this type needs the field.
    package func requirement(of field: EventField) -> FieldRequirement {
        switch (self, field) {
        case (_, .type), (.conversion, .name): return .required
        case (.conversion, .value): return .with(.currency)
        case (.conversion, .currency): return .with(.value)
        // Or `url`, which says the outcome.
        case (.authentication, .errorCode), (.authentication, .errorMessage): return .with(.outcome)
        default:
            let alternatives = alternatives.first { $0.contains(field) }
            return alternatives.map { .oneOf($0) } ?? .optional
        }
    }

    /// Lists of fields. The event needs at least one field of each list.
    private var alternatives: [[EventField]] {
        let link: [EventField] = [.url, .targetURL, .channel]
        let person: [EventField] = [.userID, .deviceID, .clickID]
        return switch self {
        case .inboundLink: [link, person]
        case .linkClick: [link]
        case .feedPost: [[.callbackURL, .outcome, .postID]]
        case .install, .authentication, .conversion, .appOpen: [person]
        }
    }

    /// A usual event of this type, as JSON, made of the examples of its fields. Its id is its own.
    package var example: String {
        let number = EventType.allCases.firstIndex(of: self).map { $0 + 1 } ?? 0
        let head = #"{"type": "\#(rawValue)", "event_id": "018f3f5e-7c1a-7b7e-9d2b-3f4c5d6e7f8\#(number)""#
        let members = usualFields.map { #", "\#($0.key)": \#($0.description(in: self).example)"# }
        return head + members.joined() + "}"
    }

    /// The fields that a usual event of this type has beside `type` and `event_id`.
    private var usualFields: [EventField] {
        switch self {
        case .inboundLink: [.userID, .deviceID, .platform, .url]
        case .feedPost: [.userID, .ref, .link, .dialog, .callbackURL]
        case .linkClick: [.clickID, .url, .refererApp]
        case .install: [.clickID, .deviceID, .platform, .limitAdTracking]
        case .authentication: [.deviceID, .userID]
        case .conversion: [.userID, .name, .value, .currency, .properties]
        case .appOpen: [.userID, .platform]
        }
    }
}
