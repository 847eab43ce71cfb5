/**
 * Validation errors whose message changed between releases: older messages by those of the newest
 * release.
 */
import type { Diagnostic, ServerError } from '../diagnostics/diagnostic.ts';
import { goQuote } from '../formats/go-quote.ts';
import type { Release } from '../model/release.ts';
import { displayMessage, invalidError } from './server-error.ts';

/** The first release whose errors for missing values have no detail and print values as JSON. */
const shortMessagesSince: Release = 34;

/** Returns the finding with the message of a release. */
export const withReleaseWording = (finding: Diagnostic, release: Release): Diagnostic => {
  const { server } = finding;
  if (server === undefined || release >= shortMessagesSince) return finding;
  const older = olderError(server);
  return older === server ? finding : { ...finding, server: older, message: displayMessage(older) };
};

const olderError = (error: ServerError): ServerError => {
  if (error.field === 'anonymous.conditions') return withGoValue(error);
  if (error.field.endsWith('.audienceMatchPolicy')) return withQuotedValue(error);
  const row = olderDetails.find(
    ({ field, detail }) =>
      detail === error.detail &&
      (detail !== '' || error.type === 'FieldValueRequired') &&
      field.test(error.field),
  );
  if (row === undefined) return error;
  const message =
    error.detail === ''
      ? `${error.message}: ${row.older}`
      : `${error.message.slice(0, -error.detail.length)}${row.older}`;
  return { ...error, detail: row.older, message };
};

interface OlderDetail {
  readonly field: RegExp;
  readonly detail: string;
  readonly older: string;
}

const olderDetails: readonly OlderDetail[] = [
  { field: /\.audiences\[\d+\]$/, detail: '', older: "audience can't be empty" },
  { field: /\.issuer\.url$/, detail: '', older: 'URL is required' },
  { field: /\.valueExpression$/, detail: '', older: 'valueExpression is required' },
  { field: /\.expression$/, detail: '', older: 'expression is required' },
  { field: /\.key$/, detail: 'must be lowercase', older: 'key must be lowercase' },
  ...['prefix', 'message', 'requiredValue'].flatMap((name) =>
    ['claim', 'expression'].map((other) => ({
      field: new RegExp(`\\.${name}$`),
      detail: `may not be specified when ${other} is set`,
      older: `${name} can't be set when ${other} is set`,
    })),
  ),
];

/** Returns the error with a value of a named string type as Go's `%#v` prints it, not as JSON. */
const withQuotedValue = (error: ServerError): ServerError => {
  const quoted = invalidError(error.field, String(error.badValue), error.detail);
  return error.type === 'FieldValueInvalid' ? quoted : error;
};

/** Returns the error with the list as Go's `%#v` prints it; its bad value is printed by `%v`. */
const withGoValue = (error: ServerError): ServerError => {
  const paths = /^\[\{(.*)\}\]$/s.exec(String(error.badValue))?.[1]?.split('} {') ?? [];
  const type = 'apiserver.AnonymousAuthCondition';
  const items = paths.map((path) => `${type}{Path:${goQuote(path)}}`).join(', ');
  return {
    ...error,
    message: `${error.field}: Invalid value: []${type}{${items}}: ${error.detail}`,
  };
};
