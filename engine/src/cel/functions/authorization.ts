/**
 * Authorizer checks. They are declared in the real environment, so that a call is checked as there, but no
 * variable of the authentication environments offers one.
 */
import { boolType, objectType, stringType } from '../values/types.ts';
import { declare, member, neverCalled } from './declare.ts';
import type { CelLibrary } from './library.ts';

/** Authorizer checks. */
export const authorizationLibrary: CelLibrary = {
  name: 'authorization',
  since: 30,
  doc: 'Authorizer checks.',
  functions: [
    declare('allowed', 'Tells whether a check was allowed.', [
      member(
        'decision_allowed',
        [objectType('kubernetes.authorization.Decision')],
        boolType,
        neverCalled,
      ),
    ]),
    declare('check', 'Asks the authorizer.', [
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
    declare('error', 'Error of a check.', [
      member(
        'decision_error',
        [objectType('kubernetes.authorization.Decision')],
        stringType,
        neverCalled,
      ),
    ]),
    declare('errored', 'Tells whether a check failed.', [
      member(
        'decision_errored',
        [objectType('kubernetes.authorization.Decision')],
        boolType,
        neverCalled,
      ),
    ]),
    declare('fieldSelector', 'Restricts a check by fields.', [
      member(
        'authorizer_fieldselector',
        [objectType('kubernetes.authorization.ResourceCheck'), stringType],
        objectType('kubernetes.authorization.ResourceCheck'),
        neverCalled,
        { since: 31 },
      ),
    ]),
    declare('group', 'Picks an API group.', [
      member(
        'authorizer_group',
        [objectType('kubernetes.authorization.Authorizer'), stringType],
        objectType('kubernetes.authorization.GroupCheck'),
        neverCalled,
      ),
    ]),
    declare('labelSelector', 'Restricts a check by labels.', [
      member(
        'authorizer_labelselector',
        [objectType('kubernetes.authorization.ResourceCheck'), stringType],
        objectType('kubernetes.authorization.ResourceCheck'),
        neverCalled,
        { since: 31 },
      ),
    ]),
    declare('name', 'Picks an object by name.', [
      member(
        'resourcecheck_name',
        [objectType('kubernetes.authorization.ResourceCheck'), stringType],
        objectType('kubernetes.authorization.ResourceCheck'),
        neverCalled,
      ),
    ]),
    declare('namespace', 'Picks a namespace.', [
      member(
        'resourcecheck_namespace',
        [objectType('kubernetes.authorization.ResourceCheck'), stringType],
        objectType('kubernetes.authorization.ResourceCheck'),
        neverCalled,
      ),
    ]),
    declare('path', 'Picks a path.', [
      member(
        'authorizer_path',
        [objectType('kubernetes.authorization.Authorizer'), stringType],
        objectType('kubernetes.authorization.PathCheck'),
        neverCalled,
      ),
    ]),
    declare('reason', 'Reason of a decision.', [
      member(
        'decision_reason',
        [objectType('kubernetes.authorization.Decision')],
        stringType,
        neverCalled,
      ),
    ]),
    declare('resource', 'Picks a resource.', [
      member(
        'groupcheck_resource',
        [objectType('kubernetes.authorization.GroupCheck'), stringType],
        objectType('kubernetes.authorization.ResourceCheck'),
        neverCalled,
      ),
    ]),
    declare('serviceAccount', 'Asks for a service account.', [
      member(
        'authorizer_serviceaccount',
        [objectType('kubernetes.authorization.Authorizer'), stringType, stringType],
        objectType('kubernetes.authorization.Authorizer'),
        neverCalled,
      ),
    ]),
    declare('subresource', 'Picks a subresource.', [
      member(
        'resourcecheck_subresource',
        [objectType('kubernetes.authorization.ResourceCheck'), stringType],
        objectType('kubernetes.authorization.ResourceCheck'),
        neverCalled,
      ),
    ]),
  ],
};
