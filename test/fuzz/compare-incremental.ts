/**
 * Edits a text repeatedly and compiles it twice each time, with and without the previous
 * compilation. Both results must be equal in every part.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  type Compilation,
  type CompileRequest,
  compile,
} from '../../engine/src/compile/compile.ts';
import { withPaths } from '../../engine/src/compile/field-paths.ts';
import type { Diagnostic } from '../../engine/src/diagnostics/diagnostic.ts';
import { lint, lintCandidateSteps } from '../../engine/src/lints/lint.ts';
import { withoutAdviceOnErrors } from '../../engine/src/lints/parts/advice-on-errors.ts';
import { lints } from '../../engine/src/lints/registry.ts';
import { runToCompletion } from '../../engine/src/source/resumable-work.ts';
import { sourceFile } from '../../engine/src/source/source-file.ts';
import { applyEdit, type Edit, randomEdit } from './edits.ts';
import type { Random } from './random.ts';

export interface Difference {
  readonly part: string;
  readonly before: string;
  readonly edit: Edit;
  readonly whole: unknown;
  readonly incremental: unknown;
}

export interface Run {
  readonly edits: number;
  /** Number of compilations that read a single item. */
  readonly partial: number;
  readonly differences: readonly Difference[];
}

/** Edits a text `count` times; some edits are undone at once, as typing mistakes are. */
export const runRandomEdits = (
  start: string,
  random: Random,
  { count, settings }: { readonly count: number; readonly settings?: CompileRequest['settings'] },
): Run => {
  const compiled = (text: string, previous?: Compilation): Compilation =>
    compile({
      source: sourceFile('x.yaml', text),
      limits: 'warn',
      previous,
      ...(settings === undefined ? {} : { settings }),
    });
  let text = start;
  let current = compiled(text);
  let partial = 0;
  const differences: Difference[] = [];
  let good = start;
  for (let edits = 0; edits < count && differences.length === 0; edits += 1) {
    const edit: Edit =
      text !== good && random.chance(0.5)
        ? { kind: 'undo', start: 0, end: text.length, text: good }
        : randomEdit(text, random);
    const before = text;
    text = applyEdit(text, edit);
    if (text.length > maxLength) {
      text = start;
      good = start;
    }
    // Reading a compilation must not change the next one.
    if (random.chance(0.3)) comparable(current);
    current = compiled(text, random.chance(0.98) ? current : undefined);
    if (isPartial(current)) partial += 1;
    if (current.document.failure === undefined || random.chance(0.1)) good = text;
    for (const found of differencesOf(current)) differences.push({ before, edit, ...found });
  }
  return { edits: count, partial, differences };
};

/** Returns the parts that differ from a compilation from scratch. */
export const differencesOf = (
  compilation: Compilation,
): readonly Pick<Difference, 'part' | 'whole' | 'incremental'>[] => {
  const { settings, document } = compilation;
  const whole = comparable(compile({ source: document.source, limits: 'warn', settings }));
  const incremental = comparable(compilation);
  whole.set(
    'codes of lints over the whole file',
    codes(
      withoutAdviceOnErrors(
        withPaths(
          lints.flatMap(({ run }) => run(compilation)),
          document,
        ),
        compilation.diagnostics,
      ),
    ),
  );
  const advice = runToCompletion(lintCandidateSteps(compilation));
  incremental.set('codes of lints over the whole file', codes(advice));
  return Array.from(whole, ([part, value]) => ({
    part,
    whole: value,
    incremental: incremental.get(part),
  })).filter((found) => !isDeepStrictEqual(found.whole, found.incremental));
};

/** Returns the position and message of advice without fixes, which broken text does not have. */
const codes = (found: readonly Diagnostic[]): unknown =>
  found
    .map(({ code, span, message, related, question }) =>
      JSON.stringify([code, span, message, related, question]),
    )
    .toSorted();

const maxLength = 20_000;

const isPartial = ({ incremental, document }: Compilation): boolean =>
  incremental?.split.document === document &&
  incremental.split.items.some(({ item }) => item.source !== document.source);

/** Returns every part of a compilation as plain data. */
const comparable = (compilation: Compilation): Map<string, unknown> => {
  const { document } = compilation;
  const { source, ...read } = document;
  return new Map<string, unknown>([
    ['text', [source.uri, source.text]],
    ...Object.entries(read).map(([name, value]) => [`document.${name}`, plain(value)] as const),
    ['configuration', plain(compilation.configuration)],
    ['graph', plain(compilation.graph)],
    ['origins', plain(compilation.origins)],
    ['diagnostics', plain(compilation.diagnostics)],
    ['expressions', plain(expressionsOf(compilation))],
    ['report', plain(compilation.report)],
    ['lints', plain(lint(compilation))],
  ]);
};

const expressionsOf = ({ expressions }: Compilation) =>
  Array.from(expressions, ([path, { compilation, map }]) => ({
    path,
    map,
    text: compilation.checked.parsed.text,
    errors: compilation.errors,
    serverError: compilation.serverError,
    runs: compilation.program !== undefined,
  }));

/** Converts classes and getters to plain data, so that only the content is compared. */
const plain = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Map) return Array.from(value, ([key, inner]) => [key, plain(inner)]);
  if (Array.isArray(value)) return value.map(plain);
  const inner: Record<string, unknown> = {};
  const prototype: object | null = Object.getPrototypeOf(value);
  const inherited =
    prototype === Object.prototype || prototype === null
      ? []
      : Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor');
  for (const name of [...Object.keys(value), ...inherited]) {
    const part = (value as Record<string, unknown>)[name];
    // An alias may be inside of its target, so only the position is compared.
    inner[name] = name === 'target' ? plain((part as { span?: unknown })?.span) : plain(part);
  }
  return inner;
};
