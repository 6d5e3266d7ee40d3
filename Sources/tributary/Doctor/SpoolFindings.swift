import InboundLinks
import Time
import Settings
import Storage

/// The checks of the spools on this machine.
enum SpoolFindings {
    /// - Parameters:
    ///   - identity: of the database; nil if it cannot be read.
    ///   - isDatabaseFull: whether the database can store nothing because its disk is full.
    static func all(
        _ settings: SpoolSettings,
        of identity: DatabaseIdentity?,
        isDatabaseFull: Bool,
        at now: Timestamp
    ) -> [DoctorFinding] {
        var findings: [DoctorFinding] = []
        do {
            let spools = try SpoolInspection.all(in: settings.folder)
            if spools.isEmpty { findings.append(DoctorFinding(.good, "spool: none yet in \(settings.folder)")) }
            findings += (spools + waitingElsewhere(settings, for: identity)).map {
                finding($0, settings, of: identity, at: now)
            }
            findings += DamagedSpool.all(in: settings.folder).map(damagedFinding)
            findings += spools.filter { $0.unreadable > 0 }.map(unreadableFinding)
        } catch {
            findings.append(
                DoctorFinding(
                    .warning,
                    "spool: the files in \(settings.folder) cannot be read: \(error)",
                    advice: "Only the daemon's user may read them: run this command as that user or as root."
                )
            )
        }
        if let space = DiskSpace(folder: settings.folder) {
            findings.append(space.finding("the spool", isLastPlace: identity == nil || isDatabaseFull))
        }
        return findings
    }

    /// Spools with requests in the folders of other databases, perhaps of some that are in the settings no more, if no
    /// daemon has them open or they are of this database.
    private static func waitingElsewhere(
        _ settings: SpoolSettings,
        for identity: DatabaseIdentity?
    ) -> [SpoolInspection] {
        SpoolFolder.others(than: settings.folder, in: settings.root)
            .flatMap { (try? SpoolInspection.all(in: $0)) ?? [] }
            .filter { $0.depth.batches > 0 && ($0.isInUse == false || $0.origin == identity) }
    }

    private static func damagedFinding(_ spool: DamagedSpool) -> DoctorFinding {
        DoctorFinding(
            .damaged,
            "spool: a damaged file was set aside: \(spool.lost.named("request")) lost; the others are delivered, "
                + spool.path,
            advice: "Check the disk. Remove the files when you need them no longer: docs/reliability.md, Damage."
        )
    }

    private static func unreadableFinding(_ spool: SpoolInspection) -> DoctorFinding {
        DoctorFinding(
            .warning,
            "spool: \(spool.unreadable.named("request")) cannot be read, \(spool.path)",
            advice:
                "If a later version wrote them, start that version: it delivers them. Otherwise the file is damaged."
        )
    }

    private static func finding(
        _ spool: SpoolInspection,
        _ settings: SpoolSettings,
        of identity: DatabaseIdentity?,
        at now: Timestamp
    ) -> DoctorFinding {
        if let damage = spool.damage {
            return DoctorFinding(
                .damaged,
                "spool: the file is damaged (\(damage)), \(spool.path)",
                advice: "A daemon with this spool folder delivers what is sound, and sets the damaged files aside."
            )
        }
        let depth = spool.depth
        guard depth.batches > 0 else { return DoctorFinding(.good, "spool: empty, \(spool.path)") }
        let another = identity == nil || spool.origin == identity ? nil : spool.origin
        let what =
            "spool: \(depth.events.named("event")) (\(DiskSpace.text(depth.bytes)) of "
            + "\(DiskSpace.text(settings.byteLimit))) \(depth.events == 1 ? "waits" : "wait") for "
            + "\(another.map { "another database, \($0)" } ?? "the database"), "
            + "the oldest for \(depth.ageSeconds(at: now)) s, \(spool.path)"
        if another != nil {
            return DoctorFinding(
                .warning,
                what,
                advice: "A daemon with that database and this spool folder delivers them."
            )
        }
        if spool.isInUse == false {
            return DoctorFinding(
                .warning,
                what,
                advice:
                    "No process has this file open: start a daemon with this spool folder. It may run beside others."
            )
        }
        return DoctorFinding(.warning, what, advice: "The daemon delivers them once it can store events again.")
    }
}
