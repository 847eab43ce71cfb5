/**
 * Checks a kubeconfig, as `--authentication-token-webhook-config-file` names one: whether it can be
 * used, and whether its certificate authorities can verify the server.
 */
import { dirname, resolve } from 'node:path';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { diagnosticOf } from '../diagnostics/rule.ts';
import { unusableAuthorities } from '../documents/kubeconfig/authority.ts';
import { connectionOf } from '../documents/kubeconfig/connection.ts';
import { chooseContext, kubeconfigFiles } from '../documents/kubeconfig/context.ts';
import { type FileContents, readKubeconfig } from '../documents/kubeconfig/kubeconfig.ts';
import type { DataNode } from '../documents/yaml/data.ts';
import type { ConfigDocument } from '../documents/yaml/document.ts';
import { unusableAuthority } from '../lints/unusable-authority.ts';
import { maxCertificateBundleBytes } from '../model/limits.ts';
import { nodeClock } from '../node/clock.ts';
import { readSnapshot } from '../node/files.ts';
import { type Span, span } from '../source/span.ts';

export type KubeconfigCheck =
  | { readonly kind: 'checked'; readonly diagnostics: readonly Diagnostic[] }
  /** The message is client-go's. */
  | { readonly kind: 'failure'; readonly reason: string };

/** Checks whether the document is a kubeconfig rather than an AuthenticationConfiguration. */
export const isKubeconfig = ({ data }: ConfigDocument): boolean =>
  textOf(member(data, 'kind')) === 'Config' && textOf(member(data, 'apiVersion')) === 'v1';

/** Checks a kubeconfig whose relative paths begin at the folder of `path`. */
export const checkKubeconfig = async (
  path: string,
  { data, source }: ConfigDocument,
): Promise<KubeconfigCheck> => {
  const contents = { kind: 'read', bytes: new TextEncoder().encode(source.text) } as const;
  const reading = readKubeconfig({ path, directory: dirname(resolve(path)), contents });
  if (reading.kind === 'error') return failure(path, reading.message);
  const files = new Map<string, FileContents>();
  for (const name of kubeconfigFiles(reading.kubeconfig))
    files.set(name, await readSnapshot(name, { maxBytes: maxCertificateBundleBytes }));
  const contentsOf = (name: string): FileContents =>
    files.get(name) ?? { kind: 'unreadable', reason: `open ${name}: no such file or directory` };
  const choice = chooseContext(reading.kubeconfig, contentsOf);
  if (choice.kind === 'error') return failure(path, choice.message);
  const { context } = choice;
  const connection = connectionOf(context, contentsOf);
  if (connection.kind === 'error') return failure(path, connection.message);
  const found = unusableAuthorities(context, contentsOf, nodeClock().now());
  const at = fieldSpan(data, context.clusterName, found.field) ?? data?.span ?? span(0, 0);
  const diagnostics = found.problems.map((problem) =>
    diagnosticOf(unusableAuthority, at, { problem: `${found.path}: ${problem}` }),
  );
  return { kind: 'checked', diagnostics };
};

const failure = (path: string, message: string): KubeconfigCheck => ({
  kind: 'failure',
  reason: message.includes(path) ? message : `${path}: ${message}`,
});

const member = (data: DataNode | undefined, key: string): DataNode | undefined =>
  data?.kind === 'object' ? data.byKey.get(key)?.value : undefined;

const textOf = (data: DataNode | undefined): string | undefined =>
  data?.kind === 'string' ? data.text : undefined;

/** Returns the place of a field of a cluster. */
const fieldSpan = (
  data: DataNode | undefined,
  cluster: string,
  field: string,
): Span | undefined => {
  const clusters = member(data, 'clusters');
  const entry =
    clusters?.kind === 'array'
      ? clusters.items.find((item) => textOf(member(item, 'name')) === cluster)
      : undefined;
  return member(member(entry, 'cluster'), field)?.span;
};
