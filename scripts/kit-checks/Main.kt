// Uses docs/recipes/TributaryApp.kt as an app does, over several launches: each launch is a new object. Prints the ids of
// the vectors that it has run.
import android.content.Intent
import android.os.Bundle
import java.io.File
import kotlin.system.exitProcess
import org.json.JSONObject

val url: String = System.getenv("KIT_URL")
val home = File(System.getenv("KIT_FOLDER"))
val file = File(home, "tributary.json")
const val NOWHERE = "http://127.0.0.1:1"

fun launch(to: String = url, alreadyInstalled: Boolean = false, folder: File = home): TributaryApp {
    val app = TributaryApp(to, System.getenv("KIT_KEY"), folder, "3.1")
    app.setConsent(true, alreadyInstalled)
    return app
}

fun check(isSo: Boolean, what: String) {
    if (isSo) return
    println("kotlin: $what")
    exitProcess(1)
}

fun events(file: File): List<JSONObject> {
    val events = JSONObject(file.readText()).getJSONArray("events")
    return (0 until events.length()).map { events.getJSONObject(it) }
}

fun types(file: File) = events(file).map { it.getString("type") }

/** What Facebook starts an app with. */
fun facebooksIntent() = Intent("shop://soup").apply {
    putExtra("al_applink_data", Bundle().apply {
        putString("target_url", "https://shop.example/soup")
        putBundle("referer_app_link", Bundle().apply {
            putString("app_name", "Facebook")
            putString("url", "fb://")
        })
    })
}

fun main() {
    // Without consent nothing is stored or sent.
    val silent = TributaryApp(url, null, home)
    silent.setConsent(false)
    silent.opened(TributaryApp.Link("https://shop.example/"))
    silent.installed()
    silent.posted("fbconnect://success?post_id=1_2")
    silent.send()
    check(home.list().isEmpty(), "stored something without consent")

    // Offline: the events wait in the file.
    val offline = launch(NOWHERE)
    check(offline.isFirstLaunch, "not the first launch")
    check(offline.findLinkByCode("AAAA AAAA") == TributaryApp.Finding.NoAnswer, "found a link offline")
    offline.opened(null)
    check(offline.isFirstLaunch, "told the install before the referrer was there")
    offline.installed("utm_source=google-play&utm_medium=organic", 0, 1_760_000_000)
    offline.installed()
    offline.opened(null)
    offline.send()

    // The next launch asks for what was pasted, then the server makes trouble until it lets the events pass.
    val online = launch()
    check(!online.isFirstLaunch, "the install is told twice")
    check(online.findLinkPasted("not a link + 100 % &") == TributaryApp.Finding.NotFound, "found a link in rubbish")
    check(online.findLinkByCode("000 0000") == TributaryApp.Finding.NotFound, "found a link by no code")
    val long = "long ".repeat(999) + System.getenv("KIT_LINK") + " long".repeat(999)
    for (text in listOf("look: " + System.getenv("KIT_LINK"), long)) {
        val found = online.findLinkPasted(text) as? TributaryApp.Finding.Found
        check(found?.link?.clickID == System.getenv("KIT_CLICK"), "the pasted link was not found")
    }
    online.opened(TributaryApp.link(facebooksIntent()))
    online.posted("fbconnect://cancel", ref = "recipe")
    for (attempt in 0 until 11) {
        online.send()
        Thread.sleep(1_100)
    }
    check(events(file).isEmpty(), "events still wait: ${file.readText()}")
    println("c4-kit-05")
    for (number in 0 until 10) online.findLinkByCode("AAAA AAAA")
    check(online.findLinkByCode("AAAA AAAA") is TributaryApp.Finding.TooManyTries, "no limit of wrong codes is told")

    // Taken back and given again: another id, the same installation.
    val device = online.deviceID
    online.setConsent(false)
    check(home.list().toList() == listOf("tributary.installed"), "kept ${home.list().toList()} without consent")
    check(File(home, "tributary.installed").length() == 0L, "the mark says more than one bit")
    val again = launch(NOWHERE)
    check(again.deviceID != null && again.deviceID != device, "kept the id without consent")
    check(!again.isFirstLaunch, "is installed a second time")
    again.installed()
    again.opened(null)
    again.send()
    check(types(file) == listOf("app_open"), "told ${types(file)} after a second consent")

    links()
    files()
}

/** The same intent comes again: at a rotation, from the list of recent apps. */
fun links() {
    val intent = facebooksIntent()
    check(TributaryApp.link(intent)?.refererURL == "fb://", "does not read the data of an App Link")
    check(TributaryApp.link(intent, Bundle()) == null, "tells a link again after a rotation")
    val recent = Intent("shop://soup", Intent.FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY)
    check(TributaryApp.link(recent) == null, "tells an old link from the recent apps")
    check(TributaryApp.link(Intent("shop://soup")) == TributaryApp.Link("shop://soup"), "does not read a plain link")
    check(TributaryApp.link(Intent(null)) == null && TributaryApp.link(null) == null, "makes a link of nothing")
    println("c4-kit-06")
}

fun files() {
    // The app was there before the kit.
    val old = File(home, "old").apply { mkdir() }
    launch(NOWHERE, alreadyInstalled = true, folder = old).apply {
        check(!isFirstLaunch, "an old app is installed anew")
        installed()
        opened(null)
        send()
    }
    val kept = File(old, "tributary.json")
    check(types(kept) == listOf("app_open"), "told ${types(kept)} of an old app")

    // A damaged file is no first launch, and neither is one that cannot be read.
    kept.writeText("{\"device")
    val damaged = launch(NOWHERE, folder = old)
    check(!damaged.isFirstLaunch, "a damaged file makes a new installation")
    // Waits until the file is written.
    damaged.send()
    val text = """{"device_id":"d-1","has_install":true,"events":[]}"""
    kept.delete()
    kept.mkdir()
    val locked = launch(NOWHERE, folder = old)
    locked.opened(null)
    locked.send()
    check(!locked.isFirstLaunch && locked.deviceID == null, "a file that cannot be read makes a new installation")
    check(kept.isDirectory, "overwrote a file that could not be read")
    kept.delete()
    kept.writeText(text)
    check(locked.deviceID == "d-1", "does not read the file again")

    // The newest thousand, and requests of a size.
    for (number in 0 until 1_100) locked.add("app_open", JSONObject().put("properties", JSONObject().put("n", number)))
    locked.send()
    val numbers = events(kept).map { it.getJSONObject("properties").getInt("n") }
    check(numbers == (100 until 1_100).toList(), "keeps other events than the newest thousand")
}
