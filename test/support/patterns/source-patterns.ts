/** The regular expressions of source files: literals, and those that are made when a module is loaded. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseAst } from 'rolldown/parseAst';

export interface SourcePattern {
  /** Relative to the root, with `/`. */
  readonly file: string;
  readonly line: number;
  readonly source: string;
  readonly flags: string;
}

export interface FilePatterns {
  readonly literals: readonly SourcePattern[];
  /** Lines that contain `new RegExp(…)`. */
  readonly constructed: readonly number[];
}

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly regex?: { readonly pattern: string; readonly flags: string };
  readonly callee?: { readonly name?: string };
}

/** The patterns of a text in TypeScript or JavaScript. */
export const patternsOf = (file: string, text: string): FilePatterns => {
  const literals: SourcePattern[] = [];
  const constructed: number[] = [];
  const lineOf = (offset: number): number => text.slice(0, offset).split('\n').length;
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (isNode(value)) {
      const { regex, start, callee } = value;
      const line = (): number => lineOf(start);
      if (regex !== undefined) {
        literals.push({ file, line: line(), source: regex.pattern, flags: regex.flags });
      }
      if (callee?.name === 'RegExp') constructed.push(line());
    }
    for (const [name, child] of Object.entries(value)) if (name !== 'regex') visit(child);
  };
  visit(parseAst(text, { lang: file.endsWith('.ts') ? 'ts' : 'js' }));
  return { literals, constructed };
};

const isNode = (value: object): value is SyntaxNode => 'type' in value && 'start' in value;

/** Source files below a folder. */
export const sourcesBelow = (root: string, folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|mjs|js)$/.test(name) && !name.includes('node_modules'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .toSorted();

/** Loads modules in a process of its own and returns what they pass to `new RegExp` meanwhile. */
export const constructedOnLoad = (
  root: string,
  files: readonly string[],
): readonly SourcePattern[] => {
  const urls = files.map((file) => pathToFileURL(join(root, file)).href);
  const script = `
    const found = [];
    globalThis.RegExp = new Proxy(RegExp, {
      construct(target, given, made) {
        const [, url, line] = /(file:[^\\s)]*?):(\\d+):\\d+\\)?$/.exec(new Error().stack.split('\\n')[2] ?? '') ?? [];
        const pattern = Reflect.construct(target, given, made);
        found.push({ url, line: Number(line), source: pattern.source, flags: pattern.flags });
        return pattern;
      },
    });
    for (const url of ${JSON.stringify(urls)}) await import(url);
    process.stdout.write(JSON.stringify(found));`;
  const args = ['--conditions=source', '--no-warnings', '--input-type=module', '-e', script];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(stderr);
  const found: readonly (Omit<SourcePattern, 'file'> & { readonly url?: string })[] =
    JSON.parse(stdout);
  return found.flatMap(({ url, ...pattern }) => {
    const index = urls.indexOf(url ?? '');
    const file = files[index];
    return file === undefined ? [] : [{ file, ...pattern }];
  });
};
