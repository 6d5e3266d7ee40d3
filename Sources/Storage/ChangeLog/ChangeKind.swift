/// What the log of changes knows. A test makes a change of each kind (`ChangeLogTests`).
package enum ChangeKind: String, CaseIterable, Sendable {
    case createApp = "app.create"
    case updateApp = "app.update"
    case deleteApp = "app.delete"
    /// Here to another database, or from another one to here.
    case moveApp = "app.move"
    case setMetaReferrerKey = "app.meta_referrer_key"
    case addKey = "key.add"
    case rotateKey = "key.rotate"
    case revokeKey = "key.revoke"
    case setRules = "rules.set"
    case declareProperty = "property.declare"
    case removeProperty = "property.remove"
    case createLink = "link.create"
    case updateLink = "link.update"
    case deleteLink = "link.delete"
    /// Of a board too, as below.
    case saveQuestion = "question.save"
    case deleteQuestion = "question.delete"
    case restoreQuestion = "question.restore"
    case saveSchedule = "schedule.save"
    case deleteSchedule = "schedule.delete"
    case saveWatch = "watch.save"
    case deleteWatch = "watch.delete"
    case rotateScheduleSecret = "schedule.rotate_secret"
    case addNote = "note.add"
    case deleteNote = "note.delete"
    case storeCosts = "cost.add"
    case removeCost = "cost.remove"
    case storeRates = "rate.set"
    case clearRates = "rate.clear"
    case addWebhook = "webhook.add"
    case pauseWebhook = "webhook.pause"
    case resumeWebhook = "webhook.resume"
    case rotateWebhookSecret = "webhook.rotate_secret"
    case deleteWebhook = "webhook.delete"
    case inviteUser = "user.invite"
    case acceptRole = "user.accept"
    /// In no app: it is that of all.
    case setPassword = "user.password"
    case setRole = "user.role"
    case removeUser = "user.remove"
    case sharePage = "share.add"
    case revokePage = "share.revoke"
    /// Nothing says which person.
    case deletePerson = "person.delete"
    case purgeRejected = "rejected.purge"
    case prune
    case redact
    case reread
    case pauseOutgoing = "outgoing.pause"
    case resumeOutgoing = "outgoing.resume"
}
