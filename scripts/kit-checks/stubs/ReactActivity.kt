package com.facebook.react

import android.app.Activity

abstract class ReactActivity : Activity()
