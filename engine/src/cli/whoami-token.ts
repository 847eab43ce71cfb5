/** Decides the token of `whoami`: where it comes from and where its keys come from. */
import type { AuthenticatorGraph } from '../compile/graph.ts';
import { toPrintable } from '../diagnostics/printable.ts';
import { maxTokenLength } from '../model/limits.ts';
import { secret } from '../model/secret.ts';
import type { HttpClient } from '../ports/http-client.ts';
import { peekToken } from '../signed-token/parse.ts';
import type { WhoamiAnswer } from '../simulate/whoami/whoami-answer.ts';
import { whoamiToken } from '../simulate/whoami/whoami-token.ts';
import { type CommandArguments, fail } from './command.ts';
import type { Io } from './io.ts';
import { portsAt } from './ports-at.ts';

/** Reads the token and its keys according to the flags and decides. */
export const decideTokenFromFlags = async (
  { values }: CommandArguments,
  graph: AuthenticatorGraph,
  now: number,
  io: Io,
): Promise<WhoamiAnswer> => {
  const path = values.string('token-file');
  const file = await io.readText(path);
  if (file.kind === 'failure') return fail(io, file.reason);
  // Files end with a line end, and whole headers may be pasted.
  const text = file.text.trim().replace(/^(?:authorization:\s*)?bearer\s+/i, '');
  if (text === '') return fail(io, `${sourceOf(path)} is empty`);
  // A longer token is rejected without parsing it.
  const isReadable = text.length <= maxTokenLength;
  const peeked = isReadable ? peekToken(text) : undefined;
  const issuer = peeked?.payload.issuer;
  const http = await openKeys(values, graph, { io, issuer });
  try {
    if (isReadable && peeked === undefined)
      return fail(io, `${sourceOf(path)} is not a JWT`, jwtForm);
    const answer = await whoamiToken(graph, secret(text), {
      issuer,
      mode: 'product',
      explain: values.bool('explain'),
      ports: portsAt(now, values.string('now') === '' ? 'running' : 'fixed', http.client),
      signal: io.signal,
    });
    if (answer.notReady !== undefined)
      return fail(
        io,
        `the keys of ${toPrintable(issuer ?? '')} could not be fetched`,
        toPrintable(answer.notReady),
      );
    return answer;
  } finally {
    await http.close();
  }
};

const sourceOf = (path: string): string => (path === '-' ? 'standard input' : path);

const jwtForm =
  'A JWT has three base64url parts separated by dots; the first two are JSON objects.';

interface OpenHttp {
  readonly client: HttpClient;
  readonly close: () => Promise<void>;
}

/** Returns the keys of issuers from `--jwks` or, with `--fetch`, from the issuers. */
export const openKeys = async (
  values: CommandArguments['values'],
  graph: AuthenticatorGraph,
  { io, issuer }: { readonly io: Io; readonly issuer: string | undefined },
): Promise<OpenHttp> => {
  if (values.bool('fetch')) {
    const { nodeHttpClient } = await import('../node/http-client.ts');
    const client = nodeHttpClient();
    const known = graph.nodes.some(({ issuerUrl }) => issuerUrl === issuer);
    if (known && io.stderr.isTerminal) io.stderr.write(`fetching keys of ${issuer}\n`);
    return { client, close: () => client.close() };
  }
  const path = values.string('jwks');
  if (path === '')
    return fail(
      io,
      'the keys of the issuer are required',
      'Specify them with --jwks FILE, or fetch them with --fetch. Use --claims for claims without a token.',
    );
  const file = await io.readText(path);
  if (file.kind === 'failure') return fail(io, file.reason);
  const { offlineIssuers, readOfflineKeys } = await import('../simulate/whoami/offline-issuers.ts');
  const keys = readOfflineKeys(file.text);
  if (keys.kind === 'error') return fail(io, `${path}: ${keys.message}`);
  const isConfigured = graph.nodes.some(({ issuerUrl }) => issuerUrl === issuer);
  if (isConfigured && keys.kind === 'by issuer' && !keys.textByIssuer.has(issuer ?? ''))
    return fail(
      io,
      `${path} contains no keys of ${toPrintable(issuer ?? '')}`,
      'Use its key set, {"keys": […]}, or an object with its URL as a member name.',
    );
  return { client: offlineIssuers(graph, keys), close: () => Promise.resolve() };
};
