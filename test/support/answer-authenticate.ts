/** Answers a recorded question about a token: configuration, clock, keys and pages in, decision out. */
import { type Compilation, compile } from '../../engine/src/compile/compile.ts';
import { settingsFor } from '../../engine/src/compile/settings.ts';
import type { Decision } from '../../engine/src/model/decision.ts';
import type { Mode } from '../../engine/src/model/differences.ts';
import { newestRelease, type Release } from '../../engine/src/model/release.ts';
import { secret } from '../../engine/src/model/secret.ts';
import type { TraceSink } from '../../engine/src/model/trace.ts';
import { aggregateMessages } from '../../engine/src/runtime/combine-decisions.ts';
import { type LinkedGraph, link } from '../../engine/src/runtime/link.ts';
import { sourceFile } from '../../engine/src/source/source-file.ts';
import { type FakePorts, fakeClock, fakePorts, settle } from './fake-ports.ts';
import { memoryWeb, type Page, publishIssuer } from './memory-web.ts';

export interface AuthenticateQuestion {
  readonly config: string;
  readonly now?: string;
  readonly token?: string;
  readonly jwks?: unknown;
  readonly keys?: Readonly<Record<string, unknown>>;
  readonly endpoints?: Readonly<Record<string, Page>>;
  readonly signingAlgs?: readonly string[];
  readonly disallowedIssuers?: readonly string[];
}

export interface AuthenticateAnswer {
  readonly configError?: string;
  readonly authenticated: boolean;
  readonly user?: {
    readonly username: string;
    readonly uid: string;
    readonly groups: readonly string[];
    readonly extra: Readonly<Record<string, readonly string[]>>;
  };
  readonly error?: string;
  readonly firstError?: string;
  readonly requests?: readonly string[];
}

/** The group that the union of authenticators adds and the token authenticator alone does not. */
const authenticatedGroup = 'system:authenticated';

export interface AnswerOptions {
  /** Default: the newest release. */
  readonly release?: Release;
  readonly trace?: TraceSink;
}

/** `exact`: as recorded; `product`: with the deliberate differences. */
export const answerAuthenticate = async (
  question: AuthenticateQuestion,
  mode: Mode,
  { release = newestRelease, trace }: AnswerOptions = {},
): Promise<AuthenticateAnswer> => {
  const compilation = compile({
    source: sourceFile('configuration.yaml', question.config),
    settings: {
      ...settingsFor(release),
      exact: true,
      signingAlgorithms:
        question.signingAlgs === undefined || question.signingAlgs.length === 0
          ? undefined
          : question.signingAlgs,
      disallowedIssuers: question.disallowedIssuers ?? [],
    },
  });
  const { graph, report } = compilation;
  if (graph === undefined) return { configError: configErrorOf(report), authenticated: false };
  const ports = portsFor(question, graph.nodes, mode);
  const linked = link(graph, ports, { mode, jwksRefetch: 'per-token', tokenCache: 'off' });
  await linked.waitForDiscovery(new AbortController().signal);
  const ask = () => authenticate(linked, question.token ?? '', trace);
  let decision = await ask();
  let firstError: string | undefined;
  if (isNotReady(decision)) {
    firstError = decision.reason.message;
    await settle();
    decision = await ask();
  }
  await linked.close();
  return answerOf(decision, { firstError, asked: ports.http.asked });
};

const configErrorOf = ({ decodeError, errors }: Compilation['report']): string =>
  decodeError ?? aggregateMessages(errors.map(({ message }) => message));

const portsFor = (
  question: AuthenticateQuestion,
  nodes: readonly { readonly issuerUrl: string; readonly discoveryUrl: string | undefined }[],
  mode: Mode,
): FakePorts => {
  const web = memoryWeb();
  for (const [url, jwks] of Object.entries(question.keys ?? {})) publishIssuer(web, { url, jwks });
  for (const { issuerUrl: url, discoveryUrl } of nodes) {
    const jwks = question.keys?.[url] ?? question.jwks;
    publishIssuer(web, {
      url,
      jwks,
      ...(discoveryUrl === undefined ? {} : { discoveryUrl }),
    });
  }
  for (const [url, page] of Object.entries(question.endpoints ?? {})) web.publish(url, page);
  const clock =
    question.now === undefined || question.now === ''
      ? fakeClock(Date.now())
      : fakeClock(Date.parse(question.now));
  return fakePorts({ http: web, clock, signatures: mode });
};

const authenticate = (
  linked: LinkedGraph,
  token: string,
  trace: TraceSink | undefined,
): Decision | Promise<Decision> =>
  linked.authenticate(
    { path: '/', token: secret(token), audiences: [] },
    new AbortController().signal,
    trace,
  );

type Rejected = Extract<Decision, { kind: 'rejected' }>;

const isNotReady = (decision: Decision): decision is Rejected =>
  decision.kind === 'rejected' &&
  decision.reason.message.includes('verifier not initialized for issuer');

/** The result of the bearer layer if no authenticator has an opinion. */
const noOpinionText = 'invalid bearer token';

const answerOf = (
  decision: Decision,
  seen: { readonly firstError: string | undefined; readonly asked: readonly string[] },
): AuthenticateAnswer => {
  const requests = [...new Set(seen.asked)].toSorted();
  const error = decision.kind === 'rejected' ? decision.reason.message : undefined;
  return {
    authenticated: decision.kind === 'accepted',
    ...(decision.kind === 'accepted' ? { user: userOf(decision) } : {}),
    ...(error === undefined || error === noOpinionText ? {} : { error }),
    ...(seen.firstError === undefined || seen.firstError === error
      ? {}
      : { firstError: seen.firstError }),
    requests,
  };
};

const userOf = ({
  user,
}: Extract<Decision, { kind: 'accepted' }>): NonNullable<AuthenticateAnswer['user']> => ({
  username: user.username,
  uid: user.uid,
  groups: user.groups.filter((group) => group !== authenticatedGroup),
  extra: Object.fromEntries(user.extra),
});
