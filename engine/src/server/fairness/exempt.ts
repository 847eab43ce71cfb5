/** Requests that no limit of fairness applies to, as in the flow schemas `exempt` and `probes`. */
import type { UserInfo } from '../../model/user-info.ts';
import type { RequestInfo } from '../http/request-info.ts';

/** A GET of a health path or of one of its checks. */
export const isProbe = (info: RequestInfo): boolean =>
  info.kind !== 'resource' && info.verb === 'get' && probePath.test(info.path);

const probePath = /^\/(?:livez|readyz|healthz)(?:\/|$)/;

/** Administrators are served also when everyone else has to wait. */
export const isPrivileged = ({ groups }: UserInfo): boolean => groups.includes('system:masters');
