/** Where the API serves an object, and what it calls it. */
import { rbacGroup } from '../../model/api-domain.ts';
import { type ObjectKey, StoreError } from '../../ports/store.ts';
import { type KindRow, kinds } from '../../resources/kinds.ts';

/** The row of a resource that the store may hold. */
export const kindOfResource = (resource: string): KindRow => {
  const row = kinds.find((kind) => kind.resource === resource);
  if (row === undefined)
    throw new StoreError('refused', `unknown resource ${JSON.stringify(resource)}`);
  return row;
};

/** `v1`, `rbac.authorization.k8s.io/v1` */
export const apiVersionOf = ({ group }: KindRow, domain: string): string =>
  group === '' ? 'v1' : `${rbacGroup(domain)}/v1`;

/** `/api/v1/namespaces/team/secrets`; of all namespaces where none is named. */
export const collectionPath = (resource: string, namespace: string, domain: string): string => {
  const row = kindOfResource(resource);
  const root = row.group === '' ? '/api/v1' : `/apis/${apiVersionOf(row, domain)}`;
  const within = namespace === '' ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}${within}/${resource}`;
};

/** `/api/v1/namespaces/team/secrets/key` */
export const objectPath = ({ resource, namespace, name }: ObjectKey, domain: string): string =>
  `${collectionPath(resource, namespace, domain)}/${encodeURIComponent(name)}`;
