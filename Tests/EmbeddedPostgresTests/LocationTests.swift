import Testing

@testable import EmbeddedPostgres

@Suite struct LocationTests {
    @Test func findsTheInstalledServer() throws {
        let binaries = try #require(EmbeddedPostgres.locate())
        #expect(binaries.version >= 13)
        #expect(SystemFile.isExecutable(binaries.initdb))
        #expect(SystemFile.isExecutable(binaries.postgres))
        #expect(
            EmbeddedPostgres.installed().map(\.version) == EmbeddedPostgres.installed().map(\.version).sorted(by: >)
        )
    }

    @Test(arguments: [
        ("/a/b", "/a/b"), ("/a//b/", "/a/b"), ("/a/./b/../c", "/a/c"), ("/", "/"), ("/..", "/"),
    ])
    func pathsAreMadePlain(path: String, expected: String) {
        #expect(SystemFile.absolute(path) == expected)
    }

    @Test func aRelativePathCountsFromTheWorkingFolder() {
        #expect(SystemFile.absolute(".tributary").hasPrefix("/"))
        #expect(SystemFile.absolute(".tributary").hasSuffix("/.tributary"))
    }

    @Test(arguments: [
        ("/tmp/x", true), ("/tmp/a b", false), ("/tmp/a,b", false), ("/tmp/é", false),
        ("/" + String(repeating: "x", count: 83), true), ("/" + String(repeating: "x", count: 86), false),
    ])
    func aSocketsFolderIsShortAndPlain(folder: String, isFit: Bool) {
        #expect(ClusterFolder.isFitForSocket(folder) == isFit)
    }

    @Test(arguments: [
        ("ID=debian\n", "apt-get install postgresql"), ("ID=ubuntu\nID_LIKE=debian\n", "apt-get install postgresql"),
        ("NAME=x\nID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n", "dnf install postgresql-server"),
        ("ID=alpine\n", "apk add postgresql"),
    ])
    func tellsHowToInstall(osRelease: String, command: String) {
        #expect(InstallHint.command(osRelease: osRelease) == command)
    }

    @Test func errorsSayWhatToDo() {
        #expect(EmbeddedPostgresError.notInstalled(searched: ["/x"]).description.contains("--database URL"))
        #expect(
            EmbeddedPostgresError.versionMissing(needed: 14, installed: [15], data: "/d").description.contains(
                "Install PostgreSQL 14 again"
            )
        )
    }
}
