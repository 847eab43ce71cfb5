/** Answers cases about tokens in subprotocols of a WebSocket. */
import { reveal } from '../../../engine/src/model/secret.ts';
import { rejectUnclaimed } from '../../../engine/src/runtime/combine-decisions.ts';
import { readWebsocketToken } from '../../../engine/src/runtime/websocket-token.ts';
import { decisionAnswer } from './decision-answer.ts';
import { type HeaderPairs, headerListOf, headerPairs } from './header-fields.ts';
import type { CaseLine } from './module-cases.ts';
import { decideByTable, type TokenTable } from './token-table.ts';

export type WebsocketCase = CaseLine<TokenTable, { readonly headers?: HeaderPairs | null }>;

export const answerWebsocket = ({ config, input }: WebsocketCase): object => {
  const headers = headerListOf(input.headers);
  const reading = readWebsocketToken(headers, { apiDomain: 'k8s.io' });
  switch (reading.kind) {
    case 'none':
      return { outcome: 'no-opinion', headersAfter: headerPairs(headers) };
    case 'error':
      return { outcome: 'error', error: reading.message, headersAfter: headerPairs(headers) };
    case 'token': {
      const decision = rejectUnclaimed(decideByTable(config, reveal(reading.token)));
      const after = decision.kind === 'accepted' ? reading.headersAfter : headers;
      return { ...decisionAnswer(decision), headersAfter: headerPairs(after) };
    }
  }
};
