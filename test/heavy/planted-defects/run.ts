/**
 * Runs the directed tests of each planted defect of `defects.jsonl`: a change of the source that makes the access
 * difference overlook what one construct, or one kind of value, distinguishes. The modules that compare configurations
 * are loaded again for each defect, with one of them changed, and all other modules once. Prints one line of JSON for
 * each defect.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

interface PlantedDefect {
  /** The construct or the kind of value, and what is overlooked. */
  readonly name: string;
  /** The file, from `engine/src`. */
  readonly file: string;
  /** The part of the source that is replaced; it occurs once. */
  readonly find: string;
  readonly replace: string;
  /** The directed tests that show the defect, as `title/name`. */
  readonly directed: readonly string[];
}

const root = join(import.meta.dirname, '../../..');
const directedTestsUrl = pathToFileURL(
  join(root, 'test/engine/simulate/access/constructs.ts'),
).href;

/** The folders whose modules see a planted defect, directly or in what they import. */
const folders = [
  'engine/src/simulate/access',
  'engine/src/cel/text-machines',
  'test/engine/simulate/access',
].map((folder) => pathToFileURL(`${join(root, folder)}/`).href);

const plantedDefects: readonly PlantedDefect[] = readFileSync(
  join(import.meta.dirname, 'defects.jsonl'),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

const sourceWith = ({ file, find, replace }: PlantedDefect): string => {
  const parts = readFileSync(join(root, 'engine/src', file), 'utf8').split(find);
  if (parts.length !== 2) {
    throw new Error(`${file} contains this ${parts.length - 1} times instead of once: ${find}`);
  }
  return parts.join(replace);
};

// A module whose URL has the query `?3` is loaded for the defect with the index 3.
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const query = context.parentURL === undefined ? '' : new URL(context.parentURL).search;
    const isCopied = folders.some((folder) => resolved.url.startsWith(folder));
    return query === '' || !isCopied ? resolved : { ...resolved, url: `${resolved.url}${query}` };
  },
  load(url, context, next) {
    const { search } = new URL(url);
    const defect = search === '' ? undefined : plantedDefects[Number(search.slice(1))];
    const path = url.startsWith('file:') ? fileURLToPath(url.split('?', 1)[0] ?? '') : '';
    if (defect === undefined || path !== join(root, 'engine/src', defect.file)) {
      return next(url, context);
    }
    return { format: 'module-typescript', source: sourceWith(defect), shortCircuit: true };
  },
});

type Constructs = typeof import('../../engine/simulate/access/constructs.ts');

/** Returns the directed tests of a defect that pass. */
const passingTests = (
  { directedTests }: Constructs,
  { directed }: PlantedDefect,
): readonly string[] =>
  directed.filter((place) => {
    const [title, ...rest] = place.split('/');
    const tests = directedTests.find(([other]) => other === title)?.[1];
    const test = tests?.find(({ name }) => name === rest.join('/'));
    if (test === undefined) throw new Error(`There is no directed test ${place}.`);
    try {
      const { actual, expected } = test.answer();
      return JSON.stringify(actual) === JSON.stringify(expected);
    } catch {
      // An exception fails the test.
      return false;
    }
  });

const original: Constructs = await import(directedTestsUrl);
for (const [index, defect] of plantedDefects.entries()) {
  const changed: Constructs = await import(`${directedTestsUrl}?${index}`);
  const intact = passingTests(original, defect);
  const survived = passingTests(changed, defect);
  const failing = defect.directed.filter((place) => !intact.includes(place));
  process.stdout.write(`${JSON.stringify({ defect: defect.name, failing, survived })}\n`);
}
