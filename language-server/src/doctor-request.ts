/** `authgraph/doctor`: the issuers of a configuration, asked over the network. Never done unasked. */
import { diagnoseIssuer, doctorCommand, isWell } from '@authgraph/engine/language';
import type { Connection } from 'vscode-languageserver';
import { untilTakenBack } from './cancellation.ts';
import type { Answering } from './features/feature.ts';
import { askedParts } from './features/requested-parts.ts';
import { configPath } from './features/whoami-command.ts';
import type { IssuerAccess, ServerHost } from './host.ts';
import { memberOf, textOf } from './member-of.ts';
import { type DoctorReport, doctorRequest } from './protocol.ts';
import { problems } from './unavailable-reasons.ts';

/** For requests that go over the network. */
export interface IssuerRequests {
  readonly connection: Connection;
  readonly answering: Answering;
  readonly issuers: ServerHost['issuers'];
  /** Whether the user trusts the workspace. */
  readonly trusted: () => boolean;
}

export const serveDoctor = ({ connection, answering, issuers, trusted }: IssuerRequests): void => {
  const handle = answering.awaited<unknown, DoctorReport>(
    async (params, token) => {
      if (issuers === undefined) return problem(problems.inBrowser);
      if (!trusted()) return problem(problems.notTrusted);
      const { uri, authenticator } = readParams(params);
      const access = await issuers();
      try {
        return await untilTakenBack(token, (signal) =>
          diagnose(answering, { uri, authenticator, access, signal }),
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
    uri: textOf(params, 'uri') ?? '',
    authenticator: typeof authenticator === 'number' ? authenticator : undefined,
  };
};

interface Question {
  readonly uri: string;
  readonly authenticator: number | undefined;
  readonly access: IssuerAccess;
  readonly signal: AbortSignal;
}

const diagnose = async (
  { workspace }: Answering,
  { uri, authenticator, access, signal }: Question,
): Promise<DoctorReport> => {
  const { parts, problem: lack } = await askedParts(workspace, uri);
  if (lack !== undefined) return problem(lack);
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
