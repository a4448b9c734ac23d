package android.os;

/** Platform class, for the compiler only. */
public class Handler {}
