/**
 * Our stricter rules about the form of a token, each a row of `model/differences.ts`. They are asked
 * before the signature is checked, so that an odd token costs nothing.
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

/** The words of the refusal; `undefined` for an ordinary token, and in exact mode. */
export const tokenFormatProblem = (
  { payload, parts, canonical }: PeekedToken,
  { header, canonical: openedCanonical }: ParsedToken,
  mode: Mode,
): string | undefined => {
  if (differs(mode, 'token-spelling') && !(canonical && openedCanonical)) {
    return 'refused: the token is not in its one canonical spelling';
  }
  if (differs(mode, 'critical-header') && header.hasCritOrB64) {
    return 'refused: the header has crit or b64';
  }
  if (differs(mode, 'token-size')) {
    if ((parts.header.length * 3) >> 2 > maxTokenHeaderBytes) {
      return `refused: a header of more than ${maxTokenHeaderBytes} bytes`;
    }
    if ((parts.payload.length * 3) >> 2 > maxTokenPayloadBytes) {
      return `refused: claims of more than ${maxTokenPayloadBytes} bytes`;
    }
  }
  if (differs(mode, 'token-depth')) {
    const { depth, mostMembers, mostItems } = payload.shape;
    if (Math.max(depth, header.depth) > maxTokenDepth) {
      return `refused: header or claims nest more than ${maxTokenDepth} levels`;
    }
    if (mostMembers > maxTokenMembers || mostItems > maxTokenItems) {
      return `refused: claims of more than ${maxTokenMembers} members or ${maxTokenItems} items`;
    }
  }
  if (differs(mode, 'token-encoding') && payload.isRepaired) {
    return 'refused: the claims are not well-formed text';
  }
  if (differs(mode, 'mis-cased-claim') && payload.misCased !== undefined) {
    return `refused: claim ${JSON.stringify(payload.misCased)} is a standard claim in another spelling`;
  }
  return undefined;
};
