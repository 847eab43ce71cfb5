/**
 * The metadata of objects that identities are bound to, to check that they exist and are still the
 * same.
 */
import type { JsonObject } from '../model/json.ts';
import { listAt, memberAt, objectOf, stringAt } from './object-fields.ts';

/** The parts of an object that identities depend on. */
export interface LiveObject {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  /** Milliseconds since 1970; set while finalizers or a grace period delay the deletion. */
  readonly deletedAtMs: number | undefined;
  /** Returns the value of a label; empty if it is absent. */
  label(name: string): string;
}

/** Reads the metadata; absent fields are empty. */
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

/**
 * Returns the names of the Secrets that a service account lists; older servers created them
 * automatically.
 */
export const listedSecrets = (account: JsonObject): readonly string[] =>
  listAt(account, 'secrets').map((entry) => stringAt(objectOf(entry), 'name'));

/** Returns a value of a Secret's data as the stored base64 text; empty if absent. */
export const secretData = (secret: JsonObject, entry: string): string =>
  stringAt(secret, 'data', entry);

/** A time that cannot be parsed is in the past: the object counts as deleted. */
const timeOf = (text: string): number => {
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? Number.NEGATIVE_INFINITY : milliseconds;
};
