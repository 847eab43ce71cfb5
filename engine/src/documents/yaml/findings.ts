/** Findings about the syntax and size of a file. */
import { defineFinding } from '../../diagnostics/rule.ts';

export const yamlSyntax = defineFinding<{ readonly problem: string }>({
  code: 'AG1001',
  name: 'yaml-syntax',
  summary: 'The file is not YAML that kube-apiserver can parse.',
  message: ({ problem }) => problem,
  help: ({ problem }) =>
    advice.find(([part]) => problem.includes(part))?.[1] ??
    'Correct the YAML at this position; nothing after it was parsed.',
});

/** Parts of the loader's messages, with help for the most common cause. */
const advice: readonly (readonly [string, string])[] = [
  ['invalid map key: map[', 'Fill in the template placeholder `{{ … }}`, or quote it.'],
  [
    'cannot start any token',
    'Indent with spaces, not tabs, and quote strings that start with @, ` or %.',
  ],
  ['tab character', 'Indent with spaces, not tabs.'],
  [
    'mapping values are not allowed',
    'Quote a value that contains a colon and a space, or check the indentation.',
  ],
  [
    'did not find expected key',
    'Check the indentation: all keys of a map start in the same column.',
  ],
  [
    "did not find expected '-'",
    'Check the indentation: all items of a list start in the same column.',
  ],
  ["expected ',' or ']'", 'Close the bracket, or add a comma between the items.'],
  ["expected ',' or '}'", 'Close the brace, or add a comma between the entries.'],
  [
    "could not find expected ':'",
    'Add a colon after the key, or indent the line further if it continues a string.',
  ],
  ['unexpected end of stream', 'Close the quote.'],
  ['unexpected document indicator', 'Close the quote before the line of dashes or dots.'],
  ['unknown escape character', 'Write the backslash twice, or use single quotes.'],
  ['block sequence entries are not allowed', 'Start the list on the next line.'],
  [
    'control characters',
    'Remove the character; if it is intended, write it as an escape in double quotes.',
  ],
  ['UTF-8', 'Save the file as UTF-8; nothing after this byte was parsed.'],
  ['invalid Unicode character', 'Save the file as UTF-8.'],
  ['unknown anchor', 'Define the anchor with & further up, or quote the string.'],
  ['did not find expected alphabetic', 'Quote strings that start with * or &.'],
  ['did not find expected node content', 'Write a value here, or remove what requires one.'],
  ['found undefined tag handle', 'Remove the tag, or quote strings that start with !.'],
  ['excessive aliasing', 'Write out the values that the aliases repeat.'],
  ['contains itself', 'Write out the value that the alias repeats.'],
];

export const jsonSyntax = defineFinding<{ readonly problem: string }>({
  code: 'AG1002',
  name: 'json-syntax',
  summary: 'The file starts with a brace but is not valid JSON.',
  message: ({ problem }) => problem,
  help: () => 'Write strict JSON, or start the file with a key instead of a brace to use YAML.',
});

export const duplicateKey = defineFinding<{ readonly problem: string }>({
  code: 'AG1003',
  name: 'duplicate-key',
  summary: 'A key appears twice in one map.',
  message: ({ problem }) => problem,
  help: () => 'Keep one of the two.',
});

export const documentLimit = defineFinding<{
  readonly what: string;
  readonly actual: number;
  readonly limit: number;
}>({
  code: 'AG1004',
  name: 'document-limit',
  source: 'limit',
  summary: 'The file exceeds a limit on size, depth or repetition.',
  message: ({ what, actual, limit }) => `the file has ${actual} ${what}; the limit is ${limit}`,
  help: ({ what }) => `Reduce the number of ${what}.`,
});
