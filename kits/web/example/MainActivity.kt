package com.example.shop

import android.content.Intent
import android.os.Bundle
import com.facebook.react.ReactActivity
import org.json.JSONObject

/** React Native reads no more of an intent than its link. */
class MainActivity : ReactActivity() {
    override fun onCreate(savedInstanceState: Bundle?) {
        prepare(intent, savedInstanceState)
        super.onCreate(savedInstanceState)
    }

    override fun onNewIntent(intent: Intent) {
        prepare(intent, null)
        super.onNewIntent(intent)
    }

    private fun prepare(intent: Intent, savedInstanceState: Bundle?) {
        val link = intent.data ?: return
        if (savedInstanceState != null || intent.flags and Intent.FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY != 0) {
            // Opened from the list of recent apps, or made again: the link is an old one.
            intent.data = null
        } else if (link.isHierarchical) {
            // Facebook puts the data of its App Link into the extras.
            val data = intent.getBundleExtra("al_applink_data") ?: return
            intent.data = link.buildUpon().appendQueryParameter("al_applink_data", json(data).toString()).build()
        }
    }

    private fun json(bundle: Bundle): JSONObject = JSONObject().apply {
        for (key in bundle.keySet()) {
            val value = bundle.get(key)
            putOpt(key, if (value is Bundle) json(value) else value)
        }
    }
}
