/**
 * Reads what type an object states. Names match case-insensitively here, unlike when its fields are
 * decoded.
 */
import { goQuote } from '../go-quote.ts';
import type { PlainValue } from '../json-with-positions.ts';
import { decodeObject } from './decode.ts';
import { stringField } from './fields.ts';
import { string, struct } from './shape.ts';

/** The apiVersion and kind that an object states; empty if they are absent. */
export type TypeMetaReading =
  | { readonly kind: 'stated'; readonly apiVersion: string; readonly objectKind: string }
  | { readonly kind: 'error'; readonly message: string };

/** The Go type that apiVersion and kind are decoded into. */
export const typeMetaGoType =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

const typeMeta = struct(typeMetaGoType, ['apiVersion', string], ['kind', string]);

/** Returns the message for an object whose apiVersion and kind cannot be read. */
export const typeMetaError = (error: string): string =>
  `couldn't get version/kind; json parse error: ${error}`;

/** Reads apiVersion and kind. */
export const readTypeMeta = (value: PlainValue): TypeMetaReading => {
  const decoded = decodeObject(value, typeMeta, 'encoding/json');
  if (decoded.kind === 'error') return { kind: 'error', message: typeMetaError(decoded.message) };
  const apiVersion = stringField(decoded.fields, 'apiVersion');
  return apiVersion.split('/').length > 2
    ? { kind: 'error', message: `unexpected GroupVersion string: ${apiVersion}` }
    : { kind: 'stated', apiVersion, objectKind: stringField(decoded.fields, 'kind') };
};

/** A group, a version and a kind. */
export interface ObjectType {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Formats a group and a version: `v1`, `apps/v1`. */
export const groupVersion = ({ group, version }: Omit<ObjectType, 'kind'>): string =>
  group === '' ? version : `${group}/${version}`;

/**
 * Returns the stated type. The expected type stands in for what is not stated, unless another group
 * is.
 */
export const statedType = (
  { apiVersion, objectKind }: { readonly apiVersion: string; readonly objectKind: string },
  expected: ObjectType,
): ObjectType => {
  const slash = apiVersion.indexOf('/');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  const version = apiVersion.slice(slash + 1);
  const kind = objectKind === '' ? expected.kind : objectKind;
  return version === '' && (group === '' || group === expected.group)
    ? { ...expected, kind }
    : { group, version, kind };
};

/** Returns the error for a kind that kube-apiserver's scheme lacks. */
export const notRegistered = (kind: string, place: string): string =>
  `no kind ${goQuote(kind)} is registered for version ${goQuote(place)} in scheme "pkg/runtime/scheme.go:111"`;
