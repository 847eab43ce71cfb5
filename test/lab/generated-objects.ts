/**
 * The real kube-apiserver beside ours on stored objects: steps made by chance, each on what those
 * before it left. Every difference is printed.
 *
 *   node test/lab/generated-objects.ts [COUNT] [SEED]
 *
 * The real programs come from `test/lab/real/build`; etcd is on the path.
 */
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import type { RawAnswer } from '../support/raw-exchange.ts';
import { type BothServers, bothDomain, startBoth } from './both-servers.ts';
import type { ClientCertificate, LabCredentials } from './credentials.ts';
import { requestBytes } from './exchange.ts';
import type { LabServer } from './lab-server.ts';
import { type ComparedAnswer, comparedAnswer, isWatch } from './compared-response.ts';
import { generatedSteps, generatedNamespaces, type ObjectStep } from './object-generator.ts';

export interface ObjectDifference {
  readonly step: ObjectStep;
  readonly real: ComparedAnswer;
  readonly ours: ComparedAnswer;
}

export interface ObjectRun {
  /** How often the real server answered so. */
  readonly statuses: ReadonlyMap<string, number>;
  /** How often a difference was excused by the reason. */
  readonly excused: ReadonlyMap<string, number>;
  readonly differences: readonly ObjectDifference[];
}

/** Takes each step on both, and tells what differs. */
export const runGeneratedObjects = async (options: {
  readonly both: BothServers;
  readonly count: number;
  readonly seed: number;
}): Promise<ObjectRun> => {
  const { both, count, seed } = options;
  const real = serverSide(both.upstream, both.credentials);
  const ours = serverSide(both.ours, both.credentials);
  for (const step of setup) await Promise.all([real(step), ours(step)]);
  await defaultAccounts(real, ours);
  const [statuses, excused] = [new Map<string, number>(), new Map<string, number>()];
  const differences: ObjectDifference[] = [];
  for (const step of generatedSteps(count, seed)) {
    const [upstreamResponse, oursResponse] = await Promise.all([real(step), ours(step)]);
    countOne(statuses, String(upstreamResponse.status ?? 'none'));
    if (!isDeepStrictEqual(upstreamResponse, oursResponse)) {
      const reason = reasons.find(({ applies }) => applies(step, upstreamResponse, oursResponse));
      if (reason === undefined)
        differences.push({ step, real: upstreamResponse, ours: oursResponse });
      else countOne(excused, reason.name);
    }
    if (forgetsAccounts(step, upstreamResponse)) await defaultAccounts(real, ours);
  }
  return { statuses, excused, differences };
};

/** Whether default accounts may be missing now. */
const forgetsAccounts = ({ method, path }: ObjectStep, { status = 0 }: ComparedAnswer): boolean =>
  (method === 'DELETE' && /\/serviceaccounts(\/default)?(\?|$)/.test(path)) ||
  (method === 'POST' && status === 201 && path.startsWith('/api/v1/namespaces?')) ||
  (method === 'POST' && status === 201 && path === '/api/v1/namespaces');

interface Reason {
  readonly name: string;
  applies(step: ObjectStep, real: ComparedAnswer, ours: ComparedAnswer): boolean;
}

const textOf = (answer: ComparedAnswer): string => JSON.stringify(answer);

/** Why two answers may differ; docs/objects.md has those that users meet. */
const reasons: readonly Reason[] = [
  {
    name: 'an old etcd does not tell how far it is, and the real watch cache waits for that',
    // A revision that the step itself names may really be too large.
    applies: ({ path }, real, ours) =>
      /RequestWatchProgress/.test(textOf(real)) ||
      (/Too large resource version/.test(textOf(real)) &&
        (ours.status === 504 || !/resourceVersion=[1-9]/.test(path))),
  },
  {
    name: 'a patch that the real server panics on; it ends the connection',
    applies: (_, real, ours) =>
      real.status === undefined && ours.status === 500 && textOf(ours).includes('"runtime error: '),
  },
  {
    name: 'server-side apply',
    applies: ({ headers }, _, ours) =>
      ours.status === 415 && headers.includes('Content-Type: application/apply-patch+yaml'),
  },
  {
    name: 'sub-resources of a namespace',
    applies: ({ path }) => /\/namespaces\/[^/]*\/(status|finalize)/.test(path),
  },
  {
    name: 'other types of secrets',
    applies: (_, __, ours) => textOf(ours).includes('type: Unsupported value: \\"Opaque'),
  },
  {
    name: 'lists at an older revision',
    applies: (_, real, ours) => ours.status === 410 && real.status === 200,
  },
  {
    name: 'several keys of a map are wrong, and the real server goes through them by chance',
    applies: (_, real, ours) =>
      real.status === 422 &&
      ours.status === 422 &&
      sortedCauses(real).length > 1 &&
      isDeepStrictEqual(sortedCauses(real), sortedCauses(ours)),
  },
  {
    name: 'no controller-manager fills in aggregated roles',
    applies: (_, real, ours) =>
      textOf(real).includes('aggregationRule') &&
      isDeepStrictEqual(withoutRules(real), withoutRules(ours)),
  },
];

const sortedCauses = ({ body: [body] }: ComparedAnswer): readonly string[] => {
  const { details }: { readonly details?: { readonly causes?: readonly unknown[] } } = Object(body);
  return (details?.causes ?? []).map((cause) => JSON.stringify(cause)).toSorted();
};

/** With the rules of aggregated roles and their owners taken out, wherever in the answer one stands. */
const withoutRules = ({ body, ...rest }: ComparedAnswer): unknown => {
  const data = body.map((text) => (typeof text === 'string' ? parse(text) : text));
  return JSON.parse(JSON.stringify({ ...rest, data }), (_name, value: unknown) =>
    value !== null && typeof value === 'object' && 'aggregationRule' in value
      ? { ...value, rules: undefined, metadata: { ...metadataOf(value), managedFields: undefined } }
      : value,
  );
};

const metadataOf = (value: object): object =>
  'metadata' in value && value.metadata !== null && typeof value.metadata === 'object'
    ? value.metadata
    : {};

const countOne = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1);
};

type Side = (step: ObjectStep) => Promise<ComparedAnswer>;

const serverSide = (server: LabServer, { certificates }: LabCredentials): Side => {
  const learned = new Map<string, string>();
  const certificate = (name: string | undefined): ClientCertificate | undefined =>
    name === undefined ? undefined : certificates.get(name);
  return async (step) => {
    const fill = (text: string): string =>
      text.replaceAll(/@(RV|UID|LIST|CONTINUE):[^@]*@/g, (name, kind: string) => {
        return learned.get(name) ?? defaultValues.get(kind) ?? '';
      });
    const { body, ...rest } = step;
    const request = {
      ...rest,
      path: fill(step.path),
      ...(body === undefined ? {} : { body: fill(body) }),
    };
    const answer = await server.ask(
      requestBytes(request, bothDomain, new Map()),
      certificate(step.cert),
    );
    remember(learned, step, answer);
    return comparedAnswer(step, answer);
  };
};

/** Instead of what was never learnt. */
const defaultValues = new Map([
  ['RV', '1'],
  ['UID', 'none'],
  ['LIST', '0'],
  ['CONTINUE', ''],
]);

interface Metadata {
  readonly name?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly continue?: string;
}

/** Keeps what later steps name: versions, identifiers, where a list goes on. */
const remember = (
  learned: Map<string, string>,
  step: ObjectStep,
  { body, status }: RawAnswer,
): void => {
  if (status === undefined || status >= 300 || isWatch(step)) return;
  const answer: {
    readonly metadata?: Metadata;
    readonly items?: readonly { metadata: Metadata }[];
  } = jsonOrNothing(body);
  const [path = ''] = step.path.split('?');
  const keep = (name: string, value: string | undefined): void => {
    if (value !== undefined && value !== '') learned.set(name, value);
  };
  const keepObject = (place: string, { uid, resourceVersion }: Metadata): void => {
    keep(`@RV:${place}@`, resourceVersion);
    keep(`@UID:${place}@`, uid);
  };
  const { metadata = {}, items } = answer;
  if (!Array.isArray(items)) {
    keepObject(step.method === 'POST' ? `${path}/${metadata.name}` : path, metadata);
    return;
  }
  keep(`@LIST:${path}@`, metadata.resourceVersion);
  keep(`@CONTINUE:${path}@`, encodeURIComponent(metadata.continue ?? ''));
  for (const item of items) keepObject(`${path}/${item.metadata.name}`, item.metadata);
};

const jsonOrNothing = (text: string): object => {
  try {
    const data: unknown = JSON.parse(text);
    return typeof data === 'object' && data !== null ? data : {};
  } catch {
    return {};
  }
};

const post = (path: string, body: unknown): ObjectStep => ({
  id: path,
  method: 'POST',
  path,
  headers: [],
  cert: 'admin',
  body: JSON.stringify(body),
});

const get = (path: string): ObjectStep => ({
  id: path,
  method: 'GET',
  path,
  headers: [],
  cert: 'admin',
});

const rolesGroup = 'rbac.authorization.k8s.io';
const roles = `${rolesGroup}/v1`;
const writer = 'fz-role-writer';

/** Somebody may write roles, and hardly hold any permission to grant. */
const setup: readonly ObjectStep[] = [
  // Ended: ours is cleaned sooner or later, and no controller-manager cleans the other.
  {
    id: 'setup',
    method: 'DELETE',
    path: '/api/v1/namespaces/kube-system/secrets/bootstrap-token-expire',
    cert: 'admin',
    headers: [],
  },
  ...generatedNamespaces.map((name) =>
    post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
  ),
  post(`/apis/${roles}/clusterroles`, {
    apiVersion: roles,
    kind: 'ClusterRole',
    metadata: { name: writer },
    rules: [
      {
        apiGroups: [rolesGroup],
        resources: ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'],
        verbs: ['get', 'list', 'create', 'update', 'patch', 'delete', 'watch'],
      },
      { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list'] },
    ],
  }),
  post(`/apis/${roles}/clusterrolebindings`, {
    apiVersion: roles,
    kind: 'ClusterRoleBinding',
    metadata: { name: writer },
    roleRef: { apiGroup: rolesGroup, kind: 'ClusterRole', name: writer },
    subjects: [
      { kind: 'User', name: 'tom' },
      { kind: 'Group', apiGroup: rolesGroup, name: 'dev' },
    ],
  }),
];

/**
 * Ours makes the default account of a namespace itself; beside the real server there is no
 * controller-manager to do it. Settles when both have all of them.
 */
const defaultAccounts = async (real: Side, ours: Side): Promise<void> => {
  for (const namespace of await namespacesOf(real)) {
    const all = `/api/v1/namespaces/${namespace}/serviceaccounts`;
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
    await real(post(all, account));
    for (let attempts = 0; (await ours(get(`${all}/default`))).status !== 200; attempts += 1) {
      if (attempts === 200) throw new Error(`no default account was made in ${namespace}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
};

const namespacesOf = async (side: Side): Promise<readonly string[]> => {
  const { body } = await side(get('/api/v1/namespaces'));
  const [list]: readonly { readonly items?: readonly { readonly metadata: Metadata }[] }[] =
    body.map(Object);
  return (list?.items ?? []).map(({ metadata }) => metadata.name ?? '');
};

if (import.meta.main) {
  const [count = '1000', seed = '1'] = process.argv.slice(2);
  const both = await startBoth();
  const { differences, excused, statuses } = await runGeneratedObjects({
    both,
    count: Number(count),
    seed: Number(seed),
  }).finally(both.close);
  const shown = (counts: ReadonlyMap<string, number>): string =>
    [...counts].map(([name, times]) => `${name}: ${times}`).join(', ');
  for (const difference of differences) process.stdout.write(`${JSON.stringify(difference)}\n`);
  process.stderr.write(`${differences.length} of ${count} differ (${shown(statuses)})\n`);
  process.stderr.write(`excused: ${shown(excused)}\n`);
  process.exitCode = differences.length === 0 ? 0 : 1;
}
