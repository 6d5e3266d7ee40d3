// Uses kits/android with a daemon, as an app does: offline, over several launches, and while the server makes trouble.
// What needs no daemon is in kits/vectors.jsonl.
import app.tributary.TributaryApp
import app.tributary.TributaryApp.Finding
import java.io.File
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import java.util.function.Consumer
import kotlin.system.exitProcess
import org.json.JSONObject

val home = File(System.getenv("KIT_FOLDER"))

fun launch(url: String) =
    TributaryApp(url, System.getenv("KIT_KEY"), home, "3.1", Consumer { println(it) }).apply { setConsent(true) }

fun check(isSo: Boolean, what: String) {
    if (isSo) return
    println("kotlin: $what")
    exitProcess(1)
}

fun <Value> answer(ask: (Consumer<Value>) -> Unit): Value =
    CompletableFuture<Value>().also { future -> ask(Consumer { future.complete(it) }) }.get(60, TimeUnit.SECONDS)

fun send(app: TributaryApp) = CompletableFuture<Unit>().also { app.send(Runnable { it.complete(Unit) }) }.get(60, TimeUnit.SECONDS)

fun waiting() = JSONObject(File(home, "tributary.json").readText()).getJSONArray("events").length()

fun main() {
    val offline = launch("http://127.0.0.1:1")
    check(answer<Finding> { offline.findLinkByCode("AAAA AAAA", it) } == Finding.NoAnswer, "found a link offline")
    offline.opened(null)
    offline.installed("utm_source=google-play&utm_medium=organic", 0, 1_760_000_000)
    send(offline)

    // The next launch asks for what was pasted, then the server makes trouble until it lets the events pass.
    val online = launch(System.getenv("KIT_URL"))
    check(!answer<Boolean> { online.isFirstLaunch(it) }, "the install is told twice")
    check(answer<Finding> { online.findLinkPasted("not a link + 100 % &", it) } == Finding.NotFound, "found a link in rubbish")
    check(answer<Finding> { online.findLinkByCode("000 0000", it) } == Finding.NotFound, "found a link by no code")
    val long = "long ".repeat(999) + System.getenv("KIT_LINK") + " long".repeat(999)
    for (text in listOf("look: " + System.getenv("KIT_LINK"), long)) {
        val found = answer<Finding> { online.findLinkPasted(text, it) } as? Finding.Found
        check(found?.link?.clickID == System.getenv("KIT_CLICK"), "the pasted link was not found")
    }
    online.opened(TributaryApp.Link("shop://soup", "https://shop.example/soup", "Facebook", "fb://"))
    online.posted("fbconnect://cancel", ref = "recipe")
    for (attempt in 0 until 11) {
        send(online)
        if (waiting() == 0) break
        Thread.sleep(1_100)
    }
    check(waiting() == 0, "${waiting()} events still wait")
    for (number in 0 until 10) answer<Finding> { online.findLinkByCode("AAAA AAAA", it) }
    val refused = answer<Finding> { online.findLinkByCode("AAAA AAAA", it) }
    check(refused is Finding.TooManyTries, "no limit of wrong codes is told")
    exitProcess(0)
}
