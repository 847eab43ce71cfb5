/**
 * Message patterns for token files and for the places in a request that can hold a bearer token.
 */
import { websocketProtocols as websocket } from '../../runtime/rejections.ts';
import type { StagePattern } from './module-pattern.ts';

const file = { module: 'static-token', flags: ['token-auth-file'] } as const;

export const bearerTokenPatterns: readonly StagePattern[] = [
  {
    name: 'authorization-extra-space',
    pattern:
      /^the provided Authorization header contains extra space before the bearer token, and is ignored$/,
    meaning:
      'There are two spaces between Bearer and the token, so the header was ignored and the request handled as one without a credential.',
    fix: 'Use one space.',
  },
  {
    name: 'websocket-token-repeated',
    pattern: /^multiple base64\.bearer\.authorization tokens specified$/,
    refusal: websocket,
    meaning: 'A WebSocket request has more than one subprotocol with a token.',
    fix: 'Send one subprotocol base64url.bearer.authorization.k8s.io.TOKEN and another one that the server can select.',
  },
  {
    name: 'websocket-token-unreadable',
    pattern: /^invalid base64\.bearer\.authorization token(?: encoding)?$/,
    refusal: websocket,
    meaning: 'The token in the WebSocket subprotocol is not base64url or not valid UTF-8.',
    fix: 'Encode the token as base64url without padding.',
  },
  {
    name: 'websocket-protocol-missing',
    pattern: /^missing additional subprotocol$/,
    refusal: websocket,
    meaning:
      'A WebSocket request has no subprotocol except the one with the token, so the server has none to select.',
    fix: 'Send another subprotocol too; the one with the token is never selected.',
  },
  {
    name: 'bootstrap-secret-missing',
    pattern: /^No secret of name (?<secret>\S+) to match bootstrap bearer token$/,
    module: 'bootstrap-token',
    flags: ['enable-bootstrap-token-auth'],
    meaning: 'The token has the form of a bootstrap token, and kube-system has no secret {secret}.',
    fix: 'Create a new token (kubeadm token create); expired tokens are deleted.',
  },
  {
    name: 'bootstrap-secret-unfit',
    pattern: /^Bootstrap secret (?<secret>\S+) matching bearer token (?<why>.*?)\.?$/s,
    module: 'bootstrap-token',
    flags: ['enable-bootstrap-token-auth'],
    meaning: 'The secret {secret} has the ID of the token but cannot be used: it {why}.',
    fix: 'Check the type of the secret (bootstrap.kubernetes.io/token) and its keys: token-id, token-secret, usage-bootstrap-authentication, expiration, and auth-extra-groups with the prefix system:bootstrappers:.',
  },
  {
    name: 'token-file-columns',
    pattern:
      /^token file '(?<file>.*)' must have at least 3 columns \(token, user name, user uid\), found (?<found>\d+)$/s,
    ...file,
    meaning: 'A line of {file} has {found} columns; token, username and UID are required.',
    fix: 'Write token,user,uid or token,user,uid,"group1,group2" on each line.',
  },
  {
    name: 'token-file-unreadable',
    pattern:
      /^(?:(?:parse error|record) on line (?<line>\d+)(?:[,;] [^:]*)?: (?<why>bare " in non-quoted-field|extraneous or missing " in quoted-field|.*field.*))$/s,
    ...file,
    meaning: 'The token file is not valid CSV at line {line}: {why}.',
    fix: 'Quote fields that contain a comma or a quote, and double the quotes in them.',
  },
  {
    name: 'token-file-duplicate',
    pattern:
      /^duplicate token has been found in token file '(?<file>.*)', record number '(?<record>\d+)'$/s,
    ...file,
    meaning:
      'Record {record} of {file} repeats a token of an earlier record; the last record is used.',
    fix: 'Remove one of the two: the token authenticates a different user than intended.',
  },
  {
    name: 'token-file-empty-token',
    pattern:
      /^empty token has been found in token file '(?<file>.*)', record number '(?<record>\d+)'$/s,
    ...file,
    meaning: 'Record {record} of {file} has no token and is ignored.',
    fix: 'Remove the line.',
  },
  {
    name: 'token-file-nameless',
    pattern:
      /^token without a user name has been ignored in token file '(?<file>.*)', record number '(?<record>\d+)'$/s,
    ...file,
    meaning:
      'Record {record} of {file} has no username. AuthGraph ignores it; kube-apiserver would use it.',
    fix: 'Add a username, or remove the line.',
  },
  {
    name: 'token-file-in-use',
    pattern: /^static tokens in '(?<file>.*)' are in use: .*$/s,
    ...file,
    meaning:
      'The server accepts tokens from {file}, which are stored in plain text and never expire.',
    fix: 'Use tokens of an issuer or of service accounts, and the file only for tests.',
  },
];
