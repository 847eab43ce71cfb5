/**
 * Every `when` and `enablement` clause of the manifest parses by the grammar of VS Code, which
 * ignores a clause with a syntax error, and reads only known context keys.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { contextKeys } from '../../extension/src/context-keys.ts';

vi.mock('vscode', () => import('./fake-vscode.ts'));

const path = join(import.meta.dirname, '../../extension/package.json');
const { contributes } = JSON.parse(readFileSync(path, 'utf8'));

/** Context keys of VS Code that the manifest reads. */
const editorKeys = [
  'activeWebviewPanelId',
  'editorHasSelection',
  'gitOpenRepositoryCount',
  'isWorkspaceTrusted',
  'resourcePath',
  'resourceScheme',
  'view',
  'viewItem',
  'virtualWorkspace',
];

const token =
  /\s*(&&|\|\||===?|!==?|=~|[<>]=?|!|\(|\)|not\b|in\b|'[^']*'|\/(?:\\.|[^/\\])+\/[a-z]*|[^\s=!<>~&|()'"/]+)/y;

const tokensOf = (clause: string): string[] => {
  const tokens: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < clause.length) {
    const at = token.lastIndex;
    const found = token.exec(clause);
    if (found === null) throw new Error(`no token at ${at}: ${clause.slice(at)}`);
    tokens.push(found[1] ?? '');
  }
  return tokens;
};

/** Returns the context keys that a clause reads; throws an error if VS Code cannot parse it. */
const keysIn = (clause: string): readonly string[] => {
  const tokens = tokensOf(clause.trimEnd());
  const keys: string[] = [];
  const next = (isExpected: (text: string) => boolean): string => {
    const text = tokens.shift();
    if (text === undefined || !isExpected(text)) throw new Error(`unexpected ${text ?? 'end'}`);
    return text;
  };
  const isWord = (text: string): boolean => /^[\w.:-]+$/.test(text) && !/^(?:in|not)$/.test(text);
  const isValue = (text: string): boolean => isWord(text) || text.startsWith("'");
  const any = (): void => {
    all();
    while (tokens[0] === '||') {
      tokens.shift();
      all();
    }
  };
  const all = (): void => {
    term();
    while (tokens[0] === '&&') {
      tokens.shift();
      term();
    }
  };
  const term = (): void => {
    if (tokens[0] === '!') {
      tokens.shift();
      term();
      return;
    }
    if (tokens[0] === '(') {
      tokens.shift();
      any();
      next((text) => text === ')');
      return;
    }
    const key = next(isWord);
    if (key === 'true' || key === 'false') return;
    keys.push(key);
    if (tokens[0] === 'not') {
      tokens.shift();
      next((text) => text === 'in');
      next(isValue);
    } else if (tokens[0] === '=~') {
      tokens.shift();
      next((text) => text.startsWith('/'));
    } else if (/^(?:===?|!==?|[<>]=?|in)$/.test(tokens[0] ?? '')) {
      tokens.shift();
      next(isValue);
    }
  };
  any();
  next((text) => text === '$end');
  return keys;
};

const parsed = (clause: string): readonly string[] => keysIn(`${clause} $end`);

const clausesIn = (value: unknown): readonly string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, member]) =>
        (name === 'when' || name === 'enablement') && typeof member === 'string'
          ? [member]
          : clausesIn(member),
      );
const clauses = [...new Set(clausesIn(contributes))];

test.each(clauses)('%s', (clause) => {
  const known = [...contextKeys.map((key) => `authgraph.${key}`), ...editorKeys];
  for (const key of parsed(clause)) expect(known).toContain(key);
});

test('the manifest reads every context key that the extension sets', () => {
  expect(clauses.length).toBeGreaterThan(10);
  const read = clauses.flatMap(parsed);
  for (const key of contextKeys) expect(read).toContain(`authgraph.${key}`);
});

describe('clauses that VS Code does not parse are found', () => {
  test.each([
    'authgraph.active && resourceFilename !~ /\\.claims\\./',
    'a &&',
    'a b',
    'a == ',
    '(a || b',
    'a =~ b',
    'a not b',
    '&& a',
    "a == 'b",
  ])('%s', (clause) => {
    expect(() => parsed(clause)).toThrow();
  });
  test.each([
    'a && !b || (c in d && e not in f)',
    "a =~ /^x\\/y$/i && b != 'c d'",
    'a >= 3',
    'false',
  ])('%s is one', (clause) => {
    expect(parsed(clause)).toBeDefined();
  });
});

/** Commands that create something, and need nothing that is open. */
const alwaysOffered = [
  'authgraph.explainToken',
  'authgraph.newConfiguration',
  'authgraph.newSample',
  'authgraph.pasteToken',
  'authgraph.sampleFromClipboard',
  'authgraph.selectSample',
];

test('the palette of a window without a configuration or a sample offers only new ones', () => {
  const limited: ReadonlyMap<string, string> = new Map(
    contributes.menus.commandPalette.map(({ command, when }: Record<string, string>) => [
      command,
      when,
    ]),
  );
  const commands: readonly { command: string }[] = contributes.commands;
  const free = commands.map(({ command }) => command).filter((name) => !limited.has(name));
  expect(free.sort()).toEqual(alwaysOffered);
  for (const when of limited.values())
    expect(when).toMatch(/^(?:authgraph\.|resourceScheme ==|false$)/);
});
