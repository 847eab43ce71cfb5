/** What can be said about the form of a file, before its meaning. */
import { defineFinding } from '../diagnostics/rule.ts';

export const yamlSyntax = defineFinding<{ readonly problem: string }>({
  code: 'AG1001',
  name: 'yaml-syntax',
  severity: 'error',
  source: 'server',
  summary: 'The file is not YAML that the API server can read.',
  message: ({ problem }) => problem,
  help: () => 'mend the YAML at this place; nothing behind it has been read',
});

export const jsonSyntax = defineFinding<{ readonly problem: string }>({
  code: 'AG1002',
  name: 'json-syntax',
  severity: 'error',
  source: 'server',
  summary: 'A file that starts with a brace is read as JSON, and this one is not.',
  message: ({ problem }) => problem,
  help: () => 'write strict JSON, or start the file with a key instead of a brace to use YAML',
});

export const duplicateKey = defineFinding<{ readonly problem: string }>({
  code: 'AG1003',
  name: 'duplicate-key',
  severity: 'error',
  source: 'server',
  summary: 'A key stands twice in one map.',
  message: ({ problem }) => problem,
  help: () => 'keep one of the two',
});

export const documentLimit = defineFinding<{
  readonly what: string;
  readonly found: number;
  readonly limit: number;
}>({
  code: 'AG1004',
  name: 'document-limit',
  severity: 'error',
  source: 'limit',
  summary: 'The file is larger, deeper or more repetitive than AuthGraph reads.',
  message: ({ what, found, limit }) => `the file has ${found} ${what}; the limit is ${limit}`,
  help: ({ what }) => `reduce the number of ${what}`,
});
