/** The documentation of a function or macro. */
import {
  compileExpression,
  displayValue,
  type KnownName,
  newestRelease,
  oldestRelease,
  type Release,
  releaseName,
} from '@authgraph/engine/language';
import { block, paragraphs } from './markdown.ts';

/**
 * Returns trusted Markdown: signatures, description, examples with their results, and the release.
 */
export const nameText = (known: KnownName, release: Release): string => {
  const { signatures, doc, examples, since, isNewer } = known;
  return paragraphs(
    signatures.length === 0
      ? undefined
      : block('cel', signatures.map(({ text }) => text).join('\n')),
    doc,
    examples.length === 0 ? undefined : block('cel', examples.map(exampleText).join('\n')),
    isNewer
      ? `Requires ${releaseName(since)}; not available in the target release ${releaseName(release)}.`
      : sinceText(known),
  );
};

const sinceText = ({ since, signatures }: KnownName): string => {
  const last = signatures.reduce(
    (latest, next) => (next.since > latest ? next.since : latest),
    since,
  );
  const first = since === oldestRelease ? '' : `Since ${releaseName(since)}.`;
  return last === since ? first : `${first} Some overloads since ${releaseName(last)}.`.trim();
};

const exampleText = (example: string): string => {
  const { program } = compileExpression({
    text: example,
    environment: 'claims',
    result: 'any',
    release: newestRelease,
  });
  const value = program?.evaluate({}).value;
  return value === undefined ? example : `${example}  // ${displayValue(value)}`;
};
