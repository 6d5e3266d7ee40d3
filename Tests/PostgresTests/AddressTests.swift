import Postgres
import Testing

@Suite struct AddressTests {
    @Test(arguments: [
        ("postgresql://ann:secret@db.example:5433/shop", "postgresql://ann@db.example:5433/shop"),
        ("postgres://ann:secret@db.example/shop?sslmode=require", "postgresql://ann@db.example:5432/shop"),
        ("host=db.example port=6000 user=ann password=secret dbname=shop", "postgresql://ann@db.example:6000/shop"),
        ("postgresql://ann@[::1]:5433/shop", "postgresql://ann@[::1]:5433/shop"),
        (
            "host=/run/secrets user=ann dbname='a shop' password='se cret'",
            "postgresql://ann@/a%20shop?host=/run/secrets"
        ),
        (
            "postgresql://ann@/shop?host=/tmp/x&port=7000&password=secret",
            "postgresql://ann@/shop?host=/tmp/x&port=7000"
        ),
    ])
    func showsWhereTheDatabaseIsAndNeverThePassword(text: String, shown: String) throws {
        let address = try PostgresAddress(text)
        #expect(address.description == shown)
        var dumped = ""
        dump(address, to: &dumped)
        for text in ["\(address)", String(reflecting: address), dumped] {
            #expect(!text.contains("secret") || text.contains("/run/secrets") && !text.contains("se cret"))
        }
    }

    @Test(arguments: [
        "postgresql://user:secretport@[host/db", "hunter2", "host=a nonsense=hunter2", "postgresql://a\0b/c",
        "postgresql://user:hunter2@host:99999/db", "host=a,b port=5432,65536 password=hunter2",
    ])
    func refusesWhatIsNoAddressWithoutQuotingIt(text: String) {
        let error = #expect(throws: PostgresError.self) { try PostgresAddress(text) }
        #expect(error?.kind == .invalidAddress)
        #expect(error?.description.contains("hunter2") == false)
        #expect(error?.debugDescription.contains("hunter2") == false)
        #expect(error?.debugDescription.contains("secretport") == false)
    }

    @Test func selectsAnotherDatabaseOfTheSameServer() throws {
        let address = try PostgresAddress("postgresql://ann:secret@db.example:5433/shop")
        #expect(address.selecting(database: "other").description == "postgresql://ann@db.example:5433/other")
        #expect(address.database == "shop")
        #expect(address.host == "db.example")
        #expect(address.port == 5433)
        #expect(address.user == "ann")
    }
}
