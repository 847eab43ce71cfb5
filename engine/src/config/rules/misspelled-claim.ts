/**
 * Recognizes misspelled names of common claims. Issuers may send claims with any name, so only names
 * that are long enough and not a plural of each other are compared.
 */
import { asAccessChanging, type Fix } from '../../diagnostics/diagnostic.ts';
import { editDistance } from '../../formats/edit-distance.ts';
import { knownClaims } from '../../model/known-claims.ts';
import type { SourceFile } from '../../source/source-file.ts';
import { type Span, span } from '../../source/span.ts';
import type { LocatedString } from '../configuration.ts';
import { editScalar } from './edit-scalar.ts';

/** Shorter names are often similar without being misspelled: `sid` and `sub`, `mail` and `email`. */
const shortestCompared = 5;

/**
 * Returns the common claim that a misspelled name was probably meant to be: it differs by one
 * character, or by two if it is long.
 */
export const meantClaim = (written: string): string | undefined => {
  if (written.length < shortestCompared) return undefined;
  const lower = written.toLowerCase();
  if (knownClaims.some(({ name }) => name === lower)) return undefined;
  return knownClaims.find(({ name }) => {
    if (name.length < shortestCompared || `${name}s` === lower || `${lower}s` === name)
      return false;
    const most = name.length < 9 ? 1 : 2;
    return editDistance(lower, name, most) <= most;
  })?.name;
};

/** Returns the fix that renames the claim where `part` of a scalar reads it. */
export const renameClaim = (
  source: SourceFile,
  { located, part }: { readonly located: LocatedString; readonly part: Span },
  { written, meant }: { readonly written: string; readonly meant: string },
): readonly Fix[] => {
  const at = located.value.slice(part.start, part.end).lastIndexOf(written);
  if (at === -1) return [];
  const start = part.start + at;
  const edit = { span: span(start, start + written.length), newText: meant };
  const edits = editScalar(source, located, [edit]);
  return [asAccessChanging({ title: `Write ${meant}`, edits })];
};
