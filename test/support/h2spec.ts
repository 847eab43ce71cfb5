/**
 * Runs h2spec, the conformance tester of HTTP/2 and HPACK servers (github.com/summerwind/h2spec),
 * in the newest release of Go's module proxy.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { goProgram } from '../../deploy/go-programs/go-program.ts';
import { runProgram } from './serve-process.ts';

export interface H2specCase {
  /** Section of the document and number in it: `http2/5.1/3`. */
  readonly id: string;
  readonly title: string;
  readonly outcome: 'passed' | 'skipped' | 'failed';
  /** What was expected and, last, what was received. */
  readonly output: string;
}

/** Returns the path of the program; throws if it cannot be built. */
export const h2specProgram = (): string =>
  goProgram({
    name: 'h2spec-v2.2.1',
    module: join(import.meta.dirname, '../heavy/h2spec'),
    package: 'github.com/summerwind/h2spec/cmd/h2spec',
  });

/** Runs all cases, including the strict ones, against a server on loopback. */
export const runH2spec = async (
  program: string,
  { port, path }: { readonly port: number; readonly path: string },
): Promise<readonly H2specCase[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'authgraph-h2spec-'));
  try {
    const report = join(folder, 'report.xml');
    const args = ['-t', '-k', '-S', '-p', `${port}`, '-P', path, '-j', report];
    await runProgram(program, args, { folder });
    return casesOf(readFileSync(report, 'latin1'));
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** Parses the report, which is not valid XML: it contains bytes of frames. */
const casesOf = (report: string): readonly H2specCase[] => {
  const countByPart = new Map<string, number>();
  const cases = report.matchAll(
    /<testcase package="(?<part>[^"]*)" classname="(?<title>[^"]*)"[^>]*>(?<inner>.*?)<\/testcase>/gs,
  );
  return cases
    .map(({ groups: { part = '', title = '', inner = '' } = {} }): H2specCase => {
      const count = (countByPart.get(part) ?? 0) + 1;
      countByPart.set(part, count);
      return {
        id: `${part}/${count}`,
        title,
        outcome: outcomeOf(inner),
        output: inner.replaceAll(/<[^>]*>/g, '').trim(),
      };
    })
    .toArray();
};

const outcomeOf = (inner: string): H2specCase['outcome'] => {
  if (inner.includes('<skipped')) return 'skipped';
  return inner.trim() === '' ? 'passed' : 'failed';
};
