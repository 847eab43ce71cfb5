/**
 * Reads the bearer token of a WebSocket request. Browsers cannot set `Authorization` there, so the
 * token is sent as a subprotocol. Headers are parsed as in kube-apiserver, with its messages.
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
      /**
       * The headers to use once the token is accepted, with the other subprotocols joined in one
       * header.
       */
      readonly headersAfter: HeaderList;
    }
  /** The request is rejected whatever the token is; the headers stay unchanged. */
  | { readonly kind: 'error'; readonly message: string }
  | { readonly kind: 'none' };

/** Reads the token from the headers. */
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
  // The server has to select a subprotocol, which must not be the one with the token.
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

/** Checks the first `Upgrade` header, and whether any `Connection` header contains `upgrade`. */
const isWebsocketUpgrade = (headers: HeaderList): boolean => {
  const upgrade = firstHeader(headers, 'upgrade');
  if (upgrade === undefined || foldName(decodeLatin1(upgrade)) !== 'websocket') return false;
  return allHeaders(headers, 'connection').some((value) => value.toLowerCase().includes('upgrade'));
};

const protocolsOf = (headers: HeaderList): readonly string[] =>
  allHeaders(headers, protocolHeader).flatMap((value) => value.split(',').map(trimSpaceOfLatin1));

/** Replaces the first such header and removes the others. */
const withProtocols = (headers: HeaderList, protocols: readonly string[]): HeaderList => {
  const isProtocols = (field: HeaderField): boolean => isNamed(field, protocolHeader);
  const first = headers.findIndex(isProtocols);
  return headers.flatMap((field, place) => {
    if (!isProtocols(field)) return [field];
    return place === first ? [{ name: field.name, value: protocols.join(',') }] : [];
  });
};
