/**
 * A decoded body: JSON data that keeps what a JavaScript object would lose, the repeated members,
 * their order and the text of numbers. JSON (`formats/json-with-positions.ts`), YAML and protobuf bodies end
 * in this one form.
 */
import type { PlainMember, PlainValue } from '../../documents/yaml/plain-value.ts';

/** The data of a body. */
export type JsonValue = PlainValue;

/** A member as it was written. */
export type JsonMember = PlainMember;

/** What came of a body. */
export type BodyReading =
  | {
      readonly kind: 'value';
      readonly value: JsonValue;
      /** What strict reading of YAML finds before the fields are looked at. */
      readonly strictErrors: readonly string[];
    }
  /** Not data at all; the message is the real server's. */
  | { readonly kind: 'error'; readonly message: string };
