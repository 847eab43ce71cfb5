/**
 * A decoded body: JSON data that preserves what a JavaScript object loses, namely repeated members,
 * their order and the spelling of numbers. JSON (`formats/json-with-positions.ts`), YAML and
 * protobuf bodies are all decoded to this form.
 */
import type { PlainMember, PlainValue } from '../../documents/yaml/plain-value.ts';

/** The data of a body. */
export type JsonValue = PlainValue;

/** A member as it was written. */
export type JsonMember = PlainMember;

/** The result of decoding a body. */
export type BodyReading =
  | {
      readonly kind: 'value';
      readonly value: JsonValue;
      /** Strict errors that YAML decoding finds before fields are decoded. */
      readonly strictErrors: readonly string[];
    }
  /** The body is not valid data; the message is kube-apiserver's. */
  | { readonly kind: 'error'; readonly message: string };
