/** Message patterns for requests that were not decided: no credential, or an unreadable body. */
import type { StagePattern } from './module-pattern.ts';

export const requestPatterns: readonly StagePattern[] = [
  {
    name: 'unauthorized',
    pattern: /^(?:Unauthorized|You must be logged in to the server(?: \(.*\))?)$/,
    meaning:
      'The request was refused with 401: its credential was, or there was none and anonymous requests are off. The answer never says why; the server’s log does, under the same time.',
    fix: 'Look for “Unable to authenticate the request” in the log, and explain that line.',
  },
  {
    name: 'unauthorized',
    pattern: /^Authentication failed, attempted: (?<tried>.*)$/,
    meaning: 'The audit log says that a request with this kind of credential was refused: {tried}.',
    fix: 'Look for “Unable to authenticate the request” in the log, and explain that line.',
  },
  {
    name: 'body-type-unknown',
    pattern:
      /^the body of the request was in an unknown format - accepted media types include: (?<types>.*)$/s,
    meaning: 'The Content-Type of the request is none that is read here.',
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
    meaning: 'The body of the request is no {wanted} that can be read: {why}.',
    fix: 'Compare kind, version and the spelling of every field with the API.',
  },
  {
    name: 'body-other-version',
    pattern:
      /^the API version in the data \((?<got>.*?)\) does not match the expected API version \((?<wanted>.*?)\)$/s,
    meaning: 'The body says {got} and the path {wanted}.',
    fix: 'Write the version of the path into the body.',
  },
  {
    name: 'option-invalid',
    pattern: /^(?<kind>\w+Options)\.meta\.\S+ "" is invalid: (?<why>.*)$/s,
    meaning: 'A parameter of the request’s query is not allowed: {why}.',
    fix: 'Write one of the supported values, or leave it out.',
  },
  {
    name: 'review-without-token',
    pattern: /^token is required for TokenReview in authentication$/,
    meaning: 'A TokenReview came without spec.token.',
    fix: 'Put the token into spec.token.',
  },
];
