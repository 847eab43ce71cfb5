/**
 * Applies every certain fix of a file at once, repeatedly until none is left. Fixes that change who
 * gets access, or under which name, are left to the user.
 */
import { type Compilation, compile } from '../../compile/compile.ts';
import { syntaxCodes } from '../../compile/field-paths.ts';
import { automaticFix, type Diagnostic, type Fix } from '../../diagnostics/diagnostic.ts';
import { changedRange } from '../../source/changed-range.ts';
import { sourceFile } from '../../source/source-file.ts';
import { type Span, span } from '../../source/span.ts';
import { applyEdits, type TextEdit } from '../../source/text-edit.ts';
import { lint } from '../lint.ts';

/** The certain fixes of a file. */
export interface AllFixes {
  /** The edits that apply them; empty if there is nothing to fix. */
  readonly edits: readonly TextEdit[];
  /** Returns whether the edits contain the automatic fix of a diagnostic of the compilation. */
  readonly isApplied: (found: Diagnostic) => boolean;
}

/**
 * Returns the edits of all certain fixes; `isWanted` excludes diagnostics that are not reported.
 */
export const fixAll = (
  compilation: Compilation,
  isWanted?: (found: Diagnostic) => boolean,
): readonly TextEdit[] => findAllFixes(compilation, isWanted).edits;

/** Returns all certain fixes; `isWanted` excludes diagnostics that are not reported. */
export const findAllFixes = (
  compilation: Compilation,
  isWanted: (found: Diagnostic) => boolean = () => true,
): AllFixes => {
  const { text } = compilation.document.source;
  const first = certainEdits(compilation, isWanted);
  let fixedText = text;
  let latest = compilation;
  let rounds = 0;
  while (rounds < mostRounds) {
    const edits = rounds === 0 ? first : certainEdits(latest, isWanted);
    if (edits.length === 0) break;
    const next = again(latest, applyEdits(fixedText, edits));
    // Fixes that conflict with each other are not applied.
    if (errorsOf(next) > errorsOf(latest)) break;
    fixedText = next.document.source.text;
    latest = next;
    rounds += 1;
  }
  const edits = rounds === 1 ? first : difference(text, fixedText);
  const isParsed = isParsable(latest);
  return {
    edits,
    isApplied: (found) =>
      edits.length > 0 && isWanted(found) && certainFix(found, isParsed) !== undefined,
  };
};

/** A fix may reveal the next mistake; longer chains than this are not expected. */
const mostRounds = 8;

/** Returns edits that do not touch each other. */
const certainEdits = (
  compilation: Compilation,
  isWanted: (found: Diagnostic) => boolean,
): readonly TextEdit[] => {
  const taken: TextEdit[] = [];
  const isParsed = isParsable(compilation);
  for (const found of [...compilation.diagnostics, ...lint(compilation)]) {
    const fix = certainFix(found, isParsed);
    if (fix === undefined || !isWanted(found)) continue;
    const isFree = fix.edits.every((edit) =>
      taken.every((other) => isApart(edit.span, other.span)),
    );
    if (isFree) taken.push(...fix.edits);
  }
  return taken;
};

/** Returns the automatic fix of a diagnostic, if it can be applied to the text already. */
const certainFix = (found: Diagnostic, isParsed: boolean): Fix | undefined =>
  // Broken text is only partly parsed: its syntax is fixed first.
  isParsed || syntaxCodes.has(found.code) ? automaticFix(found) : undefined;

const isParsable = ({ document }: Compilation): boolean => document.failure === undefined;

const isApart = (one: Span, other: Span): boolean => one.end < other.start || one.start > other.end;

const again = ({ settings, document }: Compilation, text: string): Compilation =>
  compile({ source: sourceFile(document.source.uri, text), settings, limits: 'warn' });

const errorsOf = ({ diagnostics }: Compilation): number =>
  diagnostics.filter(({ severity }) => severity === 'error').length;

/** Returns one edit that covers the first to the last difference. */
const difference = (before: string, after: string): readonly TextEdit[] => {
  if (before === after) return [];
  const { start, oldEnd, newEnd } = changedRange(before, after);
  return [{ span: span(start, oldEnd), newText: after.slice(start, newEnd) }];
};
