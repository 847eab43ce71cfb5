/** The query parameters of lists and watches, validated in kube-apiserver's order. */
import { goQuote } from '../../formats/go-quote.ts';
import { badRequest, invalid } from '../../model/api-error.ts';
import type { JsonObject } from '../../model/json.ts';
import { type FieldError, forbiddenField, notSupported } from '../../resources/field-error.ts';
import { parseFieldSelector, readFieldTerms } from '../../resources/field-selector.ts';
import type { KindRules } from '../../resources/kind-rules.ts';
import { parseLabelSelector } from '../../resources/label-selector.ts';
import { objectAt } from '../../resources/object-fields.ts';
import { queryValue, type Target } from '../http/target.ts';
import { throwStatus } from './status-error.ts';

/** The options of a list or a watch. */
export interface ListOptions {
  readonly matches: (object: JsonObject) => boolean;
  /** True if there is no selector. */
  readonly isComplete: boolean;
  /** The name required by the field selector. */
  readonly name: string | undefined;
  /** The namespace required by the field selector. */
  readonly namespace: string | undefined;
  readonly watch: boolean;
  readonly bookmarks: boolean;
  readonly initialEvents: boolean | undefined;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly timeoutSeconds: number;
  /** 0 means no limit. */
  readonly limit: number;
  readonly continue: string;
}

/** Reads the options; throws a `StatusError` with the first error. */
export const listOptions = (target: Target, rules: KindRules): ListOptions => {
  const timeoutSeconds = integerOf(target, 'timeoutSeconds');
  const limit = Math.max(0, integerOf(target, 'limit'));
  const labels = parseLabelSelector(queryValue(target, 'labelSelector'));
  if (labels.kind === 'error') return throwStatus(badRequest(labels.message));
  const selection = queryValue(target, 'fieldSelector');
  const terms = readFieldTerms(selection);
  if (terms.kind === 'error') return throwStatus(badRequest(terms.message));
  const parameters: ListParameters = {
    watch: isTrue(target, 'watch') ?? false,
    bookmarks: isTrue(target, 'allowWatchBookmarks') ?? false,
    initialEvents: isTrue(target, 'sendInitialEvents'),
    resourceVersion: queryValue(target, 'resourceVersion'),
    resourceVersionMatch: queryValue(target, 'resourceVersionMatch'),
    timeoutSeconds,
    limit,
    continue: queryValue(target, 'continue'),
  };
  const problems = parameters.watch ? watchProblems(parameters) : listProblems(parameters);
  if (problems.length > 0)
    throwStatus(invalid({ kind: 'ListOptions', group: 'meta.k8s.io', name: '' }, problems));
  const fields = parseFieldSelector(selection, rules);
  if (fields.kind === 'error') return throwStatus(badRequest(fields.message));
  return {
    ...parameters,
    matches: (object) =>
      labels.selector(objectAt(object, 'metadata', 'labels')) && fields.selector.matches(object),
    isComplete: labels.isEmpty && fields.isEmpty,
    name: fields.selector.name,
    namespace: fields.selector.namespace,
  };
};

/** The options without the selectors. */
type ListParameters = Omit<ListOptions, 'matches' | 'isComplete' | 'name' | 'namespace'>;

const integerOf = (target: Target, name: string): number => {
  const text = target.query.get(name)?.[0];
  if (text === undefined) return 0;
  const errorPrefix = `strconv.ParseInt: parsing ${goQuote(text)}`;
  if (!/^[+-]?\d+$/.test(text)) throwStatus(badRequest(`${errorPrefix}: invalid syntax`));
  const value = BigInt(text.replace(/^\+/, ''));
  return BigInt.asIntN(64, value) === value
    ? Number(value)
    : throwStatus(badRequest(`${errorPrefix}: value out of range`));
};

/** Parses a boolean as Go's conversion does: every value except `false` and `0` is true. */
const isTrue = (target: Target, name: string): boolean | undefined => {
  const text = target.query.get(name)?.[0];
  return text === undefined ? undefined : !['false', '0'].includes(text.toLowerCase());
};

const listProblems = (options: ListParameters): readonly FieldError[] => {
  const { resourceVersionMatch, resourceVersion } = options;
  const problems: FieldError[] = [];
  if (resourceVersionMatch !== '') {
    const field = 'resourceVersionMatch';
    if (resourceVersion === '') {
      const detail = 'resourceVersionMatch is forbidden unless resourceVersion is provided';
      problems.push(forbiddenField(field, detail));
    }
    if (options.continue !== '') {
      const detail = 'resourceVersionMatch is forbidden when continue is provided';
      problems.push(forbiddenField(field, detail));
    }
    if (resourceVersionMatch !== 'Exact' && resourceVersionMatch !== 'NotOlderThan') {
      problems.push(notSupported(field, resourceVersionMatch, ['Exact', 'NotOlderThan', '']));
    }
    if (resourceVersionMatch === 'Exact' && resourceVersion === '0') {
      const detail = 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"';
      problems.push(forbiddenField(field, detail));
    }
  }
  if (options.initialEvents !== undefined) {
    const detail = 'sendInitialEvents is forbidden for list';
    problems.push(forbiddenField('sendInitialEvents', detail));
  }
  return problems;
};

const watchProblems = (options: ListParameters): readonly FieldError[] => {
  const { resourceVersionMatch, initialEvents } = options;
  const field = 'resourceVersionMatch';
  const problems: FieldError[] = [];
  if (initialEvents !== undefined && resourceVersionMatch !== 'NotOlderThan') {
    const detail = 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan';
    problems.push(forbiddenField(field, detail));
  }
  if (resourceVersionMatch === '') return problems;
  if (initialEvents === undefined) {
    const detail =
      'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided';
    problems.push(forbiddenField(field, detail));
  }
  if (resourceVersionMatch !== 'NotOlderThan')
    problems.push(notSupported(field, resourceVersionMatch, ['NotOlderThan']));
  if (options.continue !== '') {
    const detail = 'resourceVersionMatch is forbidden when continue is provided';
    problems.push(forbiddenField(field, detail));
  }
  return problems;
};
