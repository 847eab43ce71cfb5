/**
 * Rules about the format of a token that are stricter than kube-apiserver, each a row of
 * `model/differences.ts`. They are checked before the signature, so that a malformed token costs
 * little.
 */
import { differs, type Mode } from '../model/differences.ts';
import {
  maxTokenDepth,
  maxTokenHeaderBytes,
  maxTokenItems,
  maxTokenMembers,
  maxTokenPayloadBytes,
} from '../model/limits.ts';
import type { ParsedToken, PeekedToken } from './parse.ts';

/** Returns the problem, worded to follow `refused: `; `undefined` for a well-formed token and in exact mode. */
export const tokenFormatProblem = (
  { payload, parts, canonical }: PeekedToken,
  { header, canonical: openedCanonical }: ParsedToken,
  mode: Mode,
): string | undefined => {
  if (differs(mode, 'token-spelling') && !(canonical && openedCanonical)) {
    return 'the token is not canonical base64url';
  }
  if (differs(mode, 'critical-header') && header.hasCritOrB64) {
    return 'the header has crit or b64';
  }
  if (differs(mode, 'token-size')) {
    if ((parts.header.length * 3) >> 2 > maxTokenHeaderBytes) {
      return `a header of more than ${maxTokenHeaderBytes} bytes`;
    }
    if ((parts.payload.length * 3) >> 2 > maxTokenPayloadBytes) {
      return `claims of more than ${maxTokenPayloadBytes} bytes`;
    }
  }
  if (differs(mode, 'token-depth')) {
    const { depth, mostMembers, mostItems } = payload.shape;
    if (Math.max(depth, header.depth) > maxTokenDepth) {
      return `header or claims nest more than ${maxTokenDepth} levels`;
    }
    if (mostMembers > maxTokenMembers || mostItems > maxTokenItems) {
      return `claims of more than ${maxTokenMembers} members or ${maxTokenItems} items`;
    }
  }
  if (differs(mode, 'token-encoding') && payload.isRepaired) {
    return 'the claims contain invalid Unicode';
  }
  if (differs(mode, 'mis-cased-claim') && payload.misCased !== undefined) {
    return `claim ${JSON.stringify(payload.misCased)} differs from a standard claim only in case`;
  }
  return undefined;
};
