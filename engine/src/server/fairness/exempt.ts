/** Requests that are exempt from fairness limits, as in the flow schemas `exempt` and `probes`. */
import { privilegedGroup, type UserInfo } from '../../model/user-info.ts';
import type { RequestInfo } from '../http/request-info.ts';

/** True for a GET of a health path or of one of its checks. */
export const isProbe = (info: RequestInfo): boolean =>
  info.kind !== 'resource' && info.verb === 'get' && probePath.test(info.path);

/** True for the request line of a probe. */
export const isProbeTarget = (method: string, rawTarget: string): boolean =>
  method === 'GET' && probePath.test(rawTarget.split('?', 1)[0] ?? '');

const probePath = /^\/(?:livez|readyz|healthz)(?:\/|$)/;

/** True for administrators, who are served even when everyone else has to wait. */
export const isPrivileged = ({ groups }: UserInfo): boolean => groups.includes(privilegedGroup);
