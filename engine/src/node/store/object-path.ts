/** The name of an object within its resource, `namespace/name`, and the order of these names. */
import type { ObjectKey } from '../../ports/store.ts';

/** Returns `team/robot`, or only the name of a cluster-scoped object. */
export const pathOf = ({ namespace, name }: ObjectKey): string =>
  namespace === '' ? name : `${namespace}/${name}`;

/** Returns the key of a path; neither namespaces nor names contain a slash. */
export const keyOfPath = (resource: string, path: string): ObjectKey => {
  const slash = path.indexOf('/');
  return { resource, namespace: path.slice(0, Math.max(slash, 0)), name: path.slice(slash + 1) };
};

const surrogate = /[\ud800-\udfff]/;

/** Compares two paths in the order of their UTF-8 bytes. */
export const comparePaths = (left: string, right: string): number => {
  if (!surrogate.test(left) && !surrogate.test(right)) {
    return left < right ? -1 : Number(left > right);
  }
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
};
