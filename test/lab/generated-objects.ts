/**
 * Compares kube-apiserver and AuthGraph on stored objects, with generated steps that build on each
 * other. Prints every difference.
 *
 *    node test/lab/generated-objects.ts [COUNT] [SEED]
 *
 * Run `test/lab/real/build` first; etcd has to be on the path.
 */
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import type { RawAnswer } from '../support/raw-exchange.ts';
import { type BothServers, bothDomain, startBoth } from './both-servers.ts';
import { type ComparedAnswer, comparedAnswer, isWatch } from './compared-response.ts';
import type { ClientCertificate, LabCredentials } from './credentials.ts';
import { requestBytes } from './exchange.ts';
import type { LabServer } from './lab-server.ts';
import { generatedNamespaces, generatedSteps, type ObjectStep } from './object-generator.ts';

export interface ObjectDifference {
  readonly step: ObjectStep;
  readonly real: ComparedAnswer;
  readonly ours: ComparedAnswer;
}

export interface ObjectRun {
  /** The number of responses of kube-apiserver by status. */
  readonly statuses: ReadonlyMap<string, number>;
  /** The number of expected differences by reason. */
  readonly excused: ReadonlyMap<string, number>;
  readonly differences: readonly ObjectDifference[];
}

/** Executes each step on both servers and returns the differences. */
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

/** True if default service accounts may be missing after the step. */
const forgetsAccounts = ({ method, path }: ObjectStep, { status = 0 }: ComparedAnswer): boolean =>
  (method === 'DELETE' && /\/serviceaccounts(\/default)?(\?|$)/.test(path)) ||
  (method === 'POST' && status === 201 && path.startsWith('/api/v1/namespaces?')) ||
  (method === 'POST' && status === 201 && path === '/api/v1/namespaces');

interface Reason {
  readonly name: string;
  applies(step: ObjectStep, real: ComparedAnswer, ours: ComparedAnswer): boolean;
}

const textOf = (answer: ComparedAnswer): string => JSON.stringify(answer);

/** Reasons why responses may differ; docs/objects.md lists those that users may encounter. */
const reasons: readonly Reason[] = [
  {
    name: 'an old etcd does not report its progress, which the watch cache of kube-apiserver waits for',
    // A revision in the step itself may indeed be too large.
    applies: ({ path }, real, ours) =>
      /RequestWatchProgress/.test(textOf(real)) ||
      (/Too large resource version/.test(textOf(real)) &&
        (ours.status === 504 || !/resourceVersion=[1-9]/.test(path))),
  },
  {
    name: 'a patch that makes kube-apiserver panic; it ends the connection',
    applies: (_, real, ours) =>
      real.status === undefined && ours.status === 500 && textOf(ours).includes('"runtime error: '),
  },
  {
    name: 'server-side apply',
    applies: ({ headers }, _, ours) =>
      ours.status === 415 && headers.includes('Content-Type: application/apply-patch+yaml'),
  },
  {
    name: 'subresources of a namespace',
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
    name: 'several keys of a map are invalid, and kube-apiserver reports them in random order',
    applies: (_, real, ours) =>
      real.status === 422 &&
      ours.status === 422 &&
      sortedCauses(real).length > 1 &&
      isDeepStrictEqual(sortedCauses(real), sortedCauses(ours)),
  },
  {
    name: 'no controller manager fills in aggregated roles',
    applies: (_, real, ours) =>
      textOf(real).includes('aggregationRule') &&
      isDeepStrictEqual(withoutRules(real), withoutRules(ours)),
  },
];

const sortedCauses = ({ body: [body] }: ComparedAnswer): readonly string[] => {
  const { details }: { readonly details?: { readonly causes?: readonly unknown[] } } = Object(body);
  return (details?.causes ?? []).map((cause) => JSON.stringify(cause)).toSorted();
};

/** Removes the rules of aggregated roles and the managers of those rules from a response. */
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

/** Values for placeholders without a known value. */
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

/** Remembers what later steps refer to: versions, identifiers, continue tokens. */
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

/** Sets up a caller that may write roles but holds hardly any permission to grant. */
const setup: readonly ObjectStep[] = [
  // An expired token: AuthGraph deletes it at some point, and no controller manager deletes it from
  // kube-apiserver.
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
 * Creates the default service accounts in kube-apiserver, which has no controller manager here;
 * AuthGraph creates its own. Settles when both have all of them.
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
