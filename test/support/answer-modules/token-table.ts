/** The token authenticators of recorded cases: the users of tokens, and the tokens that fail. */
import type { Decision } from '../../../engine/src/model/decision.ts';

export interface TokenTable {
  readonly tokens?: Readonly<Record<string, TableUser>> | null;
  readonly tokenErrors?: Readonly<Record<string, string>> | null;
}

export interface TableUser {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[] | null;
  readonly extra?: Readonly<Record<string, readonly string[]>> | null;
}

export const decideByTable = ({ tokens, tokenErrors }: TokenTable, token: string): Decision => {
  const message = new Map(Object.entries(tokenErrors ?? {})).get(token);
  if (message !== undefined) return { kind: 'rejected', reason: { code: 'AG5022', message } };
  const user = new Map(Object.entries(tokens ?? {})).get(token);
  if (user === undefined) return { kind: 'noOpinion' };
  return {
    kind: 'accepted',
    by: 'webhook-token',
    audiences: [],
    user: {
      username: user.username ?? '',
      uid: user.uid ?? '',
      groups: user.groups ?? [],
      extra: new Map(Object.entries(user.extra ?? {})),
    },
  };
};
