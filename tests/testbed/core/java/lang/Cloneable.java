package java.lang;

/** Marks classes whose objects Object.clone copies. */
public interface Cloneable {}
