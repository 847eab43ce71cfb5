/** What identities that are bound to objects need to know of them: are they there, and the same? */
import type { JsonObject } from '../model/json.ts';
import { listAt, memberAt, objectOf, stringAt } from './object-fields.ts';

/** An object as far as identities depend on it. */
export interface LiveObject {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  /** Milliseconds since 1970; set while something still keeps the object from going. */
  readonly deletedAtMs: number | undefined;
  /** Empty where the label is absent. */
  label(name: string): string;
}

/** Metadata as far as it is of interest; what is absent reads as empty. */
export const liveObject = (object: JsonObject): LiveObject => {
  const deletedAt = memberAt(object, 'metadata', 'deletionTimestamp');
  return {
    name: stringAt(object, 'metadata', 'name'),
    namespace: stringAt(object, 'metadata', 'namespace'),
    uid: stringAt(object, 'metadata', 'uid'),
    deletedAtMs: typeof deletedAt === 'string' ? timeOf(deletedAt) : undefined,
    label: (name) => stringAt(object, 'metadata', 'labels', name),
  };
};

/** Names of the secrets that the account lists as its own: older servers made them by themselves. */
export const listedSecrets = (account: JsonObject): readonly string[] =>
  listAt(account, 'secrets').map((entry) => stringAt(objectOf(entry), 'name'));

/** The value of a secret's entry, as the base64 text in which it is stored; empty where absent. */
export const secretData = (secret: JsonObject, entry: string): string =>
  stringAt(secret, 'data', entry);

/** A time that nobody can read is long ago: the object counts as gone. */
const timeOf = (text: string): number => {
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? Number.NEGATIVE_INFINITY : milliseconds;
};
