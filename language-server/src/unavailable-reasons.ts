/**
 * Messages for requests that have no result: what is missing and how to fix it. Each is one
 * sentence in lower case without a period, because clients embed them.
 */
export const problems = {
  noConfiguration:
    'this document has no configuration: add the line "kind: AuthenticationConfiguration"',
  noneOpen:
    'no configuration is open: open a file with the line "kind: AuthenticationConfiguration"',
  notAnalyzed: 'the analysis of this file was stopped: see Problems for the reason and what to do',
  otherNotAnalyzed: 'the analysis of the version to compare with was stopped: choose a shorter one',
  hasErrors: 'the configuration has errors: fix the ones listed in Problems first',
  hadErrors: "the version to compare with has errors, so it can't be compared",
  didNotLoad: 'the version to compare with does not load, because it has errors',
  hadNoConfiguration: 'the version to compare with has no AuthenticationConfiguration',
  noIssuer: 'the configuration has no issuer: add an entry to its jwt list',
  otherIssuer: 'the configuration has no entry for this issuer: add one to its jwt list',
  issuersChanged: 'the issuers have changed since they were confirmed: try again',
  noSamples: 'there are no samples: save claims to a file such as jane.claims.yaml',
  noneCurrent: 'no sample is selected: select one first',
  noSuchSample: 'there is no such sample: select another one',
  noExpression: 'there is no CEL expression here: select one, or put the cursor in one',
  notEvaluable:
    "the selection can't be evaluated on its own: select a complete expression without errors",
  noSampleOfIssuer:
    'no sample is of the issuer of this authenticator: save its claims to a file such as jane.claims.yaml',
  noTarget: 'there is nothing to look for: name a username, a group or an extra value',
  notSaved: 'there is no saved version to compare with: save the file first',
  inBrowser: "issuers can't be contacted from a browser: use an editor on the desktop",
  notTrusted: "issuers can't be contacted from an untrusted workspace: trust it first",
  /** A bug in the server. */
  failed: 'the request failed: see the log of the language server',
} as const;

/**
 * Returns the message for a document without configurations; the URI is empty if no document is
 * open.
 */
export const missingConfiguration = (uri: string): string =>
  uri === '' ? problems.noneOpen : problems.noConfiguration;
