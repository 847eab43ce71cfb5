/** A server with a fake authenticator generation: a fixed table of tokens, without issuers. */
import type { Decision } from '../../engine/src/model/decision.ts';
import { reveal } from '../../engine/src/model/secret.ts';
import type { UserInfo } from '../../engine/src/model/user-info.ts';
import { nodePorts } from '../../engine/src/node/ports.ts';
import type { Log } from '../../engine/src/ports/log.ts';
import type { Ports } from '../../engine/src/ports/ports.ts';
import type {
  AuthenticatorGeneration,
  ReadinessCheck,
} from '../../engine/src/server/configuration/authenticator-generation.ts';
import { defaultServeOptions, type ServeOptions } from '../../engine/src/server/flags/options.ts';
import { type RunningServer, startServer } from '../../engine/src/server/server.ts';
import type { ServerSettings } from '../../engine/src/server/server-settings.ts';

const user = (
  username: string,
  uid: string,
  groups: readonly string[],
  extra: UserInfo['extra'] = new Map(),
): UserInfo => ({ username, uid, groups: [...groups, 'system:authenticated'], extra });

const people: ReadonlyMap<string, UserInfo> = new Map([
  ['tok-alice', user('alice', 'u1', ['dev', 'ops'], new Map([['example.com/team', ['a', 'b']]]))],
  ['tok-admin', user('admin', 'u0', ['system:masters'])],
  ['tok-monitor', user('monitor', '', ['system:monitoring'])],
  ['tok-html', user('<b>&"', '', [])],
]);

const anonymous: Decision = {
  kind: 'accepted',
  user: {
    username: 'system:anonymous',
    uid: '',
    groups: ['system:unauthenticated'],
    extra: new Map(),
  },
  audiences: [],
  by: 'anonymous',
};

export interface FakeOptions {
  readonly options?: Partial<ServeOptions>;
  /** Paths that anonymous requests may access; by default every path. */
  readonly anonymousPaths?: readonly string[];
  readonly checks?: () => readonly ReadinessCheck[];
  readonly decide?: AuthenticatorGeneration['authenticate'];
  readonly decisionLog?: Log;
  readonly ports?: Partial<Ports>;
  readonly settings?: Partial<ServerSettings>;
}

/** Creates the authenticator generation alone. */
export const fakeGeneration = (fake: FakeOptions = {}): AuthenticatorGeneration => ({
  graphHash: 'sha256:fake',
  readinessChecks: () => fake.checks?.() ?? [],
  authenticate: (request, within) => fake.decide?.(request, within) ?? decide(request, fake),
});

const decide = (
  { token, path, audiences }: Parameters<AuthenticatorGeneration['authenticate']>[0],
  { anonymousPaths }: FakeOptions,
): Decision => {
  if (token === undefined) {
    const open = anonymousPaths === undefined || anonymousPaths.includes(path);
    return open ? anonymous : { kind: 'noOpinion' };
  }
  const found = people.get(reveal(token));
  if (found === undefined || audiences.length > 0) {
    const reason = { code: 'AG5022', message: 'invalid bearer token' };
    return { kind: 'rejected', reason, by: 'jwt' };
  }
  return { kind: 'accepted', user: found, audiences: [], by: 'jwt' };
};

/** Listens on a free port of loopback with a certificate of its own. */
export const startFake = (fake: FakeOptions = {}): Promise<RunningServer> => {
  const stage = fakeGeneration(fake);
  return startServer({
    options: {
      ...defaultServeOptions(),
      bindAddress: '127.0.0.1',
      securePort: 0,
      ...fake.options,
    },
    holder: { acquire: () => ({ generation: stage, release: () => {} }) },
    ports: { ...nodePorts(), ...fake.ports },
    ...(fake.decisionLog === undefined ? {} : { decisionLog: fake.decisionLog }),
    ...fake.settings,
  });
};

/** Returns the target for raw exchanges. */
export const reach = (server: RunningServer) => ({
  port: server.port,
  authorityPem: server.authorityPem ?? '',
});
