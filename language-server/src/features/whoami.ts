/** Who samples would be: the verdict, the way through the graph, and acting as somebody else. */
import type { Decision } from '@authgraph/engine';
import {
  type Acting,
  actAs,
  escapeUnprintable,
  kubernetesDomain,
  oneLine,
  placeOfPart,
  toPrintable,
  questionText,
  type ReportStep,
  refusalYaml,
  displayJson,
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
  type UserRow,
  type WhoamiReport as WhoamiAnswer,
  type WhoamiParams,
  type WhoamiRow,
  whoamiRequest,
} from '../protocol.ts';
import { problems } from '../unavailable-reasons.ts';
import type { ConfigurationPart } from '../workspace.ts';
import type { HandlerFactory, Feature } from './feature.ts';
import { type RowRequest, sampleRows } from './sample-rows.ts';
import { verdictOn, verdictRow, withSignature } from './sample-verdict.ts';
import { commandFor, configPath } from './whoami-command.ts';

export const whoami: Feature = {
  capabilities: {},
  register(connection, handlers) {
    const otherwise: WhoamiAnswer = { rows: [], problem: problems.failed };
    connection.onRequest(
      whoamiRequest,
      handlers.guardedAsync(
        (params: WhoamiParams, token) => whoamiAnswer(handlers, params, token),
        otherwise,
      ),
    );
  },
};

/** One row for each sample and configuration; what cannot be decided is told as the problem. */
export const whoamiAnswer = (
  handlers: HandlerFactory,
  params: WhoamiParams,
  token: CancellationToken,
): Promise<WhoamiAnswer> =>
  sampleRows({ handlers, token, rowsAtATime }, params, (request) => rowFor(request, params.as));

/** To look for what would be accepted takes some milliseconds for each. */
const rowsAtATime = 1;

/** Mappings tried for all refused samples of one question together, and for each at least. */
const runBudget = 3000;
const minRuns = 40;

const runsFor = (samples: number): number => Math.max(minRuns, Math.floor(runBudget / samples));

/** A text where an error of the file keeps the sample from being decided. */
const rowFor = async (request: RowRequest, as: WhoamiParams['as']): Promise<WhoamiRow | string> => {
  const { workspace, part, sample, sampleCount: together } = request;
  const { compilation } = part;
  const { claims } = sample;
  const now = workspace.now();
  const verdict = verdictOn(compilation, sample);
  const { decision, headline, signature } = verdict;
  const report = whoamiReport(compilation, claims, now);
  if (decision === undefined || report === undefined) return headline;
  // Of the claims alone, where the signature has decided.
  const user = report.decision.kind === 'accepted' ? report.decision.user : undefined;
  const acting =
    decision.kind === 'accepted' && as !== undefined
      ? await simulateActing(decision.user, as, request)
      : undefined;
  const refusal = signature && `A server would refuse this token: its ${signature}.`;
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
    // No change of the claims mends a signature.
    whyNot:
      user === undefined && refusal === undefined
        ? whyNot(compilation, claims, { now, mostRuns: runsFor(together) }).map(
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

/** What the claims alone would give is worth reading, but is not the answer. */
const yamlOf = ({ yaml }: WhoamiReport, refusal: string | undefined): string =>
  refusal === undefined ? yaml : `# ${refusal}\n# Its claims alone would give:\n${yaml}`;

const rejectionOf = (
  decision: Decision,
  part: ConfigurationPart,
): Pick<WhoamiRow, 'code' | 'message' | 'place'> => {
  if (decision.kind === 'accepted') return {};
  // As the real server says it of a token that no authenticator takes.
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

/** As it is shown; the YAML has it to the letter. */
const userRow = ({ username, uid, groups, extra }: UserInfo): UserRow => ({
  username: toPrintable(username),
  uid: toPrintable(uid),
  groups: groups.map(toPrintable),
  extra: [...extra]
    .map(([key, values]) => ({ key: toPrintable(key), values: values.map(toPrintable) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1)),
});

/** An answer about acting, and what of it belongs into the command. */
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

/** Why roles that somebody may have in mind did not count. */
const remarks = ({ bare }: Acting, problems: readonly string[]): readonly string[] => [
  ...(bare && problems.length === 0
    ? ['No manifest of the workspace holds roles: only the bootstrap roles hold.']
    : []),
  ...problems.slice(0, maxRemarks).map((problem) => `Not used: ${oneLine(problem)}`),
];

/** Files left out that are told of. */
const maxRemarks = 5;
