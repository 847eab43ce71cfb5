/**
 * Authorizer checks. kube-apiserver declares them in every environment, so calls type-check alike,
 * but no variable of the authentication environments provides an authorizer.
 */
import { boolType, objectType, stringType } from '../values/types.ts';
import { declare, member, neverCalled } from './declare.ts';
import type { CelLibrary } from './library.ts';

/** Authorizer checks. */
export const authorizationLibrary: CelLibrary = {
  name: 'authorization',
  since: 30,
  doc: 'Authorization checks.',
  functions: [
    declare('allowed', 'Returns whether the authorizer allowed the check.', [
      member(
        'decision_allowed',
        [objectType('kubernetes.authorization.Decision')],
        boolType,
        neverCalled,
      ),
    ]),
    declare('check', 'Performs the check for a verb.', [
      member(
        'pathcheck_check',
        [objectType('kubernetes.authorization.PathCheck'), stringType],
        objectType('kubernetes.authorization.Decision'),
        neverCalled,
      ),
      member(
        'resourcecheck_check',
        [objectType('kubernetes.authorization.ResourceCheck'), stringType],
        objectType('kubernetes.authorization.Decision'),
        neverCalled,
      ),
    ]),
    declare('error', 'Returns the error of the check.', [
      member(
        'decision_error',
        [objectType('kubernetes.authorization.Decision')],
        stringType,
        neverCalled,
      ),
    ]),
    declare('errored', 'Returns whether the check failed with an error.', [
      member(
        'decision_errored',
        [objectType('kubernetes.authorization.Decision')],
        boolType,
        neverCalled,
      ),
    ]),
    declare('fieldSelector', 'Adds a field selector to the check.', [
      member(
        'authorizer_fieldselector',
        [objectType('kubernetes.authorization.ResourceCheck'), stringType],
        objectType('kubernetes.authorization.ResourceCheck'),
        neverCalled,
        { since: 31 },
      ),
    ]),
    declare('group', 'Selects an API group.', [
      member(
        'authorizer_group',
        [objectType('kubernetes.authorization.Authorizer'), stringType],
        objectType('kubernetes.authorization.GroupCheck'),
        neverCalled,
      ),
    ]),
    declare('labelSelector', 'Adds a label selector to the check.', [
      member(
        'authorizer_labelselector',
        [objectType('kubernetes.authorization.ResourceCheck'), stringType],
        objectType('kubernetes.authorization.ResourceCheck'),
        neverCalled,
        { since: 31 },
      ),
    ]),
    declare('name', 'Selects an object by name.', [
      member(
        'resourcecheck_name',
        [objectType('kubernetes.authorization.ResourceCheck'), stringType],
        objectType('kubernetes.authorization.ResourceCheck'),
        neverCalled,
      ),
    ]),
    declare('namespace', 'Selects a namespace.', [
      member(
        'resourcecheck_namespace',
        [objectType('kubernetes.authorization.ResourceCheck'), stringType],
        objectType('kubernetes.authorization.ResourceCheck'),
        neverCalled,
      ),
    ]),
    declare('path', 'Selects a non-resource path.', [
      member(
        'authorizer_path',
        [objectType('kubernetes.authorization.Authorizer'), stringType],
        objectType('kubernetes.authorization.PathCheck'),
        neverCalled,
      ),
    ]),
    declare('reason', 'Returns the reason of the decision.', [
      member(
        'decision_reason',
        [objectType('kubernetes.authorization.Decision')],
        stringType,
        neverCalled,
      ),
    ]),
    declare('resource', 'Selects a resource.', [
      member(
        'groupcheck_resource',
        [objectType('kubernetes.authorization.GroupCheck'), stringType],
        objectType('kubernetes.authorization.ResourceCheck'),
        neverCalled,
      ),
    ]),
    declare('serviceAccount', 'Performs checks as a service account.', [
      member(
        'authorizer_serviceaccount',
        [objectType('kubernetes.authorization.Authorizer'), stringType, stringType],
        objectType('kubernetes.authorization.Authorizer'),
        neverCalled,
      ),
    ]),
    declare('subresource', 'Selects a subresource.', [
      member(
        'resourcecheck_subresource',
        [objectType('kubernetes.authorization.ResourceCheck'), stringType],
        objectType('kubernetes.authorization.ResourceCheck'),
        neverCalled,
      ),
    ]),
  ],
};
