/**
 * Content negotiation: the media types that the server reads and writes, and the one that a client
 * gets. The rules are kube-apiserver's, which negotiates twice: in its router by plain comparison,
 * then in its handler with quality values and parameters.
 */
import { mediaTypeOf } from '../../formats/media-type.ts';
import { anyOf, trim } from '../../formats/trim.ts';
import { apiDomains } from '../../model/api-domain.ts';
import { memoizeRecent } from '../http/memoize-recent.ts';

export type Format = 'json' | 'yaml' | 'protobuf';

/** Media types in order of preference, which is also their order in messages. */
export const mediaTypes: ReadonlyMap<string, Format> = new Map([
  ['application/json', 'json'],
  ['application/yaml', 'yaml'],
  ['application/vnd.kubernetes.protobuf', 'protobuf'],
]);

export const mediaTypeNames: readonly string[] = [...mediaTypes.keys()];

/** Returns the content type of a response in the format. */
export const contentTypeOf = (format: Format): string =>
  mediaTypeNames.find((name) => mediaTypes.get(name) === format) ?? '';

/**
 * Returns the format of a Content-Type; JSON if it is absent, `undefined` if it is not supported.
 */
export const inputFormat = (contentType: string | undefined): Format | undefined =>
  contentType === undefined || contentType === '' ? 'json' : namedFormat(contentType);

const namedFormat = memoizeRecent((contentType) => mediaTypes.get(mediaTypeOf(contentType) ?? ''));

/**
 * The negotiation of the router: true if a clause without its parameters is a type that the server
 * writes.
 */
export const routerAccepts = (accept: string | undefined): boolean =>
  accept === undefined || accept === '' || acceptsServedType(accept);

const acceptsServedType = memoizeRecent((accept) =>
  nonEmptyParts(accept, ',').some((clause) => {
    const type = trimSpaces(clause.split(';', 1)[0] ?? '');
    return type === '*/*' || mediaTypes.has(type);
  }),
);

/** Splits like `split` and omits empty parts, of which a header field may have a million. */
const nonEmptyParts = (text: string, separator: string): readonly string[] => {
  const parts: string[] = [];
  let start = 0;
  while (start < text.length) {
    const separatorAt = text.indexOf(separator, start);
    const end = separatorAt < 0 ? text.length : separatorAt;
    if (end > start) parts.push(text.slice(start, end));
    start = end + 1;
  }
  return parts;
};

export interface OutputChoice {
  readonly format: Format;
  /** True if the clause has the parameter `pretty=1`. */
  readonly pretty: boolean;
  /** Another form of the object, such as a Table. */
  readonly form?: ObjectForm;
  /** The version of that form. */
  readonly formVersion?: MetaVersion;
}

export type MetaVersion = 'v1' | 'v1beta1';

export type ObjectForm =
  | 'Table'
  | 'PartialObjectMetadata'
  | 'PartialObjectMetadataList'
  | 'APIGroupDiscoveryList';

/**
 * Classes of responses, which differ in the parameters that a clause may have. `resource`: a
 * review, or its metadata; `stored`: a stored object, which has more forms; `discovery`: a list of
 * groups, which has an aggregated form; `plain`: everything else, including errors.
 */
export type ResponseClass = 'resource' | 'plain' | 'stored' | 'discovery';

const plainJson: OutputChoice = { format: 'json', pretty: false };

/** The negotiation of the handler; returns `undefined` if no clause can be satisfied. */
export const outputFormat = (
  accept: string | undefined,
  responseClass: ResponseClass,
): OutputChoice | undefined => {
  if (accept === undefined || accept === '') return plainJson;
  return choiceOf[responseClass](accept);
};

const chosenFormat = (accept: string, responseClass: ResponseClass): OutputChoice | undefined => {
  for (const clause of parseAccept(accept)) {
    for (const [name, format] of mediaTypes) {
      const [type, subtype] = name.split('/');
      const fits =
        (clause.type === type && (clause.subtype === subtype || clause.subtype === '*')) ||
        (clause.type === '*' && clause.subtype === '*');
      if (fits && parametersFit(clause.parameters, format, responseClass)) {
        const form = formOf(clause.parameters, responseClass);
        const pretty = clause.parameters.get('pretty') === '1';
        const formVersion = clause.parameters.get('v') === 'v1beta1' ? 'v1beta1' : 'v1';
        return { format, pretty, ...(form === undefined ? {} : { form, formVersion }) };
      }
    }
  }
  return undefined;
};

/** Returns false for unsupported forms, versions and streams. */
const parametersFit = (
  parameters: ReadonlyMap<string, string>,
  format: Format,
  responseClass: ResponseClass,
): boolean => {
  if (parameters.has('as')) {
    const form = formOf(parameters, responseClass);
    return form !== undefined && !(responseClass === 'discovery' && format !== 'json');
  }
  if (['g', 'v'].some((name) => parameters.has(name))) return false;
  const version = parameters.get('sv') ?? '';
  if (version !== '' && !(responseClass !== 'plain' && version === 'v1')) return false;
  const stream = parameters.get('stream') ?? '';
  return stream === '' || (stream === 'watch' && format !== 'yaml');
};

const partialForms: readonly ObjectForm[] = ['PartialObjectMetadata', 'PartialObjectMetadataList'];

const formsOf: Readonly<Partial<Record<ResponseClass, readonly ObjectForm[]>>> = {
  resource: partialForms,
  stored: ['Table', ...partialForms],
};

/** Returns the form of a clause such as `as=Table;g=meta.k8s.io;v=v1`. */
const formOf = (
  parameters: ReadonlyMap<string, string>,
  responseClass: ResponseClass,
): ObjectForm | undefined => {
  const isOf = (group: string, version: string): boolean =>
    parameters.get('v') === version &&
    apiDomains.some((domain) => parameters.get('g') === `${group}.${domain}`);
  const requested = parameters.get('as');
  if (responseClass === 'discovery') {
    const form = 'APIGroupDiscoveryList';
    return requested === form && isOf('apidiscovery', 'v2') ? form : undefined;
  }
  if (!(isOf('meta', 'v1') || isOf('meta', 'v1beta1'))) return undefined;
  return formsOf[responseClass]?.find((form) => form === requested);
};

interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

const isSpace = anyOf(' ');
const trimSpaces = (text: string): string => trim(text, isSpace);

const parseAccept = (accept: string): readonly AcceptClause[] =>
  nonEmptyParts(accept, ',').flatMap(parseClause).sort(byPreference);

const parseClause = (text: string): readonly AcceptClause[] => {
  const clause = trimSpaces(text);
  const semicolon = clause.indexOf(';');
  const range = semicolon < 0 ? clause : clause.slice(0, semicolon);
  const [type = '', subtype, ...more] = range.split('/', 3).map(trimSpaces);
  if (more.length > 0) return [];
  if ((subtype ?? '') === '' && type !== '*') return [];
  const parameters = semicolon < 0 ? noParameters : parametersOf(clause.slice(semicolon));
  const quality = parameters.has('q') ? Number.parseFloat(parameters.get('q') ?? '') || 0 : 1;
  return [{ type, subtype: subtype ?? '*', quality, parameters }];
};

const noParameters: ReadonlyMap<string, string> = new Map();

/** Parameters that have a meaning; others are ignored. */
const readParameters = new Set(['q', 'pretty', 'as', 'g', 'v', 'sv', 'stream']);

/** Parses `;a=b;c=d`. Parts without a value, or with more than one equals sign, are ignored. */
const parametersOf = (text: string): ReadonlyMap<string, string> => {
  const parameters = new Map<string, string>();
  for (const part of nonEmptyParts(text, ';')) {
    const equals = part.indexOf('=');
    const isPair = equals >= 0 && equals < part.length - 1 && equals === part.lastIndexOf('=');
    const name = isPair ? trimSpaces(part.slice(0, equals)) : '';
    if (readParameters.has(name)) parameters.set(name, trimSpaces(part.slice(equals + 1)));
  }
  return parameters;
};

const choiceOf: Readonly<Record<ResponseClass, (accept: string) => OutputChoice | undefined>> = {
  resource: memoizeRecent((accept) => chosenFormat(accept, 'resource')),
  plain: memoizeRecent((accept) => chosenFormat(accept, 'plain')),
  stored: memoizeRecent((accept) => chosenFormat(accept, 'stored')),
  discovery: memoizeRecent((accept) => chosenFormat(accept, 'discovery')),
};

const byPreference = (left: AcceptClause, right: AcceptClause): number => {
  if (left.quality !== right.quality) return right.quality - left.quality;
  return wildcardRank(left) - wildcardRank(right);
};

const wildcardRank = (clause: AcceptClause): number =>
  Number(clause.type === '*') * 2 + Number(clause.subtype === '*');

/**
 * Negotiates a response that exists in one format only. kube-apiserver's router compares strings:
 * `application/*` matches nothing.
 */
export const acceptsType = (accept: string, contentType: string): boolean =>
  accept.trim() === '' ||
  nonEmptyParts(accept, ',').some((part) => {
    const type = part.split(';', 1)[0]?.trim();
    return type === contentType || type === '*/*';
  });
