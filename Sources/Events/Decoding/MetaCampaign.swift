import Cryptography
import InboundLinks
import JSONReading
import Time

/// The campaign of Meta's whose ad led to an install.
struct MetaCampaign {
    /// What of Meta's data is kept, under Meta's own names.
    private static let names = [
        "campaign_id", "campaign_name", "campaign_group_id", "campaign_group_name", "adgroup_id", "adgroup_name",
        "ad_id", "ad_name", "ad_objective_name", "account_id", "publisher_platform",
    ]

    /// Names and values, without secrets.
    let members: [(name: String, value: String)]

    /// - Returns: nil if the data was not encrypted with this key, or something in it was changed.
    init?(in referrer: MetaReferrer, key: MetaReferrerKey) {
        guard let data = referrer.data, let nonce = referrer.nonce,
            let text = AES256GCM.open(data, nonce: nonce, key: key.bytes),
            let root = try? JSONDocument(reading: text, maximumDepth: 32).root, root.kind == .object
        else { return nil }
        members = Self.names.compactMap { name in
            guard let value = root[name].flatMap({ $0.string ?? $0.number }), !value.isEmpty, !value.containsNul else {
                return nil
            }
            return (name, SecretFreeText.text(value).cut(toBytes: EventLimits.name))
        }
    }

    private func value(_ name: String) -> String? { members.first { $0.name == name }?.value }

    /// The campaign's name, else its id. A comma would make it two refs.
    var refs: [String] {
        for name in ["campaign_name", "campaign_id"] {
            guard let value = value(name)?.replacing(",", with: " ") else { continue }
            let refs = RefList.cleaned([value.cut(toBytes: RefList.maximumBytes)])
            if !refs.isEmpty { return refs }
        }
        return []
    }

    /// `properties` with the campaign as `meta`, unless the sender has a `meta` itself.
    func added(to properties: String?) -> String {
        var json = JSONWriter()
        json.object { json in
            for member in members { json.member(member.name, member.value) }
        }
        guard let properties, let root = try? JSONDocument(reading: properties.utf8).root, root.kind == .object else {
            return #"{"meta":\#(json.text)}"#
        }
        guard root["meta"] == nil, let end = properties.utf8.lastIndex(of: UInt8(ascii: "}")) else { return properties }
        return properties[..<end] + (root.count > 0 ? "," : "") + #""meta":\#(json.text)}"#
    }
}

extension Touch {
    /// The tap on an ad that led to an install.
    init(_ campaign: MetaCampaign, at time: Timestamp?) {
        var link = InboundLink()
        link.channel = .other
        link.rule = .metaCampaign
        link.refs = campaign.refs
        link.paid = true
        link.deferred = true
        link.clickedAt = time
        link.stated = [.channel, .refs, .paid, .deferred, .clickedAt]
        self.init(link: link)
    }

    /// Adds what the link of an install does not say. Both tell of one tap.
    mutating func complete(with campaign: MetaCampaign, at time: Timestamp?) {
        link.paid = true
        link.stated.insert(.paid)
        if link.refs.isEmpty, !campaign.refs.isEmpty {
            link.refs = campaign.refs
            link.stated.insert(.refs)
            storyLink = nil
        }
        if link.clickedAt == nil, let time {
            link.clickedAt = time
            link.stated.insert(.clickedAt)
        }
        if link.channel == .unattributed {
            link.channel = .other
            link.stated.insert(.channel)
        }
    }
}
