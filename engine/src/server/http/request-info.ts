/**
 * Parses method and path into a resource with a verb or a non-resource path, as kube-apiserver's
 * request-info filter does. The authorizer and error messages use the result.
 */
import { isSlash, trim } from '../../formats/trim.ts';
import type { ResourceAttributes } from '../../ports/authorizer.ts';
import { readFieldTerms, selectedName } from '../../resources/field-selector.ts';
import { parseLabelSelector } from '../../resources/label-selector.ts';
import { queryValue, type Target } from './target.ts';

export type RequestInfo =
  | {
      readonly kind: 'resource';
      readonly path: string;
      readonly version: string;
      readonly attributes: ResourceAttributes;
    }
  | {
      readonly kind: 'path';
      readonly path: string;
      /** The method in lower case. */
      readonly verb: string;
    };

/** Parses `/apis/GROUP/VERSION/…` and `/api/VERSION/…`; everything else is a non-resource path. */
export const requestInfo = (method: string, target: Target): RequestInfo => {
  const cached = lastInfoOfTarget.get(target);
  if (cached?.method === method) return cached.info;
  const info = readInfo(method, target);
  lastInfoOfTarget.set(target, { method, info });
  return info;
};

/**
 * The latest result for a target: targets are memoized, and most of them are requested with one
 * method.
 */
const lastInfoOfTarget = new WeakMap<
  Target,
  { readonly method: string; readonly info: RequestInfo }
>();

const readInfo = (method: string, target: Target): RequestInfo => {
  const { path } = target;
  const plain: RequestInfo = { kind: 'path', path, verb: method.toLowerCase() };
  const [prefix, ...afterPrefix] = pathSegments(path);
  if (prefix !== 'api' && prefix !== 'apis') return plain;
  const [group, rest] =
    prefix === 'api' ? ['', afterPrefix] : [afterPrefix[0] ?? '', afterPrefix.slice(1)];
  const [version, ...afterVersion] = rest;
  if (version === undefined || afterVersion.length === 0) return plain;
  const special = specialVerbs.has(afterVersion[0] ?? '');
  const scoped = namespaceAndParts(special ? afterVersion.slice(1) : afterVersion);
  const verb = special ? (afterVersion[0] ?? '') : (verbByMethod.get(method) ?? '');
  const [resource = '', pathName = '', subresource = ''] = scoped.parts;
  const name = pathName === '' && verb === 'get' ? nameFromFieldSelector(target) : pathName;
  return {
    kind: 'resource',
    path,
    version,
    attributes: {
      verb: pathName === '' ? collectionVerb(verb, target) : verb,
      group,
      resource,
      ...(subresource === '' || special ? {} : { subresource }),
      ...(name === '' ? {} : { name }),
      ...(scoped.namespace === '' ? {} : { namespace: scoped.namespace }),
    },
  };
};

/** The request info of a webhook request at another path: the creation of a TokenReview. */
export const tokenReviewInfo = ({ path }: Target, group: string): RequestInfo => ({
  kind: 'resource',
  path,
  version: 'v1',
  attributes: { verb: 'create', group, resource: 'tokenreviews' },
});

/**
 * `/a//b/` -> `a`, ``, `b`: only the outer slashes are removed. Segments after the subresource have
 * no effect.
 */
const pathSegments = (path: string): readonly string[] => {
  const trimmed = trim(path, isSlash);
  return trimmed === '' ? [] : trimmed.split('/', relevantSegments);
};

/** `apis/GROUP/VERSION/watch/namespaces/NAMESPACE/RESOURCE/NAME/SUBRESOURCE` */
const relevantSegments = 9;

const specialVerbs = new Set(['proxy', 'watch']);
const namespaceSubresources = new Set(['status', 'finalize']);

const verbByMethod: ReadonlyMap<string, string> = new Map([
  ['POST', 'create'],
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);

const namespaceAndParts = (
  parts: readonly string[],
): { readonly namespace: string; readonly parts: readonly string[] } => {
  const [first, namespace, next] = parts;
  if (first !== 'namespaces' || namespace === undefined) return { namespace: '', parts };
  const isInside = next !== undefined && !namespaceSubresources.has(next);
  return { namespace, parts: isInside ? parts.slice(2) : parts };
};

const collectionVerb = (verb: string, target: Target): string => {
  if (verb === 'delete') return 'deletecollection';
  if (verb !== 'get') return verb;
  const watch = queryValue(target, 'watch').toLowerCase();
  return target.query.has('watch') && watch !== 'false' && watch !== '0' ? 'watch' : 'list';
};

/**
 * Returns the name in the field selector of a list, if it could be part of a path. kube-apiserver
 * authorizes such a list with that name.
 */
const nameFromFieldSelector = (target: Target): string => {
  // If one list option cannot be parsed, kube-apiserver ignores all of them here.
  const isReadable = ['limit', 'timeoutSeconds'].every((option) =>
    (target.query.get(option) ?? []).slice(0, 1).every((text) => /^[+-]?\d{1,18}$/.test(text)),
  );
  if (!isReadable) return '';
  const reading = readFieldTerms(queryValue(target, 'fieldSelector'));
  const name = (reading.kind === 'selector' ? selectedName(reading.selector) : '') ?? '';
  if (name === '' || name === '.' || name === '..' || /[/%]/.test(name)) return '';
  const labels = queryValue(target, 'labelSelector');
  return labels !== '' && parseLabelSelector(labels).kind === 'error' ? '' : name;
};
