/**
 * Decodes the body of a request to an object of a known kind: format, envelope, group, version and
 * kind, then fields. Errors have kube-apiserver's messages, in the domain of the request.
 */

import { versionOfKind } from '../../authenticators/webhook-token/known-kinds.ts';
import { readPlainJson } from '../../documents/yaml/plain-value.ts';
import { hexOf } from '../../formats/bytes.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { type DecodedValue, decodeObject } from '../../formats/go-struct/decode.ts';
import type { StructShape } from '../../formats/go-struct/shape.ts';
import {
  groupVersion,
  notRegistered,
  type ObjectType,
  readTypeMeta,
  statedType,
} from '../../formats/go-struct/type-meta.ts';
import type { PlainValue } from '../../formats/json-with-positions.ts';
import { apiDomains, kubernetesDomain } from '../../model/api-domain.ts';
import { type ApiError, badRequest } from '../../model/api-error.ts';
import { bodyLimits } from '../limits.ts';
import type { Format } from './media-type.ts';
import type { ProtoSchema } from './protobuf-schema.ts';
import { printTypeMeta, readEnvelope, readProtobufObject } from './read-protobuf.ts';
import { readYamlBody } from './read-yaml.ts';

/** The types that can be decoded where a kind is expected. */
export interface BodyScheme {
  /** The Go package that messages name: `rbac`, `core`, `authentication`. */
  readonly packageName: string;
  /** Returns shape and schema of a type; `unknown` if kube-apiserver has no such type, either. */
  lookUp(typeMeta: ObjectType): KnownKind | 'unknown';
}

export interface KnownKind {
  /** Absent for kinds that are only known by name. */
  readonly shape?: StructShape | undefined;
  readonly schema?: ProtoSchema | undefined;
}

export interface BodyRequest {
  readonly format: Format;
  readonly bytes: Uint8Array;
  /** The group of the path; empty for the core group. */
  readonly group: string;
  /** The version of the path; `v1` if absent. */
  readonly version?: string;
  readonly kind: string;
  readonly validation: 'Ignore' | 'Warn' | 'Strict';
}

export type ObjectBody =
  | {
      readonly kind: 'object';
      readonly fields: ReadonlyMap<string, DecodedValue>;
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'error'; readonly error: ApiError; readonly warnings: readonly string[] };

/** Decodes and validates the body. */
export const readObject = (request: BodyRequest, scheme: BodyScheme): ObjectBody => {
  const opened =
    request.format === 'protobuf' ? openProtobuf(request, scheme) : openJsonOrYaml(request);
  if (opened.kind === 'unrecognized') return unrecognized(request, opened.message);
  const { typeMeta } = opened;
  const known = scheme.lookUp(typeMeta);
  if (known === 'unknown') {
    const problem = isKubernetesKind(typeMeta)
      ? unknownConversion(request, typeMeta, scheme)
      : notRegistered(typeMeta.kind, groupVersion(typeMeta));
    return cannotHandle(request, typeMeta, problem);
  }
  if (known.shape === undefined) {
    return cannotHandle(request, typeMeta, unknownConversion(request, typeMeta, scheme));
  }
  const body = opened.value();
  if (body.kind === 'error') return cannotHandle(request, typeMeta, body.message);
  const decoded = decodeObject(body.value, known.shape);
  if (decoded.kind === 'error') return cannotHandle(request, typeMeta, decoded.message);
  const strictErrors = [...opened.strictErrors, ...decoded.strictErrors];
  if (typeMeta.kind !== request.kind) {
    return cannotHandle(request, typeMeta, unknownConversion(request, typeMeta, scheme));
  }
  if (strictErrors.length > 0 && request.validation === 'Strict') {
    const message = `strict decoding error: ${strictErrors.join(', ')}`;
    return cannotHandle(request, typeMeta, message);
  }
  const warnings = request.validation === 'Warn' ? strictErrors.flatMap(splitYamlError) : [];
  const wanted = pathOf(request);
  if (typeMeta.version !== wanted.version || typeMeta.group !== wanted.group) {
    const message = `the API version in the data (${groupVersion(typeMeta)}) does not match the expected API version (${groupVersion(wanted)})`;
    return { kind: 'error', error: badRequest(message), warnings };
  }
  return { kind: 'object', fields: decoded.fields, warnings };
};

type Opened =
  | {
      readonly kind: 'opened';
      readonly typeMeta: ObjectType;
      readonly strictErrors: readonly string[];
      value():
        | { readonly kind: 'value'; readonly value: PlainValue }
        | { readonly kind: 'error'; readonly message: string };
    }
  | { readonly kind: 'unrecognized'; readonly message: string };

const openJsonOrYaml = (request: BodyRequest): Opened => {
  const strict = request.validation !== 'Ignore';
  const body =
    request.format === 'yaml'
      ? readYamlBody(request.bytes, { strict })
      : readPlainJson(request.bytes, bodyLimits.depth);
  if (body.kind === 'error') return { kind: 'unrecognized', message: body.message };
  const { value } = body;
  const stated = readTypeMeta(value);
  if (stated.kind === 'error') return { kind: 'unrecognized', message: stated.message };
  const typeMeta = withDefaults(stated, request);
  return {
    kind: 'opened',
    typeMeta,
    strictErrors: body.strictErrors ?? [],
    value: () => ({ kind: 'value', value }),
  };
};

const openProtobuf = (request: BodyRequest, scheme: BodyScheme): Opened => {
  const envelope = readEnvelope(request.bytes);
  if (envelope.kind === 'error') return { kind: 'unrecognized', message: envelope.message };
  const typeMeta = withDefaults(envelope, request);
  const known = scheme.lookUp(typeMeta);
  const schema = known === 'unknown' ? undefined : known.schema;
  return {
    kind: 'opened',
    typeMeta,
    strictErrors: [],
    value: () =>
      schema === undefined
        ? { kind: 'error', message: `unable to decode ${printTypeMeta(envelope)}` }
        : readProtobufObject(envelope.raw, typeMeta.kind, schema),
  };
};

/** Returns group and version of the path. */
const pathOf = ({ group, version = 'v1' }: BodyRequest) => ({ group, version });

const withDefaults = (
  stated: { readonly apiVersion: string; readonly objectKind: string },
  request: BodyRequest,
): ObjectType => statedType(stated, { ...pathOf(request), kind: request.kind });

/** True for kinds of the Kubernetes API, most of which this server does not have. */
const isKubernetesKind = ({ group, version, kind }: ObjectType): boolean =>
  versionOfKind({ group: inKubernetesDomain(group), version, kind }) !== undefined;

const inKubernetesDomain = (group: string): string => {
  const domain = apiDomains.find((candidate) => group.endsWith(`.${candidate}`));
  return domain === undefined ? group : group.slice(0, -domain.length) + kubernetesDomain;
};

const unknownConversion = (
  request: BodyRequest,
  { version, kind }: ObjectType,
  { packageName }: BodyScheme,
): string =>
  `converting (${version}.${kind}) to (${packageName}.${request.kind}): unknown conversion`;

const cannotHandle = (
  request: BodyRequest,
  { kind, version }: ObjectType,
  message: string,
): ObjectBody => ({
  kind: 'error',
  warnings: [],
  error: badRequest(
    `${kind} in version ${goQuote(version)} cannot be handled as a ${request.kind}: ${message}`,
  ),
});

const unrecognized = (request: BodyRequest, message: string): ObjectBody => ({
  kind: 'error',
  warnings: [],
  error: badRequest(
    `the object provided is unrecognized (must be of type ${request.kind}): ${message} (${summary(request.bytes)})`,
  ),
});

const summaryBytes = 30;

/** Returns the start of a body: text for an object, hexadecimal digits for anything else. */
const summary = (bytes: Uint8Array): string => {
  if (bytes.length === 0) return '<empty>';
  const head = bytes.subarray(0, summaryBytes);
  const shown = bytes[0] === 0x7b ? new TextDecoder().decode(head) : hexOf(head);
  return bytes.length > summaryBytes ? `${shown} ...` : shown;
};

/** Returns a warning for each line of a YAML error; other texts are not split. */
const splitYamlError = (text: string): readonly string[] => {
  const match = /^(?:error converting YAML to JSON: )?yaml: unmarshal errors:\n(?<lines>.*)$/s.exec(
    text,
  );
  const lines = match?.groups?.lines;
  return lines === undefined ? [text] : lines.split('\n').map((line) => line.trim());
};
