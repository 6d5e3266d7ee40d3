/// What a password must be. Length counts: rules about kinds of characters make passwords that are forgotten, not
/// better ones (NIST SP 800-63B).
enum PasswordRule {
    /// In bytes.
    static let length = 12...1_024

    /// - Throws: `UserStoreError.weakPassword`.
    static func check(_ password: String, of email: String) throws(UserStoreError) {
        guard password.utf8.count >= length.lowerBound else {
            throw .weakPassword("a password has \(length.lowerBound) characters or more; several words are good")
        }
        guard password.utf8.count <= length.upperBound else {
            throw .weakPassword("a password has at most \(length.upperBound) characters")
        }
        let word = password.lowercased()
        guard word != email, word != email.prefix(while: { $0 != "@" }) else {
            throw .weakPassword("the password must not be the e-mail address")
        }
        guard Set(word.utf8).count >= 5 else {
            throw .weakPassword("the password has fewer than five different characters; several words are good")
        }
        guard !CommonPasswords.all.contains(word) else {
            throw .weakPassword("many people have this password; choose another one, such as several words")
        }
    }
}
