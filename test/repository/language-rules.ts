/**
 * The words that this repository does not use, and the files in which a third party's text may contain them.
 * CONTRIBUTING.md lists the terms to use instead.
 */

/** A term that is rejected everywhere, with the term to write instead. */
export interface RejectedTerm {
  readonly name: string;
  /** Matches in running text, and in identifiers after they are split into words. */
  readonly pattern: RegExp;
  readonly instead: string;
}

export const rejectedTerms: readonly RejectedTerm[] = [
  { name: 'mend', pattern: /\bmend(?:s|ed|ing)?\b/i, instead: 'fix' },
  { name: 'told', pattern: /\btold\b/i, instead: 'reported, logged' },
  {
    name: 'whoever',
    pattern: /\bwhoever\b|\bwho(?: is nobody| may not)\b/i,
    instead: 'the caller',
  },
  {
    name: 'judge',
    pattern: /\bjudg(?:e|es|ed|ing|e?ments?)\b/i,
    instead: 'verify, validate, evaluate',
  },
  { name: 'beside', pattern: /\bbeside\b/i, instead: 'next to, in addition to' },
  { name: 'nobody', pattern: /\bnobody(?:'s)?\b/i, instead: 'no one, no caller, unauthenticated' },
  { name: 'real server', pattern: /\breal (?:api )?server\b/i, instead: 'kube-apiserver' },
  { name: 'foreign', pattern: /\bforeign\b/i, instead: 'untrusted, third-party' },
  {
    name: 'odd',
    pattern: /\bodd(?:ly|ness|ity)?\b(?! (?:number|length|stream|count|and even))/i,
    instead: 'malformed, unusual',
  },
  {
    name: 'goodbye',
    pattern: /\bgoodbyes?\b|\bdepartures?\b/i,
    instead: 'GOAWAY, graceful shutdown',
  },
  {
    name: 'surroundings',
    pattern: /\bsurroundings\b|\bkeepers?\b/i,
    instead: 'RequestContext, controllers',
  },
  {
    name: 'give back',
    pattern: /\b(?:giv(?:e|es|en|ing)|gave) (?:it |them )?back\b/i,
    instead: 'release',
  },
  { name: 'take up', pattern: /\b(?:tak(?:e|es|en|ing)|took) up\b(?! to\b)/i, instead: 'acquire' },
  { name: 'twin', pattern: /\btwins?\b/i, instead: 'text alternative' },
  { name: 'delight', pattern: /\bdelight\w*\b|\bcharm(?:s|ing|ed)?\b/i, instead: '(leave it out)' },
  {
    name: 'spelling',
    pattern:
      /\bartefacts?\b|\bcolour\w*|\bcancelled\b|\bcancelling\b|\blicences?\b|\bbehaviour\w*|\bcatalogues?\b|\b(?:mis)?spelt\b|\banalys(?:e|ed|ing)\b|\b(?:label|model|signal|travel)l(?:ed|ing)\b|\b(?:favour|neighbour|honour)\w*|\bcentres?\b|\b\w*(?:author|capital|categor|custom|final|general|initial|maxim|memor|minim|normal|optim|organ|parameter|priorit|random|real|recogn|serial|special|standard|summar|synchron|token|util|visual|local|anonym)is(?:e|es|ed|er|ers|ing|ations?|able)\b/i,
    instead: 'American spelling',
  },
];

/** The first words of a doc comment that has no subject. */
export const bareOpening =
  /^(?:Of|With|Without|By|As|The same|And|Nor|Also|Not|Where|After|Before|For|In|On|At|To|From|Into|Under|Over|Until|Behind|Beyond)\b/;

/** Names and messages of others, in which a rejected term may occur: SVG's, VS Code's, the protocol's, cel-go's. */
const thirdPartyTexts =
  /\bforeignObject\b|\bViewColumn(?:\.| = \{ |: \{ )Beside\b|\bRequestCancelled\b|\boperation cancelled\b/g;

/** Removes names of others and splits identifiers into words, so that `mendAll` reads as `mend All`. */
export const ownWords = (text: string): string =>
  text
    .replace(thirdPartyTexts, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/_/g, ' ');
