/** Controls the process of an issuer or webhook, and signs its tokens. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import {
  createSigningKey,
  keySetOf,
  mintToken,
  type PublishedKey,
  type SigningKey,
} from '../../../engine/src/node/mint.ts';
import type { TestAuthority } from '../../support/certificates.ts';
import type { Line } from './line.ts';
import type { Behavior, CertificateFiles, FromPeer, PeerCounts, ToPeer } from './peer-messages.ts';

export interface Peer {
  /** Example: `https://localhost:1234`. */
  readonly url: string;
  readonly pid: number;
  behave(behavior: Behavior, times?: number): Promise<void>;
  useCertificate(certificate: CertificateFiles): Promise<void>;
  publish(keys: readonly PublishedKey[]): Promise<void>;
  know(people: Readonly<Record<string, unknown>>): Promise<void>;
  /** Closes the listener and all open connections. */
  close(): Promise<void>;
  open(): Promise<void>;
  counts(): Promise<PeerCounts>;
  /** SIGSTOP: the system accepts connections, and the process does not respond. */
  freeze(): void;
  thaw(): void;
  end(): void;
}

export interface PeerOptions {
  /** Creates a proxy in front of the peer. */
  readonly line?: () => Promise<Line>;
}

const main = join(import.meta.dirname, 'peer-main.ts');

/** Starts a peer with a valid certificate. */
export const startPeer = async (
  authority: TestAuthority,
  options: PeerOptions = {},
): Promise<Peer> => {
  const line = await options.line?.();
  const child = fork(main, {
    execArgv: ['--conditions=source', '--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  let tail: Promise<unknown> = Promise.resolve();
  const send = (message: ToPeer): Promise<FromPeer> => {
    const answered = tail.then(async () => {
      child.send(message);
      const [answer]: unknown[] = await once(child, 'message');
      return answer as FromPeer;
    });
    tail = answered.catch(() => {});
    return answered;
  };
  const { pem, keyPem } = authority.issue();
  const listening = await send({
    kind: 'start',
    certificate: { pem, keyPem },
    ...(line === undefined ? {} : { shownPort: line.port }),
  });
  if (listening.kind !== 'listening') throw new Error('the peer does not listen');
  await line?.to(listening.port);
  const deliver = async (message: ToPeer): Promise<void> => {
    await send(message);
  };
  return {
    url: `https://localhost:${line?.port ?? listening.port}`,
    pid: child.pid ?? 0,
    behave: (behavior, times) =>
      deliver({ kind: 'behave', behavior, ...(times === undefined ? {} : { times }) }),
    useCertificate: ({ pem, keyPem }) =>
      deliver({ kind: 'certificate', certificate: { pem, keyPem } }),
    publish: (keys) => deliver({ kind: 'keys', keySet: keySetOf(keys) }),
    know: (people) => deliver({ kind: 'people', people }),
    close: () => deliver({ kind: 'close' }),
    open: () => deliver({ kind: 'open' }),
    async counts() {
      const answer = await send({ kind: 'count' });
      if (answer.kind !== 'counts') throw new Error('no counts');
      return answer.counts;
    },
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
    end() {
      line?.end();
      child.kill('SIGCONT');
      child.kill('SIGKILL');
    },
  };
};

export interface Issuer extends Peer {
  key(): SigningKey;
  /** All keys so far, oldest first. */
  keys(): readonly SigningKey[];
  /** Returns a token valid for an hour, for the audience `app`. */
  token(claims: Readonly<Record<string, unknown>>, key?: SigningKey): Promise<string>;
  /** Signs with a new key from now on. `publish: false`: it is not published yet. */
  rotate(options?: { readonly keep?: boolean; readonly publish?: boolean }): Promise<SigningKey>;
}

let made = 0;
const newKey = (): Promise<SigningKey> => {
  made += 1;
  return createSigningKey('ES256', `key-${process.pid}-${made}`);
};

/** Starts a peer that publishes a key. */
export const startIssuer = async (
  authority: TestAuthority,
  options: PeerOptions = {},
): Promise<Issuer> => {
  const peer = await startPeer(authority, options);
  let keys: readonly SigningKey[] = [await newKey()];
  const all = [...keys];
  await peer.publish(keys);
  const key = (): SigningKey => {
    const last = keys.at(-1);
    if (last === undefined) throw new Error('an issuer has a key from its start');
    return last;
  };
  return {
    ...peer,
    key,
    keys: () => all,
    token: (claims, signing = key()) =>
      mintToken(
        { iss: peer.url, aud: 'app', exp: Math.floor(Date.now() / 1000) + 3600, ...claims },
        signing,
      ),
    async rotate({ keep = true, publish = true } = {}) {
      const fresh = await newKey();
      all.push(fresh);
      keys = keep ? [...keys, fresh] : [fresh];
      if (publish) await peer.publish(keys);
      return fresh;
    },
  };
};
