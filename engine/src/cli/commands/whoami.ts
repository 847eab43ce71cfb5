/** `authgraph whoami`: shows who a token or a set of claims is, and why. */
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import { hashGraph } from '../../compile/artifact.ts';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import { toPrintable } from '../../diagnostics/printable.ts';
import type { Acting } from '../../simulate/whoami/act-as.ts';
import type { WhoamiAnswer } from '../../simulate/whoami/whoami-answer.ts';
import { whoamiClaims } from '../../simulate/whoami/whoami-claims.ts';
import { type Paint, painter, wantsColor } from '../color.ts';
import {
  type CommandArguments,
  configFlag,
  configurationPath,
  defineCommand,
  fail,
  oneStandardInput,
  outputFlag,
  stringFlag,
  targetVersionFlag,
  tokenFileFlag,
} from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { impersonationFlags, impersonationMisuse } from '../impersonation-flags.ts';
import type { Io } from '../io.ts';
import { type LoadedGraph, loadGraph } from '../load-graph.ts';
import { claimsDoc, readClaimsArgument } from '../read-claims.ts';
import type { PlaceFinder } from '../trace-text.ts';
import { acceptedText } from '../whoami-text.ts';

export const whoami = defineCommand({
  name: 'whoami',
  usage: '[flags] FILE (--claims JSON|FILE | --token-file FILE | --request FILE)',
  about:
    'Shows which user a token, a set of claims or a whole request maps to under a configuration. For claims alone, the signature is not verified; audience and times are reported, and enforced with --strict. A token is validated completely, with keys from --jwks or, with --fetch, from its issuer. No part of a token is ever printed.',
  flags: [
    configFlag,
    stringFlag('Input', 'claims', 'JSON|FILE', claimsDoc),
    tokenFileFlag,
    stringFlag(
      'Input',
      'request',
      'FILE',
      'YAML file with a whole request: path, header fields, client certificate, claims, impersonation; every authenticator decides it in the order of the server.',
    ),
    {
      name: 'strict',
      group: 'Input',
      type: 'bool',
      doc: 'Reject claims whose issuer, audience or times would cause a token to be rejected.',
    },
    stringFlag(
      'Keys',
      'jwks',
      'FILE',
      'Key set of the issuer, or a JSON object with issuer URLs and their key sets.',
    ),
    {
      name: 'fetch',
      group: 'Keys',
      type: 'bool',
      doc: 'Fetch the keys from the issuers of the configuration, over the network.',
    },
    stringFlag('Keys', 'now', 'TIME', 'Evaluate as of this time, such as 2026-01-31T12:00:00Z.'),
    ...impersonationFlags,
    {
      name: 'explain',
      shorthand: 'e',
      group: 'Output',
      type: 'bool',
      doc: 'Print the path through the graph with the evaluated values.',
    },
    { ...outputFlag, choices: ['text', 'json', 'yaml'] },
    targetVersionFlag,
  ],
  examples: [
    {
      line: 'authgraph whoami auth.yaml --claims claims.json --explain',
      does: 'which user these claims map to, step by step',
    },
    {
      line: 'authgraph whoami auth.yaml --claims \'{"iss":"https://issuer.example","sub":"jane"}\'',
      does: 'which user claims on the command line map to',
    },
    {
      line: 'authgraph whoami auth.yaml --token-file token --jwks keys.json -o json',
      does: 'validate a token offline with given keys',
    },
    {
      line: 'authgraph whoami auth.yaml --request request.yaml --explain',
      does: 'a whole request through every authenticator',
    },
    {
      line: 'authgraph whoami auth.yaml --claims claims.json --as jane --rbac-file roles.yaml',
      does: 'whether they may impersonate jane, and by which role',
    },
    {
      line: 'kubectl oidc-login get-token | jq -r .status.token | authgraph whoami auth.yaml --token-file - --fetch',
      does: 'validate a token with the keys of its issuer',
    },
  ],
  operands: [0, 1],
  run: (read, io) => runWhoami(read, io),
});

const runWhoami = async (read: CommandArguments, io: Io): Promise<ExitCode> => {
  const { values } = read;
  const path = configurationPath(read);
  const problem = misuse(read, path);
  if (problem !== undefined) return read.misuse(problem);
  const now = values.string('now') === '' ? Date.now() : parseRfc3339(values.string('now'));
  if (now === undefined)
    return read.misuse(
      `invalid argument ${JSON.stringify(values.string('now'))} for "--now" flag: must be a time such as 2026-01-31T12:00:00Z`,
    );

  const loaded = await loadGraph(read, path, io);
  const { answer, acting } = await decideInput(read, { path, loaded, now, io });
  await printAnswer(answer, { loaded, read, io, acting });
  const isGood = answer.decision.kind === 'accepted' && acting?.refusal === undefined;
  return isGood ? exitCodes.ok : exitCodes.problems;
};

interface Decided {
  readonly answer: WhoamiAnswer;
  readonly acting: Acting | undefined;
}

/** Decides the claims, the token or the request; modules that are not always needed are loaded on demand. */
const decideInput = async (
  read: CommandArguments,
  {
    path,
    loaded: { graph },
    now,
    io,
  }: {
    readonly path: string;
    readonly loaded: LoadedGraph;
    readonly now: number;
    readonly io: Io;
  },
): Promise<Decided> => {
  const { values } = read;
  if (values.isSet('request')) {
    const { decideRequestFile } = await import('../whoami-request.ts');
    const { answer, acting } = await decideRequestFile(read, graph, now, io);
    return typeof acting === 'string' ? fail(io, acting) : { answer, acting };
  }
  const answer = values.isSet('claims')
    ? await decideClaims(read, graph, now, io)
    : await (await import('../whoami-token.ts')).decideTokenFromFlags(read, graph, now, io);
  const acting = await actingOf(answer, { ...read, path, domain: graph.apiDomain }, io);
  return { answer, acting };
};

/** Checks `--as`; its modules are loaded on demand. */
const actingOf = async (
  { decision }: WhoamiAnswer,
  read: CommandArguments & { readonly path: string; readonly domain: string },
  io: Io,
): Promise<Acting | undefined> => {
  if (decision.kind !== 'accepted' || read.values.string('as') === '') return undefined;
  const { checkImpersonation } = await import('../act-as.ts');
  return checkImpersonation(decision.user, read, io);
};

const misuse = ({ values }: CommandArguments, path: string): string | undefined => {
  const inputs = ['claims', 'token-file', 'request'].filter((name) => values.isSet(name));
  if (inputs.length === 0) return 'specify --claims JSON|FILE, --token-file FILE or --request FILE';
  if (inputs.length > 1) return `--${inputs.join(' and --')} are mutually exclusive`;
  if (values.bool('strict') && !values.isSet('claims'))
    return '--strict can only be used with --claims; a token is always validated completely';
  if (values.isSet('request') && values.string('as') !== '')
    return '--as cannot be used with --request: the request has a field impersonate';
  if (values.isSet('jwks') && values.bool('fetch'))
    return '--jwks and --fetch are mutually exclusive';
  const files = [
    path,
    ...['claims', 'token-file', 'request', 'jwks'].map((name) => values.string(name)),
  ];
  const fromStdin = files.filter((file) => file === '-');
  const rolesFromStdin = values.list('rbac-file').filter((path) => path === '-');
  if (fromStdin.length + rolesFromStdin.length > 1) return oneStandardInput;
  return impersonationMisuse(values);
};

const decideClaims = async (
  { values }: CommandArguments,
  graph: AuthenticatorGraph,
  now: number,
  io: Io,
): Promise<WhoamiAnswer> => {
  const claims = await readClaimsArgument(values.string('claims'), io);
  const answer = whoamiClaims(graph, claims, {
    mode: 'product',
    explain: values.bool('explain'),
    now,
    strict: values.bool('strict'),
  });
  return { ...answer, claimNames: Object.keys(claims.claims) };
};

interface Printing {
  readonly loaded: LoadedGraph;
  readonly read: CommandArguments;
  readonly io: Io;
  readonly acting: Acting | undefined;
}

const printAnswer = async (
  answer: WhoamiAnswer,
  { loaded, read, io, acting }: Printing,
): Promise<void> => {
  const { values } = read;
  const { find } = placeFinder(loaded);
  const graphHash =
    loaded.loaded.kind === 'artifact'
      ? loaded.loaded.artifact.graphHash
      : hashGraph(loaded.graph, (await import('../../node/digest.ts')).nodeDigest());
  if (values.string('output') === 'text') {
    const paint = painter(wantsColor(values.string('color'), io.stdout, io));
    await printText(answer, {
      find,
      paint,
      io,
      nodes: loaded.graph.nodes,
      isStrict: values.bool('strict'),
    });
    if (acting === undefined) return;
    const { actingText } = await import('../act-as.ts');
    io.stdout.write(actingText(acting, paint));
    return;
  }
  const { whoamiJson, whoamiYaml } = await import('../whoami-data.ts');
  const impersonation =
    acting === undefined ? undefined : (await import('../act-as.ts')).actingData(acting);
  const options = { graphHash, find, impersonation };
  io.stdout.write(
    values.string('output') === 'yaml' ? whoamiYaml(answer, options) : whoamiJson(answer, options),
  );
};

/** Prints the text output; modules that are not always needed are loaded on demand. */
const printText = async (
  { decision, steps, signature, unenforced = [], claimNames }: WhoamiAnswer,
  {
    io,
    isStrict,
    ...options
  }: PlaceFinder & {
    readonly paint: Paint;
    readonly io: Io;
    readonly nodes: readonly JwtNode[];
    readonly isStrict: boolean;
  },
): Promise<void> => {
  if (steps.length > 0) {
    const { traceText } = await import('../trace-text.ts');
    io.stdout.write(`${traceText(steps, options)}\n`);
  }
  if (decision.kind === 'accepted') {
    io.stdout.write(acceptedText(decision.user, options.paint));
  } else {
    const { rejectionText } = await import('../rejection-text.ts');
    io.stdout.write(rejectionText(decision, { ...options, claimNames, width: io.stdout.columns }));
  }
  for (const problem of unenforced)
    io.stdout.write(`${options.paint('yellow', `Not enforced: ${toPrintable(problem)}.`)}\n`);
  if (signature === 'skipped')
    io.stdout.write(
      `${options.paint('dim', isStrict ? strictNote : 'Claims only: signature, audience and times were not enforced.')}\n`,
    );
};

const strictNote = 'Claims only: the signature was not verified.';

const placeFinder = ({ loaded }: LoadedGraph): PlaceFinder => ({
  find(path) {
    if (loaded.kind === 'artifact') return undefined;
    const { compilation, source, toFile } = loaded;
    const span = compilation.origins.get(path);
    return span === undefined ? undefined : { source, span: toFile(span) };
  },
});

/** Converts an RFC 3339 time to milliseconds since 1970; `undefined` for anything else. */
const parseRfc3339 = (text: string): number | undefined => {
  if (!/^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/.test(text))
    return undefined;
  const time = Date.parse(text.toUpperCase());
  return Number.isNaN(time) ? undefined : time;
};
