// SPDX-License-Identifier: Apache-2.0
package com.android.org.conscrypt;

/** In place of conscrypt's, which Debian does not have: ActivityThread tells whether a socket is of this class. */
public abstract class OpenSSLSocketImpl extends java.net.Socket {}
