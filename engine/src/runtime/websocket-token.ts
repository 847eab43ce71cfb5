/**
 * The bearer token of a WebSocket request: browsers cannot set `Authorization` there, so it comes as
 * one of the sub-protocols. Read from the raw header list as the real server reads it; the messages
 * are its own.
 */
import { decodeGoBase64 } from '../formats/base64.ts';
import { decodeLatin1 } from '../formats/byte-string.ts';
import { foldName } from '../formats/go-json.ts';
import { trimSpaceOfLatin1 } from '../formats/go-space.ts';
import { decodeUtf8 } from '../formats/utf8.ts';
import { bearerProtocolPrefixes } from '../model/api-domain.ts';
import {
  allHeaders,
  firstHeader,
  type HeaderField,
  type HeaderList,
  isNamed,
} from '../model/header-list.ts';
import { type Secret, secret } from '../model/secret.ts';

export type WebsocketReading =
  | {
      readonly kind: 'token';
      readonly token: Secret<string>;
      /** What later stages see once the token is accepted: the other protocols in one field. */
      readonly headersAfter: HeaderList;
    }
  /** Refused, whatever the tokens say; the headers stay. */
  | { readonly kind: 'error'; readonly message: string }
  | { readonly kind: 'none' };

/** Header list -> the token in it. */
export const readWebsocketToken = (
  headers: HeaderList,
  { apiDomain }: { readonly apiDomain: string },
): WebsocketReading => {
  if (!isWebsocketUpgrade(headers)) return none;
  const prefixes = bearerProtocolPrefixes(apiDomain);
  let token: string | undefined;
  const otherProtocols: string[] = [];
  for (const protocol of protocolsOf(headers)) {
    const prefix = prefixes.find((candidate) => protocol.startsWith(candidate));
    if (prefix === undefined) {
      otherProtocols.push(protocol);
      continue;
    }
    if (token !== undefined) return error('multiple base64.bearer.authorization tokens specified');
    const decoded = decodeGoBase64(protocol.slice(prefix.length), unpadded);
    if (decoded.kind === 'error') {
      return error('invalid base64.bearer.authorization token encoding');
    }
    token = decodeUtf8(decoded.bytes);
    if (token === undefined) return error('invalid base64.bearer.authorization token');
  }
  if (token === undefined || token === '') return none;
  // One is left to be answered with: the one with the token must not be.
  if (otherProtocols.length === 0) return error('missing additional subprotocol');
  return {
    kind: 'token',
    token: secret(token),
    headersAfter: withProtocols(headers, otherProtocols),
  };
};

const none: WebsocketReading = { kind: 'none' };
const error = (message: string): WebsocketReading => ({ kind: 'error', message });

const unpadded = { alphabet: 'url', padding: 'none' } as const;
const protocolHeader = 'sec-websocket-protocol';

/** The first `Upgrade` field alone, and any `Connection` field that speaks of it anywhere. */
const isWebsocketUpgrade = (headers: HeaderList): boolean => {
  const upgrade = firstHeader(headers, 'upgrade');
  if (upgrade === undefined || foldName(decodeLatin1(upgrade)) !== 'websocket') return false;
  return allHeaders(headers, 'connection').some((value) => value.toLowerCase().includes('upgrade'));
};

const protocolsOf = (headers: HeaderList): readonly string[] =>
  allHeaders(headers, protocolHeader).flatMap((value) => value.split(',').map(trimSpaceOfLatin1));

/** In the place of the first such field. */
const withProtocols = (headers: HeaderList, protocols: readonly string[]): HeaderList => {
  const isProtocols = (field: HeaderField): boolean => isNamed(field, protocolHeader);
  const first = headers.findIndex(isProtocols);
  return headers.flatMap((field, place) => {
    if (!isProtocols(field)) return [field];
    return place === first ? [{ name: field.name, value: protocols.join(',') }] : [];
  });
};
