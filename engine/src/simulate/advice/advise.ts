/**
 * Runs the lints and looks for evidence for each finding: a token that shows it, or a proof. What
 * the search refutes is not reported.
 */
import type { Compilation } from '../../compile/compile.ts';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { EvidenceQuestion } from '../../diagnostics/evidence.ts';
import { lintCandidateSteps } from '../../lints/lint.ts';
import { type ResumableWork, runToCompletion } from '../../source/resumable-work.ts';
import { answerQuestion, type QuestionAnswer } from './answer-question.ts';

/**
 * Returns the findings in file order, with evidence. `now` is in milliseconds since 1970; without
 * it nothing that depends on the time is reported.
 *
 * @example
 * ```ts
 * const compilation = compile({ source: sourceFile('auth.yaml', text) });
 * const advice = advise(compilation, Date.now());
 * ```
 */
export const advise = (
  compilation: Compilation,
  now?: number,
  limits: AdviceLimits = usual,
): readonly Diagnostic[] => runToCompletion(adviseSteps(compilation, now, limits));

/** Yields the findings of `advise`; each step runs one lint or answers one question. */
export function* adviseSteps(
  compilation: Compilation,
  now?: number,
  limits: AdviceLimits = usual,
): ResumableWork<readonly Diagnostic[]> {
  const candidates = yield* lintCandidateSteps(compilation, now);
  return yield* withEvidence(candidates, compilation.graph, limits);
}

/**
 * Limits of the search for evidence.
 *
 * @example
 * ```ts
 * const limits: AdviceLimits = { maxEvaluations: 100 };
 * ```
 */
export interface AdviceLimits {
  /** The maximum number of evaluations for one question. */
  readonly maxEvaluations: number;
}

/**
 * Most questions need less than a hundred evaluations. An editor asks after each change, so that a
 * search must take milliseconds.
 */
const usual: AdviceLimits = { maxEvaluations: 400 };

/**
 * Adds evidence to findings, and removes those that are refuted. Without a graph, because the file
 * has errors, only findings that need no evidence are left.
 */
function* withEvidence(
  candidates: readonly Diagnostic[],
  graph: AuthenticatorGraph | undefined,
  limits: AdviceLimits,
): ResumableWork<readonly Diagnostic[]> {
  if (graph === undefined) return candidates.filter(({ question }) => question?.isOpen !== true);
  const findings: Diagnostic[] = [];
  for (const candidate of candidates) {
    const { question } = candidate;
    if (question === undefined) {
      findings.push(candidate);
      continue;
    }
    yield;
    const answer = answerFor(question, graph, limits);
    if (answer === 'refuted') continue;
    if (answer.kind === 'undecided' && question.isOpen === true) continue;
    findings.push({ ...candidate, evidence: answer });
  }
  return withoutRepeatedProofs(findings);
}

/** Answers per node or graph: an editor asks again after each change of another entry. */
const cachedAnswers = new WeakMap<object, Map<string, QuestionAnswer>>();

const answerFor = (
  question: EvidenceQuestion,
  graph: AuthenticatorGraph,
  limits: AdviceLimits,
): QuestionAnswer => {
  const isAboutEntry = question.kind !== 'shared username' && question.kind !== 'anonymous';
  const owner = (isAboutEntry ? graph.nodes[question.entry] : undefined) ?? graph;
  const answers = cachedAnswers.get(owner) ?? new Map<string, QuestionAnswer>();
  cachedAnswers.set(owner, answers);
  const key = JSON.stringify([question, limits]);
  const answer = answers.get(key) ?? answerQuestion(question, graph, limits.maxEvaluations);
  answers.set(key, answer);
  return answer;
};

/**
 * A finding explains why tokens are rejected; the proof that all of them are is added to it instead
 * of being reported as a second one.
 */
const withoutRepeatedProofs = (findings: readonly Diagnostic[]): readonly Diagnostic[] => {
  const proofs = findings.filter(({ evidence }) => evidence?.kind === 'proof');
  if (proofs.length === 0) return findings;
  const explained = new Map<Diagnostic, Diagnostic>();
  const dropped = new Set<Diagnostic>();
  for (const proof of proofs) {
    const place = placeOf(proof);
    const reason = findings.find(
      (one) => one !== proof && rejecting.has(one.name) && placeOf(one).startsWith(place),
    );
    if (reason !== undefined) {
      dropped.add(proof);
      const { evidence } = proof;
      if (evidence !== undefined && reason.evidence === undefined)
        explained.set(reason, { ...reason, evidence });
    }
  }
  return findings.filter((one) => !dropped.has(one)).map((one) => explained.get(one) ?? one);
};

/** The field of a proof about a rule; the entry for a proof about all tokens of an issuer. */
const placeOf = ({ name, path = '' }: Diagnostic): string =>
  name === 'rejects-every-token'
    ? path.slice(0, path.indexOf(']') + 1)
    : path.replace(/\.(?:expression|claim|requiredValue)$/, '');

/** Findings that explain why every token is rejected. */
const rejecting: ReadonlySet<string> = new Set([
  'native-string-list',
  'whole-claims',
  'claim-number',
  'mapping-type',
  'constant-failure',
  'missing-optional-select',
  'rule-never-holds',
]);
