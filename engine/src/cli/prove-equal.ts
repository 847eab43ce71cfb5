/** Proves that two graphs of one authenticator decide a corpus of tokens alike. */
import type { AuthenticatorGraph } from '../compile/graph.ts';
import type { FlagValues } from '../flags/flag.ts';
import type { Decision } from '../model/decision.ts';
import { secret } from '../model/secret.ts';
import { keySetOf } from '../node/mint.ts';
import { type LinkedGraph, link } from '../runtime/link.ts';
import { offlineIssuers } from '../simulate/whoami/offline-issuers.ts';
import type { Io } from './io.ts';
import { portsAt } from './ports-at.ts';
import { tokenCorpus } from './token-corpus.ts';

export type EqualityProof =
  | {
      readonly kind: 'equal';
      readonly tokens: number;
      /** The number of tokens that both graphs accept. */
      readonly accepted: number;
    }
  | {
      readonly kind: 'different';
      /** The property that distinguishes the token. */
      readonly tokenName: string;
      readonly first: string;
      readonly second: string;
    };

/** Decides all tokens with both graphs. Signing keys are temporary; no network is used. */
export const proveEqual = async (
  first: AuthenticatorGraph,
  second: AuthenticatorGraph,
  facts: { readonly values: FlagValues; readonly allowed: readonly string[]; readonly io: Io },
): Promise<EqualityProof> => {
  const now = Date.now();
  const { values, allowed, io } = facts;
  const { keys, tokens } = await tokenCorpus({ values, allowed, now: Math.floor(now / 1000) });
  const keySet = { kind: 'one', text: JSON.stringify(keySetOf(keys)) } as const;
  const graphs = await Promise.all(
    [first, second].map(async (graph) => {
      const ports = portsAt(now, 'fixed', offlineIssuers(graph, keySet));
      const linked = link(graph, ports, { jwksRefetch: 'per-token', tokenCache: 'off' });
      await linked.waitForDiscovery(io.signal);
      return linked;
    }),
  );
  try {
    let accepted = 0;
    for (const { name, token } of tokens) {
      const [left = '', right = ''] = await Promise.all(
        graphs.map((graph) => decide(graph, token, io.signal)),
      );
      if (left !== right) return { kind: 'different', tokenName: name, first: left, second: right };
      if (left.startsWith(acceptedText)) accepted += 1;
    }
    return { kind: 'equal', tokens: tokens.length, accepted };
  } finally {
    await Promise.all(graphs.map((graph) => graph.close()));
  }
};

const decide = async (graph: LinkedGraph, token: string, signal: AbortSignal): Promise<string> => {
  const request = { path: '/', token: secret(token), audiences: [] };
  return textOf(await graph.authenticate(request, signal));
};

const acceptedText = '{"kind":"accepted"';

/** Serializes a decision completely. */
const textOf = (decision: Decision): string => {
  if (decision.kind !== 'accepted') return JSON.stringify(decision);
  const { user } = decision;
  return JSON.stringify({ ...decision, user: { ...user, extra: [...user.extra] } });
};
