/**
 * h2spec, the conformance tester of HTTP/2 and HPACK servers (github.com/summerwind/h2spec), and what
 * it says. The release is the newest that Go's module proxy has.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { goProgram } from './go-program.ts';
import { runProgram } from './serve-process.ts';

export interface H2specCase {
  /** Part of the document and number in it: `http2/5.1/3`. */
  readonly id: string;
  readonly title: string;
  readonly outcome: 'passed' | 'skipped' | 'failed';
  /** What it waited for and, last, what came. */
  readonly told: string;
}

/** Path of the program; throws when it can't be built. */
export const h2specProgram = (): string =>
  goProgram({
    name: 'h2spec-v2.2.1',
    module: 'h2spec',
    package: 'github.com/summerwind/h2spec/cmd/h2spec',
  });

/** Runs all cases, the strict ones too, against a server on loopback. */
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

/** No XML parser would read it: bytes of frames stand in it as they came. */
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
        told: inner.replaceAll(/<[^>]*>/g, '').trim(),
      };
    })
    .toArray();
};

const outcomeOf = (inner: string): H2specCase['outcome'] => {
  if (inner.includes('<skipped')) return 'skipped';
  return inner.trim() === '' ? 'passed' : 'failed';
};
