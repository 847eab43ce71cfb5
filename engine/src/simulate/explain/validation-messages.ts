/**
 * Finds the server's validation rule that wrote a message about a field of a configuration file.
 */
import { expressionFix } from './expression-fix.ts';
import { factsOf, type RecognizedMessage } from './match-message.ts';
import {
  anonymousPatterns,
  type ValidationPattern,
  validationPatterns,
} from './validation-patterns.ts';

/**
 * Explains configuration errors: `jwt[0].issuer.url: Invalid value: "http://…": URL scheme must be
 * https`.
 */
export const validationMessage = (message: string): RecognizedMessage | undefined => {
  const match =
    /^(?<path>(?:jwt|anonymous|issuer|claimMappings)(?:[.[][\w.[\]]*)?): (?<type>Required value|Invalid value|Duplicate value|Forbidden|Too many|Unsupported value|Internal error)(?:: (?<rest>.*))?$/s.exec(
      message,
    );
  if (match === null) return undefined;
  const facts = new Map(factsOf(match));
  const path = facts.get('path') ?? '';
  const type = facts.get('type') ?? '';
  const base = { message, subject: 'field', form: 'claim' } as const;
  const row = validationRow(path, type, facts.get('rest') ?? '');
  if (row === undefined)
    return {
      ...base,
      kind: 'configuration-refused',
      meaning: `The configuration was rejected: ${sentenceByType.get(type) ?? 'the value is not valid'} at ${path}.`,
      fix: '`authgraph check` shows the location in the file and how to fix it.',
      facts,
    };
  facts.set('code', row.code);
  const cause = expressionCause(facts.get('rest') ?? '');
  const meaning = cause === undefined ? row.meaning : `${row.meaning} ${cause}`;
  return {
    ...base,
    kind: row.name,
    meaning: `The configuration was rejected at ${path}: ${lowerFirst(meaning)}`,
    fix:
      (row.code === 'AG2001' ? expressionFix(path, facts.get('rest') ?? '') : undefined) ?? row.fix,
    facts,
  };
};

/** Returns a sentence with the first error of an expression and its place. */
const expressionCause = (rest: string): string | undefined => {
  const match = /compilation failed: ERROR: <input>:(\d+):(\d+): ([^\n]*)/.exec(rest);
  if (match === null) return undefined;
  const [, line = '', column = '', cause = ''] = match;
  return `Line ${line}, column ${column}: ${cause}.`;
};

/** Finds the pattern by the end of the message, since the value in the middle can be any text. */
const validationRow = (path: string, type: string, rest: string): ValidationPattern | undefined => {
  const patterns = path.startsWith('anonymous') ? anonymousPatterns : validationPatterns;
  const field = path.replace(/^(?:jwt(?:\[\d+\])?|anonymous)/, '').replace(/^issuer/, '.issuer');
  const details = detailsOf(type, rest);
  return patterns.find(
    (row) =>
      (row.field?.test(field) ?? true) &&
      details.some((detail) => row.detail?.test(detail) ?? true),
  );
};

/**
 * Returns every text that may be the detail: the text after each `: `, since values contain colons
 * too.
 */
const detailsOf = (type: string, rest: string): readonly string[] => {
  if (type === 'Duplicate value') return [type];
  if (rest === '') return [type];
  const details = [rest];
  for (let at = rest.indexOf(': '); at !== -1; at = rest.indexOf(': ', at + 2)) {
    details.push(rest.slice(at + 2));
    if (details.length > maxDetails) break;
  }
  return type === 'Required value' ? [...details, ...(rest === '' ? [type] : [])] : details;
};

const maxDetails = 64;

const lowerFirst = (sentence: string): string =>
  /^[A-Z][a-z]/.test(sentence) ? sentence.slice(0, 1).toLowerCase() + sentence.slice(1) : sentence;

const sentenceByType: ReadonlyMap<string, string> = new Map([
  ['Required value', 'a value is missing'],
  ['Invalid value', 'the value is not allowed'],
  ['Duplicate value', 'the value is repeated'],
  ['Forbidden', 'the field is not allowed'],
  ['Too many', 'there are too many entries'],
  ['Internal error', 'the expression cannot be compiled'],
]);
