/**
 * Applies every certain fix of a file at once, repeatedly until none is left. Fixes that change who
 * gets access, or under which name, are left to the user.
 */
import { type Compilation, compile } from '../../compile/compile.ts';
import { syntaxCodes } from '../../compile/field-paths.ts';
import { automaticFix, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import { changedRange } from '../../source/changed-range.ts';
import { sourceFile } from '../../source/source-file.ts';
import { type Span, span } from '../../source/span.ts';
import { applyEdits, type TextEdit } from '../../source/text-edit.ts';
import { lint } from '../lint.ts';

/**
 * Returns the edits of all certain fixes; `isWanted` excludes diagnostics that are not reported.
 */
export const fixAll = (
  compilation: Compilation,
  isWanted: (found: Diagnostic) => boolean = () => true,
): readonly TextEdit[] => {
  const { text } = compilation.document.source;
  const first = certainEdits(compilation, isWanted);
  let fixedText = text;
  let latest = compilation;
  for (let round = 0; round < mostRounds; round += 1) {
    const edits = round === 0 ? first : certainEdits(latest, isWanted);
    if (edits.length === 0) return round === 1 ? first : difference(text, fixedText);
    const next = again(latest, applyEdits(fixedText, edits));
    // Fixes that conflict with each other are not applied.
    if (errorsOf(next) > errorsOf(latest)) return round === 1 ? first : difference(text, fixedText);
    fixedText = next.document.source.text;
    latest = next;
  }
  return difference(text, fixedText);
};

/** A fix may reveal the next mistake; longer chains than this are not expected. */
const mostRounds = 8;

/** Returns edits that do not touch each other. */
const certainEdits = (
  compilation: Compilation,
  isWanted: (found: Diagnostic) => boolean,
): readonly TextEdit[] => {
  const taken: TextEdit[] = [];
  const isBroken = compilation.document.failure !== undefined;
  for (const found of [...compilation.diagnostics, ...lint(compilation)]) {
    const fix = automaticFix(found);
    if (fix === undefined || !isWanted(found)) continue;
    // Broken text is only partly parsed: its syntax is fixed first.
    if (isBroken && !syntaxCodes.has(found.code)) continue;
    const isFree = fix.edits.every((edit) =>
      taken.every((other) => isApart(edit.span, other.span)),
    );
    if (isFree) taken.push(...fix.edits);
  }
  return taken;
};

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
