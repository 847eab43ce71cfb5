/**
 * Validation of names and labels in the Kubernetes API and in expressions. Functions named
 * `…Problems` return kube-apiserver's error messages.
 */
import { encodeUtf8 } from './utf8.ts';

const maxBytesError = (limit: number): string => `must be no more than ${limit} bytes`;

const regexError = (message: string, format: string, ...examples: readonly string[]): string => {
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  return `${message} (e.g. ${shown}regex used for validation is '${format}')`;
};

const utf8Length = (text: string): number => encodeUtf8(text).length;

const labelFormat = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomainFormat = `${labelFormat}(\\.${labelFormat})*`;
const anchored = (format: string): RegExp => new RegExp(`^(?:${format})$`);
const labelPattern = anchored(labelFormat);
const subdomainPattern = anchored(subdomainFormat);

/** Checks for a DNS label, including its maximum length. */
export const isDnsLabel = (text: string): boolean => text.length <= 63 && labelPattern.test(text);

/** Checks for a DNS subdomain, including its maximum length. */
export const isDnsSubdomain = (text: string): boolean =>
  text.length <= 253 && subdomainPattern.test(text);

/** Checks for the syntax of a DNS subdomain of any length. */
export const hasSubdomainForm = (text: string): boolean => subdomainPattern.test(text);

/** Names a limit in bytes as characters, like Kubernetes in errors about names. */
const maxCharactersError = (limit: number): string => `must be no more than ${limit} characters`;

/** Validates names of namespaces. */
export const dnsLabelProblems = (value: string): readonly string[] => {
  const problems = utf8Length(value) > 63 ? [maxCharactersError(63)] : [];
  if (labelPattern.test(value)) return problems;
  if (subdomainPattern.test(value)) return [...problems, 'must not contain dots'];
  const message =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
  return [...problems, regexError(message, labelFormat, 'my-name', '123-abc')];
};

const label1035Format = '[a-z]([-a-z0-9]*[a-z0-9])?';
const label1035Pattern = anchored(label1035Format);

/** Validates labels that begin with a letter, such as names of services. */
export const dns1035LabelProblems = (value: string): readonly string[] => {
  const problems = utf8Length(value) > 63 ? [maxCharactersError(63)] : [];
  if (label1035Pattern.test(value)) return problems;
  const message =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
  return [...problems, regexError(message, label1035Format, 'my-name', 'abc-123')];
};

/** Validates names of most objects. */
export const dnsSubdomainProblems = (value: string): readonly string[] =>
  subdomainProblems(value, maxCharactersError);

const subdomainProblems = (
  value: string,
  lengthError: (limit: number) => string,
): readonly string[] => {
  const problems = utf8Length(value) > 253 ? [lengthError(253)] : [];
  if (subdomainPattern.test(value)) return problems;
  return [...problems, subdomainError];
};

/** The error for a string that is not a DNS subdomain. */
export const subdomainError = regexError(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  subdomainFormat,
  'example.com',
);

/**
 * Validates names of roles and bindings, which may contain all characters that are valid in a path
 * segment.
 */
export const pathSegmentProblems = (value: string): readonly string[] => {
  if (value === '.' || value === '..') return [`may not be '${value}'`];
  return ['/', '%'].flatMap((part) => (value.includes(part) ? [`may not contain '${part}'`] : []));
};

const keyFormat = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const keyMessage =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const keyPattern = anchored(keyFormat);
const keyProblem = regexError(keyMessage, keyFormat, 'MyName', 'my.name', '123-abc');

/** Validates keys of labels and annotations, and names of finalizers. */
export const labelKeyProblems = (value: string): readonly string[] => {
  const parts = value.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${keyProblem} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts.at(-1) ?? '';
  const prefix = parts.length === 2 ? parts[0] : undefined;
  const problems: string[] = [];
  if (prefix === '') problems.push('prefix part must be non-empty');
  else if (prefix !== undefined) {
    problems.push(
      ...subdomainProblems(prefix, maxBytesError).map((problem) => `prefix part ${problem}`),
    );
  }
  if (name === '') problems.push('name part must be non-empty');
  else if (utf8Length(name) > 63) problems.push(`name part ${maxBytesError(63)}`);
  if (!keyPattern.test(name)) problems.push(`name part ${keyProblem}`);
  return problems;
};

const valueFormat = `(${keyFormat})?`;
const valuePattern = anchored(valueFormat);

/** Validates values of labels. */
export const labelValueProblems = (value: string): readonly string[] => {
  const problems = utf8Length(value) > 63 ? [maxBytesError(63)] : [];
  if (valuePattern.test(value)) return problems;
  const message =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
  return [...problems, regexError(message, valueFormat, 'MyValue', 'my_value', '12345')];
};

const dataKeyFormat = '[-._a-zA-Z0-9]+';
const dataKeyPattern = anchored(dataKeyFormat);

/** Validates keys of a secret's data. */
export const dataKeyProblems = (value: string): readonly string[] => {
  const problems = utf8Length(value) > 253 ? [maxCharactersError(253)] : [];
  if (!dataKeyPattern.test(value)) {
    const message = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
    problems.push(regexError(message, dataKeyFormat, 'key.name', 'KEY_NAME', 'key-name'));
  }
  if (value === '.' || value === '..') problems.push(`must not be '${value}'`);
  else if (value.startsWith('..')) problems.push("must not start with '..'");
  return problems;
};
