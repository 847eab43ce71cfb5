/** Answers cases about the token cache, in real time. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Decision, Remarks } from '../../../engine/src/model/decision.ts';
import { nodePorts } from '../../../engine/src/node/ports.ts';
import { tokenCache } from '../../../engine/src/runtime/token-cache.ts';
import { decisionAnswer, remarksAnswer } from './decision-answer.ts';
import type { CaseLine } from './module-cases.ts';
import { decideByTable, type TokenTable } from './token-table.ts';

interface Config extends TokenTable {
  readonly cacheErrors?: boolean;
  readonly successTTLMs?: number;
  readonly failureTTLMs?: number;
  readonly tokenWarnings?: Readonly<Record<string, string>> | null;
  readonly tokenAnnotated?: Readonly<Record<string, string>> | null;
  readonly panics?: readonly string[] | null;
}

interface Step {
  readonly token?: string;
  readonly audiences?: readonly string[] | null;
  readonly waitMs?: number;
  readonly parallel?: number;
}

export type TokencacheCase = CaseLine<Config, { readonly steps?: readonly Step[] | null }>;

/** The time that the authenticator behind the cache takes. */
const moduleMs = 30;

export const answerTokencache = async ({ config, input }: TokencacheCase): Promise<object> => {
  const silent = { event: () => {} };
  const cache = tokenCache(
    { ...nodePorts(), log: silent },
    {
      keyPrefix: 'g',
      successTtlMs: config.successTTLMs ?? 0,
      failureTtlMs: config.failureTTLMs ?? 0,
      cacheErrors: config.cacheErrors === true ? 'yes' : 'no',
    },
  );
  const caller = new AbortController();
  let innerCalls = 0;
  const validateToken = async (token: string): Promise<Decision> => {
    innerCalls += 1;
    if (config.panics?.includes(token)) throw new Error('boom');
    await wait(moduleMs);
    const decision = decideByTable(config, token);
    return decision.kind === 'noOpinion'
      ? decision
      : { ...decision, remarks: remarksOf(config, token) };
  };
  const results: object[] = [];
  for (const { token = '', audiences, waitMs = 0, parallel = 1 } of input.steps ?? []) {
    await wait(waitMs);
    const ask = async () =>
      (
        await cache.decide(
          { token, audiences: audiences ?? [] },
          () => validateToken(token),
          caller,
        )
      ).decision;
    const [decision = await ask()] = await Promise.all(
      Array.from({ length: Math.max(parallel, 1) }, ask),
    );
    const remarks = decision.kind === 'noOpinion' ? undefined : decision.remarks;
    results.push({
      ...decisionAnswer(decision),
      ...(parallel > 1 ? {} : remarksAnswer(remarks)),
      innerCalls,
    });
  }
  return { results };
};

const remarksOf = (config: Config, token: string): Remarks => {
  const warning = new Map(Object.entries(config.tokenWarnings ?? {})).get(token);
  const note = new Map(Object.entries(config.tokenAnnotated ?? {})).get(token);
  return {
    warnings: warning === undefined ? [] : [warning],
    annotations: new Map(note === undefined ? [] : [['example.com/note', note]]),
  };
};
