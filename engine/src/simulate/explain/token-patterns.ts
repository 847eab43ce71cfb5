/**
 * Message patterns for token files and for the places in a request that can hold a bearer token.
 */
import { websocketProtocols as websocket } from '../../runtime/rejections.ts';
import type { StagePattern } from './module-pattern.ts';

const file = { module: 'static-token', flags: ['token-auth-file'] } as const;

export const tokenPatterns: readonly StagePattern[] = [
  {
    name: 'authorization-extra-space',
    pattern:
      /^the provided Authorization header contains extra space before the bearer token, and is ignored$/,
    meaning:
      'There are two spaces between Bearer and the token, so the server took no token from the field: the request went on as one without a credential.',
    fix: 'Write one space.',
  },
  {
    name: 'websocket-token-repeated',
    pattern: /^multiple base64\.bearer\.authorization tokens specified$/,
    refusal: websocket,
    meaning: 'The sub-protocols of a web socket request hold two tokens.',
    fix: 'Send one sub-protocol base64url.bearer.authorization.k8s.io.TOKEN, and another one that the server may choose.',
  },
  {
    name: 'websocket-token-unreadable',
    pattern: /^invalid base64\.bearer\.authorization token(?: encoding)?$/,
    refusal: websocket,
    meaning:
      'The token in the sub-protocols of a web socket request is not base64url, or is not text.',
    fix: 'Encode the token as base64url without padding.',
  },
  {
    name: 'websocket-protocol-missing',
    pattern: /^missing additional subprotocol$/,
    refusal: websocket,
    meaning:
      'A web socket request has the sub-protocol with its token and no other, so that the server has none to choose.',
    fix: 'Send another sub-protocol too; the one with the token is never chosen.',
  },
  {
    name: 'bootstrap-secret-missing',
    pattern: /^No secret of name (?<secret>\S+) to match bootstrap bearer token$/,
    module: 'bootstrap-token',
    flags: ['enable-bootstrap-token-auth'],
    meaning: 'The token has the form of a bootstrap token, and kube-system has no secret {secret}.',
    fix: 'Make a new one (kubeadm token create): expired tokens are removed.',
  },
  {
    name: 'bootstrap-secret-unfit',
    pattern: /^Bootstrap secret (?<secret>\S+) matching bearer token (?<why>.*?)\.?$/s,
    module: 'bootstrap-token',
    flags: ['enable-bootstrap-token-auth'],
    meaning: 'The secret {secret} has the id of the token, and does not do: it {why}.',
    fix: 'Compare its keys: type bootstrap.kubernetes.io/token, token-id, token-secret, usage-bootstrap-authentication, expiration, auth-extra-groups below system:bootstrappers:.',
  },
  {
    name: 'token-file-columns',
    pattern:
      /^token file '(?<file>.*)' must have at least 3 columns \(token, user name, user uid\), found (?<found>\d+)$/s,
    ...file,
    meaning: 'A line of {file} has {found} columns; token, user name and UID are needed.',
    fix: 'Write token,user,uid or token,user,uid,"group1,group2" on each line.',
  },
  {
    name: 'token-file-unreadable',
    pattern:
      /^(?:(?:parse error|record) on line (?<line>\d+)(?:[,;] .*)?: (?<why>bare " in non-quoted-field|extraneous or missing " in quoted-field|.*field.*))$/s,
    ...file,
    meaning: 'The token file is no CSV that can be read at line {line}: {why}.',
    fix: 'A field with a comma or a quote stands in quotes, and a quote in it is doubled.',
  },
  {
    name: 'token-file-duplicate',
    pattern:
      /^duplicate token has been found in token file '(?<file>.*)', record number '(?<record>\d+)'$/s,
    ...file,
    meaning:
      'Record {record} of {file} has a token that stood there before; the last record counts.',
    fix: 'Remove one of the two: somebody acts as another user than was meant.',
  },
  {
    name: 'token-file-empty-token',
    pattern:
      /^empty token has been found in token file '(?<file>.*)', record number '(?<record>\d+)'$/s,
    ...file,
    meaning: 'Record {record} of {file} has no token and is left out.',
    fix: 'Remove the line.',
  },
  {
    name: 'token-file-nameless',
    pattern:
      /^token without a user name has been ignored in token file '(?<file>.*)', record number '(?<record>\d+)'$/s,
    ...file,
    meaning:
      'Record {record} of {file} has no user name; AuthGraph does not use it, kube-apiserver would.',
    fix: 'Write a user name, or remove the line.',
  },
  {
    name: 'token-file-in-use',
    pattern: /^static tokens in '(?<file>.*)' are in use: .*$/s,
    ...file,
    meaning: 'The server takes tokens that stand in {file} as plain text and never expire.',
    fix: 'Use tokens of an issuer or of service accounts; keep the file for tests.',
  },
];
