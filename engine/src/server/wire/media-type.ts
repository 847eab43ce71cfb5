/**
 * Media types of a request and of the answer: which we read and write, and which one a client gets.
 * The rules are those of the real server, which asks twice: its router by plain comparison, then its
 * handler with qualities and parameters.
 */
import { mediaTypeOf } from '../../formats/media-type.ts';
import { anyOf, trim } from '../../formats/trim.ts';
import { apiDomains } from '../../model/api-domain.ts';
import { memoizeRecent } from '../http/memoize-recent.ts';

export type Format = 'json' | 'yaml' | 'protobuf';

/** In the order in which messages list them and in which they are preferred. */
export const mediaTypes: ReadonlyMap<string, Format> = new Map([
  ['application/json', 'json'],
  ['application/yaml', 'yaml'],
  ['application/vnd.kubernetes.protobuf', 'protobuf'],
]);

export const mediaTypeNames: readonly string[] = [...mediaTypes.keys()];

/** Content type of an answer in the format. */
export const contentTypeOf = (format: Format): string =>
  mediaTypeNames.find((name) => mediaTypes.get(name) === format) ?? '';

/** What the Content-Type names; JSON when it is absent, `undefined` when we do not read it. */
export const inputFormat = (contentType: string | undefined): Format | undefined =>
  contentType === undefined || contentType === '' ? 'json' : namedFormat(contentType);

const namedFormat = memoizeRecent((contentType) => mediaTypes.get(mediaTypeOf(contentType) ?? ''));

/** The router's question: is one of the clauses, without its parameters, a type that we write? */
export const routerAccepts = (accept: string | undefined): boolean =>
  accept === undefined || accept === '' || acceptsServedType(accept);

const acceptsServedType = memoizeRecent((accept) =>
  nonEmptyParts(accept, ',').some((clause) => {
    const type = trimSpaces(clause.split(';', 1)[0] ?? '');
    return type === '*/*' || mediaTypes.has(type);
  }),
);

/** The same as `split` without its empty parts, of which a header may have a million. */
const nonEmptyParts = (text: string, separator: string): readonly string[] => {
  const parts: string[] = [];
  let start = 0;
  while (start < text.length) {
    const found = text.indexOf(separator, start);
    const end = found < 0 ? text.length : found;
    if (end > start) parts.push(text.slice(start, end));
    start = end + 1;
  }
  return parts;
};

export interface OutputChoice {
  readonly format: Format;
  /** `pretty=1` beside the type. */
  readonly pretty: boolean;
  /** Another form of the object than its own. */
  readonly form?: ObjectForm;
  /** In which version that form is told. */
  readonly formVersion?: MetaVersion;
}

export type MetaVersion = 'v1' | 'v1beta1';

export type ObjectForm =
  | 'Table'
  | 'PartialObjectMetadata'
  | 'PartialObjectMetadataList'
  | 'APIGroupDiscoveryList';

/**
 * `resource`: a review, also as its metadata alone; `stored`: an object of the store, which has more
 * forms; `discovery`: a list of groups, which may be asked for with all that is in them; `plain`:
 * everything else, refusals too. They differ in the parameters that a clause may have.
 */
export type ResponseClass = 'resource' | 'plain' | 'stored' | 'discovery';

const plainJson: OutputChoice = { format: 'json', pretty: false };

/** The handler's choice; `undefined` when no clause can be met. */
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

/** Another form of the object (a Table), another version, a stream where there is none: not served. */
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

/** `as=Table;g=meta.k8s.io;v=v1` */
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

/** Parameters that have a meaning; others are not read. */
const readParameters = new Set(['q', 'pretty', 'as', 'g', 'v', 'sv', 'stream']);

/** Of `;a=b;c=d`. What has no value, or more than one equals sign, does not count. */
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

/** For what is written in one form alone. The real server's router compares as text: `application/*` is nobody's. */
export const acceptsType = (accept: string, contentType: string): boolean =>
  accept.trim() === '' ||
  nonEmptyParts(accept, ',').some((part) => {
    const type = part.split(';', 1)[0]?.trim();
    return type === contentType || type === '*/*';
  });
