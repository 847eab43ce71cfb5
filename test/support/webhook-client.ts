/** Runs the webhook module against a server, with a kubeconfig file on disk and real connections. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Authenticator } from '../../engine/src/authenticators/module.ts';
import {
  linkWebhookToken,
  type WebhookTokenOptions,
} from '../../engine/src/authenticators/webhook-token/authenticate.ts';
import {
  compileWebhookToken,
  filesOfWebhookToken,
} from '../../engine/src/authenticators/webhook-token/compile.ts';
import type { WebhookTokenNode } from '../../engine/src/authenticators/webhook-token/node.ts';
import type { FileContents } from '../../engine/src/documents/kubeconfig/kubeconfig.ts';
import type { Waiter } from '../../engine/src/fairness/waiter.ts';
import type { Decision } from '../../engine/src/model/decision.ts';
import { secret } from '../../engine/src/model/secret.ts';
import { readSnapshot } from '../../engine/src/node/files.ts';
import type { HttpClientOptions } from '../../engine/src/node/http-agents.ts';
import { type NodePorts, nodePorts } from '../../engine/src/node/ports.ts';
import type { LoggedEvent } from './fake-ports.ts';

export interface WebhookClientOptions {
  /** Fields of the cluster, in addition to the server. */
  readonly cluster?: Readonly<Record<string, unknown>>;
  readonly user?: Readonly<Record<string, unknown>>;
  /** Files next to the kubeconfig, by name. */
  readonly files?: Readonly<Record<string, string>>;
  readonly version?: string;
  readonly cacheTtlMs?: number;
  readonly apiAudiences?: readonly string[];
  readonly module?: Partial<WebhookTokenOptions>;
  readonly http?: HttpClientOptions;
  readonly ports?: Partial<NodePorts>;
}

export interface WebhookClient {
  readonly authenticator: Authenticator;
  readonly node: WebhookTokenNode;
  readonly directory: string;
  readonly warnings: readonly string[];
  readonly events: readonly LoggedEvent[];
  decide(
    token: string,
    more?: { readonly audiences?: readonly string[] } & Partial<Waiter>,
  ): Promise<Decision>;
  close(): Promise<void>;
}

/** JSON is YAML. */
export const kubeconfigText = (
  server: string,
  cluster: Readonly<Record<string, unknown>>,
  user: Readonly<Record<string, unknown>>,
): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'remote', cluster: { server, ...cluster } }],
    users: [{ name: 'us', user }],
    contexts: [{ name: 'here', context: { cluster: 'remote', user: 'us' } }],
    'current-context': 'here',
  });

const never = new AbortController().signal;

export const webhookClient = async (
  server: string,
  options: WebhookClientOptions = {},
): Promise<WebhookClient> => {
  const directory = await mkdtemp(join(tmpdir(), 'webhook-'));
  for (const [name, text] of Object.entries(options.files ?? {})) {
    await writeFile(join(directory, name), text);
  }
  const file = join(directory, 'webhook.kubeconfig');
  await writeFile(file, kubeconfigText(server, options.cluster ?? {}, options.user ?? {}));
  const source = { file, directory, contents: await read(file) };
  const files = new Map<string, FileContents>();
  for (const path of filesOfWebhookToken(source)) files.set(path, await read(path));
  const compiled = compileWebhookToken(source, {
    settings: { version: options.version ?? 'v1', cacheTtlMs: options.cacheTtlMs ?? 120_000 },
    apiAudiences: options.apiAudiences ?? [],
    apiDomain: 'k8s.io',
    files,
  });
  if (compiled.kind === 'failed') {
    await rm(directory, { recursive: true });
    throw new Error(compiled.error);
  }
  const events: LoggedEvent[] = [];
  const log = {
    event: (level: string, message: string, fields?: Readonly<Record<string, unknown>>) => {
      events.push({ level, message, fields });
    },
  };
  const ports = {
    ...nodePorts({ ...(options.http === undefined ? {} : { http: options.http }), log }),
    ...options.ports,
  };
  const authenticator = linkWebhookToken(compiled.node, ports, compiled.material, {
    mode: 'product',
    backoff: { firstMs: 1, factor: 1.5, jitter: 0.2, tries: 5 },
    ...options.module,
  });
  return {
    authenticator,
    node: compiled.node,
    directory,
    warnings: compiled.warnings,
    events,
    decide: async (token, { audiences = [], ...waiter } = {}) =>
      authenticator.authenticate(
        { path: '/', token: secret(token), audiences },
        { signal: never, ...waiter },
      ),
    async close() {
      await authenticator.close?.();
      await ports.http.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

const read = (path: string): Promise<FileContents> => readSnapshot(path, { maxBytes: 2 ** 20 });
