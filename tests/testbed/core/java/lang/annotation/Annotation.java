package java.lang.annotation;

/** What all annotations implement. */
public interface Annotation {
  Class<? extends Annotation> annotationType();
}
