/**
 * `authgraph/whoami`: the verdict on each sample, its path through the graph, and impersonation.
 */
import type { Decision } from '@authgraph/engine';
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
  refusalYaml,
  toPrintable,
  type UserInfo,
  unclaimedToken,
  usableRoles,
  userYaml,
  type WhoamiReport,
  wantedUser,
  whoamiReport,
  whyNot,
} from '@authgraph/engine/language';
import type { CancellationToken } from 'vscode-languageserver';
import {
  type ActingRow,
  type PlaceInFile,
  type StepRow,
  type WhoamiReport as WhoamiAnswer,
  type WhoamiParams,
  type WhoamiRow,
  whoamiRequest,
} from '../protocol.ts';
import { problems } from '../unavailable-reasons.ts';
import type { ConfigurationPart } from '../workspace.ts';
import type { HandlerFactory } from './feature.ts';
import { requestFeature } from './request-feature.ts';
import { type RowRequest, sampleRows } from './sample-rows.ts';
import { verdictOn, verdictRow, withSignature } from './sample-verdict.ts';
import { userRow } from './user-row.ts';
import { commandFor, configPath } from './whoami-command.ts';

export const whoami = requestFeature<WhoamiParams, WhoamiAnswer>(
  whoamiRequest,
  { rows: [], problem: problems.failed },
  (params, handlers, token) => whoamiAnswer(handlers, params, token),
);

/** Returns one row per sample and configuration; undecided samples are reported in `problem`. */
export const whoamiAnswer = (
  handlers: HandlerFactory,
  params: WhoamiParams,
  token: CancellationToken,
): Promise<WhoamiAnswer> =>
  sampleRows({ handlers, token, rowsAtATime }, params, (request) => rowFor(request, params.as));

/** Searching for an accepted change takes several milliseconds per sample. */
const rowsAtATime = 1;

/**
 * Mapping evaluations of the why-not search, shared by all rejected samples of a request; each
 * sample gets at least `minRuns`.
 */
const runBudget = 3000;
const minRuns = 40;

const runsFor = (samples: number): number => Math.max(minRuns, Math.floor(runBudget / samples));

/** Returns a message if an error in the configuration leaves the sample undecided. */
const rowFor = async (request: RowRequest, as: WhoamiParams['as']): Promise<WhoamiRow | string> => {
  const { workspace, part, sample, sampleCount } = request;
  const { compilation } = part;
  const { claims } = sample;
  const now = workspace.now();
  const verdict = verdictOn(compilation, sample);
  const { decision, headline, signature } = verdict;
  const report = whoamiReport(compilation, claims, now);
  if (decision === undefined || report === undefined) return headline;
  // What the claims alone map to, if the signature is invalid.
  const user = report.decision.kind === 'accepted' ? report.decision.user : undefined;
  const acting =
    decision.kind === 'accepted' && as !== undefined
      ? await simulateActing(decision.user, as, request)
      : undefined;
  const refusal = signature && `kube-apiserver would reject this token: its ${signature}.`;
  return {
    ...verdictRow(request, { ...verdict, decision }),
    ...(refusal === undefined ? {} : { refusal }),
    ...(user === undefined ? {} : { user: userRow(user) }),
    sources: report.sources.flatMap(({ part: name, at }) => {
      const place = placeAt(part, at);
      return place === undefined ? [] : [{ part: name, place }];
    }),
    ...rejectionOf(decision, part),
    steps: report.steps.map((step) => withSignature(stepRow(step, part), sample)),
    // Changing the claims cannot fix an invalid signature.
    whyNot:
      user === undefined && refusal === undefined
        ? whyNot(compilation, claims, { now, mostRuns: runsFor(sampleCount) }).map(
            ({ text, claims: changed }) => ({
              text: escapeUnprintable(text),
              claims: JSON.stringify(changed, undefined, 2),
            }),
          )
        : [],
    ...(acting === undefined ? {} : { acting: acting.row }),
    commandLine: commandFor(request, acting?.used),
    namesFile: configPath(workspace, part) !== undefined,
    yaml: acting?.yaml ?? yamlOf(report, refusal),
  };
};

/** Marks the result of the claims alone as not being the answer. */
const yamlOf = ({ yaml }: WhoamiReport, refusal: string | undefined): string =>
  refusal === undefined ? yaml : `# ${refusal}\n# The claims alone map to:\n${yaml}`;

const rejectionOf = (
  decision: Decision,
  part: ConfigurationPart,
): Pick<WhoamiRow, 'code' | 'message' | 'place'> => {
  if (decision.kind === 'accepted') return {};
  // kube-apiserver's message for a token that no authenticator accepts.
  if (decision.kind === 'noOpinion') return unclaimedToken;
  const { code, at } = decision.reason;
  const message = toPrintable(decision.reason.message);
  const place = at === undefined ? undefined : placeAt(part, at);
  return { code, message, ...(place === undefined ? {} : { place }) };
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

const placeAt = (
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
  const files = workspace.roles();
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
  const questions = answer.questions.map(({ asked, allowed, reason }) => ({
    text: toPrintable(questionText(asked)),
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
