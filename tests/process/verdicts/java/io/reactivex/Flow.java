// SPDX-License-Identifier: Apache-2.0
package io.reactivex;

/** A chain of operators, each of which forwards to the next. */
public abstract class Flow {
  /** A subscriber. */
  public interface Consumer {
    void accept(int value);
  }

  final Flow next;

  Flow(Flow next) {
    this.next = next;
  }

  /** Hands on what it gets. */
  public static Flow map(Flow next) {
    return new FlowMap(next);
  }

  /** Hands on what it gets, too. */
  public static Flow filter(Flow next) {
    return new FlowFilter(next);
  }

  public static Flow to(Consumer consumer) {
    return new FlowConsumer(consumer);
  }

  public abstract void onNext(int value);

  static final class FlowMap extends Flow {
    FlowMap(Flow next) {
      super(next);
    }

    @Override
    public void onNext(int value) {
      next.onNext(value + 1);
    }
  }

  static final class FlowFilter extends Flow {
    FlowFilter(Flow next) {
      super(next);
    }

    @Override
    public void onNext(int value) {
      if (value >= 0) {
        next.onNext(value);
      }
    }
  }

  static final class FlowConsumer extends Flow {
    private final Consumer consumer;

    FlowConsumer(Consumer consumer) {
      super(null);
      this.consumer = consumer;
    }

    @Override
    public void onNext(int value) {
      consumer.accept(value);
    }
  }
}
