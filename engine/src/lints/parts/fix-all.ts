/**
 * Every certain mend of a file at once, again and again until nothing is left to mend. What settles who
 * gets in or under which name is left to a person.
 */
import { type Compilation, compile } from '../../compile/compile.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { sourceFile } from '../../source/source-file.ts';
import { type Span, span } from '../../source/span.ts';
import { applyEdits, type TextEdit } from '../../source/text-edit.ts';
import { lint } from '../lint.ts';

/** `isWanted` leaves out what nobody is told. Empty where nothing can be mended with certainty. */
export const mendAll = (
  compilation: Compilation,
  isWanted: (found: Diagnostic) => boolean = () => true,
): readonly TextEdit[] => {
  const { text } = compilation.document.source;
  const first = certainEdits(compilation, isWanted);
  let mended = text;
  let latest = compilation;
  for (let round = 0; round < mostRounds; round += 1) {
    const edits = round === 0 ? first : certainEdits(latest, isWanted);
    if (edits.length === 0) return round === 1 ? first : difference(text, mended);
    const next = again(latest, applyEdits(mended, edits));
    // Mends that get in each other's way are not made.
    if (errorsOf(next) > errorsOf(latest)) return round === 1 ? first : difference(text, mended);
    mended = next.document.source.text;
    latest = next;
  }
  return difference(text, mended);
};

/** A mend may show the next mistake; a chain of more is not expected. */
const mostRounds = 8;

/** None of them touches another. */
const certainEdits = (
  compilation: Compilation,
  isWanted: (found: Diagnostic) => boolean,
): readonly TextEdit[] => {
  const taken: TextEdit[] = [];
  const isBroken = compilation.document.failure !== undefined;
  for (const found of [...compilation.diagnostics, ...lint(compilation)]) {
    const certain = found.fixes.filter(({ choice }) => choice === undefined);
    const [fix] = certain;
    if (fix === undefined || certain.length > 1 || fix.changesAccess || !isWanted(found)) continue;
    // Of broken text only parts are known: it is made whole first.
    if (isBroken && !formCodes.has(found.code)) continue;
    const isFree = fix.edits.every((edit) =>
      taken.every((other) => isApart(edit.span, other.span)),
    );
    if (isFree) taken.push(...fix.edits);
  }
  return taken;
};

/** What is said about broken YAML and JSON. */
const formCodes: ReadonlySet<string> = new Set(['AG1001', 'AG1002']);

const isApart = (one: Span, other: Span): boolean => one.end < other.start || one.start > other.end;

const again = ({ settings, document }: Compilation, text: string): Compilation =>
  compile({ source: sourceFile(document.source.uri, text), settings, limits: 'warn' });

const errorsOf = ({ diagnostics }: Compilation): number =>
  diagnostics.filter(({ severity }) => severity === 'error').length;

/** One edit from the first place that differs to the last. */
const difference = (before: string, after: string): readonly TextEdit[] => {
  if (before === after) return [];
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return [
    {
      span: span(start, before.length - end),
      newText: after.slice(start, after.length - end),
    },
  ];
};
