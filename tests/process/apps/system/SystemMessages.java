// SPDX-License-Identifier: Apache-2.0
package android.app;

import android.app.servertransaction.ClientTransaction;
import android.app.servertransaction.LaunchActivityItem;
import android.content.ComponentName;
import android.content.Intent;
import android.content.pm.ServiceInfo;
import android.os.Handler;
import java.util.AbstractList;

/** Messages that the system sends to an application, with the fields of the platform's classes. */
public final class SystemMessages {
  private static final String PACKAGE = "com.shop";

  /** Sends one of each kind, none of which can be handled here. */
  public static void send(Handler system) {
    send(system, ActivityThread.H.RECEIVER, new ActivityThread$ReceiverData(intent("shop.SYNC", "SyncReceiver")));
    send(system, ActivityThread.H.CREATE_SERVICE,
        new ActivityThread$CreateServiceData(new ServiceInfo(PACKAGE, PACKAGE + ".Upload")));
    send(system, ActivityThread.H.SERVICE_ARGS, new ActivityThread$ServiceArgsData(intent(null, "Upload")));
    send(system, ActivityThread.H.BIND_SERVICE, new ActivityThread$BindServiceData(new Intent("shop.BIND", null)));
    LaunchActivityItem launch = new LaunchActivityItem();
    launch.mIntent = intent(null, "Main");
    ClientTransaction transaction = new ClientTransaction();
    transaction.mActivityCallbacks.add(launch);
    transaction.mLifecycleStateRequest = new ClientTransaction.ResumeActivityItem();
    send(system, ActivityThread.H.EXECUTE_TRANSACTION, transaction);
    // Objects that differ from the platform's must give no text.
    ClientTransaction hostile = new ClientTransaction();
    hostile.mActivityCallbacks = new Hostile();
    send(system, ActivityThread.H.EXECUTE_TRANSACTION, hostile);
    send(system, ActivityThread.H.RECEIVER, new ActivityThread$ReceiverData(null));
    send(system, ActivityThread.H.RECEIVER, "an object of another class");
    send(system, ActivityThread.H.STOP_SERVICE, null);
  }

  private static Intent intent(String action, String name) {
    return new Intent(action, new ComponentName(PACKAGE, PACKAGE + "." + name));
  }

  private static void send(Handler system, int what, Object data) {
    system.sendMessage(system.obtainMessage(what, data));
  }

  private static final class Hostile extends AbstractList<Object> {
    @Override
    public int size() {
      throw new IllegalStateException("a list of another kind was asked");
    }

    @Override
    public Object get(int index) {
      throw new IllegalStateException("a list of another kind was asked");
    }
  }
}

class ActivityThread$ReceiverData {
  final Intent intent;

  ActivityThread$ReceiverData(Intent intent) {
    this.intent = intent;
  }
}

class ActivityThread$CreateServiceData {
  final ServiceInfo info;

  ActivityThread$CreateServiceData(ServiceInfo info) {
    this.info = info;
  }
}

class ActivityThread$ServiceArgsData {
  final Intent args;

  ActivityThread$ServiceArgsData(Intent args) {
    this.args = args;
  }
}

class ActivityThread$BindServiceData {
  final Intent intent;

  ActivityThread$BindServiceData(Intent intent) {
    this.intent = intent;
  }
}
