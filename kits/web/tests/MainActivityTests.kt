// What the activity of an app of React Native leaves of an intent. A program, so that a compiler is enough: it prints
// the link that Tributary then gets.
package com.example.shop

import android.content.Intent
import android.net.Uri
import android.os.Bundle
import org.json.JSONObject

private fun linkAfterLaunch(intent: Intent, savedInstanceState: Bundle? = null): String? {
    val activity = MainActivity()
    activity.setIntent(intent)
    activity.onCreate(savedInstanceState)
    return activity.intent.dataString
}

fun main() {
    val history = Intent.FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY
    check(linkAfterLaunch(Intent("shop://soup")) == "shop://soup") { "changes a plain link" }
    check(linkAfterLaunch(Intent("shop://soup", history)) == null) { "tells an old link from the recent apps" }
    check(linkAfterLaunch(Intent("shop://soup"), Bundle()) == null) { "tells a link again after a rotation" }
    check(linkAfterLaunch(Intent(null)) == null) { "makes a link of nothing" }

    val referer = Bundle().apply {
        putString("app_name", "Facebook")
        putString("url", "fb://")
    }
    val data = Bundle().apply {
        putString("target_url", "https://shop.example/soup?a=b&c=d")
        putBundle("referer_app_link", referer)
        putBundle("extras", Bundle().apply { putString("fb_app_id", "0123") })
        putString("nothing", null)
    }
    fun facebooks(link: String) = Intent(link).apply { putExtra("al_applink_data", data) }
    val link = linkAfterLaunch(facebooks("shop://soup?x=1#part")) ?: ""
    val text = Regex("^shop://soup\\?x=1&al_applink_data=([^&#]+)#part$").find(link)?.groupValues?.get(1)
    val json = JSONObject(Uri.decode(text ?: "{}"))
    check(json.optString("target_url") == "https://shop.example/soup?a=b&c=d") { "does not add the App Link: $link" }
    check(json.getJSONObject("referer_app_link").getString("app_name") == "Facebook") { "does not add what it holds" }
    check(json.getJSONObject("extras").get("fb_app_id") == "0123") { "changes the data" }
    check(linkAfterLaunch(facebooks("shop:soup")) == "shop:soup") { "breaks a link without slashes" }
    val next = facebooks("shop://bread")
    MainActivity().onNewIntent(next)
    check(next.dataString?.startsWith("shop://bread?al_applink_data=%7B") == true) { "does not read later links" }
    println(link)
}
