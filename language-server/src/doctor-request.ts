/**
 * `authgraph/doctor`: contacts the issuers of a configuration, reports what was found, and shows
 * problems as diagnostics on their URLs. Other entries may have errors.
 */
import type { Ports } from '@authgraph/engine';
import {
  counted,
  diagnoseIssuer,
  doctorCommand,
  examineClaims,
  isWell,
} from '@authgraph/engine/language';
import {
  type Connection,
  LSPErrorCodes,
  ResponseError,
  WorkDoneProgress,
  type WorkDoneProgressBegin,
  type WorkDoneProgressEnd,
  type WorkDoneProgressReport,
} from 'vscode-languageserver';
import type { ClientUpdates } from './client-updates.ts';
import {
  type ContactableIssuer,
  confirmedIssuers,
  contactableIssuers,
  noContactReason,
} from './contactable-issuers.ts';
import type { ContactedIssuer, DoctorResults } from './doctor-results.ts';
import { currentOfEntry } from './features/entry-samples.ts';
import { requestedParts } from './features/requested-parts.ts';
import { configPath } from './features/whoami-command.ts';
import { memberOf, stringMemberOf } from './member-of.ts';
import type { DoctorReport } from './protocol.ts';
import { problems } from './unavailable-reasons.ts';
import type { ConfigurationPart, Workspace } from './workspace.ts';

/** Access to issuers, until the request is canceled. */
export interface IssuerContact {
  readonly ports: Ports;
  readonly signal: AbortSignal;
}

/** Opens the access, calls `use` and closes the access. */
export type Contact = <Result>(use: (access: IssuerContact) => Promise<Result>) => Promise<Result>;

export interface DoctorServices {
  readonly connection: Pick<Connection, 'sendProgress'>;
  readonly workspace: Workspace;
  readonly results: DoctorResults;
  readonly updates: Pick<ClientUpdates, 'refreshViews' | 'pushDiagnostics' | 'send'>;
}

export const withoutIssuers = (problem: string): DoctorReport => ({ issuers: [], problem });

/** Rejects the request if it is canceled; the results of the last run remain then. */
export const answerDoctor = async (
  services: DoctorServices,
  params: unknown,
  contact: Contact,
): Promise<DoctorReport> => {
  const { workspace, results, updates } = services;
  const uri = stringMemberOf(params, 'uri') ?? '';
  const { parts, problem } = await requestedParts(workspace, uri);
  if (problem !== undefined) return withoutIssuers(problem);
  const authenticator = memberOf(params, 'authenticator');
  const only = typeof authenticator === 'number' ? authenticator : undefined;
  const { issuers, skipped } = contactableIssuers(parts);
  const named = issuers.filter(({ index }) => only === undefined || only === index);
  if (named.length === 0)
    return withoutIssuers(noContactReason(parts, { named: only !== undefined }));
  const wanted = confirmedIssuers(named, params);
  if (wanted.length === 0) return withoutIssuers(problems.issuersChanged);
  const run = results.nextRun();
  const progress = createProgress(services, params, wanted.length);
  const contacted = await contact((access) => contactAll(wanted, access, progress));
  // The document may have been closed in the meantime.
  if (workspace.text(uri) !== undefined)
    results.record(uri, {
      run,
      contacted,
      others: issuers.filter((issuer) => !wanted.includes(issuer)),
    });
  updates.refreshViews();
  updates.pushDiagnostics(uri);
  const now = workspace.now();
  return {
    summary: `${contacted.filter(isWell).length} of ${counted(contacted.length, 'issuer')} ready`,
    ...(skipped.length === 0 || only !== undefined ? {} : { skipped }),
    issuers: contacted.map(({ part, index, node, graph, findings }) => {
      const sample = currentOfEntry({ workspace, part }, index);
      const ofClaims = sample === undefined ? [] : examineClaims(node, sample, { graph, now });
      return {
        url: node.issuerUrl,
        well: isWell({ findings }),
        findings: [...findings, ...ofClaims],
      };
    }),
    ...commandLineOf(workspace, parts, only),
  };
};

type Progress = ReturnType<typeof createProgress>;

/** Contacts several issuers at a time, because one that does not respond takes 30 seconds. */
const contactAll = async (
  issuers: readonly ContactableIssuer[],
  { ports, signal }: IssuerContact,
  progress: Progress,
): Promise<readonly (ContactableIssuer & ContactedIssuer)[]> => {
  const contacted: (ContactableIssuer & ContactedIssuer)[] = [];
  const remaining = issuers.entries();
  const contactNext = async (): Promise<void> => {
    for (const [at, issuer] of remaining) {
      if (signal.aborted) return;
      const { node, graph } = issuer;
      const { findings } = await diagnoseIssuer(node, { graph, ports, signal });
      contacted[at] = { ...issuer, findings };
      progress.advance(node.issuerUrl);
    }
  };
  try {
    await Promise.all(Array.from({ length: issuersAtOnce }, contactNext));
  } finally {
    progress.end();
  }
  // A request that was stopped shows nothing about its issuer.
  if (signal.aborted) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'canceled');
  return contacted;
};

const issuersAtOnce = 8;

/** Reports progress under the token of the request, if it has one. */
const createProgress = (
  { connection, updates }: DoctorServices,
  params: unknown,
  total: number,
) => {
  const token = memberOf(params, 'workDoneToken');
  const send = (value: ProgressValue): void => {
    if (typeof token !== 'string' && typeof token !== 'number') return;
    updates.send(() => connection.sendProgress(WorkDoneProgress.type, token, value));
  };
  let done = 0;
  send({ kind: 'begin', title: 'Contacting issuers', cancellable: true, percentage: 0 });
  return {
    advance(url: string): void {
      done += 1;
      const percentage = Math.floor((100 * done) / total);
      send({ kind: 'report', message: `${done} of ${total}: ${url}`, percentage });
    },
    end: (): void => send({ kind: 'end' }),
  };
};

type ProgressValue = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;

/** Returns none if the command would report an error of the configuration instead. */
const commandLineOf = (
  workspace: Workspace,
  parts: readonly ConfigurationPart[],
  only: number | undefined,
): Pick<DoctorReport, 'commandLine'> => {
  const [part] = parts;
  const graph = part?.compilation.graph;
  if (part === undefined || graph === undefined) return {};
  return {
    commandLine: doctorCommand({
      config: configPath(workspace, part),
      issuer: only === undefined ? undefined : graph.nodes[only]?.issuerUrl,
      release: part.compilation.settings.targetRelease,
    }),
  };
};
