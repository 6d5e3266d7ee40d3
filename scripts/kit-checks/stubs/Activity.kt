package android.app

import android.content.Context
import android.content.Intent
import android.os.Bundle

open class Application : Context()
abstract class Activity : Context() {
    val application: Application get() = throw IllegalStateException()
    private var own = Intent(null)
    val intent: Intent get() = own
    fun setIntent(intent: Intent) { own = intent }
    open fun onCreate(savedInstanceState: Bundle?) {}
    open fun onNewIntent(intent: Intent) {}
}
