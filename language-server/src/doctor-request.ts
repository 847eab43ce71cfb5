/** `authgraph/doctor`: contacts the issuers of a configuration. Runs only on the user's request. */
import { diagnoseIssuer, doctorCommand, isWell } from '@authgraph/engine/language';
import type { Connection } from 'vscode-languageserver';
import { withAbortSignal } from './cancellation.ts';
import type { HandlerFactory } from './features/feature.ts';
import { requestedParts } from './features/requested-parts.ts';
import { configPath } from './features/whoami-command.ts';
import type { IssuerAccess, ServerHost } from './host.ts';
import { memberOf, stringMemberOf } from './member-of.ts';
import { type DoctorReport, doctorRequest } from './protocol.ts';
import { problems } from './unavailable-reasons.ts';

/** What handlers of requests that use the network need. */
export interface IssuerRequests {
  readonly connection: Connection;
  readonly handlers: HandlerFactory;
  readonly issuers: ServerHost['issuers'];
  /** Whether the user trusts the workspace. */
  readonly trusted: () => boolean;
}

export const serveDoctor = ({ connection, handlers, issuers, trusted }: IssuerRequests): void => {
  const handle = handlers.guardedAsync<unknown, DoctorReport>(
    async (params, token) => {
      if (issuers === undefined) return problem(problems.inBrowser);
      if (!trusted()) return problem(problems.notTrusted);
      const { uri, authenticator } = readParams(params);
      const access = await issuers();
      try {
        return await withAbortSignal(token, (signal) =>
          diagnose(handlers, { uri, authenticator, access, signal }),
        );
      } finally {
        await access.close();
      }
    },
    { issuers: [], problem: problems.failed },
  );
  connection.onRequest(doctorRequest, handle);
};

const problem = (text: string): DoctorReport => ({ issuers: [], problem: text });

const readParams = (
  params: unknown,
): { readonly uri: string; readonly authenticator: number | undefined } => {
  const authenticator = memberOf(params, 'authenticator');
  return {
    uri: stringMemberOf(params, 'uri') ?? '',
    authenticator: typeof authenticator === 'number' ? authenticator : undefined,
  };
};

interface DiagnoseOptions {
  readonly uri: string;
  readonly authenticator: number | undefined;
  readonly access: IssuerAccess;
  readonly signal: AbortSignal;
}

const diagnose = async (
  { workspace }: HandlerFactory,
  { uri, authenticator, access, signal }: DiagnoseOptions,
): Promise<DoctorReport> => {
  const { parts, problem: partsProblem } = await requestedParts(workspace, uri);
  if (partsProblem !== undefined) return problem(partsProblem);
  const { chosen } = workspace.samples;
  const options = {
    ports: access.ports,
    signal,
    ...(chosen === undefined ? {} : { claims: chosen }),
  };
  const issuers: DoctorReport['issuers'][number][] = [];
  for (const { compilation } of parts) {
    const { graph } = compilation;
    if (graph === undefined) return problem(problems.hasErrors);
    for (const [index, node] of graph.nodes.entries()) {
      if (authenticator !== undefined && authenticator !== index) continue;
      const diagnosis = await diagnoseIssuer(node, { ...options, graph });
      issuers.push({ url: diagnosis.url, well: isWell(diagnosis), findings: diagnosis.findings });
    }
  }
  const [part] = parts;
  if (issuers.length === 0 || part === undefined) return problem(problems.noIssuer);
  const { compilation } = part;
  const commandLine = doctorCommand({
    config: configPath(workspace, part),
    issuer:
      authenticator === undefined ? undefined : compilation.graph?.nodes[authenticator]?.issuerUrl,
    release: compilation.settings.targetRelease,
  });
  return { issuers, commandLine };
};
