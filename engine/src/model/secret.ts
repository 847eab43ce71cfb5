/** A value that must not be printed: every way to text gives `[redacted]`. */

/**
 * A value that no printing, logging or JSON shows: all of them say `[redacted]`. Only `reveal` opens
 * it.
 */
export class Secret<T> {
  /** Out of reach for anything outside of this class: no key, no symbol, no closure leads to it. */
  readonly #value: T;
  constructor(value: T) {
    this.#value = value;
  }
  /** See `reveal`. */
  static open<Value>(guarded: Secret<Value>): Value {
    return guarded.#value;
  }
  toString(): string {
    return '[redacted]';
  }
  toJSON(): string {
    return '[redacted]';
  }
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return '[redacted]';
  }
}

/** Closes a value; `reveal` opens it again. */
export const secret = <T>(value: T): Secret<T> => new Secret(value);

/** The one way in. Only authenticators and the HTTP client call it. */
export const reveal = <T>(guarded: Secret<T>): T => Secret.open(guarded);
