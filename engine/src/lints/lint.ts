/** Runs every lint over a compilation. Lints are advice only: they never change the graph. */
import type { Compilation } from '../compile/compile.ts';
import { type EntryView, entryViews } from '../compile/entry-view.ts';
import { withPaths } from '../compile/field-paths.ts';
import { keepSingleLineFixes } from '../config/rules/single-line-fixes.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { shiftDiagnostic } from '../diagnostics/shift-diagnostic.ts';
import { type ResumableWork, runToCompletion } from '../source/resumable-work.ts';
import { withoutAdviceOnErrors } from './parts/advice-on-errors.ts';
import { entryLints, fileLints, lints } from './registry.ts';

/**
 * Returns the findings in file order, or none for a file without a typed configuration. Entries
 * that have not changed since an earlier compilation are not checked again. `now` is in
 * milliseconds since 1970; without it nothing that depends on the time is reported.
 *
 * @example
 * ```ts
 * const compilation = compile({ source: sourceFile('auth.yaml', text) });
 * const advice = lint(compilation, Date.now());
 * ```
 */
export const lint = (compilation: Compilation, now?: number): readonly Diagnostic[] =>
  runToCompletion(lintCandidateSteps(compilation, now)).filter(
    ({ question }) => question?.isOpen !== true,
  );

/**
 * Yields the findings of `lint`, and those that are only reported if the answer to their question
 * confirms them; each step runs one lint on one entry or on the file.
 */
export function* lintCandidateSteps(
  compilation: Compilation,
  now?: number,
): ResumableWork<readonly Diagnostic[]> {
  const views = entryViews(compilation);
  const found: (readonly Diagnostic[])[] = [];
  for (const { run } of views === undefined ? lints : fileLints) {
    found.push(run(compilation, now));
    yield;
  }
  for (const [index, view] of (views ?? []).entries())
    found.push(yield* entryFindings(view, index));
  const advice = keepSingleLineFixes(found.flat(), compilation.document).toSorted(
    (a, b) => a.span.start - b.span.start || byCode(a.code, b.code),
  );
  return withoutAdviceOnErrors(withPaths(advice, compilation.document), compilation.diagnostics);
}

const byCode = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Cached findings per entry; none contains the index of its entry. */
const findingsByAnalysis = new WeakMap<object, readonly Diagnostic[]>();

function* entryFindings(
  { analysis, offset, standalone }: EntryView,
  index: number,
): ResumableWork<readonly Diagnostic[]> {
  let findings = findingsByAnalysis.get(analysis.identity);
  if (findings === undefined) {
    const entry = standalone();
    const found: (readonly Diagnostic[])[] = [];
    for (const { run } of entryLints) {
      found.push(run(entry));
      yield;
    }
    findings = found.flat();
    findingsByAnalysis.set(analysis.identity, findings);
  }
  return findings.map((finding) => shiftDiagnostic(atEntry(finding, index), offset));
}

/** Corrects the index of the entry in the question of a finding. */
const atEntry = (finding: Diagnostic, index: number): Diagnostic =>
  finding.question === undefined || finding.question.kind === 'anonymous'
    ? finding
    : { ...finding, question: { ...finding.question, entry: index } };
