/** What has to be there before an object may be: its namespace, and the account of a pod. */
import { goQuote } from '../../formats/go-quote.ts';
import type { ApiError } from '../../model/api-error.ts';
import type { JsonObject } from '../../model/json.ts';
import { textAt } from '../../resources/object-fields.ts';
import type { ApiContext } from './api-context.ts';
import { forbiddenObject, namespaceNotFound } from './refusals.ts';
import type { ObjectTarget } from './target.ts';

/** `old`: what is replaced; only new objects are kept out of a namespace that is on its way out. */
export const admissionProblem = async (
  object: JsonObject,
  target: ObjectTarget,
  { store }: ApiContext,
  old?: JsonObject,
): Promise<ApiError | undefined> => {
  const { rules, namespace } = target;
  if (!rules.row.namespaced) return undefined;
  const found = await store.get({ resource: 'namespaces', namespace: '', name: namespace });
  if (found === undefined) return namespaceNotFound(namespace);
  if (old !== undefined) return undefined;
  if (textAt(found.object, 'status', 'phase') === 'Terminating') {
    return terminating(target, textAt(object, 'metadata', 'name'));
  }
  if (rules.row.resource !== 'pods') return undefined;
  const account = textAt(object, 'spec', 'serviceAccountName');
  const key = { resource: 'serviceaccounts', namespace, name: account };
  if ((await store.get(key)) !== undefined) return undefined;
  const why = `error looking up service account ${namespace}/${account}: serviceaccount ${goQuote(account)} not found`;
  return forbiddenObject(target, textAt(object, 'metadata', 'name'), why);
};

const terminating = (target: ObjectTarget, name: string): ApiError => {
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
