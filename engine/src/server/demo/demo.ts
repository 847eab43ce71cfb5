/**
 * The server of `npm start`, with its own identity provider, so that it needs no other service.
 * Users edit its configuration file, which names the demo issuers like any other issuer. Only the
 * demo's HTTP client has their loopback addresses and the certificate to trust, so the file
 * contains no port or certificate and is the same in every run.
 */

import { defaultSettings } from '../../compile/settings.ts';
import type { Decision } from '../../model/decision.ts';
import { secret } from '../../model/secret.ts';
import { nodeMetrics } from '../../node/metrics.ts';
import { nodePorts } from '../../node/ports.ts';
import type { Log } from '../../ports/log.ts';
import { unclaimedToken } from '../../runtime/rejections.ts';
import { afterFrame, ruleFrame } from '../../simulate/whoami/brief-reason.ts';
import type { AuthenticatorGeneration } from '../configuration/authenticator-generation.ts';
import type { ReloadEvent } from '../configuration/reload.ts';
import { type Serving, type ServingStart, startServing } from '../configuration/serving.ts';
import { defaultServeOptions, type ServeOptions } from '../flags/options.ts';
import { type RunningServer, startServer } from '../server.ts';
import { createSelfSigned } from '../tls/self-signed.ts';
import { createDemoFiles } from './demo-files.ts';
import { type DemoIssuer, demoTokenLifetimeSeconds, startDemoIssuer } from './issuer.ts';
import { type DemoPerson, demoIssuerHost, demoIssuerNames, demoPeople } from './people.ts';
import type { DemoAnswer, DemoAnswers, DemoFacts } from './screen.ts';

export interface DemoOptions {
  /** The path of the configuration file. */
  readonly configuration: string;
  /** The path as it appears in messages. */
  readonly shownConfiguration: string;
  /** The preferred port; another one is used if it is in use. */
  readonly port: number;
  readonly onEvent: (event: DemoEvent) => void;
}

export type DemoEvent =
  | { readonly kind: 'reload'; readonly event: ReloadEvent }
  /** The decisions after a reload. */
  | {
      readonly kind: 'answers';
      readonly people: readonly DemoPerson[];
      readonly before: DemoAnswers;
      readonly after: DemoAnswers;
    }
  /** A request was decided. */
  | { readonly kind: 'decision'; readonly fields: Readonly<Record<string, unknown>> };

export interface Demo {
  readonly facts: DemoFacts;
  readonly answers: DemoAnswers;
  /** True if the preferred port was taken. */
  readonly usesFreePort: boolean;
  readonly issuer: DemoIssuer;
  close(): Promise<void>;
}

export type DemoStart =
  | { readonly kind: 'demo'; readonly demo: Demo }
  /** The configuration file cannot be served. */
  | Exclude<ServingStart, { kind: 'serving' }>;

export const defaultDemoPort = 8443;

/** The time that open requests have at the end. */
const graceMs = 1_000;

/** The demo does not wait longer for an issuer that a user has added. */
const discoveryWaitMs = 2_000;

/** Tokens are renewed after half of their lifetime. */
const renewalMs = (demoTokenLifetimeSeconds * 1000) / 2;

/** Starts the demo. Rejects only if it cannot listen or cannot write its files. */
export const startDemo = async (options: DemoOptions): Promise<DemoStart> => {
  const certificate = createSelfSigned({
    hosts: demoIssuerNames.map(demoIssuerHost),
    now: Date.now(),
  });
  const issuer = await startDemoIssuer({
    certificate: certificate.certificatePem,
    key: certificate.privateKeyPem,
  });
  const metrics = nodeMetrics();
  const ports = nodePorts({
    metrics,
    http: {
      extraRoots: [certificate.authorityPem],
      loopbackPorts: new Map(demoIssuerNames.map((name) => [demoIssuerHost(name), issuer.port])),
    },
  });
  let answers: DemoAnswers = new Map();
  const onReload = async (event: ReloadEvent): Promise<void> => {
    options.onEvent({ kind: 'reload', event });
    if (event.kind !== 'reloaded' || serving === undefined) return;
    const before = answers;
    answers = await decideForPeople(serving, issuer);
    options.onEvent({ kind: 'answers', people: demoPeople, before, after: answers });
  };
  let serving: Serving | undefined;
  const start = await startServing({
    configuration: {
      kind: 'file',
      path: options.configuration,
      shownPath: options.shownConfiguration,
    },
    settings: defaultSettings,
    ports,
    link: { mode: 'product', jwksRefetch: 'throttled' },
    report: (event) => void onReload(event),
  });
  if (start.kind !== 'serving') {
    await Promise.all([issuer.close(), ports.http.close()]);
    return start;
  }
  serving = start.serving;
  const { server, usesFreePort } = await listen(options.port, (serveOptions) =>
    startServer({
      options: serveOptions,
      holder: start.serving.holder,
      ports,
      metricsText: metrics,
      decisionLog: decisionListener(options),
    }),
  );
  await start.serving.waitForDiscovery(AbortSignal.timeout(discoveryWaitMs));
  answers = await decideForPeople(start.serving, issuer);
  const files = createDemoFiles({
    url: server.url,
    certificateAuthority: server.authorityPem ?? '',
    apiDomain: start.serving.graph().apiDomain,
    names: demoPeople.map(({ name }) => name),
  });
  let closed = false;
  const writeTokens = async (): Promise<void> => {
    const tokens = await Promise.all(
      demoPeople.map(async (person) => ({
        name: person.name,
        token: await issuer.tokenFor(person),
      })),
    );
    // The directory of the tokens is deleted when the demo ends.
    if (closed) return;
    for (const { name, token } of tokens) files.writeToken(name, token);
  };
  await writeTokens();
  const renewal = setInterval(() => void writeTokens(), renewalMs);
  // Deletes the tokens however the process ends.
  process.once('exit', files.remove);
  process.once('SIGHUP', exitOnHangup);
  return {
    kind: 'demo',
    demo: {
      facts: {
        url: server.url,
        apiDomain: start.serving.graph().apiDomain,
        configuration: options.shownConfiguration,
        folder: files.folder,
        people: demoPeople,
      },
      answers,
      usesFreePort: usesFreePort,
      issuer,
      async close() {
        closed = true;
        clearInterval(renewal);
        files.remove();
        process.removeListener('exit', files.remove);
        process.removeListener('SIGHUP', exitOnHangup);
        await server.close(graceMs);
        await start.serving.close();
        await Promise.all([issuer.close(), ports.http.close()]);
      },
    },
  };
};

/**
 * Exits normally when the terminal closes; otherwise Node would end without running the exit
 * handlers.
 */
const exitOnHangup = (): void => process.exit(128 + 1);

const listen = async (
  port: number,
  start: (options: ServeOptions) => Promise<RunningServer>,
): Promise<{ readonly server: RunningServer; readonly usesFreePort: boolean }> => {
  const options = { ...defaultServeOptions(), bindAddress: '127.0.0.1', securePort: port };
  try {
    return { server: await start(options), usesFreePort: false };
  } catch (cause) {
    if (!isTaken(cause)) throw cause;
    return { server: await start({ ...options, securePort: 0 }), usesFreePort: true };
  }
};

const isTaken = (cause: unknown): boolean =>
  cause instanceof Error &&
  'code' in cause &&
  (cause.code === 'EADDRINUSE' || cause.code === 'EACCES');

/** A decision log that emits events, without the health checks that arrive every second. */
const decisionListener = ({ onEvent }: DemoOptions): Log => ({
  event(_level, _message, fields = {}) {
    if (/^\/(?:livez|readyz|healthz|metrics)/.test(String(fields.path))) return;
    onEvent({ kind: 'decision', fields });
  },
});

/** Decides a fresh token for each person with the graph in service. */
const decideForPeople = async (serving: Serving, issuer: DemoIssuer): Promise<DemoAnswers> => {
  const { generation, release } = serving.holder.acquire();
  try {
    const answers = new Map<string, DemoAnswer>();
    // Sequential, because the first token of an issuer fetches the keys for the others.
    for (const person of demoPeople) {
      answers.set(person.name, await decideToken(generation, await issuer.tokenFor(person)));
    }
    return answers;
  } finally {
    release();
  }
};

const decideToken = async (
  generation: AuthenticatorGeneration,
  token: string,
): Promise<DemoAnswer> => {
  const request = { path: '/', token: secret(token), audiences: [] };
  const decision = await generation.authenticate(request, new AbortController());
  return answerOf(decision);
};

const answerOf = (decision: Decision): DemoAnswer => {
  if (decision.kind === 'accepted') {
    const { username, groups } = decision.user;
    return { status: 201, username, groups };
  }
  const because =
    decision.kind === 'rejected' ? decision.reason.message : 'no authenticator for this issuer';
  return { status: 401, because: rejectionReason(because) };
};

/** Returns the message of a validation rule, or the log message without its prefixes. */
export const rejectionReason = (message: string): string => {
  const frame = `[${unclaimedToken.message}, `;
  const isFramed = message.startsWith(frame) && message.endsWith(']');
  const inner = isFramed ? message.slice(frame.length, -1) : message;
  return (
    afterFrame(inner, ruleFrame) ?? afterFrame(inner, ["validation rule '", "' failed: "]) ?? inner
  );
};
