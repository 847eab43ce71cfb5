/**
 * Requests that contact issuers: `authgraph/doctor` checks those of a configuration,
 * `authgraph/issuerKeys` fetches the public keys of one. They run only on the user's request.
 */
import type { Ports } from '@authgraph/engine';
import {
  diagnoseIssuer,
  doctorCommand,
  issuerKeySet,
  isWell,
  normalizeIssuer,
  oneLine,
} from '@authgraph/engine/language';
import type { Connection } from 'vscode-languageserver';
import { withAbortSignal } from './cancellation.ts';
import type { EditorState } from './editor-state.ts';
import type { HandlerFactory } from './features/feature.ts';
import { requestedParts } from './features/requested-parts.ts';
import { configPath } from './features/whoami-command.ts';
import type { ServerHost } from './host.ts';
import { memberOf, stringMemberOf } from './member-of.ts';
import {
  type DoctorReport,
  doctorRequest,
  type IssuerKeys,
  issuerKeysRequest,
} from './protocol.ts';
import { problems } from './unavailable-reasons.ts';
import type { Workspace } from './workspace.ts';

interface IssuerRequests {
  readonly connection: Connection;
  readonly handlers: HandlerFactory;
  readonly issuers: ServerHost['issuers'];
  readonly state: Pick<EditorState, 'isTrusted'>;
}

/** Access to issuers, until the request is canceled. */
interface Access {
  readonly ports: Ports;
  readonly signal: AbortSignal;
}

/** Opens the access, calls `use` and closes the access. */
type Contact = <Result>(use: (access: Access) => Promise<Result>) => Promise<Result>;

export const serveIssuerRequests = (requests: IssuerRequests): void => {
  const { connection, handlers, issuers, state } = requests;
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
  serve(doctorRequest, withoutIssuers, (params, contact) =>
    contact((access) => diagnose(workspace, params, access)),
  );
  serve(issuerKeysRequest, withoutKeys, (params, contact) => keysOf(workspace, params, contact));
};

const withoutIssuers = (problem: string): DoctorReport => ({ issuers: [], problem });
const withoutKeys = (problem: string): IssuerKeys => ({ problem });

const diagnose = async (
  workspace: Workspace,
  params: unknown,
  { ports, signal }: Access,
): Promise<DoctorReport> => {
  const authenticator = memberOf(params, 'authenticator');
  const only = typeof authenticator === 'number' ? authenticator : undefined;
  const uri = stringMemberOf(params, 'uri') ?? '';
  const { parts, problem: partsProblem } = await requestedParts(workspace, uri);
  if (partsProblem !== undefined) return withoutIssuers(partsProblem);
  const { chosen } = workspace.samples;
  const options = {
    ports,
    signal,
    ...(chosen === undefined ? {} : { claims: chosen }),
  };
  const issuers: DoctorReport['issuers'][number][] = [];
  for (const { compilation } of parts) {
    const { graph } = compilation;
    if (graph === undefined) return withoutIssuers(problems.hasErrors);
    for (const [index, node] of graph.nodes.entries()) {
      if (only !== undefined && only !== index) continue;
      const diagnosis = await diagnoseIssuer(node, { ...options, graph });
      issuers.push({ url: diagnosis.url, well: isWell(diagnosis), findings: diagnosis.findings });
    }
  }
  const [part] = parts;
  if (issuers.length === 0 || part === undefined) return withoutIssuers(problems.noIssuer);
  const { compilation } = part;
  const commandLine = doctorCommand({
    config: configPath(workspace, part),
    issuer: only === undefined ? undefined : compilation.graph?.nodes[only]?.issuerUrl,
    release: compilation.settings.targetRelease,
  });
  return { issuers, commandLine };
};

const keysOf = async (
  workspace: Workspace,
  params: unknown,
  contact: Contact,
): Promise<IssuerKeys> => {
  const issuer = normalizeIssuer(stringMemberOf(params, 'issuer') ?? '');
  const node = workspace
    .parts(stringMemberOf(params, 'uri') ?? '')
    .flatMap(({ compilation }) => compilation.graph?.nodes ?? [])
    .find(({ issuerUrl }) => issuerUrl === issuer);
  if (node === undefined) return withoutKeys(problems.otherIssuer);
  const answer = await contact((access) => issuerKeySet(node, access));
  return answer.kind === 'keys' ? { keys: answer.text } : withoutKeys(oneLine(answer.error));
};
