/** What identities that are bound to objects need to know of them: are they there, and the same? */
import type { JsonObject } from '../model/json.ts';

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
  const metadata = membersOf(object, 'metadata');
  const deletedAt = metadata.get('deletionTimestamp');
  return {
    name: textOf(metadata, 'name'),
    namespace: textOf(metadata, 'namespace'),
    uid: textOf(metadata, 'uid'),
    deletedAtMs: typeof deletedAt === 'string' ? timeOf(deletedAt) : undefined,
    label: (name) => textOf(membersOf(metadata, 'labels'), name),
  };
};

/** Names of the secrets that the account lists as its own: older servers made them by themselves. */
export const listedSecrets = (account: JsonObject): readonly string[] => {
  const secrets = account.get('secrets');
  return isList(secrets)
    ? secrets.map((entry) => (entry instanceof Map ? textOf(entry, 'name') : ''))
    : [];
};

/** The value of a secret's entry, as the base64 text in which it is stored; empty where absent. */
export const secretData = (secret: JsonObject, entry: string): string =>
  textOf(membersOf(secret, 'data'), entry);

const none: JsonObject = new Map();

type Member = ReturnType<JsonObject['get']>;

const isList = (value: Member): value is readonly NonNullable<Member>[] => Array.isArray(value);

const membersOf = (object: JsonObject, name: string): JsonObject => {
  const value = object.get(name);
  return value instanceof Map ? value : none;
};

const textOf = (object: JsonObject, name: string): string => {
  const value = object.get(name);
  return typeof value === 'string' ? value : '';
};

/** A time that nobody can read is long ago: the object counts as gone. */
const timeOf = (text: string): number => {
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? Number.NEGATIVE_INFINITY : milliseconds;
};
