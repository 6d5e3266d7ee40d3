package com.android.installreferrer.api

import android.content.Context
import android.os.RemoteException

// Java's methods have other names than these properties; Kotlin calls both alike.
class ReferrerDetails(
    val installReferrer: String,
    val referrerClickTimestampServerSeconds: Long,
    val installBeginTimestampServerSeconds: Long
)
interface InstallReferrerStateListener {
    fun onInstallReferrerSetupFinished(code: Int)
    fun onInstallReferrerServiceDisconnected()
}
class InstallReferrerClient {
    object InstallReferrerResponse {
        const val OK = 0
        const val SERVICE_UNAVAILABLE = 1
    }
    class Builder { fun build() = InstallReferrerClient() }
    val installReferrer: ReferrerDetails get() = throw RemoteException()
    fun startConnection(listener: InstallReferrerStateListener) {}
    fun endConnection() {}

    companion object { fun newBuilder(context: Context) = Builder() }
}
