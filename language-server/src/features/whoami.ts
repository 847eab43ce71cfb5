/**
 * `authgraph/whoami`: the verdict on each sample, its path through the graph, and impersonation.
 */
import {
  type Acting,
  actAs,
  displayJson,
  escapeUnprintable,
  kubernetesDomain,
  oneLine,
  placeOfPart,
  questionText,
  type ReportStep,
  reasonWithoutPrefix,
  refusalYaml,
  toPrintable,
  type UserInfo,
  unclaimedToken,
  unmatchedIssuer,
  usableRoles,
  userYaml,
  type WhoamiReport,
  wantedUser,
  whoamiReport,
} from '@authgraph/engine/language';
import type { CancellationToken } from 'vscode-languageserver';
import {
  type ActingRow,
  type PlaceInFile,
  type StepRow,
  signatureMismatch,
  type WhoamiReport as WhoamiAnswer,
  type WhoamiParams,
  type WhoamiRow,
  whoamiRequest,
} from '../protocol.ts';
import type { Sample } from '../samples.ts';
import { problems } from '../unavailable-reasons.ts';
import type { ConfigurationPart } from '../workspace.ts';
import type { HandlerFactory } from './feature.ts';
import { undecidedReason } from './load-failure.ts';
import { remediesFor } from './remedies.ts';
import { requestFeature } from './request-feature.ts';
import { type RowRequest, sampleRows } from './sample-rows.ts';
import { type SampleVerdict, stepOfToken, verdictOn, verdictRow } from './sample-verdict.ts';
import { userRow } from './user-row.ts';
import { commandFor, configPath } from './whoami-command.ts';

export const whoami = requestFeature<WhoamiParams, WhoamiAnswer>(
  whoamiRequest,
  { rows: [], problem: problems.failed },
  (params, handlers, token) => whoamiAnswer(handlers, params, token),
);

/** Returns one row per sample and configuration; those of undecided samples have no result. */
export const whoamiAnswer = (
  handlers: HandlerFactory,
  params: WhoamiParams,
  token: CancellationToken,
): Promise<WhoamiAnswer> =>
  sampleRows({ handlers, token, rowsAtATime }, params, (request) => rowFor(request, params.as));

/** Searching for an accepted change takes several milliseconds per sample. */
const rowsAtATime = 1;

const rowFor = async (request: RowRequest, as: WhoamiParams['as']): Promise<WhoamiRow> => {
  const { workspace, part, sample } = request;
  const { compilation } = part;
  const { claims } = sample;
  const now = workspace.now();
  const verdict = verdictOn(part, sample, now);
  const { decision } = verdict;
  const report = whoamiReport(compilation, claims, now);
  if (decision === undefined || report === undefined) return undecidedRow(request, verdict);
  // What the claims alone map to, if the token is rejected.
  const user = report.decision.kind === 'accepted' ? report.decision.user : undefined;
  const acting =
    decision.kind === 'accepted' && as !== undefined
      ? await simulateActing(decision.user, as, request)
      : undefined;
  const warnings = warningsOf(verdict, sample);
  const { refusal } = warnings;
  return {
    ...verdictRow(request, verdict),
    ...warnings,
    ...(user === undefined ? {} : { user: userRow(user) }),
    sources: report.sources.flatMap(({ part: name, at }) => {
      const place = placeAt(part, at);
      return place === undefined ? [] : [{ part: name, place }];
    }),
    ...reasonOf(verdict, part),
    steps: report.steps.map((step) => stepOfToken(stepRow(step, part), sample, verdict)),
    // Changing the claims cannot fix a token.
    ...(user === undefined && refusal === undefined ? await remediesFor(request) : { whyNot: [] }),
    ...(acting === undefined ? {} : { acting: acting.row }),
    commandLine: commandFor(request, acting?.used),
    namesFile: configPath(workspace, part) !== undefined,
    yaml: acting?.yaml ?? yamlOf(report, refusal),
  };
};

/** Returns the row of a sample that an error in the configuration leaves undecided. */
const undecidedRow = (request: RowRequest, verdict: SampleVerdict): WhoamiRow => ({
  ...verdictRow(request, verdict),
  reason: undecidedReason(request.part, verdict.entries[0]?.index),
  sources: [],
  steps: [],
  whyNot: [],
  commandLine: commandFor(request, undefined),
  namesFile: configPath(request.workspace, request.part) !== undefined,
  yaml: '',
});

/** Returns why kube-apiserver would reject the token of a sample, or one with its claims. */
const warningsOf = (
  { refusal, problems: failed, decision }: SampleVerdict,
  { signature }: Sample,
): Pick<WhoamiRow, 'refusal' | 'caution'> => {
  if (refusal !== undefined) {
    const isSignature = refusal.text === signatureMismatch;
    const reason = isSignature ? toPrintable(signature ?? refusal.text) : refusal.text;
    return { refusal: `kube-apiserver would reject this token: ${reason}.` };
  }
  if (failed.length === 0 || decision?.kind !== 'accepted') return {};
  const reasons = failed.map(({ text }) => text).join('; ');
  return { caution: `kube-apiserver would reject a token with these claims: ${reasons}.` };
};

/** Marks the result of the claims alone as not being the answer. */
const yamlOf = ({ yaml }: WhoamiReport, refusal: string | undefined): string =>
  refusal === undefined ? yaml : `# ${refusal}\n# The claims alone map to:\n${yaml}`;

/** Returns why a sample is rejected, and where. */
export const reasonOf = (
  { decision, refusal, problems: [problem], entries: [entry] }: SampleVerdict,
  part: ConfigurationPart,
): Pick<WhoamiRow, 'reason' | 'code' | 'message' | 'place'> => {
  const failed = refusal ?? problem;
  const field = failed?.check === 'audience' ? 'issuer.audiences' : 'issuer.url';
  const own = failed === undefined || entry === undefined ? undefined : `${entry.path}.${field}`;
  if (decision === undefined || decision.kind === 'accepted') return placeMember(part, own);
  // kube-apiserver's message for a token that no authenticator accepts.
  if (decision.kind === 'noOpinion') return { reason: unmatchedIssuer, ...unclaimedToken };
  const { code, at } = decision.reason;
  const message = toPrintable(decision.reason.message);
  const reason = refusal?.text ?? oneLine(reasonWithoutPrefix(message), maxReasonLength);
  return { reason, code, message, ...placeMember(part, refusal === undefined ? at : own) };
};

const maxReasonLength = 400;

/** Returns the member of a row that has the place of a path, if there is one. */
export const placeMember = (
  part: ConfigurationPart,
  at: string | undefined,
): Pick<WhoamiRow, 'place'> => {
  const place = at === undefined ? undefined : placeAt(part, at);
  return place === undefined ? {} : { place };
};

const stepRow = (
  { at, what, outcome, detail, value, values }: ReportStep,
  part: ConfigurationPart,
): StepRow => {
  const place = placeAt(part, at);
  return {
    at,
    what: toPrintable(what),
    outcome,
    ...(detail === undefined ? {} : { detail: toPrintable(detail) }),
    ...(value === undefined ? {} : { value: displayJson(value) }),
    values: values.map((seen) => ({
      expression: toPrintable(seen.expression),
      value: escapeUnprintable(seen.value),
    })),
    ...(place === undefined ? {} : { place }),
  };
};

/** Returns the place of a path such as `jwt[0].issuer.url`. */
export const placeAt = (
  { uri, places, compilation }: ConfigurationPart,
  path: string,
): PlaceInFile | undefined => {
  const span = placeOfPart(compilation, path);
  return span && { uri, range: places.range(span) };
};

/** The result of impersonation, and what the CLI command needs for it. */
interface ActingResult {
  readonly row: ActingRow;
  readonly yaml: string;
  readonly used: { readonly wanted: UserInfo; readonly roleUris: readonly string[] };
}

const simulateActing = async (
  user: UserInfo,
  as: NonNullable<WhoamiParams['as']>,
  { workspace, part }: RowRequest,
): Promise<ActingResult> => {
  const { files } = workspace.roles();
  const { usable, problems: roleProblems } = usableRoles(files);
  const requestedUser = wantedUser(as);
  const domain = part.compilation.configuration?.domain ?? kubernetesDomain;
  const options = { domain, now: workspace.now() };
  const answer = await actAs(user, requestedUser, {
    roles: usable,
    domain: options.domain,
    featureGates: part.compilation.settings.featureGates,
  });
  const names = new Set(usable.map(({ name }) => name));
  const used = {
    wanted: requestedUser,
    roleUris: files.flatMap(({ name, uri }) => (names.has(name) ? [uri] : [])),
  };
  if (answer.kind === 'problems') {
    const message = answer.problems.join('\n');
    return { row: { allowed: false, message, questions: [] }, yaml: '', used };
  }
  const { outcome, refusal = '' } = answer;
  const questions = answer.questions.map(({ attributes, allowed, reason }) => ({
    text: toPrintable(questionText(attributes)),
    allowed,
    reason: toPrintable(reason),
  }));
  if (outcome.kind === 'impersonated') {
    const row = { allowed: true, user: userRow(outcome.user), questions };
    return { row, yaml: userYaml(outcome.user, options), used };
  }
  const message = toPrintable([refusal, ...remarks(answer, roleProblems)].join('\n'));
  return {
    row: { allowed: false, message, questions },
    yaml: refusalYaml({ code: 403, reason: 'Forbidden', message: refusal }),
    used,
  };
};

/** Explains why the roles of the workspace did not apply. */
const remarks = ({ bare }: Acting, problems: readonly string[]): readonly string[] => [
  ...(bare && problems.length === 0
    ? ['No manifest in the workspace contains roles: only the bootstrap roles apply.']
    : []),
  ...problems.slice(0, maxRemarks).map((problem) => `Ignored: ${oneLine(problem)}`),
];

/** Number of ignored files that are reported. */
const maxRemarks = 5;
