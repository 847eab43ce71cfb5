/** `authgraph whoami`: who a token or a set of claims is, and why. */

import { hashGraph } from '../../compile/artifact.ts';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import { secret } from '../../model/secret.ts';
import { nodeClock } from '../../node/clock.ts';
import { nodeDigest } from '../../node/digest.ts';
import { nodeRandomness } from '../../node/randomness.ts';
import { nodeSignatures } from '../../node/signatures.ts';
import type { HttpClient } from '../../ports/http-client.ts';
import type { Ports } from '../../ports/ports.ts';
import type { WhoamiAnswer } from '../../simulate/whoami.ts';
import {
  type Command,
  type CommandArguments,
  commonFlags,
  complain,
  fail,
  readArguments,
  targetVersionFlag,
} from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { type LoadedGraph, loadGraph } from '../load-graph.ts';
import { painter, wantsColor } from '../paint.ts';
import { parseRfc3339 } from '../parse-time.ts';
import type { PlaceFinder } from '../trace-text.ts';

export const whoami: Command = {
  name: 'whoami',
  usage: '--config FILE (--claims FILE | --token-file FILE | --token TOKEN) [flags]',
  about:
    'Decides who a token, or a set of claims, is under a configuration. Claims alone are taken as they are: signature, audience and times are not enforced. A token is checked in full, with keys from --jwks or, when asked with --fetch, from its issuer. No part of a token is ever printed.',
  flags: [
    {
      name: 'config',
      shorthand: 'c',
      group: 'Input',
      type: 'string',
      placeholder: 'FILE',
      default: '',
      doc: 'Configuration file, or artefact made by `authgraph compile`.',
    },
    {
      name: 'claims',
      group: 'Input',
      type: 'string',
      placeholder: 'FILE',
      default: '',
      doc: 'JSON object with claims; - reads standard input.',
    },
    {
      name: 'token-file',
      group: 'Input',
      type: 'string',
      placeholder: 'FILE',
      default: '',
      doc: 'File that holds a token; - reads standard input.',
    },
    {
      name: 'token',
      group: 'Input',
      type: 'string',
      placeholder: 'TOKEN',
      default: '',
      doc: 'The token itself. Other users of this machine can see it in the list of processes; prefer --token-file.',
    },
    {
      name: 'jwks',
      group: 'Keys',
      type: 'string',
      placeholder: 'FILE',
      default: '',
      doc: 'Key set of the issuer, or a JSON object of issuer URLs and their key sets.',
    },
    {
      name: 'fetch',
      group: 'Keys',
      type: 'bool',
      default: 'false',
      doc: 'Fetch the keys from the issuers of the configuration, over the network.',
    },
    {
      name: 'now',
      group: 'Keys',
      type: 'string',
      placeholder: 'TIME',
      default: '',
      doc: 'Decide as of this time, such as 2026-01-31T12:00:00Z.',
    },
    {
      name: 'explain',
      shorthand: 'e',
      group: 'Output',
      type: 'bool',
      default: 'false',
      doc: 'Print the way through the graph with the values seen.',
    },
    {
      name: 'output',
      shorthand: 'o',
      group: 'Output',
      type: 'string',
      choices: ['text', 'json', 'yaml'],
      default: 'text',
      doc: 'How to print.',
    },
    targetVersionFlag,
    ...commonFlags,
  ],
  examples: [
    {
      line: 'authgraph whoami -c auth.yaml --claims claims.json --explain',
      does: 'who these claims would be, step by step',
    },
    {
      line: 'authgraph whoami -c auth.yaml --token-file token --jwks keys.json -o json',
      does: 'a token with given keys, without network',
    },
    {
      line: 'kubectl oidc-login get-token | jq -r .status.token | authgraph whoami -c auth.yaml --token-file - --fetch',
      does: 'a token with the keys of its issuer',
    },
  ],
  run: (args, io) => runWhoami(args, io),
};

const runWhoami = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const read = await readArguments(whoami, args, io, { operands: [0, 0], missing: '' });
  if (typeof read === 'number') return read;
  const { values } = read;
  const problem = misuse(read);
  if (problem !== undefined) return complain(whoami, [{ message: problem, help: '' }], io);
  const now = values.text('now') === '' ? Date.now() : parseRfc3339(values.text('now'));
  if (now === undefined)
    return complain(
      whoami,
      [
        {
          message: `invalid argument ${JSON.stringify(values.text('now'))} for "--now" flag: must be a time such as 2026-01-31T12:00:00Z`,
          help: '',
        },
      ],
      io,
    );

  const loaded = await loadGraph(whoami, read, values.text('config'), io);
  if (typeof loaded === 'number') return loaded;
  const answered =
    values.text('claims') === ''
      ? await askToken(read, loaded.graph, now, io)
      : await askClaims(read, loaded.graph, now, io);
  if (typeof answered === 'number') return answered;
  await printAnswer(answered, { loaded, read, io });
  return answered.decision.kind === 'accepted' ? exitCodes.ok : exitCodes.problems;
};

const misuse = ({ values }: CommandArguments): string | undefined => {
  if (values.text('config') === '') return 'name a configuration with --config FILE';
  const inputs = ['claims', 'token-file', 'token'].filter((name) => values.given(name));
  if (inputs.length === 0) return 'give --claims FILE, --token-file FILE or --token TOKEN';
  if (inputs.length > 1) return `--${inputs.join(' and --')} exclude each other`;
  if (values.given('jwks') && values.flag('fetch')) return '--jwks and --fetch exclude each other';
  const fromStdin = ['config', 'claims', 'token-file', 'jwks'].filter(
    (name) => values.text(name) === '-',
  );
  if (fromStdin.length > 1) return 'only one file can be standard input';
  return undefined;
};

const askClaims = async (
  { values }: CommandArguments,
  graph: AuthenticatorGraph,
  now: number,
  io: Io,
): Promise<WhoamiAnswer | ExitCode> => {
  const path = values.text('claims');
  const file = await io.readText(path);
  if (file.kind === 'failure') return fail(io, file.reason);
  const { readClaims } = await import('../../signed-token/payload.ts');
  const claims = readClaims(new TextEncoder().encode(file.text));
  if (claims === undefined)
    return fail(
      io,
      `${path} is not a JSON object of claims`,
      looksLikeToken(file.text) ? 'It looks like a token: use --token-file.' : '',
    );
  const { whoamiClaims } = await import('../../simulate/whoami.ts');
  return whoamiClaims(graph, claims, { mode: 'product', explain: values.flag('explain'), now });
};

const looksLikeToken = (text: string): boolean => /^\s*[\w-]+\.[\w-]+\.[\w-]*\s*$/.test(text);

const askToken = async (
  { values }: CommandArguments,
  graph: AuthenticatorGraph,
  now: number,
  io: Io,
): Promise<WhoamiAnswer | ExitCode> => {
  const file = values.given('token')
    ? ({ kind: 'text', text: values.text('token') } as const)
    : await io.readText(values.text('token-file'));
  if (file.kind === 'failure') return fail(io, file.reason);
  // Files end with a line end, and headers are pasted whole.
  const token = secret(file.text.trim().replace(/^(?:authorization:\s*)?bearer\s+/i, ''));
  const http = await httpFor(values, graph, io);
  if (typeof http === 'number') return http;
  const { whoamiToken } = await import('../../simulate/whoami.ts');
  try {
    return await whoamiToken(graph, token, {
      mode: 'product',
      explain: values.flag('explain'),
      ports: portsAt(now, values.text('now') !== '', http.client),
      signal: io.signal,
    });
  } finally {
    await http.close();
  }
};

interface OpenHttp {
  readonly client: HttpClient;
  readonly close: () => Promise<void>;
}

const httpFor = async (
  values: CommandArguments['values'],
  graph: AuthenticatorGraph,
  io: Io,
): Promise<OpenHttp | ExitCode> => {
  if (values.flag('fetch')) {
    const { nodeHttpClient } = await import('../../node/http-client.ts');
    const client = nodeHttpClient();
    const issuers = graph.nodes.map(({ issuerUrl }) => issuerUrl).join(', ');
    if (io.stderr.isTerminal) io.stderr.write(`fetching keys of ${issuers}\n`);
    return { client, close: () => client.close() };
  }
  const path = values.text('jwks');
  if (path === '')
    return fail(
      io,
      'a token needs the keys of its issuer',
      'Give them with --jwks FILE, or ask the issuer with --fetch. To look at claims alone use --claims.',
    );
  const file = await io.readText(path);
  if (file.kind === 'failure') return fail(io, file.reason);
  const { offlineIssuers, readOfflineKeys } = await import('../../simulate/offline-issuers.ts');
  const keys = readOfflineKeys(file.text);
  if (keys.kind === 'error') return fail(io, `${path}: ${keys.message}`);
  return { client: offlineIssuers(graph, keys), close: () => Promise.resolve() };
};

/** A clock that stands at the given time, or runs. */
const portsAt = (now: number, fixed: boolean, http: HttpClient): Ports => ({
  clock: fixed ? { ...nodeClock(), now: () => now } : nodeClock(),
  http,
  signatures: nodeSignatures(),
  digest: nodeDigest(),
  log: { event: () => {} },
  metrics: { increment: () => {}, set: () => {}, observe: () => {}, forget: () => {} },
  randomness: nodeRandomness(),
});

interface Printing {
  readonly loaded: LoadedGraph;
  readonly read: CommandArguments;
  readonly io: Io;
}

const printAnswer = async (answer: WhoamiAnswer, { loaded, read, io }: Printing): Promise<void> => {
  const { values } = read;
  const { find } = placeFinder(loaded);
  const graphHash =
    loaded.loaded.kind === 'artifact'
      ? loaded.loaded.artifact.graphHash
      : hashGraph(loaded.graph, nodeDigest());
  if (values.text('output') === 'text') {
    const { whoamiText } = await import('../whoami-text.ts');
    const paint = painter(wantsColor(values.text('color'), io.stdout, io));
    const nodes = loaded.graph.nodes;
    io.stdout.write(whoamiText(answer, { find, paint, width: io.stdout.columns, nodes }));
    return;
  }
  const { whoamiJson, whoamiYaml } = await import('../whoami-data.ts');
  io.stdout.write(
    values.text('output') === 'yaml'
      ? whoamiYaml(answer, { graphHash, find })
      : whoamiJson(answer, { graphHash, find }),
  );
};

const placeFinder = ({ loaded }: LoadedGraph): PlaceFinder => ({
  find(path) {
    if (loaded.kind === 'artifact') return undefined;
    const { compilation, source } = loaded;
    const span = compilation.origins.get(path);
    return span === undefined ? undefined : { source, span };
  },
});
