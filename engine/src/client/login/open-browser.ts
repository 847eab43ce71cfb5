/** Opens a page in the browser of the user. */
import { spawn } from 'node:child_process';

/**
 * Opens the page; returns `false` if the program finds no browser on the machine. The
 * address is an argument of a program, never text of a shell.
 */
export const openBrowser = (
  url: URL,
  variable: (name: string) => string | undefined,
): Promise<boolean> => {
  const program = browserProgram(variable);
  if (program === undefined) return Promise.resolve(false);
  const [command, ...args] = program;
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url.href], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
};

const browserProgram = (
  variable: (name: string) => string | undefined,
): readonly [command: string, ...args: string[]] | undefined => {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  const hasDisplay = ['DISPLAY', 'WAYLAND_DISPLAY'].some((name) => (variable(name) ?? '') !== '');
  return hasDisplay ? ['xdg-open'] : undefined;
};
