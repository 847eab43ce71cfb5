/**
 * Steps on stored objects made by chance: what a step reads or changes was made by those before it.
 * What only a server knows stands as `@WHAT:PATH@`; see `generated-objects.ts`.
 */
import { type Chance, chanceOf } from './chance.ts';
import type { LabRequest } from './exchange.ts';
import { type MadeKind, madeKinds, objectBodies, usualNames } from './object-bodies.ts';
import { patchText } from './patch-texts.ts';

export interface ObjectStep extends LabRequest {
  readonly method: string;
}

/** They are there before the first step. */
export const madeNamespaces = ['fz1', 'fz2'];

/** So many steps; the same seed gives the same ones. */
export const generatedSteps = (count: number, seed: number): readonly ObjectStep[] => {
  const chance = chanceOf(seed);
  const next = stepsOf(chance);
  return Array.from({ length: count }, (_, index) => ({ id: `step-${seed}-${index}`, ...next() }));
};

type Step = Omit<ObjectStep, 'id'>;
type What = Omit<Step, 'headers' | 'cert'> & { readonly type?: string };

/** What a step is about. */
interface Place {
  readonly kind: MadeKind;
  readonly namespace: string;
  readonly name: string;
  readonly all: string;
  readonly item: string;
}

const stepsOf = (chance: Chance): (() => Step) => {
  const { one, maybe } = chance;
  const bodies = objectBodies(chance);
  const queries = queriesOf(chance);

  const place = (): Place => {
    const kind = one(madeKinds);
    const namespace = maybe(0.97) ? one(madeNamespaces) : 'absent';
    const isNamespace = kind.plural === 'namespaces' && maybe(0.7);
    const name = isNamespace
      ? one(['fza', 'fzb', 'fz1', 'fzc', 'default'])
      : one(maybe(0.93) ? usualNames : oddNames);
    const all = collection(kind, namespace);
    return { kind, namespace, name, all, item: inPath(`${all}/${name}`) };
  };
  const bodyType = (): string | undefined => (maybe(0.95) ? undefined : one(bodyTypes));

  const create = ({ kind, name, namespace, all }: Place): What => {
    const text = JSON.stringify(bodies.object(kind, name, namespace));
    const body = maybe(0.02) ? one(spoilt(text)) : text;
    return withType({ method: 'POST', path: all + queries.write(), body }, bodyType());
  };
  const read = ({ item }: Place): What => ({
    method: 'GET',
    path: item + (maybe(0.1) ? `?resourceVersion=${one(['0', 'x', '99999999999', ''])}` : ''),
  });
  const list = ({ kind, all }: Place): What => {
    const path = kind.isNamespaced && maybe(0.15) ? `${kind.base}/${kind.plural}` : all;
    return { method: 'GET', path: path + queries.list(maybe(0.9) ? path : all) };
  };
  const page = ({ kind }: Place): What => {
    const path = `${kind.base}/${kind.plural}`;
    return { method: 'GET', path: path + queries.page(path) };
  };
  const update = ({ kind, name, namespace, all, item }: Place): What => {
    const object = bodies.object(kind, name, namespace);
    if (maybe(0.5)) object.metadata.resourceVersion = `@RV:${all}/${name}@`;
    if (maybe(0.2)) object.metadata.uid = maybe(0.7) ? `@UID:${all}/${name}@` : 'wrong';
    const body = JSON.stringify(object);
    return withType({ method: 'PUT', path: item + queries.write(), body }, bodyType());
  };
  const patch = ({ kind, item }: Place): What => {
    const form = one(['merge', 'strategic', 'json', 'json', 'strategic', 'merge', 'odd']);
    const made =
      form === 'json'
        ? bodies.jsonPatch()
        : form === 'merge'
          ? bodies.mergePatch(kind)
          : bodies.strategicPatch(kind);
    const type = patchTypes.get(form) ?? one(oddPatchTypes);
    const text = form === 'json' && maybe(0.5) ? patchText(chance) : JSON.stringify(made);
    const body = maybe(0.03) ? one(oddPatches) : text;
    return { method: 'PATCH', path: item + queries.write(), body, type };
  };
  const remove = (at: Place): What => {
    const { kind, all, name, item } = at;
    // Without a controller-manager a namespace would be ending for ever.
    if (kind.plural === 'namespaces') return read(at);
    const body = maybe(0.4)
      ? { body: JSON.stringify(one(deleteOptions(kind, `${all}/${name}`))) }
      : {};
    const path =
      kind.isNamespaced && maybe(0.12)
        ? all + queries.removeAll()
        : item + (maybe(0.08) ? `?${one(removeQueries)}` : '');
    return { method: 'DELETE', path, ...body };
  };
  const watch = ({ all }: Place): What => ({ method: 'GET', path: all + queries.watch(all) });
  const odd = ({ kind, all, item }: Place): What => {
    const method = one(['POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'GET']);
    return {
      method: kind.plural === 'namespaces' && method === 'DELETE' ? 'GET' : method,
      path: one([
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
    [1, odd],
  ]);

  return () => {
    const at = place();
    const { headers, ...who } = maybe(0.8) ? admin : one<Asker>(askers);
    const accept = maybe(0.12) ? [`Accept: ${one(accepts)}`] : [];
    const drawn = chance.next();
    const [, make = odd] = [...kinds].find(([upTo]) => drawn < upTo) ?? [];
    const { type, ...what } = make(at);
    const typed = type === undefined ? [] : [`Content-Type: ${type}`];
    return { ...what, ...who, headers: [...headers, ...accept, ...typed] };
  };
};

const collection = ({ base, plural, isNamespaced }: MadeKind, namespace: string): string =>
  isNamespaced ? `${base}/namespaces/${namespace}/${plural}` : `${base}/${plural}`;

const inPath = (text: string): string =>
  encodeURI(text).replaceAll('#', '%23').replaceAll('?', '%3F');

const withType = (what: What, type: string | undefined): What =>
  type === undefined ? what : { ...what, type };

const oddNames = [
  ...['Fa', 'f_a', '', 'a'.repeat(253), 'a'.repeat(254), 'a'.repeat(64), 'f/a', 'f%a', '..'],
  ...['f:a', '-f', 'f-', 'ü'],
];

const bodyTypes = [
  ...['application/yaml', 'text/plain', 'application/json;charset=utf-8'],
  ...['application/merge-patch+json', ''],
];

const spoilt = (text: string): readonly string[] => [
  ...[text.slice(0, -3), '', 'null', '[]', `${text}x`],
  text.replace('"metadata":{', '"metadata":{"name":"fa",'),
  text.replace('{"api', '{"kind":"X","api'),
];

const patchTypes = new Map([
  ['merge', 'application/merge-patch+json'],
  ['strategic', 'application/strategic-merge-patch+json'],
  ['json', 'application/json-patch+json'],
]);
const oddPatchTypes = [
  ...['application/json', 'application/apply-patch+yaml', 'application/apply-patch+cbor'],
  ...['text/plain', 'application/merge-patch+json; charset=utf-8', ''],
];
const oddPatches = ['', '{', '[]', '{}', 'null', '5', '"x"', '[{}]', '[null]', '[5]', 'a: b'];

const deleteOptions = ({ apiVersion }: MadeKind, path: string): readonly unknown[] => [
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

type Asker = Pick<LabRequest, 'cert' | 'headers'>;

const admin: Asker = { cert: 'admin', headers: [] };
const askers: readonly Asker[] = [
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

const queriesOf = ({ one, maybe }: Chance): Queries => {
  const query = (...parts: readonly (readonly [number, string, readonly string[]])[]): string => {
    const taken = parts
      .filter(([likely]) => maybe(likely))
      .map(([, name, values]) => `${name}=${one(values)}`);
    return taken.length === 0 ? '' : `?${taken.join('&')}`;
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
        [0.6, 'continue', [`@CONTINUE:${all}@`, `@CONTINUE:${all}@`, one(continueTokens)]],
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
        maybe(0.6)
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
