/**
 * Sets the credential plugin of a user in the text of a kubeconfig. Comments and all other entries
 * stay as they are: the text is read again, and an unintended change is an error.
 */
import { type Document, isMap, isScalar, isSeq, parseDocument, YAMLMap, YAMLSeq } from 'yaml';
import { goQuote } from '../../formats/go-quote.ts';
import type { PlainValue } from '../../formats/json-with-positions.ts';
import { readPlainYaml } from '../yaml/plain-value.ts';

/** The `exec` section of a user. */
export interface ExecSection {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly installHint: string;
  readonly interactiveMode: 'Never' | 'IfAvailable' | 'Always';
  readonly provideClusterInfo: boolean;
}

export type UserChange =
  | {
      readonly kind: 'changed';
      readonly text: string;
      readonly isNew: boolean;
      /** Credentials that were removed, because they would be used instead of the plugin. */
      readonly removed: readonly string[];
    }
  | { readonly kind: 'error'; readonly message: string };

/** Levels of nesting in an untrusted file. */
const maxDepth = 64;

/** Fields that take precedence over `exec`, or exclude it. */
const otherCredentials = [
  'token',
  'tokenFile',
  'username',
  'password',
  'client-certificate',
  'client-certificate-data',
  'client-key',
  'client-key-data',
  'auth-provider',
];

/** Returns the changed text; an empty text becomes a new kubeconfig. */
export const setUserExec = (text: string, name: string, exec: ExecSection): UserChange => {
  const source = text.trim() === '' ? 'apiVersion: v1\nkind: Config\n' : text;
  const before = readPlainYaml(new TextEncoder().encode(source), { depth: maxDepth });
  if (before.kind === 'error') return before;
  const document = parseDocument(source, { logLevel: 'error', prettyErrors: false });
  const [problem] = document.errors;
  if (problem !== undefined) return error(`yaml: ${problem.code}`);
  if (!isMap(document.contents)) return error('a kubeconfig is a map');
  const users = usersOf(document);
  if (users === undefined) return error('users is not a list');
  const existing = users.items.find(
    (item) => isMap(item) && textOf(item.get('name', true)) === name,
  );
  const entry = isMap(existing) ? existing : newEntry(name);
  if (existing === undefined) users.add(entry);
  const user = userOf(entry);
  if (user === undefined) return error(`the entry of user ${goQuote(name)} is not a map`);
  const removed = otherCredentials.filter((field) => user.delete(field));
  user.set('exec', document.createNode(exec));
  const changed = isJson(source)
    ? `${JSON.stringify(document.toJS(), undefined, 2)}\n`
    : document.toString({
        lineWidth: 0,
        indentSeq: indentsLists(source),
        flowCollectionPadding: /[{[] /.test(source),
      });
  const difference = differenceOf(source, changed, name);
  return difference === undefined
    ? { kind: 'changed', text: changed, isNew: existing === undefined, removed }
    : error(`${difference} cannot be written back unchanged: edit the file by hand`);
};

const error = (message: string): UserChange => ({ kind: 'error', message });

/** Returns the list of users, which is created if there is none; `undefined` if it is no list. */
const usersOf = (document: Document): YAMLSeq | undefined => {
  const users = document.get('users', true);
  if (isSeq(users)) {
    if (users.items.length === 0) users.flow = false;
    return users;
  }
  if (!isNothing(users)) return undefined;
  const created = new YAMLSeq();
  document.set('users', created);
  return created;
};

/** Returns the fields of a user, which are created if there are none; `undefined` if it is no map. */
const userOf = (entry: YAMLMap): YAMLMap | undefined => {
  const user = entry.get('user', true);
  if (isMap(user)) {
    if (user.items.length === 0) user.flow = false;
    return user;
  }
  if (!isNothing(user)) return undefined;
  const created = new YAMLMap();
  entry.set('user', created);
  return created;
};

const isNothing = (node: unknown): boolean =>
  node === undefined || (isScalar(node) && node.value === null);

const newEntry = (name: string): YAMLMap => {
  const entry = new YAMLMap();
  entry.set('name', name);
  return entry;
};

const textOf = (node: unknown): string | undefined =>
  isScalar(node) && typeof node.value === 'string' ? node.value : undefined;

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Returns whether items of lists have more indentation than the key of the list. */
const indentsLists = (text: string): boolean =>
  /^(?:clusters|contexts|users):[ \t]*\r?\n[ \t]+-/m.test(text);

/** Returns the name of an entry that differs although only the user should; `undefined` if none does. */
const differenceOf = (before: string, after: string, name: string): string | undefined => {
  const [old, changed] = [before, after].map((text) => comparedParts(text, name));
  if (old === undefined || changed === undefined) return 'the file';
  for (const [part, value] of changed) if (old.get(part) !== value) return part;
  return [...old.keys()].find((part) => !changed.has(part));
};

/** Returns everything but the credentials of the user, as JSON by field and entry. */
const comparedParts = (text: string, name: string): ReadonlyMap<string, string> | undefined => {
  const reading = readPlainYaml(new TextEncoder().encode(text), { depth: maxDepth });
  if (reading.kind === 'error' || reading.value.kind !== 'object') return undefined;
  const parts = new Map<string, string>();
  for (const { name: field, value } of reading.value.members) {
    if (field !== 'users') parts.set(field, JSON.stringify(value));
    else if (value.kind === 'array')
      for (const [at, item] of value.items.entries()) {
        const isChanged = nameOf(item) === name;
        if (!isChanged) parts.set(`users[${at}]`, JSON.stringify(item));
        else for (const [key, json] of retainedFields(item)) parts.set(`users[${at}].${key}`, json);
      }
  }
  return parts;
};

const nameOf = (item: PlainValue): string | undefined => {
  const name = memberOf(item, 'name');
  return name?.kind === 'string' ? name.text : undefined;
};

const memberOf = (value: PlainValue, name: string): PlainValue | undefined =>
  value.kind === 'object' ? value.members.find((member) => member.name === name)?.value : undefined;

const retainedFields = (item: PlainValue): readonly (readonly [string, string])[] => {
  const user = memberOf(item, 'user');
  if (user?.kind !== 'object') return [];
  return user.members
    .filter(({ name }) => name !== 'exec' && !otherCredentials.includes(name))
    .map(({ name, value }) => [name, JSON.stringify(value)]);
};
