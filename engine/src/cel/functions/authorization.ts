/** Authorizer checks: declared, but no variable of this environment offers one. */
import { boolType, objectType, stringType } from '../types.ts';
import { declare, member, pending } from './declare.ts';
import type { CelLibrary } from './library.ts';

/** Authorizer checks: declared, but no variable of this environment offers one. */
export const authorizationLibrary: CelLibrary = {
  name: 'authorization',
  since: 30,
  doc: 'Authorizer checks: declared, but no variable of this environment offers one.',
  functions: [
    declare('allowed', '', [
      member(
        'decision_allowed',
        [objectType('kubernetes.authorization.Decision')],
        boolType,
        pending,
      ),
    ]),
    declare('check', '', [
      member(
        'pathcheck_check',
        [objectType('kubernetes.authorization.PathCheck'), stringType],
        objectType('kubernetes.authorization.Decision'),
        pending,
      ),
      member(
        'resourcecheck_check',
        [objectType('kubernetes.authorization.ResourceCheck'), stringType],
        objectType('kubernetes.authorization.Decision'),
        pending,
      ),
    ]),
    declare('error', '', [
      member(
        'decision_error',
        [objectType('kubernetes.authorization.Decision')],
        stringType,
        pending,
      ),
    ]),
    declare('errored', '', [
      member(
        'decision_errored',
        [objectType('kubernetes.authorization.Decision')],
        boolType,
        pending,
      ),
    ]),
    declare('fieldSelector', '', [
      member(
        'authorizer_fieldselector',
        [objectType('kubernetes.authorization.ResourceCheck'), stringType],
        objectType('kubernetes.authorization.ResourceCheck'),
        pending,
      ),
    ]),
    declare('group', '', [
      member(
        'authorizer_group',
        [objectType('kubernetes.authorization.Authorizer'), stringType],
        objectType('kubernetes.authorization.GroupCheck'),
        pending,
      ),
    ]),
    declare('labelSelector', '', [
      member(
        'authorizer_labelselector',
        [objectType('kubernetes.authorization.ResourceCheck'), stringType],
        objectType('kubernetes.authorization.ResourceCheck'),
        pending,
      ),
    ]),
    declare('name', '', [
      member(
        'resourcecheck_name',
        [objectType('kubernetes.authorization.ResourceCheck'), stringType],
        objectType('kubernetes.authorization.ResourceCheck'),
        pending,
      ),
    ]),
    declare('namespace', '', [
      member(
        'resourcecheck_namespace',
        [objectType('kubernetes.authorization.ResourceCheck'), stringType],
        objectType('kubernetes.authorization.ResourceCheck'),
        pending,
      ),
    ]),
    declare('path', '', [
      member(
        'authorizer_path',
        [objectType('kubernetes.authorization.Authorizer'), stringType],
        objectType('kubernetes.authorization.PathCheck'),
        pending,
      ),
    ]),
    declare('reason', '', [
      member(
        'decision_reason',
        [objectType('kubernetes.authorization.Decision')],
        stringType,
        pending,
      ),
    ]),
    declare('resource', '', [
      member(
        'groupcheck_resource',
        [objectType('kubernetes.authorization.GroupCheck'), stringType],
        objectType('kubernetes.authorization.ResourceCheck'),
        pending,
      ),
    ]),
    declare('serviceAccount', '', [
      member(
        'authorizer_serviceaccount',
        [objectType('kubernetes.authorization.Authorizer'), stringType, stringType],
        objectType('kubernetes.authorization.Authorizer'),
        pending,
      ),
    ]),
    declare('subresource', '', [
      member(
        'resourcecheck_subresource',
        [objectType('kubernetes.authorization.ResourceCheck'), stringType],
        objectType('kubernetes.authorization.ResourceCheck'),
        pending,
      ),
    ]),
  ],
};
