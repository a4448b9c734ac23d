package android.app;

/** An application's own object; {@link ActivityThread#main} makes one and calls it. */
public class Application {
  /** Called on the main thread in the first message. */
  public void onCreate() {}
}
