/**
 * What a sample's claims come to under a configuration that is being written: the value of each
 * mapping, pass or fail of each rule, by path, and the verdict. Each part is run by the very function
 * that a server runs, alone, so that a part that fails or is half written does not hide the others.
 */
import type { Compilation } from '../../compile/compile.ts';
import { draftDomain, type EntryNode, entryNode } from '../../compile/entry-node.ts';
import { tokenCredentialIdKey } from '../../model/api-domain.ts';
import { type Decision, noOpinion } from '../../model/decision.ts';
import type { ClaimSet } from '../../signed-token/payload.ts';
import { contains } from '../../source/span.ts';
import { takesClaims } from '../whoami/claims-decision.ts';
import { hasOtherAudience } from '../whoami/token-checks.ts';
import { headlineOf } from './headline.ts';
import { type PreviewPart, partPaths, previewParts } from './preview-parts.ts';

/** What one authenticator makes of a sample. */
export interface EntryPreview {
  /** `jwt[0]`. */
  readonly path: string;
  readonly index: number;
  /** `undefined` while an error stands in the entry. */
  readonly decision: Decision | undefined;
  /** Mappings and rules, in the order in which a token meets them. */
  readonly parts: readonly PreviewPart[];
}

/** What a configuration, also a half-written one, makes of a sample. */
export interface SamplePreview {
  /** The entries whose issuer is that of the claims: one, or none; several only by mistake. */
  readonly entries: readonly EntryPreview[];
  /** `undefined` while an error stands in the authenticator that takes the claims. */
  readonly decision: Decision | undefined;
  /** The claims are for nobody that the authenticator takes: it would refuse a token with them. */
  readonly otherAudience: boolean;
  /** By `jwt[0].claimMappings.username`, `jwt[0].claimMappings.extra[0]`, `jwt[0].userValidationRules[1]`. */
  readonly parts: ReadonlyMap<string, PreviewPart>;
}

/** Pure. Kept for the compilation and the claims, so asking again costs nothing. */
export const preview = (compilation: Compilation, claims: ClaimSet): SamplePreview => {
  const known = previews.get(compilation) ?? new WeakMap<ClaimSet, SamplePreview>();
  previews.set(compilation, known);
  const made = known.get(claims) ?? makePreview(compilation, claims);
  known.set(claims, made);
  return made;
};

/** `jane → oidc:jane · 3 groups`, or why not; one line, safe to show. */
export const previewHeadline = (
  name: string,
  { decision, entries, otherAudience }: SamplePreview,
): string => headlineOf(name, decision, { entry: entries[0]?.path, otherAudience });

const previews = new WeakMap<Compilation, WeakMap<ClaimSet, SamplePreview>>();

const makePreview = (compilation: Compilation, claims: ClaimSet): SamplePreview => {
  const entries = entriesFor(compilation, claims).flatMap((index): readonly EntryPreview[] => {
    const entry = previewEntry(compilation, index, claims);
    return entry === undefined ? [] : [entry];
  });
  const [first] = entries;
  const node = first && entryNode(compilation, first.index)?.node;
  return {
    entries,
    otherAudience: node !== undefined && hasOtherAudience(node, claims),
    decision: first === undefined ? noOpinion : first.decision,
    parts: new Map(entries.flatMap(({ parts }) => parts.map((part) => [part.path, part]))),
  };
};

/** The one that takes the claims first; with it those that name the same issuer by mistake. */
const entriesFor = ({ configuration }: Compilation, claims: ClaimSet): readonly number[] => {
  const issuers = (configuration?.jwt ?? []).map(({ issuer }) => issuer.url?.value);
  const taker = takesClaims(issuers, claims);
  if (taker === undefined) return [];
  const url = issuers[taker];
  return issuers.flatMap((issuer, index) => (index === taker || issuer === url ? [index] : []));
};

const previewEntry = (
  compilation: Compilation,
  index: number,
  claims: ClaimSet,
): EntryPreview | undefined => {
  const config = compilation.configuration?.jwt[index];
  const entry = entryNode(compilation, index);
  if (config === undefined || entry === undefined) return undefined;
  const broken = brokenParts(compilation, entry);
  const isSound = entry.errors.length === 0;
  const domain = draftDomain(compilation);
  const key = JSON.stringify(
    [entry.node.id, compilation.settings.targetRelease, domain, isSound, [...broken], config],
    (name, value) => (places.has(name) ? undefined : value),
  );
  const known = entryPreviews.get(claims) ?? new Map<string, EntryPreview>();
  entryPreviews.set(claims, known);
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const run = previewParts(entry.node, claims, {
    credentialIdKey: tokenCredentialIdKey(domain, compilation.settings.targetRelease),
    broken,
  });
  const made: EntryPreview = {
    path: entry.node.id,
    index,
    decision: isSound ? run.decision : undefined,
    parts: run.parts,
  };
  if (known.size >= mostKept) known.clear();
  known.set(key, made);
  return made;
};

/** An edit elsewhere in the file gives another compilation, and the same preview of this entry. */
const entryPreviews = new WeakMap<ClaimSet, Map<string, EntryPreview>>();

/** Versions of entries kept for one sample: an edit makes one. */
const mostKept = 64;

/** Where things stand does not change what they come to. */
const places: ReadonlySet<string> = new Set(['span', 'audiencesSpan', 'map']);

/** Paths of the mappings and rules whose value an error leaves open. */
const brokenParts = (compilation: Compilation, { node, errors }: EntryNode): ReadonlySet<string> =>
  new Set(
    errors.length === 0
      ? []
      : partPaths(node).filter((path) => isBroken(compilation, path, errors)),
  );

const isBroken = (
  { origins, expressions }: Compilation,
  path: string,
  errors: EntryNode['errors'],
): boolean => {
  const part = origins.get(path);
  if (part === undefined) return true;
  const field = ['expression', 'valueExpression'].find((name) =>
    expressions.has(`${path}.${name}`),
  );
  const own = field === undefined ? undefined : `${path}.${field}`;
  if (own !== undefined && expressions.get(own)?.compilation.program === undefined) return true;
  // What compiles has a value, even where a rule about the whole entry forbids it.
  const text = own === undefined ? undefined : origins.get(own);
  return errors.some(
    ({ span }) => contains(part, span) && (text === undefined || !contains(text, span)),
  );
};
