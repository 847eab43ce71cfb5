/** Hover on the value of a field. */
import {
  authorityCertificates,
  type ClaimSet,
  counted,
  displayValue,
  isForAudience,
  isFromIssuer,
  knownClaims,
  ownClaim,
  type ValuePlace,
  wellKnownUrl,
} from '@authgraph/engine/language';
import type { Sample } from '../samples.ts';
import { entryFirst, samplesOfEntry } from './entry-samples.ts';
import { entryIndexOf } from './expression-place.ts';
import type { PartContext } from './feature.ts';
import { fieldText } from './field-text.ts';
import { cell, code, paragraphs, table } from './markdown.ts';

/** Returns Markdown, or `undefined` for prose and malformed certificates. */
export const valueText = (context: PartContext, place: ValuePlace): string | undefined => {
  const { row, scalar, siblings } = place;
  const index = entryIndexOf(place);
  const samples = index === undefined ? [] : samplesOfEntry(context, index);
  switch (row.name) {
    case 'message':
      return undefined;
    case 'certificateAuthority':
      return index === undefined ? undefined : authorityText(context, index);
    case 'claim':
      return claimText(samples, scalar.text);
    case 'requiredValue':
      return paragraphs(`**${row.name}**`, row.doc, valuesOf(samples, siblings.get('claim') ?? ''));
    case 'url': {
      const discoveryUrl = siblings.get('discoveryURL') ?? '';
      return paragraphs(
        `**Issuer** ${code(scalar.text)}`,
        'Tokens whose `iss` is exactly this string belong to this entry.',
        `Discovery: ${code(discoveryUrl === '' ? wellKnownUrl(scalar.text) : discoveryUrl)}`,
        samplesWhere(
          entryFirst(context, index),
          (claims) => isFromIssuer(claims, scalar.text),
          'has this issuer',
        ),
      );
    }
    case 'audiences':
      return paragraphs(
        `**Audience** ${code(scalar.text)}`,
        row.doc,
        samplesWhere(
          samples,
          (claims) => isForAudience(claims, scalar.text),
          'of this issuer has this audience',
        ),
      );
    default:
      return paragraphs(
        `**${row.name}**`,
        fieldText(row, context.part.compilation.settings.targetRelease),
      );
  }
};

/** Lists the certificates, and when they expire. */
const authorityText = ({ workspace, part }: PartContext, index: number): string | undefined => {
  const bundle = part.compilation.configuration?.jwt[index]?.issuer.certificateAuthority;
  const certificates = bundle === undefined ? [] : authorityCertificates(bundle, workspace.now());
  if (certificates.length === 0) return undefined;
  return paragraphs(
    `**Certificate authority**: ${counted(certificates.length, 'certificate')}`,
    table(
      ['subject', 'valid until', ''],
      certificates
        .slice(0, maxRows)
        .map(({ title, lastDay, status, expiresSoon }) => [
          cell(title, 80),
          lastDay,
          expiresSoon ? `**${status}**` : status,
        ]),
    ),
  );
};

/** Returns the values of a claim in the samples, and its standard meaning. */
export const claimText = (samples: readonly Sample[], name: string): string => {
  const documented = knownClaims.find((candidate) => candidate.name === name);
  const source =
    documented === undefined || documented.source === '' ? '' : ` (${documented.source})`;
  return paragraphs(
    `**Claim** ${code(name)}`,
    documented === undefined ? undefined : `${documented.doc}${source}`,
    valuesOf(samples, name),
  );
};

const valuesOf = (samples: readonly Sample[], name: string): string => {
  if (samples.length === 0) return 'The workspace has no samples of this issuer.';
  const having = samples.filter(({ claims }) => Object.hasOwn(claims.claims, name));
  if (having.length === 0) return 'No sample of this issuer has this claim.';
  return table(
    ['sample', 'value'],
    samples
      .slice(0, maxRows)
      .map(({ name: sample, claims }) => [
        cell(sample),
        Object.hasOwn(claims.claims, name)
          ? cell(displayValue(ownClaim(claims, name) ?? null))
          : '–',
      ]),
  );
};

const maxRows = 12;

const samplesWhere = (
  samples: readonly Sample[],
  holds: (claims: ClaimSet) => boolean,
  what: string,
): string => {
  if (samples.length === 0) return '';
  const matching = samples.filter(({ claims }) => holds(claims));
  if (matching.length === 0) return `No sample ${what}.`;
  const names = matching.slice(0, maxRows).map(({ name }) => code(name, 40));
  return `Samples: ${names.join(', ')}`;
};
