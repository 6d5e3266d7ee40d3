// Runs each line of kits/vectors.jsonl, and the kit against kits/hostile.mjs. A program, so that a compiler is enough.
package app.tributary

import android.app.Application
import android.content.Intent
import android.os.Bundle
import android.os.UserManager
import java.io.File
import java.util.concurrent.CountDownLatch
import java.util.concurrent.Executor
import java.util.concurrent.TimeUnit
import java.util.function.Consumer
import kotlin.system.exitProcess
import org.json.JSONArray
import org.json.JSONObject

private val atOnce = Executor { it.run() }
private var failures = 0

private fun check(isSo: Boolean, what: () -> String) {
    if (isSo) return
    failures++
    println("FAILED: ${what()}")
}

private fun list(array: JSONArray) = (0 until array.length()).map { array.get(it) }

/** Takes the steps of a story, with the kit in the place of the app's. */
private class Teller(private val story: String) {
    private val folder = createTempDir("kit")
    private val file = File(folder, "tributary.json")
    private val hidden = File(folder, "hidden")
    private var app: TributaryApp? = null
    /** Before the first unlock after a start of the phone. */
    private var isLocked = false
    private var clock = 1_767_225_600_000L
    private var ids = 0
    private var number = 0
    private val answers = HashMap<String, MutableList<Answer?>>()
    private val batches = ArrayList<JSONObject>()
    private val questions = ArrayList<String>()
    private val lines = ArrayList<String>()
    private val texts = HashMap<String, String>()
    private val latest = HashMap<String, JSONObject>()
    private var sentAt = ""
    private var usedKey: String? = null
    private var findings = ArrayList<TributaryApp.Finding>()
    private val onLink = Consumer<TributaryApp.Finding> { findings.add(it) }

    fun end() = folder.deleteRecursively()

    fun take(step: String) {
        val verb = step.substringBefore(' ')
        val rest = step.substringAfter(' ', "")
        if (verb == "launch") return launch(if (rest.isEmpty()) null else rest.removePrefix("with key "))
        val app = app ?: return check(false) { "$story: no launch" }
        if (act(verb, rest, rest.split(" "), app)) return
        val found = look(verb, rest, rest.split(" "), app)
        check(found == rest) { "$story: $step, found $found" }
    }

    private fun launch(key: String?) {
        app = TributaryApp("https://t.example", key, TributaryApp.World(
            { folder }, { "3.1" }, Consumer { lines.add(it) }, atOnce, { clock }, { "id-${++ids}" }, ::answer, atOnce, atOnce,
            { !isLocked }
        ))
    }

    private fun answer(url: String, key: String?, body: String?): Answer? {
        usedKey = key
        if (body != null) batches.add(JSONObject(body))
        else questions.add(java.net.URLDecoder.decode(url.substringAfter("?"), "UTF-8"))
        val prepared = answers[if (body == null) "links" else "events"]
        return if (prepared == null || prepared.isEmpty()) Answer(200, "{}", null) else prepared.removeAt(0)
    }

    private fun act(verb: String, rest: String, words: List<String>, app: TributaryApp): Boolean {
        when (verb) {
            "consent" -> app.setConsent(rest.startsWith("given"), rest.endsWith("already installed"))
            "opened" -> app.opened(if (rest.isEmpty()) null else TributaryApp.Link(rest))
            "posted" -> app.posted(rest)
            "installed" -> {
                findings.clear()
                app.installed(if (rest.isEmpty()) null else rest, onLink = onLink)
            }
            "send" -> app.send()
            "add" -> for (count in 0 until words[0].toInt()) {
                number++
                val text = if (words.size > 3) "x".repeat(words[3].toInt()) else ""
                app.add(words[1], JSONObject().put("ref", "$number").put("text", text))
            }
            "find" -> {
                findings.clear()
                val text = words.drop(1).joinToString(" ")
                if (words[0] == "code") app.findLinkByCode(text, onLink) else app.findLinkPasted(text, onLink)
            }
            "events", "links" -> {
                val isPaused = words.getOrNull(2) == "after"
                val body = words.drop(if (isPaused) 4 else 2).joinToString(" ")
                val answer = words[1].toIntOrNull()?.let { Answer(it, body, if (isPaused) words[3] else null) }
                answers.getOrPut(verb) { ArrayList() }.add(answer)
            }
            "wait", "clock" -> clock += rest.toLong() * 1_000
            "file" -> when (rest) {
                "damaged" -> file.writeText("{\"device")
                "locked" -> {
                    file.renameTo(hidden)
                    file.mkdir()
                }
                "readable" -> {
                    file.delete()
                    hidden.renameTo(file)
                }
            }
            "phone" -> {
                isLocked = rest == "locked"
                if (isLocked) file.renameTo(hidden) else hidden.renameTo(file)
            }
            else -> return false
        }
        return true
    }

    private fun waiting() = list(JSONObject(file.readText()).getJSONArray("events")).map { it as JSONObject }

    private fun look(verb: String, rest: String, words: List<String>, app: TributaryApp): String? {
        when (verb) {
            "waiting" -> return runs(waiting())
            "oldest" -> return "${words[0]} ${waiting().firstOrNull()?.opt(words[0]) ?: "none"}"
            "sent" -> {
                val sent = batches.map { batch -> list(batch.getJSONArray("events")).map { it as JSONObject } }
                for (event in sent.flatten()) {
                    val text = event.keys().asSequence().map { it.toString() }.sorted().joinToString { "$it: ${event.get(it)}" }
                    val known = texts.getOrPut(event.getString("event_id")) { text }
                    check(text == known) { "$story: sent in two ways: $text and $known" }
                    latest[event.getString("type")] = event
                }
                sentAt = batches.lastOrNull()?.getString("sent_at") ?: sentAt
                batches.clear()
                return if (sent.isEmpty()) "nothing" else sent.joinToString(" / ") { runs(it) }
            }
            "sent_at" -> {
                look("sent", "", words, app)
                return sentAt
            }
            "event" -> {
                look("sent", "", words, app)
                val event = waiting().lastOrNull { it.getString("type") == words[0] } ?: latest[words[0]]
                return "${words[0]} ${words[1]} ${event?.opt(words[1]) ?: "none"}"
            }
            "asked" -> return questions.joinToString(" / ").ifEmpty { "nothing" }.also { questions.clear() }
            "first" -> return answered<Boolean> { app.isFirstLaunch(it) }.let { if (it) "yes" else "no" }
            "device" -> return answered<String?> { app.deviceID(it) } ?: "none"
            "status" -> return "${app.lastStatus ?: "none"}"
            "key" -> return usedKey
            "says" -> return lines.joinToString("\n").let { if (rest in it) rest else it }
            "stored" -> {
                val names = mapOf("tributary.json" to "queue", "tributary.installed" to "mark")
                return folder.list().map { names[it] ?: it }.sorted().joinToString(" ").ifEmpty { "nothing" }
            }
            "finds" -> return findings.singleOrNull()?.let { finding ->
                when (finding) {
                    is TributaryApp.Finding.Found -> "found ${finding.link.clickID} ${finding.link.appURL ?: "none"}"
                    is TributaryApp.Finding.TooManyTries -> "too many tries, wait ${finding.seconds}"
                    TributaryApp.Finding.NotFound -> "not found"
                    TributaryApp.Finding.NoAnswer -> "no answer"
                }
            }
            else -> return "no such verb: $verb"
        }
    }

    private fun <Value> answered(ask: (Consumer<Value>) -> Unit): Value {
        val values = ArrayList<Value>()
        ask(Consumer { values.add(it) })
        return values.single()
    }

    /** `install 2 app_open`: types, with how many follow each other. */
    private fun runs(events: List<JSONObject>): String {
        val all = ArrayList<Pair<String, Int>>()
        for (event in events) {
            val type = event.getString("type")
            val last = all.lastOrNull()
            if (last != null && last.first == type) all[all.size - 1] = type to last.second + 1 else all.add(type to 1)
        }
        return all.joinToString(" ") { (type, count) -> if (count > 1) "$count $type" else type }.ifEmpty { "nothing" }
    }
}

/** Whatever kits/hostile.mjs answers, no event is lost, and none is sent in two ways. On the kit's own threads. */
private fun askHostile(url: String, wanted: Int) {
    val folder = createTempDir("kit")
    val transport = Transport(silence = 1_000, whole = 2_000)
    var clock = 0L
    var ids = 0
    fun launch() = TributaryApp(url, null, TributaryApp.World(
        { folder }, { null }, null, atOnce, { clock }, { "id-${++ids}" }, transport::ask
    )).apply { setConsent(true, alreadyInstalled = true) }
    fun send(app: TributaryApp) = CountDownLatch(1).also { done -> app.send(Runnable { done.countDown() }) }
        .let { check(it.await(100, TimeUnit.SECONDS)) { "the kit does not end sending" } }
    // Its counts come whole, but may take longer than the second that bad answers get.
    fun tally(path: String) = JSONObject(Transport().ask("$url/$path", null, null)!!.text)
    var app = launch()
    var answers = 0
    for (round in 0 until wanted) {
        if (answers >= wanted) break
        app.add("app_open")
        send(app)
        if (round % 10 == 0) CountDownLatch(1).also { app.findLinkByCode("7K3M 9QX2", Consumer { _ -> it.countDown() }) }.await()
        // Longer than a server may ask for silence.
        clock += 100_000_000
        // A process that ends at any time loses nothing.
        if (round % 100 == 0) {
            app = launch()
            answers = tally("tally").getInt("answers")
        }
    }
    tally("calm")
    send(app)
    val end = tally("tally")
    val known = (list(end.getJSONArray("stored")) + list(end.getJSONArray("refused"))).toSet()
    val lost = (2..ids).map { "id-$it" }.filter { it !in known }
    check(lost.isEmpty()) { "lost $lost" }
    check(end.getJSONArray("inTwoWays").length() == 0) { "sent in two ways: ${end.getJSONArray("inTwoWays")}" }
    println("hostile: ${end.getInt("answers")} answers, ${end.getJSONArray("stored").length()} of ${ids - 1} events stored")
    folder.deleteRecursively()
}

/** The same intent comes again: at a rotation, from the list of recent apps. */
private fun readLinks() {
    val referer = Bundle().apply {
        putString("app_name", "Facebook")
        putString("url", "fb://")
    }
    val data = Bundle().apply {
        putString("target_url", "https://shop.example/soup")
        putBundle("referer_app_link", referer)
    }
    val intent = Intent("shop://soup").apply { putExtra("al_applink_data", data) }
    val facebooks = TributaryApp.Link("shop://soup", "https://shop.example/soup", "Facebook", "fb://")
    check(TributaryAndroid.link(intent) == facebooks) { "does not read the data of an App Link" }
    println("c4-kit-05")
    check(TributaryAndroid.link(intent, Bundle()) == null) { "tells a link again after a rotation" }
    val recent = Intent("shop://soup", Intent.FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY)
    check(TributaryAndroid.link(recent) == null) { "tells an old link from the recent apps" }
    check(TributaryAndroid.link(Intent("shop://soup")) == TributaryApp.Link("shop://soup")) { "does not read a plain link" }
    check(TributaryAndroid.link(Intent(null)) == null && TributaryAndroid.link(null) == null) { "makes a link of nothing" }
    println("c4-kit-06")
}

/** The kit asks Android whether its folder can be read. */
private fun askForTheLock() {
    UserManager.isUnlocked = false
    val app = TributaryAndroid.create(Application(), "http://127.0.0.1:1", null)
    app.setConsent(true, alreadyInstalled = true)
    val done = CountDownLatch(1)
    app.deviceID(Consumer { id ->
        check(id == null) { "makes a device before the first unlock" }
        done.countDown()
    })
    check(done.await(10, TimeUnit.SECONDS)) { "does not say its device" }
    UserManager.isUnlocked = true
}

fun main(arguments: Array<String>) {
    var count = 0
    for (line in File(arguments[0]).readLines()) {
        val story = JSONObject(line)
        if (story.has("for") && "android" !in list(story.getJSONArray("for"))) continue
        val teller = Teller(story.getString("story"))
        for (step in list(story.getJSONArray("steps"))) teller.take(step as String)
        teller.end()
        count++
    }
    readLinks()
    askForTheLock()
    System.getenv("KIT_HOSTILE")?.let { askHostile(it, (System.getenv("KIT_ANSWERS") ?: "10000").toInt()) }
    println("$count stories, $failures failures")
    exitProcess(if (failures > 0 || count == 0) 1 else 0)
}
