/**
 * Converts a line of the decision log to the audit event that kube-apiserver writes for the same
 * request.
 */

export type LogFields = Readonly<Record<string, unknown>>;

interface Line {
  readonly decision?: string;
  readonly module?: string;
  readonly username?: string;
  readonly groups?: readonly string[];
  readonly verb?: string;
  readonly status?: number;
  readonly problem?: string;
  readonly attempted?: readonly string[];
  readonly annotations?: readonly (readonly [string, string])[];
  readonly access?: { readonly decision: string; readonly reason?: string };
  readonly impersonation?: {
    readonly decision: string;
    readonly username: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: readonly (readonly [string, readonly string[]])[];
    readonly constraint?: string;
  };
}

export const auditOf = (fields: LogFields): LogFields => {
  const line = fields as Line;
  const code = line.status ?? 0;
  const known = line.decision === 'accepted';
  return {
    ...annotationsOf(line),
    code,
    groups: known ? groupsOf(line) : null,
    ...impersonatedOf(line),
    message: line.problem ?? (code === 401 ? attemptedText(line) : ''),
    stage: code === 401 ? 'ResponseStarted' : 'ResponseComplete',
    user: known ? line.username : '',
    verb: line.verb,
  };
};

/** A proxy has an empty list for a user without groups, the other modules have none. */
const groupsOf = ({ groups = [], module }: Line): readonly string[] | null =>
  groups.length > 0 || module === 'authenticating-proxy' ? groups : null;

const attemptedText = ({ attempted = [] }: Line): string =>
  attempted.length === 0
    ? 'Authentication failed, no credentials provided'
    : `Authentication failed, attempted: ${attempted.join(', ')}`;

const annotationsOf = ({ access, annotations = [] }: Line): object => {
  const all = [
    ...annotations,
    ...(access === undefined
      ? []
      : [
          ['authorization.k8s.io/decision', access.decision],
          ['authorization.k8s.io/reason', access.reason ?? ''],
        ]),
  ];
  return all.length === 0 ? {} : { annotations: Object.fromEntries(all) };
};

const impersonatedOf = ({ impersonation }: Line): object => {
  if (impersonation === undefined || impersonation.decision !== 'allowed') return {};
  const { username, uid = '', groups = [], extra = [], constraint } = impersonation;
  return {
    ...(constraint === undefined
      ? {}
      : { authenticationMetadata: { ImpersonationConstraint: constraint } }),
    impersonatedUser: { extra: Object.fromEntries(extra), groups, uid, username },
  };
};
