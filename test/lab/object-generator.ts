/**
 * Generates steps on stored objects: each step reads or changes what previous steps created. Values
 * that only a server knows are written as `@KIND:PATH@`; see `generated-objects.ts`.
 */

import type { LabRequest } from './exchange.ts';
import { type GeneratedKind, generatedKinds, objectBodies, usualNames } from './object-bodies.ts';
import { randomPatch } from './random-patches.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';

export interface ObjectStep extends LabRequest {
  readonly method: string;
}

/** Namespaces that exist before the first step. */
export const generatedNamespaces = ['fz1', 'fz2'];

/** Generates `count` steps; the same seed gives the same steps. */
export const generatedSteps = (count: number, seed: number): readonly ObjectStep[] => {
  const random = seededRandom(seed);
  const next = stepsOf(random);
  return Array.from({ length: count }, (_, index) => ({ id: `step-${seed}-${index}`, ...next() }));
};

type Step = Omit<ObjectStep, 'id'>;
type StepRequest = Omit<Step, 'headers' | 'cert'> & { readonly type?: string };

/** The object of a step. */
interface Target {
  readonly kind: GeneratedKind;
  readonly namespace: string;
  readonly name: string;
  readonly all: string;
  readonly item: string;
}

const stepsOf = (random: SeededRandom): (() => Step) => {
  const { pick, chance } = random;
  const bodies = objectBodies(random);
  const queries = queriesOf(random);

  const target = (): Target => {
    const kind = pick(generatedKinds);
    const namespace = chance(0.97) ? pick(generatedNamespaces) : 'absent';
    const isNamespace = kind.plural === 'namespaces' && chance(0.7);
    const name = isNamespace
      ? pick(['fza', 'fzb', 'fz1', 'fzc', 'default'])
      : pick(chance(0.93) ? usualNames : unusualNames);
    const all = collection(kind, namespace);
    return { kind, namespace, name, all, item: inPath(`${all}/${name}`) };
  };
  const bodyType = (): string | undefined => (chance(0.95) ? undefined : pick(bodyTypes));

  const create = ({ kind, name, namespace, all }: Target): StepRequest => {
    const text = JSON.stringify(bodies.object(kind, name, namespace));
    const body = chance(0.02) ? pick(malformedBodies(text)) : text;
    return withType({ method: 'POST', path: all + queries.write(), body }, bodyType());
  };
  const read = ({ item }: Target): StepRequest => ({
    method: 'GET',
    path: item + (chance(0.1) ? `?resourceVersion=${pick(['0', 'x', '99999999999', ''])}` : ''),
  });
  const list = ({ kind, all }: Target): StepRequest => {
    const path = kind.isNamespaced && chance(0.15) ? `${kind.base}/${kind.plural}` : all;
    return { method: 'GET', path: path + queries.list(chance(0.9) ? path : all) };
  };
  const page = ({ kind }: Target): StepRequest => {
    const path = `${kind.base}/${kind.plural}`;
    return { method: 'GET', path: path + queries.page(path) };
  };
  const update = ({ kind, name, namespace, all, item }: Target): StepRequest => {
    const object = bodies.object(kind, name, namespace);
    if (chance(0.5)) object.metadata.resourceVersion = `@RV:${all}/${name}@`;
    if (chance(0.2)) object.metadata.uid = chance(0.7) ? `@UID:${all}/${name}@` : 'wrong';
    const body = JSON.stringify(object);
    return withType({ method: 'PUT', path: item + queries.write(), body }, bodyType());
  };
  const patch = ({ kind, item }: Target): StepRequest => {
    const form = pick(['merge', 'strategic', 'json', 'json', 'strategic', 'merge', 'unusual']);
    const generated =
      form === 'json'
        ? bodies.jsonPatch()
        : form === 'merge'
          ? bodies.mergePatch(kind)
          : bodies.strategicPatch(kind);
    const type = patchTypes.get(form) ?? pick(unusualPatchTypes);
    const text = form === 'json' && chance(0.5) ? randomPatch(random) : JSON.stringify(generated);
    const body = chance(0.03) ? pick(unusualPatches) : text;
    return { method: 'PATCH', path: item + queries.write(), body, type };
  };
  const remove = (at: Target): StepRequest => {
    const { kind, all, name, item } = at;
    // Without a controller manager a namespace would stay in deletion forever.
    if (kind.plural === 'namespaces') return read(at);
    const body = chance(0.4)
      ? { body: JSON.stringify(pick(deleteOptions(kind, `${all}/${name}`))) }
      : {};
    const path =
      kind.isNamespaced && chance(0.12)
        ? all + queries.removeAll()
        : item + (chance(0.08) ? `?${pick(removeQueries)}` : '');
    return { method: 'DELETE', path, ...body };
  };
  const watch = ({ all }: Target): StepRequest => ({
    method: 'GET',
    path: all + queries.watch(all),
  });
  const unusual = ({ kind, all, item }: Target): StepRequest => {
    const method = pick(['POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'GET']);
    return {
      method: kind.plural === 'namespaces' && method === 'DELETE' ? 'GET' : method,
      path: pick([
        ...['/status', '/x', '/finalize', '/token', '/'].map((end) => item + end),
        ...[`${all}/`, all.replace('/v1', '/v2'), '/api/v1/namespaces/fz1/status'],
      ]),
      body: '{}',
    };
  };
  const kinds = new Map([
    [0.27, create],
    [0.37, read],
    [0.5, list],
    [0.57, page],
    [0.67, update],
    [0.86, patch],
    [0.95, remove],
    [0.975, watch],
    [1, unusual],
  ]);

  return () => {
    const at = target();
    const { headers, ...caller } = chance(0.8) ? admin : pick<Caller>(callers);
    const accept = chance(0.12) ? [`Accept: ${pick(accepts)}`] : [];
    const drawn = random.next();
    const [, make = unusual] = [...kinds].find(([upTo]) => drawn < upTo) ?? [];
    const { type, ...request } = make(at);
    const typed = type === undefined ? [] : [`Content-Type: ${type}`];
    return { ...request, ...caller, headers: [...headers, ...accept, ...typed] };
  };
};

const collection = ({ base, plural, isNamespaced }: GeneratedKind, namespace: string): string =>
  isNamespaced ? `${base}/namespaces/${namespace}/${plural}` : `${base}/${plural}`;

const inPath = (text: string): string =>
  encodeURI(text).replaceAll('#', '%23').replaceAll('?', '%3F');

const withType = (request: StepRequest, type: string | undefined): StepRequest =>
  type === undefined ? request : { ...request, type };

const unusualNames = [
  ...['Fa', 'f_a', '', 'a'.repeat(253), 'a'.repeat(254), 'a'.repeat(64), 'f/a', 'f%a', '..'],
  ...['f:a', '-f', 'f-', 'ü'],
];

const bodyTypes = [
  ...['application/yaml', 'text/plain', 'application/json;charset=utf-8'],
  ...['application/merge-patch+json', ''],
];

const malformedBodies = (text: string): readonly string[] => [
  ...[text.slice(0, -3), '', 'null', '[]', `${text}x`],
  text.replace('"metadata":{', '"metadata":{"name":"fa",'),
  text.replace('{"api', '{"kind":"X","api'),
];

const patchTypes = new Map([
  ['merge', 'application/merge-patch+json'],
  ['strategic', 'application/strategic-merge-patch+json'],
  ['json', 'application/json-patch+json'],
]);
const unusualPatchTypes = [
  ...['application/json', 'application/apply-patch+yaml', 'application/apply-patch+cbor'],
  ...['text/plain', 'application/merge-patch+json; charset=utf-8', ''],
];
const unusualPatches = ['', '{', '[]', '{}', 'null', '5', '"x"', '[{}]', '[null]', '[5]', 'a: b'];

const deleteOptions = ({ apiVersion }: GeneratedKind, path: string): readonly unknown[] => [
  ...['wrong', `@UID:${path}@`].map((uid) => ({ preconditions: { uid } })),
  ...['1', `@RV:${path}@`].map((resourceVersion) => ({ preconditions: { resourceVersion } })),
  ...['Background', 'X'].map((propagationPolicy) => ({ propagationPolicy })),
  ...[0, -1, 'x'].map((gracePeriodSeconds) => ({ gracePeriodSeconds })),
  ...['All', 'x'].map((dryRun) => ({ dryRun: [dryRun] })),
  ...['meta.k8s.io/v1', apiVersion].map((version) => ({
    kind: 'DeleteOptions',
    apiVersion: version,
  })),
  { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 5 },
  { orphanDependents: true, propagationPolicy: 'Orphan' },
  ...[{ kind: 'X' }, { nope: 1 }, {}, 5, []],
];
const removeQueries = [
  ...['dryRun=All', 'gracePeriodSeconds=0', 'gracePeriodSeconds=x', 'propagationPolicy=x'],
  'preconditions.uid=x',
];

type Caller = Pick<LabRequest, 'cert' | 'headers'>;

const admin: Caller = { cert: 'admin', headers: [] };
const callers: readonly Caller[] = [
  { cert: 'alice', headers: [] },
  { cert: 'uid', headers: [] },
  { headers: ['Authorization: Bearer static-two'] },
  { headers: [] },
  { cert: 'admin', headers: ['Impersonate-User: tom'] },
  { cert: 'admin', headers: ['Impersonate-User: alice', 'Impersonate-Group: dev'] },
];

const meta = 'v=v1;g=meta.k8s.io';
const accepts = [
  ...['application/yaml', 'text/html', '*/*', 'application/json;stream=watch'],
  ...['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList', 'Foo'].map(
    (as) => `application/json;as=${as};${meta}`,
  ),
  ...['v1beta1', 'v2'].map((version) => `application/json;as=Table;v=${version};g=meta.k8s.io`),
  `application/json;as=Table;${meta},application/json`,
  'application/json;as=Table;g=meta.k8s.io;v=v1;q=0.1, application/yaml',
];

interface Queries {
  write(): string;
  list(all: string): string;
  page(all: string): string;
  watch(all: string): string;
  removeAll(): string;
}

const queriesOf = ({ pick, chance }: SeededRandom): Queries => {
  const query = (...parts: readonly (readonly [number, string, readonly string[]])[]): string => {
    const chosen = parts
      .filter(([probability]) => chance(probability))
      .map(([, name, values]) => `${name}=${pick(values)}`);
    return chosen.length === 0 ? '' : `?${chosen.join('&')}`;
  };
  return {
    write: () =>
      query(
        [0.06, 'dryRun', ['All', 'All', 'x', 'All&dryRun=All', '']],
        [0.15, 'fieldValidation', ['Strict', 'Warn', 'Ignore', 'strict', '']],
        [0.06, 'fieldManager', ['me', 'a'.repeat(129), 'a%01', '']],
        [0.03, 'pretty', ['true']],
        [0.01, 'force', ['true', 'x']],
        [0.02, 'timeout', ['5s', 'x', '0', '-1s']],
      ),
    list: (all) =>
      query(
        [0.4, 'labelSelector', labelSelectors],
        [0.3, 'fieldSelector', fieldSelectors],
        [0.3, 'limit', ['1', '2', '0', '-1', '500', 'x', '', '99999999999999999999']],
        [0.12, 'continue', [`@CONTINUE:${all}@`, `@CONTINUE:${all}@`, 'bad', '']],
        [0.2, 'resourceVersion', ['0', '', `@LIST:${all}@`, 'x', '-1', '99999999999', '00', '1e3']],
        [0.1, 'resourceVersionMatch', ['Exact', 'NotOlderThan', 'x', '']],
        [0.05, 'timeoutSeconds', ['1', 'x', '0', '-1']],
        [0.05, 'sendInitialEvents', ['true', 'false', 'x']],
        [0.05, 'allowWatchBookmarks', ['true', 'x']],
      ),
    page: (all) =>
      query(
        [1, 'limit', ['1', '2', '3']],
        [0.7, 'fieldSelector', placeSelectors],
        [0.2, 'labelSelector', ['a', 'a%3Db', '!a']],
        [0.6, 'continue', [`@CONTINUE:${all}@`, `@CONTINUE:${all}@`, pick(continueTokens)]],
        [0.1, 'resourceVersion', ['0', `@LIST:${all}@`, '99999999999']],
      ),
    watch: (all) =>
      query(
        [1, 'watch', ['1', 'true']],
        [1, 'timeoutSeconds', ['1']],
        [0.4, 'labelSelector', labelSelectors],
        [0.3, 'fieldSelector', fieldSelectors],
        [0.6, 'resourceVersion', ['0', `@LIST:${all}@`, `@LIST:${all}@`, 'x', '1']],
        [0.3, 'allowWatchBookmarks', ['true']],
        [0.3, 'sendInitialEvents', ['true&resourceVersionMatch=NotOlderThan']],
        [0.05, 'limit', ['1']],
      ),
    removeAll: () =>
      query(
        chance(0.6)
          ? [1, 'labelSelector', labelSelectors]
          : [1, 'fieldSelector', ['metadata.name%3Dfa']],
        [0.2, 'dryRun', ['All']],
        [0.2, 'limit', ['1']],
      ),
  };
};

const labelSelectors = [
  ...['a%3Db', 'a', '!a', 'a%21%3Db', 'a+in+(b,c)', 'a+notin+(b)', 'a%3D%3Db', 'a+in+()', 'a%3D'],
  ...['a%3Db,x.y/z%3D1', ',', 'a+in+(b', 'a%3E1', 'a%3Cx', '!a%3Db', 'A+B', '', '%21'],
  ...['a+exists', 'bad+key%21', 'a%3Dbad+v', 'a,,b', 'a+in+(b,)', 'a%3E%3D1'],
];

const fieldSelectors = [
  ...['metadata.name%3Dfa', 'metadata.name%21%3Dfa', 'metadata.name%3D%3Dfb', 'metadata.name%3D'],
  ...['metadata.namespace%3Dfz1', 'metadata.name%3Dfa,metadata.namespace%3Dfz1', 'metadata.name'],
  ...['metadata.name%3Da%5C,b', 'metadata.name%3Da%5Cb', 'metadata.labels.a%3Db', 'name%3Dfa', ''],
  ...['type%3Dbootstrap.kubernetes.io/token', 'type!%3DOpaque', 'immutable%3Dtrue', 'foo%3Dbar'],
  'status.phase%3DActive',
];

const placeSelectors = [
  ...['fz1', 'fz2', 'absent', 'Bad_', ''].map((name) => `metadata.namespace%3D${name}`),
  ...['metadata.namespace%3Dfz1', 'metadata.namespace%3Dfz2', 'metadata.namespace%21%3Dfz1'],
  ...['metadata.name%3Dfa', 'metadata.namespace%3Dfz1,metadata.name%3Dfa'],
  'metadata.namespace%3Dfz1,metadata.namespace%21%3Dfz2',
];

const token = (fields: object): string =>
  Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: -1, ...fields })).toString('base64url');

const continueTokens = [
  ...['fa', 'fb\0', 'fz1', 'fz1\0', 'fz1/fb', '/fz1/fb\0', 'fz1/', '../x', 'fz2//a', 'zz'].map(
    (start) => token({ start }),
  ),
  ...[{ start: 5 }, { rv: 'x', start: 'a' }, { rv: 1.5, start: 'a' }, { v: 'v2' }, {}].map(token),
];
