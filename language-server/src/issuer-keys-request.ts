/**
 * `authgraph/issuerKeys`: fetches the public keys of an issuer. Runs only on the user's request.
 */
import { issuerKeySet, normalizeIssuer, oneLine } from '@authgraph/engine/language';
import { withAbortSignal } from './cancellation.ts';
import type { IssuerRequests } from './doctor-request.ts';
import { stringMemberOf } from './member-of.ts';
import { type IssuerKeys, issuerKeysRequest } from './protocol.ts';
import { problems } from './unavailable-reasons.ts';

export const serveIssuerKeys = (requests: IssuerRequests): void => {
  const { connection, handlers, issuers, trusted } = requests;
  const handle = handlers.guardedAsync<unknown, IssuerKeys>(
    async (params, token) => {
      if (issuers === undefined) return problem(problems.inBrowser);
      if (!trusted()) return problem(problems.notTrusted);
      const issuer = normalizeIssuer(stringMemberOf(params, 'issuer') ?? '');
      const parts = handlers.workspace.parts(stringMemberOf(params, 'uri') ?? '');
      const node = parts
        .flatMap(({ compilation }) => compilation.graph?.nodes ?? [])
        .find(({ issuerUrl }) => issuerUrl === issuer);
      if (node === undefined) return problem(problems.otherIssuer);
      const access = await issuers();
      try {
        const answer = await withAbortSignal(token, (signal) =>
          issuerKeySet(node, { ports: access.ports, signal }),
        );
        return answer.kind === 'keys' ? { keys: answer.text } : problem(oneLine(answer.error));
      } finally {
        await access.close();
      }
    },
    { problem: problems.failed },
  );
  connection.onRequest(issuerKeysRequest, handle);
};

const problem = (text: string): IssuerKeys => ({ problem: text });
