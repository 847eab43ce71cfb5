/** A value that must not be printed: every way to text gives `[redacted]`. */

const hidden: unique symbol = Symbol('secret');

export class Secret<T> {
  readonly [hidden]: () => T;
  constructor(value: T) {
    this[hidden] = () => value;
    Object.freeze(this);
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

export const secret = <T>(value: T): Secret<T> => new Secret(value);

/** The one way in. Only authenticators and the HTTP client call it. */
export const reveal = <T>(guarded: Secret<T>): T => guarded[hidden]();
