package android.app

import android.content.Context
import android.content.Intent
import android.os.Bundle

open class Application : Context()
abstract class Activity : Context() {
    val application: Application get() = throw IllegalStateException()
    val intent: Intent get() = Intent(null)
    fun setIntent(intent: Intent) {}
    open fun onCreate(savedInstanceState: Bundle?) {}
    open fun onNewIntent(intent: Intent) {}
}
