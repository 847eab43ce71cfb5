/** A wrapper for values that must never be printed. */

/**
 * A value that prints as `[redacted]` in strings, logs and JSON. Only `reveal` returns it.
 *
 * @example
 * ```ts
 * const token: Secret<string> = secret('eyJhbGciOi…');
 * console.log(`${token}`); // [redacted]
 * ```
 */
export class Secret<T> {
  /** A private field: not reachable through keys, symbols or closures. */
  readonly #value: T;
  constructor(value: T) {
    this.#value = value;
  }
  /** Returns the value; call `reveal` instead. */
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

/**
 * Wraps a value.
 *
 * @example
 * ```ts
 * const request = { path: '/', token: secret(token), audiences: [] };
 * ```
 */
export const secret = <T>(value: T): Secret<T> => new Secret(value);

/** Unwraps a value. Only authenticators and the HTTP client may call this. */
export const reveal = <T>(guarded: Secret<T>): T => Secret.open(guarded);
