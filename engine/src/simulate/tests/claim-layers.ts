/** Builds the claims of a case from layers: those of the file, of the case, and of its row. */
import type { RowMap, RowReader } from '../../config/rows/read-rows.ts';
import { jsonText } from '../../documents/yaml/json-text.ts';
import { ownMember } from '../../formats/json-with-shape.ts';
import { encodeUtf8 } from '../../formats/utf8.ts';
import { normalizeIssuer, readClaims, readPayload } from '../../signed-token/payload.ts';
import { dataOf, textOf, textsOf, writtenOf } from './row-fields.ts';
import type { TestClaims } from './test-case.ts';
import type { RawClaims, SampleReference, TestInputs } from './test-file.ts';

/** The longest payload of one case, with aliases expanded. */
export const maxPayloadLength = 1024 * 1024;

/** The fields that set claims. */
const claimFields = ['preset', 'sample', 'claims', 'without'] as const;

export const setsClaims = (layer: RowMap): boolean =>
  claimFields.some((name) => layer.fields.has(name));

/** The claims that all cases of a file together may have, with those that they remove. */
export const maxClaimSteps = 500_000;

/** What the cases of a file share. */
export interface ClaimWork {
  /** How many claims the cases have, set and remove. */
  steps: number;
  /** The characters of their claims; claims that are too long count like the longest ones. */
  characters: number;
  /** The last claims of each layer that several cases have, and what they were built from. */
  readonly built: Map<
    RowMap,
    { readonly from: ClaimBuild; readonly issuedAt: number; readonly build: ClaimBuild | undefined }
  >;
}

export interface ClaimContext {
  readonly inputs: TestInputs;
  readonly reader: Pick<RowReader, 'invalid'>;
  /** The claims under `samples` and in files, by name. */
  readonly samples: ReadonlyMap<string, RawClaims | SampleReference>;
  readonly work: ClaimWork;
  /** The time of the file or the case, in milliseconds. */
  readonly issuedAt: number;
}

/** Claims while they are built. */
interface ClaimBuild {
  readonly claims: ReadonlyMap<string, string>;
  /** Removed claims, which get no default. */
  readonly removed: ReadonlySet<string>;
}

const noClaims: ClaimBuild = { claims: new Map(), removed: new Set() };

/**
 * Returns the claims of all layers, or `undefined` after a mistake has been reported. All layers but
 * the last one are those of other cases, too, and are built once, or with a preset once for each time.
 */
export const claimsOf = (
  layers: readonly RowMap[],
  context: ClaimContext,
): { readonly build: ClaimBuild; readonly issuedAt: number | undefined } | undefined => {
  const { work, issuedAt } = context;
  let build: ClaimBuild | undefined = noClaims;
  for (const [index, layer] of layers.entries()) {
    if (!setsClaims(layer)) continue;
    const from: ClaimBuild = build;
    const known = work.built.get(layer);
    const isSameTime = known?.issuedAt === issuedAt || !layer.fields.has('preset');
    if (known?.from === from && isSameTime) build = known.build;
    else {
      build = addLayer(from, layer, context);
      if (index < layers.length - 1) work.built.set(layer, { from, issuedAt, build });
    }
    if (build === undefined) return undefined;
  }
  work.steps += build.claims.size;
  const issued = Number(build.claims.get('iat'));
  const isTime = Number.isSafeInteger(issued) && issued > 0 && issued < maxSeconds;
  return { build, issuedAt: isTime ? issued * 1000 : undefined };
};

/** The last second of the year 9999. */
const maxSeconds = 253_402_300_799;

const addLayer = (
  { claims: before, removed: removedBefore }: ClaimBuild,
  layer: RowMap,
  context: ClaimContext,
): ClaimBuild | undefined => {
  const start = startOf(layer, context);
  if (start === undefined) return undefined;
  const claims = new Map(start === 'inherited' ? before : start);
  const removed = new Set(start === 'inherited' ? removedBefore : []);
  const own = dataOf(layer, 'claims');
  const without = textsOf(layer, 'without');
  context.work.steps += removed.size + (own?.byKey.size ?? 0) + without.length;
  for (const [name, { value }] of own?.byKey ?? []) {
    const text = jsonText(value, maxPayloadLength);
    if (text === undefined) return tooLong(layer, context);
    claims.set(name, text);
    removed.delete(name);
  }
  for (const name of without) {
    claims.delete(name);
    removed.add(name);
  }
  return { claims, removed };
};

const tooLong = (layer: RowMap, { reader, work }: ClaimContext): undefined => {
  work.characters += maxPayloadLength;
  return reader.invalid(layer.span, {
    path: layer.path,
    problem: `the claims are longer than ${maxPayloadLength} characters`,
  });
};

/** Returns the claims of a preset or a sample; `inherited` if the layer names neither. */
const startOf = (
  layer: RowMap,
  { inputs, reader, samples, issuedAt }: ClaimContext,
): RawClaims | 'inherited' | undefined => {
  const preset = textOf(layer, 'preset');
  const sample = writtenOf(layer, 'sample');
  if (preset !== undefined && sample !== undefined)
    return reader.invalid(layer.span, {
      path: layer.path,
      problem: 'preset and sample exclude each other: both replace all claims',
    });
  if (preset !== undefined) return rawClaims(inputs.preset(preset, issuedAt) ?? {});
  if (sample === undefined) return 'inherited';
  const named = samples.get(sample.text);
  const found = named instanceof Map ? named : named && inputs.sample(named as SampleReference);
  return found instanceof Map
    ? found
    : reader.invalid(sample.span, {
        path: `${layer.path}.sample`,
        problem:
          typeof found === 'string' ? found : `no sample is named ${JSON.stringify(sample.text)}`,
      });
};

/** Converts claims that are data of this program. */
const rawClaims = (claims: object): RawClaims =>
  new Map(Object.entries(claims).map(([name, value]) => [name, JSON.stringify(value)]));

/**
 * Completes the claims of a case like those of a valid token: with the only issuer, its first
 * audience, and an expiry one hour after `now`, unless the case sets or removes them.
 */
export const completeClaims = (
  { claims: own, removed }: ClaimBuild,
  { now, issuers }: { readonly now: number } & Pick<TestInputs, 'issuers'>,
): TestClaims | undefined => {
  const members: string[] = [];
  own.forEach((text, name) => {
    members.push(`${JSON.stringify(name)}:${text}`);
  });
  const complete = (name: string, value: string | number | undefined): void => {
    if (value !== undefined && !own.has(name) && !removed.has(name))
      members.push(`"${name}":${JSON.stringify(value)}`);
  };
  const only = issuers.length === 1 ? issuers[0]?.issuerUrl : undefined;
  complete('iss', only);
  const named = own.get('iss');
  const issuer =
    named === undefined ? (removed.has('iss') ? undefined : only) : parsedString(named);
  const used = issuers.find(({ issuerUrl }) => issuerUrl === issuer);
  complete('aud', used?.audiences[0]);
  complete('exp', Math.floor(now / 1000) + 3600);
  const payload = `{${members.join(',')}}`;
  if (payload.length > maxPayloadLength) return undefined;
  const bytes = encodeUtf8(payload);
  const read = readPayload(bytes);
  // Claims that no authenticator reads are decided as far as they can be; older releases read integers.
  if (read !== undefined && !read.shape.hasUnusualNumber) return { ...read, payload };
  const claimSet = readClaims(bytes);
  return claimSet && { ...read, ...claimSet, payload };
};

const parsedString = (text: string): string | undefined => {
  const value: unknown = JSON.parse(text);
  return typeof value === 'string' ? normalizeIssuer(value) : undefined;
};

/** Returns the issuer of complete claims. */
export const issuerOf = ({ claims }: TestClaims): string | undefined => {
  const issuer = ownMember(claims, 'iss');
  return typeof issuer === 'string' ? normalizeIssuer(issuer) : undefined;
};
