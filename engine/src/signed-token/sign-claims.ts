/**
 * Signs claims to a compact JWS, byte for byte as kube-apiserver serializes service account tokens.
 */

import { encodeBase64Url } from '../formats/base64.ts';
import { goJsonString } from '../formats/go-json.ts';
import { encodeUtf8 } from '../formats/utf8.ts';
import type { TokenSigner } from '../ports/signing.ts';

export type ClaimValue = string | number | readonly string[] | ClaimMap | undefined;
export type ClaimMap = ReadonlyMap<string, ClaimValue>;

/** Signs the claims. Members keep the order of the map; undefined ones are left out. */
export const signClaims = async (claims: ClaimMap, signer: TokenSigner): Promise<string> => {
  const header = new Map([
    ['alg', signer.algorithm],
    ['kid', signer.keyId],
  ]);
  const input = `${part(jsonOf(header))}.${part(jsonOf(claims))}`;
  return `${input}.${encodeBase64Url(await signer.sign(input))}`;
};

const part = (text: string): string => encodeBase64Url(encodeUtf8(text));

const jsonOf = (value: ClaimValue): string => {
  if (value === undefined) return 'null';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return goJsonString(value);
  if (isList(value)) return `[${value.map(goJsonString).join(',')}]`;
  const members = [...value].flatMap(([name, member]) =>
    member === undefined ? [] : [`${goJsonString(name)}:${jsonOf(member)}`],
  );
  return `{${members.join(',')}}`;
};

const isList = (value: ClaimMap | readonly string[]): value is readonly string[] =>
  Array.isArray(value);
