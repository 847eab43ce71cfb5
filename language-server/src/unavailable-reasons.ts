/**
 * Why a question has no answer, in the words that people read: what is missing, and how to mend it. One
 * sentence for one thing, without a full stop, since clients put words around it.
 */
export const problems = {
  noConfiguration:
    'this document holds no configuration: one has the line "kind: AuthenticationConfiguration"',
  noneOpen:
    'no configuration is open: open a file with the line "kind: AuthenticationConfiguration"',
  notAnalyzed:
    'the analysis of this file was stopped: the reason and what to do stand under Problems',
  otherNotAnalyzed: 'the analysis of the text to compare with was stopped: choose a shorter one',
  hasErrors: 'the configuration has errors: mend them first, they stand under Problems',
  hadErrors: 'the text to compare with has errors: choose one without',
  drawnWithoutErrors:
    'the configuration has errors: the picture shows the authenticators without any',
  noIssuer: 'the configuration has no issuer: add an entry to its list jwt',
  otherIssuer: 'the configuration does not have this issuer: add an entry for it to its list jwt',
  noSamples: 'there is no sample: put the claims of somebody into a file like jane.claims.yaml',
  noneChosen: 'no sample is chosen: choose one first',
  noSuchSample: 'there is no such sample: choose another one',
  notSaved: 'there is no saved file to compare with: save this one first',
  inBrowser: 'issuers cannot be asked from a browser: use an editor on the desktop',
  notTrusted: 'issuers are not asked from a workspace that is not trusted: trust it first',
  /** Of our own making. */
  failed: 'the question could not be answered: the log of the language server says more',
} as const;

/** Of the document that a question is about; without one, its URI is empty. */
export const missingConfiguration = (uri: string): string =>
  uri === '' ? problems.noneOpen : problems.noConfiguration;
