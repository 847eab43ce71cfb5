/**
 * Answers cases about the whole server: its flags, a TLS listener, stored objects, and requests
 * over the network.
 */
import { nodeIo } from '../../../engine/src/cli/node-io.ts';
import { servedConfiguration } from '../../../engine/src/cli/served-configuration.ts';
import type { Json, JsonObject } from '../../../engine/src/model/json.ts';
import { nodePorts } from '../../../engine/src/node/ports.ts';
import { memoryStore } from '../../../engine/src/node/store/memory.ts';
import type { Log } from '../../../engine/src/ports/log.ts';
import type { Ports } from '../../../engine/src/ports/ports.ts';
import type { Store } from '../../../engine/src/ports/store.ts';
import { resourceOfKind } from '../../../engine/src/rbac/fixed-view.ts';
import { startServing } from '../../../engine/src/server/configuration/serving.ts';
import { readServeOptions, type ServeOptions } from '../../../engine/src/server/flags/options.ts';
import {
  type ObjectServices,
  openObjectServices,
} from '../../../engine/src/server/objects/object-services.ts';
import { type RunningServer, startServer } from '../../../engine/src/server/server.ts';
import type { AccountObjects } from './account-objects.ts';
import { auditOf, type LogFields } from './audit-events.ts';
import { caseFolder, type FlagsConfig } from './case-folder.ts';
import { gateFlags } from './gates.ts';
import { type Grant, grantObjects } from './impersonation.ts';
import { objectOf } from './json-objects.ts';
import type { CaseLine } from './module-cases.ts';
import { answerStart, type StartAnswer } from './options.ts';
import { recordedArgs, withoutAccounts } from './recorded-args.ts';
import { recordedRoles } from './recorded-roles.ts';
import { type StackRequest, sendRequest } from './stack-client.ts';

interface StackConfig extends FlagsConfig {
  /**
   * The release of the cases does not have v1beta1 any more, but their server serves it on request.
   */
  readonly enableV1Beta1?: boolean;
  readonly grants?: readonly Grant[] | null;
  readonly objects?: AccountObjects;
}

export type StackCase = CaseLine<StackConfig, { readonly requests: readonly StackRequest[] }> & {
  readonly clock?: string;
};

/** Returns the startup error, or a response for each request. */
export const answerStack = async ({ config, input, clock }: StackCase): Promise<object> => {
  const folder = caseFolder(config);
  try {
    const hasAccounts = folder.args.some((arg) => arg.startsWith('--service-account-issuer'));
    const args = hasAccounts ? folder.args : withoutAccounts(folder.args);
    const start = await answerStart(
      { ...folder, args },
      config,
      hasAccounts ? 'required' : 'optional',
    );
    const startError = startErrorOf(start);
    if (startError !== undefined) return startError;
    const flags = [...recordedArgs(args).args, ...gateFlags(config)];
    const served = await serve(config, { flags, now: Date.parse(clock ?? '2026-11-21T12:00:00Z') });
    try {
      const responses: object[] = [];
      for (const request of input.requests) responses.push(await served.answer(request));
      return { responses };
    } finally {
      await served.close();
    }
  } finally {
    folder.remove();
  }
};

/** The first step that fails ends the startup. */
const startErrorOf = (start: StartAnswer): StartAnswer | undefined => {
  const { flagError, validationErrors = [], configError, newError } = start;
  if (flagError !== undefined) return { flagError };
  if (validationErrors.length > 0) return { validationErrors };
  if (configError !== undefined) return { configError };
  return newError === undefined ? undefined : { newError };
};

interface Served {
  answer(request: StackRequest): Promise<object>;
  close(): Promise<void>;
}

const serve = async (
  config: StackConfig,
  { flags, now }: { readonly flags: readonly string[]; readonly now: number },
): Promise<Served> => {
  const inner = nodePorts();
  const ports = { ...inner, clock: { ...inner.clock, now: () => now } };
  const decisions: LogFields[] = [];
  const objectServices = openObjectServices({
    store: await storeOf(config, ports),
    domain: 'k8s.io',
    ports,
    maxStalenessMs: 60_000,
    controlPlane: 'internal',
  });
  await objectServices.ready(AbortSignal.timeout(10_000));
  const recorded = { ...objectServices, policy: recordedRoles(objectServices.policy) };
  const closeObjectServices = async (): Promise<void> => {
    await objectServices.close();
    await inner.http.close();
  };
  const around = {
    ports,
    objectServices: recorded,
    decisions,
    betaReviews: config.enableV1Beta1 ?? false,
  };
  const started = await start(flags, around).catch(async (cause: unknown) => {
    await closeObjectServices();
    throw cause;
  });
  return {
    async answer(request) {
      decisions.length = 0;
      const answer = await sendRequest(started.server, request);
      return { ...answer, audit: decisions.map(auditOf) };
    },
    async close() {
      await started.close();
      await closeObjectServices();
    },
  };
};

const storeOf = async ({ objects, grants }: StackConfig, ports: Ports): Promise<Store> => {
  const store = memoryStore(ports);
  const put = async (resource: string, object: JsonObject): Promise<void> => {
    const metadata = object.get('metadata');
    const text = (name: string): string =>
      metadata instanceof Map
        ? String((metadata as ReadonlyMap<string, Json>).get(name) ?? '')
        : '';
    await store.create({ resource, namespace: text('namespace'), name: text('name') }, object);
  };
  const rows: readonly (readonly [string, readonly object[] | null | undefined])[] = [
    ['serviceaccounts', objects?.serviceAccounts],
    ['secrets', objects?.secrets],
    ['pods', objects?.pods],
    ['nodes', objects?.nodes],
  ];
  for (const [resource, all] of rows) {
    for (const object of all ?? []) await put(resource, objectOf(object));
  }
  for (const object of grantObjects(grants)) {
    await put(resourceOfKind(String(object.get('kind'))) ?? '', object);
  }
  return store;
};

interface Started {
  readonly server: RunningServer;
  close(): Promise<void>;
}

const start = async (
  flags: readonly string[],
  {
    ports,
    objectServices,
    decisions,
    betaReviews,
  }: {
    readonly ports: Ports;
    readonly objectServices: ObjectServices;
    readonly decisions: LogFields[];
    readonly betaReviews: boolean;
  },
): Promise<Started> => {
  const reading = readServeOptions([...flags, '--target-version=1.36', '--api-domain=k8s.io']);
  if (reading.kind !== 'options') throw new Error('flags that only the product refuses');
  const options: ServeOptions = {
    ...reading.options,
    betaReviews,
    bindAddress: '127.0.0.1',
    securePort: 0,
    decisionLogGroups: true,
    decisionLogExtra: true,
  };
  const configuration = await servedConfiguration(options, nodeIo());
  if (configuration.kind === 'problem') throw new Error(configuration.problems[0].message);
  const serving = await startServing({
    configuration: configuration.source,
    settings: configuration.settings,
    ports,
    link: { mode: 'product', jwksRefetch: 'throttled', apiAudiences: options.apiAudiences },
    modules: {
      settings: options.modules,
      objects: objectServices.view,
      store: objectServices.store,
    },
    report: () => {},
  });
  if (serving.kind !== 'serving')
    throw new Error(`a start that only the product refuses: ${serving.kind}`);
  const { holder, authorities, modules } = serving.serving;
  const server = await startServer({
    options,
    holder,
    checksLoopbackTokens: false,
    ports,
    objectServices,
    authorities,
    proxyHeaders: modules?.proxyHeaders,
    decisionLog: collecting(decisions),
  });
  return {
    server,
    async close() {
      await server.close(0);
      await serving.serving.close();
    },
  };
};

const collecting = (into: LogFields[]): Log => ({
  event(_level, _message, fields) {
    if (fields !== undefined) into.push(fields);
  },
});
