/**
 * Previews a sample under a configuration that is being edited: the value of each mapping, the
 * result of each rule, by path, and the decision. Each part is run alone, by the server's own
 * function, so that a part that fails or is incomplete does not hide the others.
 */
import type { Compilation } from '../../compile/compile.ts';
import { draftDomain, type EntryNode, entryNode } from '../../compile/entry-node.ts';
import { tokenCredentialIdKey } from '../../model/api-domain.ts';
import { type Decision, noOpinion } from '../../model/decision.ts';
import type { ClaimSet } from '../../signed-token/payload.ts';
import { oncePer } from '../../source/once.ts';
import { contains } from '../../source/span.ts';
import { authenticatorIndexFor } from '../whoami/claims-decision.ts';
import { headlineOf } from './headline.ts';
import { type PreviewStep, partPaths, previewParts } from './preview-parts.ts';

/** The outcome of one authenticator for a sample. */
export interface EntryPreview {
  /** The path: `jwt[0]`. */
  readonly path: string;
  readonly index: number;
  /** The decision; `undefined` while the entry has an error. */
  readonly decision: Decision | undefined;
  /** Mappings and rules, in the order in which a server runs them. */
  readonly parts: readonly PreviewStep[];
}

/** The outcome of a configuration, which may be incomplete, for a sample. */
export interface SamplePreview {
  /** The entries with the issuer of the claims: one or none; several only by mistake. */
  readonly entries: readonly EntryPreview[];
  /** The decision; `undefined` while the authenticator that handles the claims has an error. */
  readonly decision: Decision | undefined;
  /**
   * All parts by path: `jwt[0].claimMappings.username`, `jwt[0].claimMappings.extra[0]`,
   * `jwt[0].userValidationRules[1]`.
   */
  readonly parts: ReadonlyMap<string, PreviewStep>;
}

/**
 * Returns the preview, a pure function of its arguments. It is cached per compilation and claims.
 */
export const preview = (compilation: Compilation, claims: ClaimSet): SamplePreview =>
  previewsOf(compilation)(claims);

/** Returns `jane → oidc:jane · 3 groups`, or the reason of a rejection; one line, safe to show. */
export const previewHeadline = (
  name: string,
  { decision, entries }: Pick<SamplePreview, 'decision' | 'entries'>,
  notes: readonly string[] = [],
): string => headlineOf(name, decision, { entry: entries[0]?.path, notes });

const previewsOf = oncePer((compilation: Compilation) =>
  oncePer((claims: ClaimSet) => makePreview(compilation, claims)),
);

const makePreview = (compilation: Compilation, claims: ClaimSet): SamplePreview => {
  const entries = entriesFor(compilation, claims).flatMap((index): readonly EntryPreview[] => {
    const entry = previewEntry(compilation, index, claims);
    return entry === undefined ? [] : [entry];
  });
  const [first] = entries;
  return {
    entries,
    decision: first === undefined ? noOpinion : first.decision,
    parts: new Map(entries.flatMap(({ parts }) => parts.map((part) => [part.path, part]))),
  };
};

/**
 * Returns the index of the entry that handles the claims, followed by those of entries with the same
 * issuer by mistake.
 */
export const entriesFor = (
  { configuration }: Pick<Compilation, 'configuration'>,
  claims: ClaimSet,
): readonly number[] => {
  const issuers = (configuration?.jwt ?? []).map(({ issuer }) => issuer.url?.value);
  const taker = authenticatorIndexFor(issuers, claims);
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
    (name, value) => (positionMembers.has(name) ? undefined : value),
  );
  const known = entryPreviews.get(claims) ?? new Map<string, EntryPreview>();
  entryPreviews.set(claims, known);
  const cached = known.get(key);
  if (cached !== undefined) return cached;
  const run = previewParts(entry.node, claims, {
    credentialIdKey: tokenCredentialIdKey(domain, compilation.settings.targetRelease),
    broken,
  });
  const result: EntryPreview = {
    path: entry.node.id,
    index,
    decision: isSound ? run.decision : undefined,
    parts: run.parts,
  };
  if (known.size >= mostKept) known.clear();
  known.set(key, result);
  return result;
};

/** Previews of entries by content: an edit elsewhere in the file does not change them. */
const entryPreviews = new WeakMap<ClaimSet, Map<string, EntryPreview>>();

/** The most versions of entries cached for one sample; each edit adds one. */
const mostKept = 64;

/** Members with positions in the file, which do not affect the outcome. */
const positionMembers: ReadonlySet<string> = new Set(['span', 'audiencesSpan', 'map']);

/** Returns the paths of the mappings and rules whose value is unknown because of an error. */
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
  // An expression that compiles has a value, even if a rule about the whole entry forbids it.
  const text = own === undefined ? undefined : origins.get(own);
  return errors.some(
    ({ span }) => contains(part, span) && (text === undefined || !contains(text, span)),
  );
};
