/**
 * Admission checks of kube-apiserver: the namespace of an object must exist, and so must the
 * service account of a pod.
 */
import { goQuote } from '../../formats/go-quote.ts';
import type { ApiError } from '../../model/api-error.ts';
import type { JsonObject } from '../../model/json.ts';
import { stringAt } from '../../resources/object-fields.ts';
import type { ApiContext } from './api-context.ts';
import { forbiddenObject, namespaceNotFound } from './object-errors.ts';
import type { ObjectTarget } from './target.ts';

/**
 * Returns the error of a write. A terminating namespace rejects new objects only; `old` is the
 * object to replace.
 */
export const admissionProblem = async (
  object: JsonObject,
  target: ObjectTarget,
  { store }: ApiContext,
  old?: JsonObject,
): Promise<ApiError | undefined> => {
  const { rules, namespace } = target;
  if (!rules.row.namespaced) return undefined;
  const storedNamespace = await store.get({
    resource: 'namespaces',
    namespace: '',
    name: namespace,
  });
  if (storedNamespace === undefined) return namespaceNotFound(namespace);
  if (old !== undefined) return undefined;
  if (stringAt(storedNamespace.object, 'status', 'phase') === 'Terminating') {
    return namespaceTerminating(target, stringAt(object, 'metadata', 'name'));
  }
  if (rules.row.resource !== 'pods') return undefined;
  const account = stringAt(object, 'spec', 'serviceAccountName');
  const key = { resource: 'serviceaccounts', namespace, name: account };
  if ((await store.get(key)) !== undefined) return undefined;
  const reason = `error looking up service account ${namespace}/${account}: serviceaccount ${goQuote(account)} not found`;
  return forbiddenObject(target, stringAt(object, 'metadata', 'name'), reason);
};

/** Returns the error of creating an object in a terminating namespace. */
export const namespaceTerminating = (
  target: Pick<ObjectTarget, 'group' | 'rules' | 'namespace'>,
  name: string,
): ApiError => {
  const { namespace } = target;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const error = forbiddenObject(target, name, why);
  return {
    ...error,
    details: {
      ...error.details,
      causes: [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    },
  };
};
