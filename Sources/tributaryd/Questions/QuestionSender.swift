import Cryptography
import Delivery
import Foundation
import Mail
import Reporting
import Settings
import Time

/// Sends answers to their targets.
struct QuestionSender: Sendable {
    let settings: SendingSettings
    let client: DeliveryClient

    /// - Parameter id: the same whenever the same answer is sent again.
    /// - Throws: ``SendingFailure``.
    func send(
        _ answer: SentAnswer,
        by schedule: QuestionSchedule,
        id: String,
        now: Timestamp
    ) async throws(SendingFailure) {
        switch schedule.target {
        case .mail(let address): try await mail(answer, to: address, id: id, now)
        case .folder(let path): try write(answer, to: path)
        case .slack(let address): try await post(answer.chatJSON, to: address, [("idempotency-key", id)])
        case .https(let address):
            let json = answer.json
            let signed = SigningSecret.headers(
                schedule.secrets.compactMap(SigningSecret.init),
                body: Array(json.utf8),
                id: id,
                at: now.microseconds / 1_000_000
            )
            try await post(json, to: address, [("idempotency-key", id)] + signed)
        }
    }

    private func post(
        _ json: String,
        to address: String,
        _ headers: [(name: String, value: String)]
    ) async throws(SendingFailure) {
        let destination: Destination
        do {
            destination = try Destination(address, allowsPrivate: settings.allowsPrivate)
        } catch {
            throw SendingFailure("\(error)", mayPass: false)
        }
        switch await client.post(Array(json.utf8), headers: headers, to: destination) {
        case .answered(200...299, _, _): break
        case .answered(let status, let excerpt, let retryAfter):
            var failure = SendingFailure("\(destination.origin) answered \(status)", said: excerpt)
            failure.retryAfter = retryAfter ?? .zero
            throw failure
        case .unanswered(let reason): throw SendingFailure("\(destination.origin): \(reason)")
        }
    }

    private func mail(_ answer: SentAnswer, to address: String, id: String, _ now: Timestamp)
        async throws(SendingFailure)
    {
        guard let from = settings.mailFrom else {
            throw SendingFailure("mail has no sender: set mail.from (TRIBUTARY_MAIL_FROM) for the daemon")
        }
        let message = MailMessage(
            from: from,
            to: address,
            subject: answer.subject,
            id: id,
            date: now,
            body: answer.text,
            html: answer.html,
            attachments: answer.files.map {
                .init(name: $0.name, type: "text/csv; charset=utf-8; header=present", content: $0.content)
            }
        )
        do {
            try await settings.mailer.send(message)
        } catch {
            throw SendingFailure(error.reason, said: error.said)
        }
    }

    /// The name of the file says the question and the days, so a repetition replaces it. A reader never sees a part of
    /// it. Each folder is made only after the one that holds it is known to be inside: a link may lead elsewhere.
    private func write(_ answer: SentAnswer, to path: String) throws(SendingFailure) {
        guard let root = settings.folder else {
            throw SendingFailure("files have no folder: set question.folder (TRIBUTARY_QUESTION_FOLDER) for the daemon")
        }
        var folder = URL(filePath: root, directoryHint: .isDirectory)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let allowed = folder.resolvingSymlinksInPath().pathComponents
            for name in [answer.folder] + path.split(separator: "/").map(String.init) {
                folder.append(path: name, directoryHint: .isDirectory)
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                guard folder.resolvingSymlinksInPath().pathComponents.starts(with: allowed) else {
                    throw SendingFailure("'\(path)' leads out of question.folder", mayPass: false)
                }
            }
            let files = answer.files.isEmpty ? [(name: "\(answer.fileStem).txt", content: answer.text)] : answer.files
            for file in files {
                try Self.write(file.content, to: folder.appending(path: file.name))
            }
        } catch let failure as SendingFailure {
            throw failure
        } catch {
            throw SendingFailure("the file cannot be written: \((error as NSError).localizedDescription)")
        }
    }

    /// The owner and the group may read the file, as far as the umask lets them: it may have ids of people.
    private static func write(_ text: String, to file: URL) throws {
        let temporary = file.deletingLastPathComponent().appending(path: ".\(file.lastPathComponent).part")
        // A killed daemon may have left it.
        unlink(temporary.path)
        let descriptor = open(temporary.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        do {
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            try handle.write(contentsOf: Data(text.utf8))
            try handle.synchronize()
            try handle.close()
            guard rename(temporary.path, file.path) == 0 else {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
        } catch {
            unlink(temporary.path)
            throw error
        }
    }
}
