/** Findings about the syntax and size of a file. */
import { defineFinding } from '../../diagnostics/rule.ts';

export const yamlSyntax = defineFinding<{ readonly problem: string }>({
  code: 'AG1001',
  name: 'yaml-syntax',
  severity: 'error',
  source: 'server',
  summary: 'The file is not YAML that the API server can read.',
  message: ({ problem }) => problem,
  help: ({ problem }) =>
    advice.find(([part]) => problem.includes(part))?.[1] ??
    'fix the YAML at this place; nothing behind it has been read',
});

/** Parts of the loader's messages, with help for the most common cause. */
const advice: readonly (readonly [string, string])[] = [
  [
    'invalid map key: map[',
    'a template mark `{{ … }}` was not filled in; fill it in or put it in quotes',
  ],
  [
    'cannot start any token',
    'indent with spaces, not tabs, and put texts that start with @, ` or % in quotes',
  ],
  ['tab character', 'indent with spaces, not tabs'],
  [
    'mapping values are not allowed',
    'put a value with a colon and a space inside in quotes, or check the indentation',
  ],
  ['did not find expected key', 'check the indentation: keys of one map start in one column'],
  ["did not find expected '-'", 'check the indentation: items of one list start in one column'],
  ["expected ',' or ']'", 'close the bracket, or put a comma between the items'],
  ["expected ',' or '}'", 'close the brace, or put a comma between the entries'],
  [
    "could not find expected ':'",
    'add the colon behind the key, or indent the line further if it goes on a text',
  ],
  ['unexpected end of stream', 'close the quote'],
  ['unexpected document indicator', 'close the quote before the line of dashes or dots'],
  ['unknown escape character', 'write the backslash twice, or use single quotes'],
  ['block sequence entries are not allowed', 'start the list on the next line'],
  [
    'control characters',
    'remove the character; write it as an escape in double quotes if it is meant',
  ],
  ['UTF-8', 'save the file as UTF-8; nothing behind this byte has been read'],
  ['invalid Unicode character', 'save the file as UTF-8'],
  ['unknown anchor', 'define the anchor with & further up, or put the text in quotes'],
  ['did not find expected alphabetic', 'put texts that start with * or & in quotes'],
  ['did not find expected node content', 'write a value here, or remove what asks for one'],
  ['found undefined tag handle', 'remove the tag, or put texts that start with ! in quotes'],
  ['excessive aliasing', 'write out what the aliases repeat'],
  ['contains itself', 'write out what the alias repeats'],
];

export const jsonSyntax = defineFinding<{ readonly problem: string }>({
  code: 'AG1002',
  name: 'json-syntax',
  severity: 'error',
  source: 'server',
  summary: 'The file starts with a brace but is not valid JSON.',
  message: ({ problem }) => problem,
  help: () => 'write strict JSON, or start the file with a key instead of a brace to use YAML',
});

export const duplicateKey = defineFinding<{ readonly problem: string }>({
  code: 'AG1003',
  name: 'duplicate-key',
  severity: 'error',
  source: 'server',
  summary: 'A key appears twice in one map.',
  message: ({ problem }) => problem,
  help: () => 'keep one of the two',
});

export const documentLimit = defineFinding<{
  readonly what: string;
  readonly actual: number;
  readonly limit: number;
}>({
  code: 'AG1004',
  name: 'document-limit',
  severity: 'error',
  source: 'limit',
  summary: 'The file exceeds a limit on size, depth or repetition.',
  message: ({ what, actual, limit }) => `the file has ${actual} ${what}; the limit is ${limit}`,
  help: ({ what }) => `reduce the number of ${what}`,
});
