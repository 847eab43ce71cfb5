/** Adds the audience of claims to the audiences of their authenticator. */
import type { Compilation } from '../../compile/compile.ts';
import { entryNode } from '../../compile/entry-node.ts';
import type { IssuerConfig } from '../../config/configuration.ts';
import {
  endOfLine,
  insertField,
  lineBreakOf,
  startOfLine,
} from '../../config/rules/layout-fixes.ts';
import { escapeInvisible } from '../../diagnostics/printable.ts';
import type { ConfigDocument } from '../../documents/yaml/document.ts';
import { canBePlainScalar } from '../../documents/yaml/scalar-text.ts';
import type { ClaimSet } from '../../signed-token/payload.ts';
import { type Span, span } from '../../source/span.ts';
import type { TextEdit } from '../../source/text-edit.ts';
import { oneLine } from '../preview/headline.ts';
import { audiencesOf } from '../whoami/claims-decision.ts';
import { tokenProblems } from '../whoami/token-problems.ts';
import { type ConfigurationFix, tryEdits } from './configuration-fix.ts';

interface AudienceRequest {
  /** Index of the authenticator of the claims. */
  readonly entry: number;
  readonly isInRange: (field: Span) => boolean;
  readonly now: number;
}

/** Returns one change per audience of the claims, if the authenticator accepts none of them. */
export const audienceFixes = (
  compilation: Compilation,
  claims: ClaimSet,
  { entry, isInRange, now }: AudienceRequest,
): readonly ConfigurationFix[] => {
  const issuers = compilation.configuration?.jwt.map((one) => one.issuer) ?? [];
  const issuer = issuers[entry];
  if (issuer === undefined || !isInRange(fieldSpan(compilation, issuer))) return [];
  // An alias refers to the same list, so the edits would change the other authenticator, too.
  const { start } = issuer.audiencesSpan;
  if (issuers.filter(({ audiencesSpan }) => audiencesSpan.start === start).length > 1) return [];
  if (!isRejected(compilation, claims, { entry, now })) return [];
  const added = audiencesOf(claims).filter((one) => one !== '' && one.length <= longestAdded);
  return added.slice(0, mostAdded).flatMap((audience) => {
    const edits = addAudience(compilation.document, issuer, audience);
    const edited = edits.length === 0 ? undefined : tryEdits(compilation, edits);
    if (edited === undefined || isRejected(edited, claims, { entry, now })) return [];
    const shown = oneLine(JSON.stringify(audience), longestShown);
    return [{ title: `Add audience ${shown} to issuer.audiences: accepts tokens for it`, edits }];
  });
};

/** The list with its key, which may be on the line above. */
const fieldSpan = (
  { document }: Pick<Compilation, 'document'>,
  { audiencesSpan }: IssuerConfig,
): Span => {
  const { text } = document.source;
  let { start } = audiencesSpan;
  while (start > 0 && /\s/.test(text[start - 1] ?? '')) start -= 1;
  return span(startOfLine(text, start), audiencesSpan.end);
};

const isRejected = (
  compilation: Compilation,
  claims: ClaimSet,
  { entry, now }: Pick<AudienceRequest, 'entry' | 'now'>,
): boolean => {
  const node = entryNode(compilation, entry)?.node;
  return (
    node !== undefined && tokenProblems(node, claims, now).some(({ check }) => check === 'audience')
  );
};

const mostAdded = 3;
/** Characters of an audience that is written to the file. */
const longestAdded = 1000;
/** Characters of an audience in a title. */
const longestShown = 80;

const addAudience = (
  { source, format }: ConfigDocument,
  issuer: IssuerConfig,
  audience: string,
): readonly TextEdit[] => {
  const last = issuer.audiences.at(-1)?.span;
  if (last === undefined) return [];
  const item = newItem(source.text, { list: issuer.audiencesSpan, last, audience });
  if (item === undefined) return [];
  if (issuer.audienceMatchPolicy !== undefined) return [item];
  const policy = insertField(
    { source, format },
    {
      name: 'audienceMatchPolicy',
      value: format === 'json' ? '"MatchAny"' : 'MatchAny',
      section: issuer.span,
      after: issuer.audiencesSpan,
    },
  );
  return [item, ...policy.flatMap(({ edits }) => edits)];
};

const newItem = (
  text: string,
  { list, last, audience }: { readonly list: Span; readonly last: Span; readonly audience: string },
): TextEdit | undefined => {
  const quoted = escapeInvisible(JSON.stringify(audience));
  if (text[list.start] === '[') return { span: span(last.end, last.end), newText: `, ${quoted}` };
  const lead = text.slice(startOfLine(text, last.start), last.start);
  // The first item may follow the dash of the entry's list.
  if (!/^ *- +$/.test(lead)) return undefined;
  const written = canBePlainScalar(audience, { flow: false }) ? audience : quoted;
  const at = endOfLine(text, last.end);
  return { span: span(at, at), newText: `${lineBreakOf(text)}${lead}${written}` };
};
