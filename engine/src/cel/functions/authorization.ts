/**
 * Authorizer checks. kube-apiserver declares them in every environment, so calls type-check alike,
 * but no variable of the authentication environments provides an authorizer.
 */
import { boolType, type CelType, objectType, stringType } from '../values/types.ts';
import {
  declare,
  members,
  neverCalled,
  type OverloadReleases,
  type ParametersById,
} from './declare.ts';
import type { CelLibrary, FunctionDeclaration } from './library.ts';

const authorizerType = objectType('kubernetes.authorization.Authorizer');
const decisionType = objectType('kubernetes.authorization.Decision');
const groupCheckType = objectType('kubernetes.authorization.GroupCheck');
const pathCheckType = objectType('kubernetes.authorization.PathCheck');
const resourceCheckType = objectType('kubernetes.authorization.ResourceCheck');

const authorizerFunction = (
  name: string,
  doc: string,
  result: CelType,
  overloads: ParametersById,
  traits?: OverloadReleases,
): FunctionDeclaration => declare(name, doc, members(result, neverCalled, overloads, traits));

/** Authorizer checks. */
export const authorizationLibrary: CelLibrary = {
  name: 'authorization',
  since: 30,
  doc: 'Authorization checks.',
  functions: [
    authorizerFunction('allowed', 'Returns whether the authorizer allowed the check.', boolType, {
      decision_allowed: [decisionType],
    }),
    authorizerFunction('check', 'Performs the check for a verb.', decisionType, {
      pathcheck_check: [pathCheckType, stringType],
      resourcecheck_check: [resourceCheckType, stringType],
    }),
    authorizerFunction('error', 'Returns the error of the check.', stringType, {
      decision_error: [decisionType],
    }),
    authorizerFunction('errored', 'Returns whether the check failed with an error.', boolType, {
      decision_errored: [decisionType],
    }),
    authorizerFunction(
      'fieldSelector',
      'Adds a field selector to the check.',
      resourceCheckType,
      { authorizer_fieldselector: [resourceCheckType, stringType] },
      { since: 31 },
    ),
    authorizerFunction('group', 'Selects an API group.', groupCheckType, {
      authorizer_group: [authorizerType, stringType],
    }),
    authorizerFunction(
      'labelSelector',
      'Adds a label selector to the check.',
      resourceCheckType,
      { authorizer_labelselector: [resourceCheckType, stringType] },
      { since: 31 },
    ),
    authorizerFunction('name', 'Selects an object by name.', resourceCheckType, {
      resourcecheck_name: [resourceCheckType, stringType],
    }),
    authorizerFunction('namespace', 'Selects a namespace.', resourceCheckType, {
      resourcecheck_namespace: [resourceCheckType, stringType],
    }),
    authorizerFunction('path', 'Selects a non-resource path.', pathCheckType, {
      authorizer_path: [authorizerType, stringType],
    }),
    authorizerFunction('reason', 'Returns the reason of the decision.', stringType, {
      decision_reason: [decisionType],
    }),
    authorizerFunction('resource', 'Selects a resource.', resourceCheckType, {
      groupcheck_resource: [groupCheckType, stringType],
    }),
    authorizerFunction('serviceAccount', 'Performs checks as a service account.', authorizerType, {
      authorizer_serviceaccount: [authorizerType, stringType, stringType],
    }),
    authorizerFunction('subresource', 'Selects a subresource.', resourceCheckType, {
      resourcecheck_subresource: [resourceCheckType, stringType],
    }),
  ],
};
