/** The name of an object within its resource, `namespace/name`, and the order of these names. */
import type { ObjectKey } from '../../ports/store.ts';

/** `team/robot`, or the name alone for what lives in no namespace. */
export const pathOf = ({ namespace, name }: ObjectKey): string =>
  namespace === '' ? name : `${namespace}/${name}`;

/** The key of a path; neither namespaces nor names have a slash. */
export const keyOfPath = (resource: string, path: string): ObjectKey => {
  const slash = path.indexOf('/');
  return { resource, namespace: path.slice(0, Math.max(slash, 0)), name: path.slice(slash + 1) };
};

const surrogate = /[\ud800-\udfff]/;

/** Less than, equal to or more than 0, in the order of UTF-8 bytes. */
export const comparePaths = (left: string, right: string): number => {
  if (!surrogate.test(left) && !surrogate.test(right)) {
    return left < right ? -1 : Number(left > right);
  }
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
};
