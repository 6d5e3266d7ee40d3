#!/usr/bin/env python3
"""Writes the snippets of the kits' pages as programs, each in the place that a reader would put it. The checks compile
them. A snippet that has no place here is a fault: say where it goes, or why it cannot be compiled.

    snippets.py swift|kotlin|js FOLDER      prints the files; exits with 1 if a snippet has no place
"""
import os
import re
import sys

language, folder = sys.argv[1:]
PAGES = ["docs/app-kits.md", "docs/in-your-app.md", "docs/recipes.md", "docs/sending-events.md"]

# The beginning of a snippet, and what stands around it.
PLACES = {
    "swift": [
        ('let tributary = TributaryApp(', "func begin(url: URL) async {\nSNIPPET\n}"),
        ("if await tributary.isFirstLaunch {", """func ask(_ tributary: TributaryApp, _ itemProviders: [NSItemProvider],
    open: @MainActor (URL?) async -> Void, say: @MainActor (String) async -> Void) async {
SNIPPET
}"""),
        ("protocol Reporter", "SNIPPET"),
        ("ContentView().onOpenURL", "@MainActor func view(reporter: any Reporter) -> some View {\nSNIPPET\n}"),
        ("func scene(", """final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
let reporter: any Reporter
init(_ reporter: any Reporter) { self.reporter = reporter }
SNIPPET
}"""),
        ("func reportInstall(", "struct FirstLaunch {\nlet reporter: any Reporter\nSNIPPET\n}"),
        ("func sharer(", "struct Shared: SharingDelegate {\nlet reporter: any Reporter\nlet sharedURL: URL\nSNIPPET\n}"),
        ("reporter.report(", "func dialog(reporter: any Reporter, link: String, url: URL) {\nSNIPPET\n}"),
        ("func send(_ waiting", """struct Queue {
let keyForApps: String
let forget: ([[String: String]]) -> Void
let sendLater: () -> Void
func rejected(in data: Data, of waiting: [[String: String]]) -> [[String: String]] { [] }
SNIPPET
}"""),
        ("import TributaryClient", None),  # of this package: it is built and tested with it
    ],
    "kotlin": [
        ("val tributary = TributaryAndroid.create(", """
fun begin(context: Context, intent: Intent, savedInstanceState: Bundle?, tellInstall: () -> Unit) {
SNIPPET
}"""),
        ("override fun onCreate(savedInstanceState: Bundle?) {\n    prepare(",
         "class MainActivity : com.facebook.react.ReactActivity() {\nSNIPPET\n}"),
        ("override fun onCreate(", "class OwnActivity(private val reporter: Reporter) : Activity() {\nSNIPPET\n}"),
        ("fun reportInstall() {", """class OwnFirstLaunch(
private val context: Context, private val preferences: SharedPreferences, private val reporter: Reporter) {
SNIPPET
}"""),
        ("val columns = arrayOf(", "fun metaReferrer(context: Context, facebookAppId: String): String? {\nSNIPPET\nreturn referrer\n}"),
        ("shareDialog.registerCallback(", """fun share(
shareDialog: ShareDialog, callbackManager: CallbackManager, reporter: Reporter, sharedUrl: String) {
SNIPPET
}"""),
        ("fun send(waiting", """class Queue(private val client: OkHttpClient, private val keyForApps: String) {
fun forget(events: List<JSONObject>) {}
fun sendLater() {}
fun rejected(answer: String, waiting: List<JSONObject>): List<JSONObject> = emptyList()
SNIPPET
}"""),
    ],
    "js": [
        ("createServer(", 'import { createServer } from "node:http";\nconst relay = async () => ({ status: 200 });\nSNIPPET'),
        ("fetch(", "SNIPPET"),
        ("import { TributaryApp }", "SNIPPET"),
        ("import { randomUUID }", None),  # a recipe: scripts/check-recipes runs it
    ],
}
HEADS = {
    "swift": "import SwiftUI\nimport Tributary\nimport UIKit\n#if canImport(FoundationNetworking)\nimport FoundationNetworking\n#endif\n",
    "kotlin": "".join(f"import {name}\n" for name in (
        "android.app.Activity", "android.content.Context", "android.content.Intent", "android.net.Uri", "android.os.Bundle",
        "android.os.RemoteException", "app.tributary.TributaryAndroid", "com.android.installreferrer.api.*",
        "java.time.Instant", "java.util.function.Consumer", "org.json.JSONArray", "org.json.JSONObject")),
    "js": "",
}
ENDS = {"swift": "swift", "kotlin": "kt", "js": "mjs"}

faults = used = 0
for page in PAGES:
    with open(page) as file:
        text = file.read()
    for number, snippet in enumerate(re.findall(rf"^```{language}\n(.*?)^```$", text, re.S | re.M)):
        found = next((place for start, place in PLACES[language] if snippet.startswith(start)), "")
        if found is None:
            continue
        if not found:
            print(f"{page}: snippets.py has no place for: {snippet.splitlines()[0]}", file=sys.stderr)
            faults += 1
            continue
        name = f"{folder}/{os.path.basename(page)[:-3].replace('-', '_')}_{number}.{ENDS[language]}"
        with open(name, "w") as file:
            file.write(HEADS[language] + found.replace("SNIPPET", snippet))
        print(name)
        used += 1
if not used:
    print(f"no snippet of {language} was found", file=sys.stderr)
sys.exit(1 if faults or not used else 0)
