/** Runs a program of the build without blocking the other parts of it. */
import { execFile } from 'node:child_process';

export interface ProgramOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds. */
  readonly timeout?: number;
}

/** Returns standard output; throws with the end of the output if the program fails. */
export const runProgram = (
  program: string,
  args: readonly string[],
  { cwd, env, timeout = 3_600_000 }: ProgramOptions = {},
): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 2 ** 28, timeout };
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout);
      const how = error.killed
        ? `did not end within ${timeout / 1000} s`
        : `failed (${error.code})`;
      const end = `${stdout}\n${stderr}`.trim().split('\n').slice(-40).join('\n');
      reject(new Error(`${[program, ...args].join(' ')} ${how}:\n${end}`));
    });
    child.stdin?.end();
  });
