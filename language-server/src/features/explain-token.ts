/** `authgraph/explainToken`: how each configuration of the workspace decides one token, and why. */
import {
  counted,
  errorLogLine,
  oneLine,
  toPrintable,
  unmatchedIssuer,
  whyNot,
} from '@authgraph/engine/language';
import type { CancellationToken } from 'vscode-languageserver';
import { withAbortSignal } from '../cancellation.ts';
import { stringMemberOf } from '../member-of.ts';
import {
  type ExplainedRow,
  type ExplainTokenReport,
  explainTokenRequest,
  signatureMismatch,
} from '../protocol.ts';
import { parseMemorySample, type Sample } from '../samples.ts';
import { missingConfiguration, problems } from '../unavailable-reasons.ts';
import type { ConfigurationPart, Workspace } from '../workspace.ts';
import { configurationNames } from './configuration-names.ts';
import type { HandlerFactory } from './feature.ts';
import { loadFailureOf, undecidedReason } from './load-failure.ts';
import { nearestTo } from './nearest-configured.ts';
import { requestFeature } from './request-feature.ts';
import { type SampleVerdict, verdictOn } from './sample-verdict.ts';
import { skippedText } from './skipped-text.ts';
import { openParts } from './symbol-places.ts';
import { userRow } from './user-row.ts';
import { placeAt, reasonOf } from './whoami.ts';

export const explainToken = requestFeature<unknown, ExplainTokenReport>(
  explainTokenRequest,
  { summary: '', rows: [], problem: problems.failed },
  (params, handlers, token) => explain(params, handlers, token),
);

const explain = async (
  params: unknown,
  handlers: HandlerFactory,
  token: CancellationToken,
): Promise<ExplainTokenReport> => {
  const sample = sampleOf(params);
  if (typeof sample === 'string') return { summary: '', rows: [], problem: sample };
  const { workspace } = handlers;
  const closed = await withAbortSignal(token, (signal) => workspace.closedParts(signal));
  const parts = [...openParts(workspace), ...closed.parts].sort(byUri);
  const skipped = closed.skipped === undefined ? {} : { skipped: skippedText(closed.skipped) };
  if (parts.length === 0) {
    return { summary: '', rows: [], ...skipped, problem: missingConfiguration('') };
  }
  const rows: ExplainedRow[] = [];
  for (const [index, named] of namedParts(parts).entries()) {
    if (index > 0 && index % rowsAtATime === 0) await handlers.pause(token);
    rows.push(explainIn(workspace, named, sample));
  }
  const nearest = nearestTo(parts, sample.claims);
  return {
    summary: summaryOf(rows),
    rows,
    ...(nearest === undefined ? {} : { nearest }),
    ...skipped,
  };
};

/** Other requests run after each batch of this many rows. */
const rowsAtATime = 4;

const sampleOf = (params: unknown): Sample | string => {
  const claims = stringMemberOf(params, 'claims') ?? '';
  const signature = stringMemberOf(params, 'signature') ?? 'signature not checked';
  const parsed = parseMemorySample({ name: 'this token', claims, signature });
  return typeof parsed === 'string' ? parsed : { ...parsed, id: '' };
};

const byUri = (a: ConfigurationPart, b: ConfigurationPart): number =>
  a.uri === b.uri ? 0 : a.uri < b.uri ? -1 : 1;

interface NamedPart {
  readonly part: ConfigurationPart;
  readonly configuration: ExplainedRow['configuration'];
}

/** Names each configuration within its document. */
const namedParts = (parts: readonly ConfigurationPart[]): readonly NamedPart[] =>
  [...Map.groupBy(parts, ({ uri }) => uri).values()].flatMap((ofDocument) => {
    const names = configurationNames(ofDocument);
    return ofDocument.map((part, index) => ({ part, configuration: names[index] ?? { index } }));
  });

const explainIn = (
  workspace: Workspace,
  { part, configuration }: NamedPart,
  sample: Sample,
): ExplainedRow => {
  const verdict = verdictOn(part, sample, workspace.now());
  const { decision, entries } = verdict;
  const loadFailure = loadFailureOf(part, configuration);
  const logLine = decision && errorLogLine(decision);
  return {
    uri: part.uri,
    configuration,
    verdict: verdict.verdict,
    ...(loadFailure === undefined ? {} : { loadFailure }),
    ...authenticatorOf(part, entries[0]?.index),
    ...(decision === undefined
      ? { reason: undecidedReason(part, entries[0]?.index) }
      : rejectionOf(verdict, part)),
    ...changesFor(workspace, part, { verdict, sample }),
    ...(logLine === undefined ? {} : { logLine: printableLog(logLine) }),
    ...(decision?.kind === 'accepted' ? { user: userRow(decision.user) } : {}),
  };
};

const authenticatorOf = (
  part: ConfigurationPart,
  index: number | undefined,
): Pick<ExplainedRow, 'authenticator'> => {
  if (index === undefined) return {};
  const url = part.compilation.configuration?.jwt[index]?.issuer.url;
  if (url === undefined) return {};
  const path = `jwt[${index}]`;
  const place = placeAt(part, `${path}.issuer.url`);
  const issuer = oneLine(url.value);
  return { authenticator: { path, issuer, ...(place === undefined ? {} : { place }) } };
};

/** Returns the check that fails and why; nothing for an accepted token. */
const rejectionOf = (
  verdict: SampleVerdict,
  part: ConfigurationPart,
): Pick<ExplainedRow, 'check' | 'reason' | 'place' | 'code'> => {
  const { decision } = verdict;
  if (decision === undefined || decision.kind === 'accepted') return {};
  const { reason = unmatchedIssuer, place, code } = reasonOf(verdict, part);
  return {
    check: checkOf(verdict),
    reason,
    ...(place === undefined ? {} : { place }),
    ...(code === undefined ? {} : { code }),
  };
};

/** Returns changes of the claims; changing them cannot fix a token that is rejected before its claims are mapped. */
const changesFor = (
  workspace: Workspace,
  { compilation, uri }: ConfigurationPart,
  { verdict, sample }: { readonly verdict: SampleVerdict; readonly sample: Sample },
): Pick<ExplainedRow, 'whyNot'> => {
  if (verdict.decision?.kind !== 'rejected' || verdict.refusal !== undefined) return {};
  const changes = whyNot(compilation, sample.claims, {
    now: workspace.now(),
    mostRuns: runsPerRow,
    others: workspace.samplesFor(uri).all.map(({ claims }) => claims),
  });
  return changes.length === 0 ? {} : { whyNot: changes.map(({ text }) => oneLine(text)) };
};

/** Mapping evaluations of the search for changes in one configuration. */
const runsPerRow = 200;

const checkOf = ({ decision, refusal }: SampleVerdict): string => {
  if (decision?.kind !== 'rejected') return 'issuer';
  if (refusal !== undefined) {
    return refusal.check ?? (refusal.text === signatureMismatch ? 'signature' : 'claims');
  }
  return (decision.reason.at ?? 'claims').replace(/^jwt\[\d+\]\./, '');
};

/** Keeps the line breaks and tabs of a message of several lines. */
const printableLog = (line: string): string =>
  line
    .slice(0, longestMessage)
    .split(/(\t)/)
    .map((piece) => (piece === '\t' ? piece : toPrintable(piece)))
    .join('');

/** A long claim may be part of a message. */
const longestMessage = 4000;

const summaryOf = (rows: readonly ExplainedRow[]): string => {
  const accepting = rows.filter(
    ({ verdict, loadFailure }) => verdict === 'accepted' && loadFailure === undefined,
  ).length;
  const failures = rows.filter(({ loadFailure }) => loadFailure !== undefined).length;
  const verb = accepting === 1 ? 'accepts' : 'accept';
  const sentence =
    rows.length === 1
      ? `The configuration of the workspace ${accepting === 1 ? 'accepts' : 'does not accept'} this token.`
      : `${accepting} of ${rows.length} configurations ${verb} this token.`;
  if (failures === 0) return sentence;
  const load = failures === 1 ? 'does' : 'do';
  return `${sentence} ${counted(failures, 'configuration')} ${load} not load.`;
};
