/** Answers cases about webhooks, with a server on loopback that follows the script of the case. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linkWebhookToken } from '../../../engine/src/authenticators/webhook-token/authenticate.ts';
import {
  compileWebhookToken,
  filesOfWebhookToken,
} from '../../../engine/src/authenticators/webhook-token/compile.ts';
import type { FileContents } from '../../../engine/src/documents/kubeconfig/kubeconfig.ts';
import { type Decision, noOpinion } from '../../../engine/src/model/decision.ts';
import type { Mode } from '../../../engine/src/model/differences.ts';
import { secret } from '../../../engine/src/model/secret.ts';
import { readSnapshot } from '../../../engine/src/node/files.ts';
import { nodePorts } from '../../../engine/src/node/ports.ts';
import { testAuthority } from '../certificates.ts';
import { type ScriptedResponse, type SeenRequest, webhookServer } from '../webhook-server.ts';
import { decisionAnswer } from './decision-answer.ts';
import type { CaseLine } from './module-cases.ts';

export type WebhookCase = CaseLine<
  WebhookConfig,
  { readonly steps?: readonly WebhookStep[] | null }
>;

interface WebhookConfig {
  readonly version?: string;
  readonly apiAudiences?: readonly string[] | null;
  readonly path?: string;
  readonly userToken?: string;
  readonly basicUser?: string;
  readonly basicPassword?: string;
  readonly wrongCA?: boolean;
  readonly insecureSkipTLSVerify?: boolean;
  /** The whole file; `{{SERVER}}` and `{{CA}}` are replaced. */
  readonly kubeconfig?: string;
  readonly retrySteps?: number;
  readonly cacheTTLMs?: number;
  readonly script?: readonly ScriptedResponse[] | null;
}

interface WebhookStep {
  readonly token?: string;
  readonly audiences?: readonly string[] | null;
  readonly waitMs?: number;
  readonly timeoutMs?: number;
}

export const answerWebhook = async (line: WebhookCase, mode: Mode = 'exact'): Promise<object> => {
  const server = await webhookServer({ script: line.config.script ?? [] });
  const directory = await mkdtemp(join(tmpdir(), 'webhook-'));
  try {
    return await answerWith(line, { server, directory, mode });
  } finally {
    await server.close();
    await rm(directory, { recursive: true });
  }
};

interface Place {
  readonly server: Awaited<ReturnType<typeof webhookServer>>;
  readonly directory: string;
  readonly mode: Mode;
}

const answerWith = async ({ config, input }: WebhookCase, place: Place): Promise<object> => {
  const { server, directory, mode } = place;
  const authority = join(directory, 'ca.pem');
  const file = join(directory, 'webhook.kubeconfig');
  await writeFile(authority, config.wrongCA ? testAuthority('other').pem : server.authority.pem);
  await writeFile(file, kubeconfigOf(config, { url: server.url, authority }));
  const clean = (text: string) =>
    text
      .replaceAll(file, 'webhook.kubeconfig')
      .replaceAll(authority, 'ca.pem')
      .replaceAll(directory, '<dir>')
      .replace(/127\.0\.0\.1:\d+(?:->127\.0\.0\.1:\d+)?/g, '127.0.0.1:PORT');
  const source = { file, directory, contents: await read(file) };
  const files = new Map<string, FileContents>();
  for (const path of filesOfWebhookToken(source)) files.set(path, await read(path));
  const compiled = compileWebhookToken(source, {
    settings: { version: config.version ?? '', cacheTtlMs: config.cacheTTLMs ?? 0 },
    apiAudiences: config.apiAudiences ?? [],
    apiDomain: 'k8s.io',
    files,
  });
  if (compiled.kind === 'failed') return { loadError: clean(compiled.error) };
  const ports = nodePorts();
  const isCached = (config.cacheTTLMs ?? 0) > 0;
  const authenticator = linkWebhookToken(compiled.node, ports, compiled.material, {
    mode,
    backoff: { firstMs: 5, factor: 1.5, jitter: 0, tries: config.retrySteps || 5 },
    cache: isCached ? 'on' : 'off',
  });
  const results: object[] = [];
  for (const step of input.steps ?? []) {
    await new Promise((resolve) => setTimeout(resolve, step.waitMs ?? 0));
    const signal =
      step.timeoutMs === undefined || step.timeoutMs === 0
        ? new AbortController().signal
        : AbortSignal.timeout(step.timeoutMs);
    const request = { path: '/', token: secret(step.token ?? ''), audiences: step.audiences ?? [] };
    const decision = await authenticator.authenticate(request, { signal });
    const answer = decisionAnswer(
      step.audiences?.length === 0 && !isCached ? ofNone(decision) : decision,
    );
    results.push({
      ...answer,
      ...(answer.error === undefined ? {} : { error: clean(answer.error) }),
      requestsSoFar: server.seen.length,
    });
  }
  await authenticator.close?.();
  await ports.http.close();
  return { results, requests: server.seen.map(requestAnswer) };
};

/**
 * Inside kube-apiserver a list of audiences can be empty, of which no response has any. No request
 * has such a list; here it is the same as none, as in kube-apiserver's cache.
 */
const ofNone = (decision: Decision): Decision =>
  decision.kind === 'rejected' && decision.reason.code === 'AG5060' ? decision : noOpinion;

const read = (path: string): Promise<FileContents> => readSnapshot(path, { maxBytes: 2 ** 20 });

const kubeconfigOf = (
  config: WebhookConfig,
  { url, authority }: { readonly url: string; readonly authority: string },
): string =>
  (config.kubeconfig || plainKubeconfig(config))
    .replaceAll('{{SERVER}}', url)
    .replaceAll('{{CA}}', authority);

const plainKubeconfig = ({
  path = '',
  userToken = '',
  basicUser = '',
  basicPassword = '',
  insecureSkipTLSVerify = false,
}: WebhookConfig): string => {
  const basic = `{username: ${JSON.stringify(basicUser)}, password: ${JSON.stringify(basicPassword)}}`;
  const user =
    userToken === '' ? (basicUser === '' ? '{}' : basic) : `{token: ${JSON.stringify(userToken)}}`;
  const trust = insecureSkipTLSVerify
    ? 'insecure-skip-tls-verify: true'
    : 'certificate-authority: {{CA}}';
  return `apiVersion: v1
kind: Config
clusters:
- name: remote
  cluster: {server: "{{SERVER}}${path}", ${trust}}
users:
- name: api
  user: ${user}
contexts:
- name: webhook
  context: {cluster: remote, user: api}
current-context: webhook
`;
};

const requestAnswer = ({ method, path, headers, body }: SeenRequest): object => ({
  method,
  path,
  contentType: headers['content-type'] ?? '',
  accept: headers.accept ?? '',
  ...(headers.authorization === undefined
    ? {}
    : // Node decodes the bytes as Latin-1, the recorded client as UTF-8.
      { authorization: Buffer.from(headers.authorization, 'latin1').toString('utf8') }),
  ...bodyAnswer(body),
});

const bodyAnswer = (body: string): object => {
  try {
    return { body: JSON.parse(body) };
  } catch {
    return { bodyText: body };
  }
};
