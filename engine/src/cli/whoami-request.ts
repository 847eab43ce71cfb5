/** Decides the whole request of `whoami --request`, with every authenticator in the server's order. */
import type { AuthenticatorGraph } from '../compile/graph.ts';
import type { FileReport } from '../diagnostics/render.ts';
import { decodeLatin1 } from '../formats/byte-string.ts';
import { reveal } from '../model/secret.ts';
import type { HttpClient } from '../ports/http-client.ts';
import { presetClaims, presetNames } from '../providers/presets.ts';
import { readBearerToken } from '../runtime/bearer-token.ts';
import { rejectUnclaimed } from '../runtime/combine-decisions.ts';
import { peekToken } from '../signed-token/parse.ts';
import { algorithmOf } from '../simulate/tests/decide-cases.ts';
import { readRequestFile } from '../simulate/tests/read-request-file.ts';
import type { TestInput } from '../simulate/tests/test-case.ts';
import type { Acting } from '../simulate/whoami/act-as.ts';
import { offlineIssuers } from '../simulate/whoami/offline-issuers.ts';
import type { WhoamiAnswer } from '../simulate/whoami/whoami-answer.ts';
import { sourceFile } from '../source/source-file.ts';
import { boundedFolder } from './bounded-paths.ts';
import { wantsColor } from './color.ts';
import { type CommandArguments, CommandEnd, fail } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';
import { portsAt } from './ports-at.ts';
import { openServer } from './testing/open-server.ts';
import { createTestTokens } from './testing/test-tokens.ts';
import { openKeys } from './whoami-token.ts';

export interface RequestAnswer {
  readonly answer: WhoamiAnswer;
  /** The result of the `Impersonate-*` header fields; the message if they are not valid. */
  readonly acting: Acting | string | undefined;
}

type RequestInput = Extract<TestInput, { kind: 'request' }>;

/** Reads the request file and decides its request. */
export const decideRequestFile = async (
  read: CommandArguments,
  graph: AuthenticatorGraph,
  now: number,
  io: Io,
): Promise<RequestAnswer> => {
  const { values } = read;
  const path = values.string('request');
  const file = await io.readText(path);
  if (file.kind === 'failure') return fail(io, file.reason);
  const source = sourceFile(path === '-' ? 'standard-input' : path, file.text);
  if (file.broken !== undefined)
    return failReport({ source, diagnostics: [file.broken] }, read, io);
  const request = readRequestFile(source, {
    presets: presetNames,
    inputs: { issuers: graph.nodes, preset: presetClaims },
    now,
  });
  const { input } = request;
  if (input === undefined)
    return failReport({ source, diagnostics: request.diagnostics }, read, io);
  const tokens = createTestTokens([]);
  const keys = await httpOf(input, read, { graph, tokens, io });
  try {
    const at = values.string('now') === '' ? request.now : now;
    const server = await openServer(
      {
        source,
        folder: boundedFolder(path),
        graph,
        environment: request.environment,
        requests: [input.request],
      },
      { ports: portsAt(at, 'fixed', keys.client), io },
    );
    if (server.kind === 'mistakes') return failReport(server.report, read, io);
    try {
      const { token } = input;
      const signed =
        token &&
        (await tokens.sign(token.claims.payload, {
          ...token.signing,
          algorithm: algorithmOf(graph, token.claims, token.signing),
        }));
      const trace = values.bool('explain');
      const decided = await server.decideRequest(input.request, { token: signed, trace });
      const { impersonation, steps } = decided;
      const decision =
        decided.decision.kind === 'noOpinion'
          ? rejectUnclaimed(decided.decision)
          : decided.decision;
      return {
        answer: { decision, steps, signature: 'checked' },
        acting:
          impersonation?.acting ??
          (impersonation?.kind === 'denied' ? impersonation.message : undefined),
      };
    } finally {
      await server.close();
    }
  } finally {
    await keys.close();
  }
};

interface Keys {
  readonly client: HttpClient;
  close(): Promise<void>;
}

/** Returns the keys of issuers: the test key for claims, or those of the flags for a given token. */
const httpOf = async (
  { request, token }: RequestInput,
  { values }: CommandArguments,
  {
    graph,
    tokens,
    io,
  }: {
    readonly graph: AuthenticatorGraph;
    readonly tokens: ReturnType<typeof createTestTokens>;
    readonly io: Io;
  },
): Promise<Keys> => {
  if (token !== undefined) {
    const client = offlineIssuers(graph, { kind: 'one', text: await tokens.keySet() });
    return { client, close: () => Promise.resolve() };
  }
  const header = request.headers.find(({ name }) => /^authorization$/i.test(name));
  const bearer = readBearerToken(header && decodeLatin1(header.value)).token;
  const issuer = bearer && peekToken(reveal(bearer))?.payload.issuer;
  const isConfigured = graph.nodes.some(({ issuerUrl }) => issuerUrl === issuer);
  // Without a token of a configured issuer, no key is needed.
  return isConfigured
    ? openKeys(values, graph, { io, issuer })
    : {
        client: offlineIssuers(graph, { kind: 'by issuer', textByIssuer: new Map() }),
        close: () => Promise.resolve(),
      };
};

/** Ends the command with the mistakes of a file. */
const failReport = async (
  report: FileReport,
  { values }: CommandArguments,
  io: Io,
): Promise<never> => {
  const { renderText } = await import('../diagnostics/render.ts');
  io.stderr.write(
    renderText([report], {
      color: wantsColor(values.string('color'), io.stderr, io),
      width: io.stderr.columns,
    }),
  );
  throw new CommandEnd(exitCodes.failed);
};
