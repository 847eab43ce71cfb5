/**
 * The part of a response about stored objects that is compared: everything that is equal in each
 * run.
 */
import { continueStart } from '../support/continue-start.ts';
import type { RawAnswer } from '../support/raw-exchange.ts';
import type { ObjectStep } from './object-generator.ts';

export interface ComparedAnswer {
  readonly status?: number;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** The body, or the events of a watch. */
  readonly body: readonly unknown[];
}

/** True if the response is a sequence of events. */
export const isWatch = ({ path }: ObjectStep): boolean => /[?&]watch=/.test(path);

/**
 * Returns the response with placeholders for identifiers, times and revisions, which differ from
 * run to run.
 */
export const comparedAnswer = (step: ObjectStep, answer: RawAnswer): ComparedAnswer => {
  const lines = isWatch(step)
    ? answer.body.split('\n').filter((line) => line !== '')
    : [answer.body];
  const body = lines.map(dataOf).filter((event) => !isTransient(event));
  const headers = Object.fromEntries(
    [...answer.headers].filter(([name]) => comparedHeaders.has(name)).toSorted(),
  );
  const compared = {
    ...(answer.status === undefined ? {} : { status: answer.status }),
    headers,
    body: isWatch(step) ? firstListSorted(body) : body,
  };
  const text = names.reduce(
    (known, [pattern, name]) => known.replaceAll(pattern, name),
    JSON.stringify(compared),
  );
  return JSON.parse(
    text.replaceAll(/(continue: )([\w-]{20,})/g, (_, lead, token) => lead + startIn(token)),
  );
};

/** Returns the continue token's start, as it appears in YAML within a JSON string. */
const startIn = (token: string): string => JSON.stringify(continueStart(token)).slice(1, -1);

const comparedHeaders = new Set([
  ...['content-type', 'www-authenticate', 'cache-control', 'x-content-type-options', 'warning'],
  ...['accept-patch', 'allow', 'retry-after', 'location'],
]);

const names: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID'],
  // Managed fields of bootstrapped objects, quoted in a message.
  [/\\+"managedFields\\+":\[\{\\+"manager\\+":\\+"kube-apiserver.*?\],(?=\\+"name\\+")/g, ''],
  [/(resourceVersion(?:: |\\+":)\\*")\d+/g, '$1N'],
  [/20\d\d-\d\d-\d\dT[\d:.]+Z/g, 'TIME'],
  [/20\d\d-\d\d-\d\d [\d:.]+ \+0000 UTC( m=[+\d.]+)?/g, 'TIME'],
  [/"<?\d+[smh]>?"/g, '"AGE"'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]*=?/g, 'JWT'],
  [/g-[a-z0-9]{5}/g, 'g-SUFFIX'],
  [/x{50,58}[a-z0-9]{5}/g, 'xSUFFIX'],
  [/(localhost|127\.0\.0\.1):\d+/g, 'HOST'],
  [/\b(large resource version: |current: |resource version: )\d+/g, '$1N'],
  [/0x[0-9a-f]{6,}/g, '0xPLACE'],
  [/\(\d+\)/g, '(N)'],
];

const dataOf = (text: string): unknown => {
  try {
    return named(JSON.parse(text));
  } catch {
    return text;
  }
};

/** Identifiers that the steps themselves set, so they are compared. */
const stepValues = new Set(['zz', 'u', 'v', 'wrong', 'given-uid', '']);

const named = (data: unknown): unknown => {
  if (Array.isArray(data)) return data.map(named);
  if (typeof data !== 'object' || data === null) return data;
  if (isControllerManaged(data)) return { managed: data.metadata.name };
  return Object.fromEntries(
    Object.entries(data)
      .filter(([name, value]) => name !== 'managedFields' || !isBootstrapped(value))
      .map(([name, value]) => [name, namedField(name, value)]),
  );
};

const namedField = (name: string, value: unknown): unknown => {
  if (typeof value !== 'string') return named(value);
  if (name === 'continue') return value === '' ? '' : `CONTINUE ${continueStart(value)}`;
  const isOfRun = name === 'resourceVersion' || name === 'uid';
  return isOfRun && !stepValues.has(value) ? 'N' : value;
};

/** True for bootstrapped objects, which each server writes under its own manager name. */
const isBootstrapped = (managedFields: unknown): boolean =>
  JSON.stringify(managedFields).includes('kube-apiserver');

interface Named {
  readonly metadata: { readonly name: string };
}

const aggregated = new Set(['admin', 'edit', 'view']);

/**
 * True for objects that a controller manager would maintain: the default service account of a
 * namespace, and aggregated roles of the bootstrap policy. There is no controller manager here.
 */
const isControllerManaged = (data: object): data is Named => {
  if (!('metadata' in data)) return false;
  const { metadata } = data;
  if (typeof metadata !== 'object' || metadata === null || !('name' in metadata)) return false;
  const { name } = metadata;
  if (typeof name !== 'string') return false;
  return aggregated.has(name) || (name === 'default' && 'namespace' in metadata);
};

/** True for events that depend on timing: bookmarks, and changes by controllers. */
const isTransient = (event: unknown): boolean => {
  const text = JSON.stringify(event);
  if (text.startsWith('{"type":"BOOKMARK"')) return !text.includes('"annotations"');
  return /^\{"type":"[A-Z]+","object":\{"managed":/.test(text);
};

/** Sorts the initial events of a watch, whose order is undefined. */
const firstListSorted = (events: readonly unknown[]): readonly unknown[] => {
  const texts = events.map((event) => JSON.stringify(event));
  const end = texts.findIndex((text) => !text.startsWith('{"type":"ADDED"'));
  const first = end < 0 ? events.length : end;
  const sorted = events.slice(0, first).toSorted((left, right) => {
    const [one, other] = [JSON.stringify(left), JSON.stringify(right)];
    return one < other ? -1 : one === other ? 0 : 1;
  });
  return [...sorted, ...events.slice(first)];
};
