package com.example.shop

import android.app.Activity
import android.app.Application
import android.content.Intent
import android.os.Bundle
import android.os.RemoteException
import app.tributary.TributaryAndroid
import app.tributary.TributaryApp
import com.android.installreferrer.api.InstallReferrerClient
import com.android.installreferrer.api.InstallReferrerClient.InstallReferrerResponse
import com.android.installreferrer.api.InstallReferrerStateListener
import java.util.function.Consumer

/** One kit for the whole app. */
class ShopApplication : Application() {
    val tributary by lazy { TributaryAndroid.create(this, "https://events.example.com", "trib_a_…", debug = true) }
}

class ShopActivity : Activity() {
    private val tributary by lazy { (application as ShopApplication).tributary }

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        tributary.setConsent(true, TributaryAndroid.wasHere(this))
        tributary.opened(TributaryAndroid.link(intent, savedInstanceState))
        tributary.isFirstLaunch(Consumer { isFirst -> if (isFirst) tellInstall() })
    }

    override fun onNewIntent(intent: Intent) {
        super.onNewIntent(intent)
        setIntent(intent)
        tributary.opened(TributaryAndroid.link(intent))
    }

    private fun tellInstall() {
        val client = InstallReferrerClient.newBuilder(this).build()
        try {
            client.startConnection(object : InstallReferrerStateListener {
                override fun onInstallReferrerSetupFinished(code: Int) {
                    try {
                        when (code) {
                            InstallReferrerResponse.OK -> client.installReferrer.let {
                                tributary.installed(
                                    it.installReferrer, it.referrerClickTimestampServerSeconds,
                                    it.installBeginTimestampServerSeconds, Consumer { finding -> open(finding) }
                                )
                            }
                            // Google Play is busy, for example with an update of itself: the next launch asks again.
                            InstallReferrerResponse.SERVICE_UNAVAILABLE -> return
                            // There is no Google Play, or an old one.
                            else -> tributary.installed()
                        }
                    } catch (noAnswer: RemoteException) {
                        // The connection broke: the next launch asks again.
                    } finally {
                        client.endConnection()
                    }
                }

                override fun onInstallReferrerServiceDisconnected() {}
            })
        } catch (notAllowed: SecurityException) {
            // Some phones have a Google Play that refuses the connection.
            tributary.installed()
        }
    }

    /** Opens the place that the tapped link stands for. */
    private fun open(finding: TributaryApp.Finding) {
        val place = (finding as? TributaryApp.Finding.Found)?.link?.appURL
        if (place != null) println("open $place")
    }
}
