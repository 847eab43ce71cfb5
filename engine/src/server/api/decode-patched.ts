/** A patched object as one that is written: read from JSON, or converted from what was merged. */
import { goQuote } from '../../formats/go-quote.ts';
import { parseJsonTree } from '../../formats/json-tree.ts';
import { invalid } from '../../model/api-error.ts';
import type { JsonObject } from '../../model/json.ts';
import { invalidValue } from '../../resources/field-problem.ts';
import type { PatchMembers } from '../../resources/patch-values.ts';
import { objectMeta, type StructShape, struct, text } from '../../resources/shape.ts';
import type { Exchange } from '../http/exchange.ts';
import { bodyLimits } from '../limits.ts';
import { convertObject } from '../wire/convert-object.ts';
import { decodeObject } from '../wire/decode-object.ts';
import { parseErrorText, type StatedType, statedTypeMeta } from '../wire/read-object.ts';
import { schemeOf, storedForm, type WriteOptions } from './read-body.ts';
import { refuse } from './refusal.ts';
import type { ObjectTarget } from './target.ts';

export interface PatchSurroundings {
  readonly exchange: Exchange;
  readonly options: WriteOptions;
}

interface ReadSurroundings extends PatchSurroundings {
  /** Strict errors of the patch itself. */
  readonly unknown: readonly string[];
}

interface MergeSurroundings extends ReadSurroundings {
  /** What messages say was sent. */
  readonly shown: string;
}

/** Reads the text that a JSON patch or a merge patch made. */
export const decodePatched = (
  patched: string,
  target: ObjectTarget,
  around: ReadSurroundings,
): JsonObject => {
  const tree = parseJsonTree(new TextEncoder().encode(patched), bodyLimits.depth);
  if (tree.kind === 'error') return tellOf(patched, parseErrorText(tree.error));
  const stated = statedTypeMeta(tree.root);
  if (stated.kind === 'error') return tellOf(patched, stated.message);
  const type = typeOf(stated, target);
  if (type === undefined) {
    return tellOf(patched, `Object 'apiVersion' is missing in '${patched}'`);
  }
  const scheme = schemeOf(target);
  const known = scheme.lookUp({ ...type, version: type.version ?? 'v1' });
  if (known === 'unknown') return tellOf(patched, notRegistered(type));
  const hasVersion = type.version !== undefined;
  const decoded = decodeObject(
    tree.root,
    hasVersion ? (known.shape ?? target.rules.shape) : versionless,
  );
  if (decoded.kind === 'error') return tellOf(patched, decoded.message);
  const own = target.rules.row.kind;
  if (type.kind !== own) {
    const from = `${type.version ?? scheme.packageName}.${type.kind}`;
    const to = `${scheme.packageName}.${own}`;
    return tellOf(patched, `converting (${from}) to (${to}): unknown conversion`);
  }
  tellStrict(decoded.strictErrors, { ...around, shown: patched });
  const { fields } = decoded;
  return storedForm(hasVersion ? fields : new Map([['metadata', fields]]), target);
};

/** Converts what a strategic merge made. */
export const convertMerged = (
  merged: PatchMembers,
  target: ObjectTarget,
  around: MergeSurroundings,
): JsonObject => {
  const converted = convertObject(merged, target.rules.shape);
  if (converted.kind === 'error') return tellOf(around.shown, converted.message);
  tellStrict(converted.strictErrors, around);
  return storedForm(converted.fields, target);
};

const tellOf = (shown: string, message: string): never =>
  refuse(invalid({ kind: '', group: '', name: '' }, [invalidValue('patch', shown, message)]));

const tellStrict = (
  found: readonly string[],
  { exchange, options, unknown, shown }: MergeSurroundings,
): void => {
  const strictErrors = [...unknown, ...found];
  if (strictErrors.length === 0 || options.fieldValidation === 'Ignore') return;
  if (options.fieldValidation === 'Warn') exchange.warnings.push(...strictErrors);
  else tellOf(shown, `strict decoding error: ${strictErrors.join(', ')}`);
};

/** Without a version it is read as the form inside the real server, whose metadata has no name. */
const versionless: StructShape = struct(
  objectMeta.name,
  objectMeta.goType,
  ['kind', text],
  ['apiVersion', text],
  ...objectMeta.rows.map(({ name, shape }) => [name, shape] as const),
);

interface PatchedType {
  readonly group: string;
  /** Absent: the form inside the real server. */
  readonly version: string | undefined;
  readonly kind: string;
}

/** What is not stated is what it was; `undefined` for another group without a version. */
const typeOf = (
  { apiVersion, objectKind }: Extract<StatedType, { kind: 'stated' }>,
  target: ObjectTarget,
): PatchedType | undefined => {
  const kind = objectKind || target.rules.row.kind;
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const [, ownGroup = ''] = target.apiVersion.split('/').reverse();
  if (version !== '') return { group, version, kind };
  if (group !== '' && group !== ownGroup) return undefined;
  return { group: ownGroup, version: undefined, kind };
};

const notRegistered = ({ group, version, kind }: PatchedType): string => {
  const place =
    version === undefined
      ? `the internal version of group ${goQuote(group)}`
      : `version ${goQuote(group === '' ? version : `${group}/${version}`)}`;
  return `no kind ${goQuote(kind)} is registered for ${place} in scheme "pkg/runtime/scheme.go:111"`;
};
