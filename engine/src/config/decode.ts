/**
 * Decodes a document into the typed configuration, as strictly as kube-apiserver and with its error
 * messages. After an error everything that can be understood is still decoded, for the editor.
 */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { diagnosticOf } from '../diagnostics/rule.ts';
import type { DataEntry, DataNode, MapData } from '../documents/yaml/data.ts';
import type { ConfigDocument } from '../documents/yaml/document.ts';
import { foldName, goFieldTypeError, goTypeError } from '../formats/go-json.ts';
import { goQuote } from '../formats/go-quote.ts';
import { typeMetaError, typeMetaGoType } from '../formats/go-struct/type-meta.ts';
import { configGroup } from '../model/api-domain.ts';
import { historyOf, type Release } from '../model/release.ts';
import { type Located, type Span, span } from '../source/span.ts';
import type { AuthenticationConfiguration, ConfigVersion } from './configuration.ts';
import { emptyFile, missingVersion, unknownVersion } from './decode-findings.ts';
import { type DecodeForm, type DecodingFindings, decodeStruct } from './decode-struct.ts';
import { readConfiguration } from './read-configuration.ts';
import {
  addKindFixes,
  addVersionFixes,
  configKind,
  domainToWrite,
  respellFixes,
  respellKindFixes,
  respellVersionFixes,
  type TypeMeta,
} from './type-meta-fixes.ts';
import { newestVersion, parseGroupVersion, resolveKind } from './versions.ts';

/**
 * The failure is kube-apiserver's error if it cannot decode the file; without one it goes on to
 * validation.
 */
export interface Decoding extends DecodingFindings {
  /** The part that could be decoded; `undefined` if the file is not a map. */
  readonly configuration: AuthenticationConfiguration | undefined;
}

export interface DecodeOptions {
  /** The release that reads the file. */
  readonly release: Release;
  /** Returns the known decodings of the entries of `jwt` for a file of this version. */
  readonly analyzeEntriesOf?: (version: ConfigVersion) => DecodeForm['entryAt'];
}

/** Decodes a file whose API group may end in any of the domains. */
export const decodeConfiguration = (
  document: ConfigDocument,
  domains: readonly string[],
  { release, analyzeEntriesOf }: DecodeOptions,
): Decoding => {
  const { data } = document;
  const newest = newestVersion(release);
  const identityCheck = checkIdentity(document, { domains, release, newest });
  const sections = data?.kind === 'object' ? data : undefined;
  const identity: Identity = identityCheck.identity ?? {
    version: { value: 'v1', span: span(0, 0) },
    domain: domains[0] ?? '',
  };
  if (sections === undefined) {
    return {
      configuration: undefined,
      failure: identityCheck.failure,
      strictErrors: [],
      unread: new Set(),
      diagnostics: identityCheck.diagnostics,
    };
  }
  const order = document.format === 'json' ? 'written' : 'sorted';
  const version = identity.version.value;
  const { text } = document.source;
  const form = { version, release, order, text, entryAt: analyzeEntriesOf?.(version) } as const;
  const decoded = decodeStruct('AuthenticationConfiguration', sections, form);
  const { otherKind } = identityCheck;
  const fatal = identityCheck.failure ?? (otherKind === undefined ? decoded.failure : undefined);
  const unknown =
    otherKind === undefined ? decoded.strictErrors : unknownFieldErrors(sections, otherKind.fields);
  const strict = fatal === undefined ? [...document.strictErrors, ...unknown] : [];
  const strictError = strict.length === 0 ? undefined : strictFailure(strict);
  return {
    configuration: readConfiguration(decoded.struct, identity),
    failure: fatal ?? strictError ?? otherKind?.message,
    strictErrors: strict,
    unread: decoded.unread,
    diagnostics: [...identityCheck.diagnostics, ...decoded.diagnostics],
  };
};

const strictFailure = (errors: readonly string[]): string =>
  `strict decoding error: ${errors.join(', ')}`;

export interface Identity {
  readonly version: Located<ConfigVersion>;
  readonly domain: string;
}

interface IdentityCheck {
  readonly failure: string | undefined;
  readonly identity: Identity | undefined;
  /** A kind of another type, which kube-apiserver decodes before it rejects the file. */
  readonly otherKind:
    | { readonly message: string; readonly fields: ReadonlySet<string> }
    | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** What the caller of the decoder provides. */
interface CallerContext {
  readonly domains: readonly string[];
  readonly release: Release;
  /** The version that fixes write. */
  readonly newest: 'v1' | 'v1beta1';
}

/** Checks whether the file is an AuthenticationConfiguration at all. */
const checkIdentity = (document: ConfigDocument, caller: CallerContext): IdentityCheck => {
  const { text } = document.source;
  const top = span(0, Math.min(text.length, document.source.lineText(0).length));
  if (text === '') {
    const failure = 'empty config data';
    return notIdentified(failure, diagnosticOf(emptyFile, top, { text: failure }));
  }
  if (document.failure !== undefined) {
    const { failure } = document;
    return notIdentified(document.format === 'json' ? typeMetaError(failure) : failure);
  }
  const { data } = document;
  if (data === undefined && document.diagnostics.some(({ severity }) => severity === 'error'))
    return notIdentified(undefined);
  const meta = readTypeMeta(data, document.format);
  if (meta.kind === 'error') {
    const at = meta.at ?? data?.span ?? top;
    return notIdentified(meta.message, diagnosticOf(emptyFile, at, { text: meta.message }));
  }
  return checkTypeMeta(meta, { text, top, ...caller });
};

const notIdentified = (
  failure: string | undefined,
  ...diagnostics: readonly Diagnostic[]
): IdentityCheck => ({
  failure,
  identity: undefined,
  otherKind: undefined,
  diagnostics,
});

const checkTypeMeta = (
  meta: TypeMeta,
  file: CallerContext & { readonly text: string; readonly top: Span },
): IdentityCheck => {
  const { newest } = file;
  const domain = domainToWrite(file.domains);
  const group = parseGroupVersion(meta.apiVersion.value);
  if (!group.ok) {
    const { message } = group;
    const fixes = respellVersionFixes(meta, file);
    return notIdentified(
      message,
      diagnosticOf(
        unknownVersion,
        meta.apiVersion.span,
        { text: message, newest, domain },
        { fixes },
      ),
    );
  }
  const missing = meta.kindName.value === '' ? 'kind' : group.version === '' ? 'apiVersion' : '';
  if (missing !== '') {
    const name = missing === 'kind' ? 'Kind' : 'apiVersion';
    const text = `Object '${name}' is missing in '${file.text}'`;
    const shortMessage = `Object '${name}' is missing`;
    const fixes = missing === 'kind' ? addKindFixes(meta, file) : addVersionFixes(meta, file);
    const details = { fixes };
    return notIdentified(
      text,
      diagnosticOf(missingVersion, file.top, { text: shortMessage, field: missing }, details),
    );
  }
  const requested = { group: group.group, version: group.version, kind: meta.kindName.value };
  const resolution = resolveKind(requested, file);
  if (resolution.kind === 'other') {
    const at = meta.kindName.span;
    const diagnostic = diagnosticOf(unknownVersion, at, {
      text: resolution.message,
      newest,
      domain,
    });
    return { ...notIdentified(undefined, diagnostic), otherKind: resolution };
  }
  if (resolution.kind === 'rejected') {
    const isVersion = resolution.at === 'apiVersion' || meta.kindName.value === configKind;
    const at = resolution.at === 'kind' ? meta.kindName.span : meta.apiVersion.span;
    const fixes = isVersion ? respellVersionFixes(meta, file) : respellKindFixes(meta, file.text);
    return notIdentified(
      resolution.message,
      diagnosticOf(unknownVersion, at, { text: resolution.message, newest, domain }, { fixes }),
    );
  }
  const version = { value: resolution.version, span: meta.apiVersion.span };
  const identity = { version, domain: resolution.domain };
  const { rejection } = resolution;
  if (rejection === undefined) return { ...notIdentified(undefined), identity };
  // v1beta1 has the same fields as v1.
  const fixes = respellFixes(
    meta.apiVersion,
    `${configGroup(identity.domain)}/${newest}`,
    file.text,
  );
  const tooNew = { target: file.release, since: historyOf('version v1').since };
  const args = { text: rejection, newest, domain, tooNew };
  const diagnostic = diagnosticOf(unknownVersion, meta.apiVersion.span, args, { fixes });
  return { ...notIdentified(rejection, diagnostic), identity };
};

type TypeMetaReading =
  | TypeMeta
  | { readonly kind: 'error'; readonly message: string; readonly at: Span | undefined };

/** Reads apiVersion and kind case-insensitively, as kube-apiserver does at this point. */
const readTypeMeta = (
  data: DataNode | undefined,
  format: ConfigDocument['format'],
): TypeMetaReading => {
  const nowhere = span(0, 0);
  const found = {
    apiVersion: { value: '', span: nowhere },
    kindName: { value: '', span: nowhere },
  };
  if (data === undefined || data.kind === 'null') return { kind: 'meta', ...found };
  if (data.kind !== 'object') {
    const message = typeMetaError(goTypeError(data.kind, typeMetaGoType));
    return { kind: 'error', message, at: data.span };
  }
  for (const { key, value } of typeMetaEntries(data, format)) {
    const name = foldName(key) === 'kind' ? 'kind' : 'apiVersion';
    if (value.kind === 'null') continue;
    if (value.kind !== 'string') {
      const message = typeMetaError(goFieldTypeError(value.kind, `.${name}`, 'string'));
      return { kind: 'error', message, at: value.span };
    }
    found[name === 'kind' ? 'kindName' : 'apiVersion'] = { value: value.text, span: value.span };
  }
  return { kind: 'meta', ...found };
};

/** YAML is converted to JSON with sorted keys; JSON is read member by member. */
const typeMetaEntries = (data: MapData, format: ConfigDocument['format']): readonly DataEntry[] => {
  const named = data.entries.filter(({ key }) => ['kind', 'apiversion'].includes(foldName(key)));
  if (format === 'json') return named;
  return named
    .filter((entry) => data.byKey.get(entry.key) === entry)
    .sort((a, b) => (a.key < b.key ? -1 : 1));
};

const unknownFieldErrors = (data: MapData, known: ReadonlySet<string>): readonly string[] =>
  [...data.byKey.keys()]
    .filter((key) => !known.has(key))
    .sort()
    .map((key) => `unknown field ${goQuote(key)}`);
