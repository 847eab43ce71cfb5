/** Answers cases about the bearer token of a request. */
import { decodeLatin1 } from '../../../engine/src/formats/byte-string.ts';
import { firstHeader, isNamed } from '../../../engine/src/model/header-list.ts';
import { reveal } from '../../../engine/src/model/secret.ts';
import { readBearerToken } from '../../../engine/src/runtime/bearer-token.ts';
import { rejectUnclaimed } from '../../../engine/src/runtime/combine-decisions.ts';
import { decisionAnswer } from './decision-answer.ts';
import { type HeaderPairs, headerListOf, headerPairs } from './header-fields.ts';
import type { CaseLine } from './module-cases.ts';
import { decideByTable, type TokenTable } from './token-table.ts';

export type BearerCase = CaseLine<TokenTable, { readonly headers?: HeaderPairs | null }>;

export const answerBearer = ({ config, input }: BearerCase): object => {
  const headers = headerListOf(input.headers);
  const field = firstHeader(headers, 'authorization');
  const { token, warning } = readBearerToken(field === undefined ? undefined : decodeLatin1(field));
  const decision =
    token === undefined
      ? ({ kind: 'noOpinion' } as const)
      : rejectUnclaimed(decideByTable(config, reveal(token)));
  const isGone = decision.kind === 'accepted';
  const after = headers.filter((candidate) => !(isGone && isNamed(candidate, 'authorization')));
  return {
    ...decisionAnswer(decision),
    headersAfter: headerPairs(after),
    ...(warning === undefined ? {} : { warnings: [warning] }),
  };
};
