/**
 * Completion, hover and signature help at every position of the samples, also with the text cut off
 * there.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { wholeText } from '../../engine/src/documents/embedded/nested-text.ts';
import { readSample } from '../../engine/src/simulate/preview/read-sample.ts';
import { sourceFile } from '../../engine/src/source/source-file.ts';
import { defaultOptions } from '../../language-server/src/editor-options.ts';
import { completionAt } from '../../language-server/src/features/completion.ts';
import type { PlaceContext } from '../../language-server/src/features/feature.ts';
import { hoverAt } from '../../language-server/src/features/hover.ts';
import { signaturesAt } from '../../language-server/src/features/signature-help.ts';
import type { Sample } from '../../language-server/src/samples.ts';
import { placesIn } from '../../language-server/src/to-protocol.ts';
import { compileText } from '../support/compile-text.ts';

const folder = join(import.meta.dirname, '../../samples/jwt');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

const sampleOf = (name: string): Sample => {
  const source = sourceFile(name, read(`${name}.claims.json`));
  const { claims } = readSample(source, { as: 'json' });
  if (claims === undefined) throw new Error(`${name} has no claims`);
  return { id: name, name, claims };
};

const contextsOf = (text: string, samples: readonly Sample[]) => {
  const source = sourceFile('config.yaml', text);
  const places = placesIn(source, wholeText(source));
  const compilation = compileText(text, { limits: 'warn' });
  const part = { uri: 'config.yaml', compilation, places, lints: () => [], isLong: false };
  const workspace = {
    options: defaultOptions,
    samplesFor: () => ({ all: samples, recent: [], current: samples[0] }),
    now: () => Date.parse('2026-01-01T00:00:00Z'),
    bindings: () => ({ byGroup: new Map(), hasBindings: false }),
  };
  return (offset: number): PlaceContext => ({
    // The features use nothing else of a workspace.
    workspace: workspace as unknown as PlaceContext['workspace'],
    part,
    offset,
  });
};

/** Returns what is wrong with the answers at a position. */
const ask = (context: PlaceContext): readonly string[] => {
  const { offset, part } = context;
  const { line, character } = part.places.range({ start: offset, end: offset }).start;
  const params = { textDocument: { uri: 'config.yaml' }, position: { line, character } };
  const wrong: string[] = [];
  const expectTrue = (what: string, isRight: boolean): void => {
    if (!isRight) wrong.push(`${line}:${character} ${what}`);
  };
  for (const { label, textEdit, filterText } of completionAt(context, params)?.items ?? []) {
    if (textEdit === undefined || !('range' in textEdit)) throw new Error(`${label} has no edit`);
    const { start, end } = textEdit.range;
    expectTrue(`${label} is in one line`, start.line === line && end.line === line);
    expectTrue(`${label} is here`, start.character <= character && end.character >= character);
    expectTrue(`${label} is a line`, /^[^\n\r]+$/.test(label));
    expectTrue(`${label} can be found`, filterText !== undefined);
  }
  const range = hoverAt(context)?.range;
  expectTrue(
    'hover is here',
    range === undefined || (range.start.line <= line && range.end.line >= line),
  );
  for (const { label, parameters = [] } of signaturesAt(context)?.signatures ?? []) {
    for (const { label: place } of parameters) {
      expectTrue(`${label} is marked`, Array.isArray(place) && label.slice(...place) !== '');
    }
  }
  return wrong;
};

const stride = 11;

test.each(['keycloak', 'github-actions'])('%s', (name) => {
  const text = read(`${name}.yaml`);
  const samples = [sampleOf(name), sampleOf('gitlab')];
  const whole = contextsOf(text, samples);
  const wrong: string[] = [];
  for (let offset = 0; offset <= text.length; offset += 1) wrong.push(...ask(whole(offset)));
  for (let offset = 0; offset <= text.length; offset += stride)
    wrong.push(...ask(contextsOf(text.slice(0, offset), samples)(offset)));
  expect(wrong).toEqual([]);
});
