package android.os

class RemoteException : Exception()
class Looper { companion object { @JvmStatic fun getMainLooper() = Looper() } }
class Handler(looper: Looper) { fun post(work: Runnable): Boolean { work.run(); return true } }
class UserManager { val isUserUnlocked get() = isUnlocked; companion object { var isUnlocked = true } }
