/** Authorizer checks: declared, but no variable of this environment offers one. */
import { boolType, opaqueType, stringType } from '../types.ts';
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
        [opaqueType('kubernetes.authorization.Decision')],
        boolType,
        pending,
      ),
    ]),
    declare('check', '', [
      member(
        'pathcheck_check',
        [opaqueType('kubernetes.authorization.PathCheck'), stringType],
        opaqueType('kubernetes.authorization.Decision'),
        pending,
      ),
      member(
        'resourcecheck_check',
        [opaqueType('kubernetes.authorization.ResourceCheck'), stringType],
        opaqueType('kubernetes.authorization.Decision'),
        pending,
      ),
    ]),
    declare('error', '', [
      member(
        'decision_error',
        [opaqueType('kubernetes.authorization.Decision')],
        stringType,
        pending,
      ),
    ]),
    declare('errored', '', [
      member(
        'decision_errored',
        [opaqueType('kubernetes.authorization.Decision')],
        boolType,
        pending,
      ),
    ]),
    declare('fieldSelector', '', [
      member(
        'authorizer_fieldselector',
        [opaqueType('kubernetes.authorization.ResourceCheck'), stringType],
        opaqueType('kubernetes.authorization.ResourceCheck'),
        pending,
      ),
    ]),
    declare('group', '', [
      member(
        'authorizer_group',
        [opaqueType('kubernetes.authorization.Authorizer'), stringType],
        opaqueType('kubernetes.authorization.GroupCheck'),
        pending,
      ),
    ]),
    declare('labelSelector', '', [
      member(
        'authorizer_labelselector',
        [opaqueType('kubernetes.authorization.ResourceCheck'), stringType],
        opaqueType('kubernetes.authorization.ResourceCheck'),
        pending,
      ),
    ]),
    declare('name', '', [
      member(
        'resourcecheck_name',
        [opaqueType('kubernetes.authorization.ResourceCheck'), stringType],
        opaqueType('kubernetes.authorization.ResourceCheck'),
        pending,
      ),
    ]),
    declare('namespace', '', [
      member(
        'resourcecheck_namespace',
        [opaqueType('kubernetes.authorization.ResourceCheck'), stringType],
        opaqueType('kubernetes.authorization.ResourceCheck'),
        pending,
      ),
    ]),
    declare('path', '', [
      member(
        'authorizer_path',
        [opaqueType('kubernetes.authorization.Authorizer'), stringType],
        opaqueType('kubernetes.authorization.PathCheck'),
        pending,
      ),
    ]),
    declare('reason', '', [
      member(
        'decision_reason',
        [opaqueType('kubernetes.authorization.Decision')],
        stringType,
        pending,
      ),
    ]),
    declare('resource', '', [
      member(
        'groupcheck_resource',
        [opaqueType('kubernetes.authorization.GroupCheck'), stringType],
        opaqueType('kubernetes.authorization.ResourceCheck'),
        pending,
      ),
    ]),
    declare('serviceAccount', '', [
      member(
        'authorizer_serviceaccount',
        [opaqueType('kubernetes.authorization.Authorizer'), stringType, stringType],
        opaqueType('kubernetes.authorization.Authorizer'),
        pending,
      ),
    ]),
    declare('subresource', '', [
      member(
        'resourcecheck_subresource',
        [opaqueType('kubernetes.authorization.ResourceCheck'), stringType],
        opaqueType('kubernetes.authorization.ResourceCheck'),
        pending,
      ),
    ]),
  ],
};
