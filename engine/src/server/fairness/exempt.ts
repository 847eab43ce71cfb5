/** Requests that are exempt from fairness limits, as in the flow schemas `exempt` and `probes`. */
import type { UserInfo } from '../../model/user-info.ts';
import type { RequestInfo } from '../http/request-info.ts';

/** True for a GET of a health path or of one of its checks. */
export const isProbe = (info: RequestInfo): boolean =>
  info.kind !== 'resource' && info.verb === 'get' && probePath.test(info.path);

const probePath = /^\/(?:livez|readyz|healthz)(?:\/|$)/;

/** True for administrators, who are served even when everyone else has to wait. */
export const isPrivileged = ({ groups }: UserInfo): boolean => groups.includes('system:masters');
