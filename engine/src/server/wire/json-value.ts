/**
 * A decoded body: JSON data that keeps what a JavaScript object would lose, the repeated members,
 * their order and the text of numbers. JSON (`formats/json-tree.ts`), YAML and protobuf bodies end
 * in this one form.
 */

export type JsonValue =
  | { readonly kind: 'object'; readonly members: readonly JsonMember[] }
  | { readonly kind: 'array'; readonly items: readonly JsonValue[] }
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'number'; readonly literal: string }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'null' };

export interface JsonMember {
  readonly name: string;
  readonly value: JsonValue;
}

export type BodyReading =
  | {
      readonly kind: 'value';
      readonly value: JsonValue;
      /** What strict reading of YAML finds before the fields are looked at. */
      readonly strictErrors: readonly string[];
    }
  /** Not data at all; the message is the real server's. */
  | { readonly kind: 'error'; readonly message: string };
