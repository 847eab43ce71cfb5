/** Paths and API versions of the stored resources. */
import { rbacGroup } from '../../model/api-domain.ts';
import { type ObjectKey, StoreError } from '../../ports/store.ts';
import { type KindRow, kinds } from '../../resources/kinds.ts';

/** Returns the row of a resource; throws for one that cannot be stored. */
export const kindOfResource = (resource: string): KindRow => {
  const row = kinds.find((kind) => kind.resource === resource);
  if (row === undefined)
    throw new StoreError('refused', `unknown resource ${JSON.stringify(resource)}`);
  return row;
};

/** Returns `v1` or `rbac.authorization.k8s.io/v1`. */
export const apiVersionOf = ({ group }: KindRow, domain: string): string =>
  group === '' ? 'v1' : `${rbacGroup(domain)}/v1`;

/**
 * Returns `/api/v1/namespaces/team/secrets`; the path for all namespaces if the namespace is empty.
 */
export const collectionPath = (resource: string, namespace: string, domain: string): string => {
  const row = kindOfResource(resource);
  const root = row.group === '' ? '/api/v1' : `/apis/${apiVersionOf(row, domain)}`;
  const within = namespace === '' ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}${within}/${resource}`;
};

/** Returns `/api/v1/namespaces/team/secrets/key`. */
export const objectPath = ({ resource, namespace, name }: ObjectKey, domain: string): string =>
  `${collectionPath(resource, namespace, domain)}/${encodeURIComponent(name)}`;
