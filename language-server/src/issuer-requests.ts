/**
 * Requests that contact issuers: `authgraph/doctor` checks those of a configuration,
 * `authgraph/issuerKeys` fetches the public keys of one. They run only on the user's request.
 */
import { issuerKeySet, normalizeIssuer, oneLine } from '@authgraph/engine/language';
import type { Connection } from 'vscode-languageserver';
import { withAbortSignal } from './cancellation.ts';
import type { ClientUpdates } from './client-updates.ts';
import { confirmedIssuers, contactableIssuers, noContactReason } from './contactable-issuers.ts';
import { answerDoctor, type Contact, withoutIssuers } from './doctor-request.ts';
import type { DoctorResults } from './doctor-results.ts';
import type { EditorState } from './editor-state.ts';
import type { HandlerFactory } from './features/feature.ts';
import type { ServerHost } from './host.ts';
import { stringMemberOf } from './member-of.ts';
import { doctorRequest, type IssuerKeys, issuerKeysRequest } from './protocol.ts';
import { problems } from './unavailable-reasons.ts';
import type { Workspace } from './workspace.ts';

interface IssuerRequests {
  readonly connection: Connection;
  readonly handlers: HandlerFactory;
  readonly issuers: ServerHost['issuers'];
  readonly state: Pick<EditorState, 'isTrusted'>;
  readonly results: DoctorResults;
  readonly updates: ClientUpdates;
}

export const serveIssuerRequests = (requests: IssuerRequests): void => {
  const { connection, handlers, issuers, state, results, updates } = requests;
  const serve = <Answer>(
    method: string,
    failed: (problem: string) => Answer,
    answer: (params: unknown, contact: Contact) => Promise<Answer>,
  ): void => {
    const handle = handlers.guardedAsync<unknown, Answer>(async (params, token) => {
      if (issuers === undefined) return failed(problems.inBrowser);
      if (!state.isTrusted) return failed(problems.notTrusted);
      return answer(params, async (use) => {
        const access = await issuers();
        try {
          return await withAbortSignal(token, (signal) => use({ ports: access.ports, signal }));
        } finally {
          await access.close();
        }
      });
    }, failed(problems.failed));
    connection.onRequest<unknown, void>(method, handle);
  };
  const { workspace } = handlers;
  const services = { connection, workspace, results, updates };
  serve(doctorRequest, withoutIssuers, (params, contact) =>
    answerDoctor(services, params, contact),
  );
  serve(issuerKeysRequest, withoutKeys, (params, contact) => keysOf(workspace, params, contact));
};

const withoutKeys = (problem: string): IssuerKeys => ({ problem });

const keysOf = async (
  workspace: Workspace,
  params: unknown,
  contact: Contact,
): Promise<IssuerKeys> => {
  const issuer = normalizeIssuer(stringMemberOf(params, 'issuer') ?? '');
  const parts = workspace.parts(stringMemberOf(params, 'uri') ?? '');
  const { issuers } = contactableIssuers(parts);
  const named = issuers.find((each) => each.node.issuerUrl === issuer);
  if (named === undefined) return withoutKeys(noContactReason(parts, { named: true }));
  const [confirmed] = confirmedIssuers([named], params);
  if (confirmed === undefined) return withoutKeys(problems.issuersChanged);
  const answer = await contact((access) => issuerKeySet(confirmed.node, access));
  return answer.kind === 'keys' ? { keys: answer.text } : withoutKeys(oneLine(answer.error));
};
