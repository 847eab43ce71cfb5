/**
 * The most similar issuer or audience of the workspace, for a token whose issuer or audience no
 * configuration has.
 */
import {
  audiencesOf,
  type ClaimSet,
  type NearestValue,
  nearestValue,
  normalizeIssuer,
  oneLine,
  ownClaim,
} from '@authgraph/engine/language';
import { URI, Utils } from 'vscode-uri';
import type { NearestRow } from '../protocol.ts';
import type { ConfigurationPart } from '../workspace.ts';

type LocatedValue = NonNullable<
  ConfigurationPart['compilation']['configuration']
>['jwt'][number]['issuer']['audiences'][number];

/** A value of a configuration. */
interface ConfiguredValue {
  readonly part: ConfigurationPart;
  readonly value: LocatedValue;
}

/** Returns `undefined` if a configuration has both, or if the token has no issuer. */
export const nearestTo = (
  parts: readonly ConfigurationPart[],
  claims: ClaimSet,
): NearestRow | undefined => {
  const issuer = ownClaim(claims, 'iss');
  if (typeof issuer !== 'string') return undefined;
  const entries = parts.flatMap((part) =>
    (part.compilation.configuration?.jwt ?? []).map(({ issuer: configured }) => ({
      part,
      configured,
    })),
  );
  const own = entries.filter(({ configured }) => configured.url?.value === normalizeIssuer(issuer));
  if (own.length === 0) {
    const issuers = entries.flatMap(({ part, configured: { url } }) =>
      url === undefined ? [] : [{ part, value: url }],
    );
    return nearestRow('issuer', [issuer], issuers);
  }
  const audiences = own.flatMap(({ part, configured }) =>
    configured.audiences.map((value) => ({ part, value })),
  );
  const wanted = audiencesOf(claims);
  const all = new Set(wanted);
  const isAccepted = audiences.some(({ value }) => all.has(value.value));
  return isAccepted || wanted.length === 0 ? undefined : nearestRow('audience', wanted, audiences);
};

/** More audiences of a token are not compared. */
const mostCompared = 3;

const nearestRow = (
  kind: NearestRow['kind'],
  written: readonly string[],
  configured: readonly ConfiguredValue[],
): NearestRow => {
  const values = configured.map(({ value }) => value.value);
  const best = written
    .slice(0, mostCompared)
    .map((one) => nearestValue(one, values))
    .reduce(moreSimilar, undefined);
  const shown = written.map((one) => JSON.stringify(one)).join(' or ');
  const missing =
    kind === 'issuer'
      ? `No configuration has the issuer ${oneLine(shown)}`
      : `No configuration accepts the audience ${oneLine(shown)} for this issuer`;
  const similar = best && configured[best.index];
  if (best === undefined || similar === undefined) return { kind, text: `${missing}.` };
  const { part, value } = similar;
  const where = oneLine(Utils.basename(URI.parse(part.uri)));
  const name = oneLine(JSON.stringify(value.value));
  return {
    kind,
    text: `${missing}. The most similar one, ${name} in ${where}, ${oneLine(best.relation)}.`,
    place: { uri: part.uri, range: part.places.range(value.span) },
  };
};

const moreSimilar = (
  one: NearestValue | undefined,
  other: NearestValue | undefined,
): NearestValue | undefined =>
  other === undefined || (one !== undefined && one.rank <= other.rank) ? one : other;
