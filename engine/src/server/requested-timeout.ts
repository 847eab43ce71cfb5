/** The `timeout` that a client may write into the query: asked for before anybody is known. */
import { readGoDuration } from '../formats/go-duration.ts';
import { type ApiError, badRequest } from '../model/api-error.ts';
import type { Exchange } from './http/exchange.ts';
import { queryValue } from './http/target.ts';

/** The refusal of one that is no duration; requests that last by their nature are not looked at. */
export const timeoutProblem = ({
  target,
  info,
}: Pick<Exchange, 'target' | 'info'>): ApiError | undefined => {
  const stated = queryValue(target, 'timeout');
  if (stated === '' || isLasting(info)) return undefined;
  const reading = readGoDuration(stated);
  return reading.kind === 'error'
    ? badRequest(`invalid timeout specified in the request URL - ${reading.message}`)
    : undefined;
};

const lastingVerbs: ReadonlySet<string> = new Set(['watch', 'proxy']);
const lastingSubresources: ReadonlySet<string> = new Set([
  'attach',
  'exec',
  'proxy',
  'log',
  'portforward',
]);

const isLasting = (info: Exchange['info']): boolean =>
  info.kind === 'resource' &&
  (lastingVerbs.has(info.attributes.verb) ||
    lastingSubresources.has(info.attributes.subresource ?? ''));
