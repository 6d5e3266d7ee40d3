// Uses docs/recipes/TributaryApp.kt as an app does, over several launches: each launch is a new object.
import java.io.File
import kotlin.system.exitProcess

val url: String = System.getenv("KIT_URL")
val folder = File(System.getenv("KIT_FOLDER"))
val file = File(folder, "tributary.json")

fun launch(to: String = url): TributaryApp {
    val app = TributaryApp(to, System.getenv("KIT_KEY"), folder, "3.1")
    app.setConsent(true)
    return app
}

fun check(isSo: Boolean, what: String) {
    if (isSo) return
    println("kotlin: $what")
    exitProcess(1)
}

fun main() {
    // Without consent nothing is stored or sent.
    val silent = TributaryApp(url, null, folder)
    silent.setConsent(false)
    silent.opened("https://shop.example/")
    silent.posted("fbconnect://success?post_id=1_2")
    silent.send()
    check(!file.exists(), "stored something without consent")

    // Offline: the events wait in the file.
    val offline = launch("http://127.0.0.1:1")
    check(offline.isFirstLaunch, "not the first launch")
    check(offline.findLinkByCode("AAAA AAAA") == null, "found a link offline")
    offline.opened(null, "utm_source=google-play&utm_medium=organic", 0, 1_760_000_000)
    offline.opened(null)
    offline.send()

    // The next launch asks for what was pasted, then the server makes trouble until it lets the events pass.
    val online = launch()
    check(!online.isFirstLaunch, "the install is told twice")
    check(online.findLinkPasted("not a link + 100 % &") == null, "found a link in rubbish")
    val found = online.findLinkPasted("look: " + System.getenv("KIT_LINK"))
    check(found?.clickID == System.getenv("KIT_CLICK"), "the pasted link was not found: ${found?.clickID}")
    online.opened("https://shop.example/?fb_source=search")
    online.posted("fbconnect://cancel", ref = "recipe")
    for (attempt in 0 until 9) {
        online.send()
        Thread.sleep(1_100)
    }
    launch("http://127.0.0.1:1")
    check(!file.readText().contains("event_id"), "events still wait: ${file.readText()}")
    val last = launch()
    last.setConsent(false)
    check(!file.exists(), "kept something after the consent was taken back")
}
