package app.tributary

import android.content.Context
import android.content.Intent
import android.os.Bundle
import android.os.Handler
import android.os.Looper
import android.os.UserManager
import android.util.Log
import java.util.concurrent.Executor
import java.util.function.Consumer

/** What the kit needs of Android. */
object TributaryAndroid {
    /** Callbacks come on the main thread. With `debug`, the log says what is sent and why an install was joined. */
    @JvmStatic
    @JvmOverloads
    fun create(context: Context, url: String, key: String?, debug: Boolean = false): TributaryApp {
        val app = context.applicationContext
        val version = { app.packageManager.getPackageInfo(app.packageName, 0).versionName }
        val main = Handler(Looper.getMainLooper())
        val log = if (debug) Consumer<String> { Log.d("tributary", it) } else null
        val isUnlocked = { app.getSystemService(UserManager::class.java)?.isUserUnlocked != false }
        val callbacks = Executor { main.post(it) }
        return TributaryApp(
            url, key, TributaryApp.World({ app.noBackupFilesDir }, version, log, callbacks, isUnlocked = isUnlocked)
        )
    }

    /** Whether the app was on this phone before this version. */
    @JvmStatic
    fun wasHere(context: Context): Boolean =
        context.packageManager.getPackageInfo(context.packageName, 0).let { it.firstInstallTime < it.lastUpdateTime }

    /**
     * The link that opened an activity, with the data of its App Link, which Facebook puts into the extras.
     *
     * Null if none did, or if it was told before: after a rotation the activity gets the same intent again, and from
     * the list of recent apps an old one.
     *
     * - savedInstanceState: of `onCreate`; null in `onNewIntent`.
     */
    @JvmStatic
    @JvmOverloads
    fun link(intent: Intent?, savedInstanceState: Bundle? = null): TributaryApp.Link? {
        val url = intent?.dataString ?: return null
        if (savedInstanceState != null || intent.flags and Intent.FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY != 0) return null
        val data = intent.getBundleExtra("al_applink_data")
        val referer = data?.getBundle("referer_app_link")
        return TributaryApp.Link(
            url, data?.getString("target_url"), referer?.getString("app_name"), referer?.getString("url")
        )
    }
}
