/**
 * Edits inside expressions in every YAML style: after a rename or formatting, the file has the
 * equivalent expression and is otherwise unchanged.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TextEdit, WorkspaceEdit } from 'vscode-languageserver';
import { parse, stringify } from 'yaml';
import { claimMentions, claimPathText } from '../../engine/src/cel/editor/claim-mentions.ts';
import { compile } from '../../engine/src/compile/compile.ts';
import { sourceFile } from '../../engine/src/source/source-file.ts';
import { treeText } from '../engine/cel/syntax/tree-text.ts';
import { type LanguageClient, languageClient, workspaceUri } from '../support/language-client.ts';
import { edited } from '../support/shown-edits.ts';

const head = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: {url: "https://a.example", audiences: [a]}
  claimMappings:
    groups: {claim: roles, prefix: ""}
    username:
`;

const indented = (text: string, columns: number): string =>
  text.replace(/^(?=.)/gm, ' '.repeat(columns));
const block = (indicator: string) => (expression: string) =>
  `${head}      expression: ${indicator}\n${indented(expression, 8)}\n`;
const oneLine = (expression: string): string => expression.replaceAll(/\n\s*/g, ' ');
const single = (text: string): string => `'${oneLine(text).replaceAll("'", "''")}'`;
const configMap = (value: string): string =>
  `kind: ConfigMap\napiVersion: v1\ndata:\n  auth.yaml: ${value}\n`;

/** Functions that return a file with an expression in it. */
const styles: readonly (readonly [string, (expression: string) => string])[] = [
  ['plain', (text) => `${head}      expression: ${oneLine(text)}  # plain\n`],
  ['single', (text) => `${head}      expression: ${single(text)}\n`],
  ['double', (text) => `${head}      expression: ${JSON.stringify(text)}\n`],
  ['literal', block('|')],
  ['stripped literal', block('|-')],
  ['folded', block('>')],
  ['indented literal', (text) => `${head}      expression: |2+ # two\n${indented(text, 8)}\n\n`],
  ['flow', (text) => `${head}      {expression: ${single(text)}, claim: ""}\n`],
  ['lines end in CR LF', (text) => block('|')(text).replaceAll('\n', '\r\n')],
  [
    'JSON',
    (text) => JSON.stringify(parse(`${head}      expression: ${JSON.stringify(text)}`), null, 1),
  ],
  ['a literal in a ConfigMap', (text) => configMap(`|\n${indented(block('|-')(text), 4)}`)],
  ['quotes in a ConfigMap', (text) => configMap(JSON.stringify(block('|-')(text)))],
  [
    'single quotes in quotes in a ConfigMap',
    (text) => configMap(JSON.stringify(`${head}      expression: ${single(text)}\n`)),
  ],
  ['JSON in a ConfigMap', (text) => configMap(single(JSON.stringify(parse(block('|')(text)))))],
  [
    'the second document',
    (text) => `${stringify({ kind: 'Namespace' })}---\n${block('>-')(text)}---\nkind: Last\n`,
  ],
];

const configurationIn = (text: string): string => {
  if (text.startsWith('kind: ConfigMap')) return parse(text).data['auth.yaml'];
  return text.startsWith('kind: Namespace') ? (text.split('---\n')[1] ?? '') : text;
};

const compiled = (text: string) => {
  const compilation = compile({ source: sourceFile('auth.yaml', configurationIn(text)) });
  const placed = compilation.expressions.get('jwt[0].claimMappings.username.expression');
  if (placed === undefined) throw new Error(`no expression in ${text}`);
  return { compilation, checked: placed.compilation.checked };
};

let client: LanguageClient;
let opened = 0;
const open = async (text: string): Promise<string> => {
  opened += 1;
  const uri = `${workspaceUri}/${opened}.yaml`;
  await client.open(uri, text);
  return uri;
};

beforeAll(async () => {
  client = await languageClient({ settings: { format: { enabled: true } } });
});
afterAll(async () => {
  expect(client.log).toEqual([]);
  await client.close();
});

const expressions = [
  'claims.tenant',
  "(claims.x)+claims.tenant+  claims.?tenant.orValue('it')",
  'claims["tenant"]+claims[\'tenant\'] &&\n  has(claims.tenant)&& [ claims.tenant,\n"tenant" in claims ]',
];
const names = ['organisation', 'https://a.example/t', 'it\'s "é😀" \\'];

const cases = styles.flatMap(([style, write]) =>
  expressions.map((text) => ({ style, write, text })),
);

test.each(cases)('$style: renames in $text', async ({ write, text }) => {
  const file = write(text);
  const before = compiled(file);
  const uri = await open(file);
  const { line, column } = sourceFile(uri, file).positionAt(file.indexOf('tenant'));
  for (const newName of names) {
    const edit = await client.connection.sendRequest<WorkspaceEdit>('textDocument/rename', {
      textDocument: { uri },
      position: { line, character: column + 1 },
      newName,
    });
    const after = compiled(edited(file, edit.changes?.[uri] ?? []));
    expect(pathsIn(after.checked)).toEqual(
      pathsIn(before.checked).map((path) =>
        path === 'tenant' ? claimPathText([{ kind: 'member', name: newName }]) : path,
      ),
    );
    expect(after.compilation.document.failure).toBeUndefined();
    expect(after.compilation.configuration?.jwt[0]?.claimMappings.groups?.claim?.value).toBe(
      'roles',
    );
  }
});

const pathsIn = (checked: ReturnType<typeof compiled>['checked']): readonly string[] => {
  expect(checked.parsed.errors).toEqual([]);
  return claimMentions(checked.parsed).map(({ path }) => claimPathText(path));
};

test.each(cases)('$style: formats $text', async ({ write, text }) => {
  const file = write(text);
  const format = async (of: string): Promise<readonly TextEdit[]> => {
    const uri = await open(of);
    return client.connection.sendRequest('textDocument/formatting', {
      textDocument: { uri },
      options: { tabSize: 2, insertSpaces: true },
    });
  };
  const after = edited(file, await format(file));
  const { checked } = compiled(after);
  expect(treeText(checked.tree)).toBe(treeText(compiled(file).checked.tree));
  expect(checked.parsed.text).not.toMatch(/\[ |\+ {2}|&&\[|\)\+/);
  expect(await format(after)).toEqual([]);
});
