/** Message patterns for requests that were not decided: no credential, or an unreadable body. */
import type { StagePattern } from './module-pattern.ts';

export const requestPatterns: readonly StagePattern[] = [
  {
    name: 'unauthorized',
    pattern:
      /^(?:Unauthorized|You must be logged in to the server(?: \(.*\))?|couldn't get current server API group list: the server has asked for the client to provide credentials)$/,
    meaning:
      'The credential was rejected, or there was none and anonymous requests are disabled. The response gives no reason; the log line with the same timestamp does.',
    fix: 'Find “Unable to authenticate the request” in the log, and explain that line.',
  },
  {
    name: 'unauthorized',
    pattern: /^Authentication failed, attempted: (?<tried>.*)$/,
    meaning:
      'A request with this kind of credential was rejected: {tried}. This message is from the audit log.',
    fix: 'Find “Unable to authenticate the request” in the log, and explain that line.',
  },
  {
    name: 'tls-handshake-refused',
    pattern:
      /^http: TLS handshake error from (?<peer>\S+): (?<why>remote error: tls: (?:bad certificate|unknown certificate(?: authority)?|expired certificate))$/,
    meaning:
      'The client at {peer} did not trust the serving certificate and ended the connection: {why}. It sent no request and no credential.',
    fix: 'Set certificate-authority in the kubeconfig of the client to the CA of the serving certificate, which --tls-cert-file names.',
  },
  {
    name: 'tls-handshake-failed',
    pattern: /^http: TLS handshake error from (?<peer>\S+): (?<why>.*)$/s,
    meaning:
      'The connection from {peer} ended before a request was sent: {why}. Authentication is not the cause.',
    fix: 'Probes of load balancers and port scanners produce this message. Otherwise check the TLS versions and the address in the configuration of the client.',
  },
  {
    name: 'body-type-unknown',
    pattern:
      /^the body of the request was in an unknown format - accepted media types include: (?<types>.*)$/s,
    meaning: 'The Content-Type of the request is not supported.',
    fix: 'Send one of {types}.',
  },
  {
    name: 'body-unrecognized',
    pattern:
      /^the object provided is unrecognized \(must be of type (?<kind>[^)]*)\): (?<why>.*)$/s,
    meaning: 'The body of the request cannot be recognized as a {kind}: {why}.',
    fix: 'Send an object with apiVersion and kind.',
  },
  {
    name: 'body-refused',
    pattern:
      /^(?<kind>\S*) in version "(?<version>[^"]*)" cannot be handled as a (?<wanted>\w+): (?<why>.*)$/s,
    meaning: 'The body of the request cannot be decoded as a {wanted}: {why}.',
    fix: 'Check kind, version and the names and types of the fields.',
  },
  {
    name: 'body-other-version',
    pattern:
      /^the API version in the data \((?<got>.*?)\) does not match the expected API version \((?<wanted>.*?)\)$/s,
    meaning: 'The API version is {got} in the body, but {wanted} in the path.',
    fix: 'Use the version of the path in the body.',
  },
  {
    name: 'option-invalid',
    pattern: /^(?<kind>\w+Options)\.meta\.\S+ "" is invalid: (?<why>.*)$/s,
    meaning: 'A query parameter of the request is invalid: {why}.',
    fix: 'Use one of the supported values, or remove the parameter.',
  },
  {
    name: 'review-without-token',
    pattern: /^token is required for TokenReview in authentication$/,
    meaning: 'The TokenReview has no spec.token.',
    fix: 'Set spec.token.',
  },
];
