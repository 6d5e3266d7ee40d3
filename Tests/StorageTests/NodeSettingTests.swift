import Foundation
@testable import Storage
import Testing

@Suite("Settings of a cluster's nodes") struct NodeSettingTests {
    @Test(arguments: [
        ("wal_level", "logical", true), ("wal_level", "replica", false), ("wal_level", "", false),
        ("max_prepared_transactions", "200", true), ("max_prepared_transactions", "0", false),
        ("max_connections", "300", true), ("max_connections", "100", false),
        ("lc_messages", "C", true), ("lc_messages", "C.UTF-8", true), ("lc_messages", "en_US.UTF-8", true),
        ("lc_messages", "de_DE.UTF-8", false), ("lc_messages", "", false), ("lc_messages", "Czech", false),
        ("citus.recover_2pc_interval", "5000", true), ("citus.recover_2pc_interval", "60000", false),
        ("citus.recover_2pc_interval", "-1", false),
        ("citus.node_connection_timeout", "3000", true), ("citus.node_connection_timeout", "30000", false),
    ])
    func areMetOrNot(name: String, value: String, isMet: Bool) throws {
        let setting = try #require(NodeSetting.all.first { $0.name == name })
        #expect(setting.isMet(by: value) == isMet)
    }

    /// Whoever follows an example has the settings that `migrate` asks for.
    @Test(arguments: ["docs/scaling.md", "deploy/docker/compose.citus.yaml", "deploy/kubernetes/citus/cluster.yaml"])
    func areInTheExample(path: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
        for setting in NodeSetting.all {
            #expect(text.contains(setting.name), "\(setting.name)")
        }
    }
}
