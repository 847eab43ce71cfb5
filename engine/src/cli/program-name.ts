/** The name by which a user runs the program: `authgraph`, or `kubectl authgraph` as a plugin. */
import type { Io } from './io.ts';

/** The file name of the program that kubectl runs for `kubectl authgraph`. */
const pluginName = 'kubectl-authgraph';

/** Returns the name if the program was started as a plugin of kubectl. */
export const pluginNameOf = (program: string): string | undefined =>
  program.split(/[/\\]/).at(-1)?.startsWith(pluginName) === true ? 'kubectl authgraph' : undefined;

/** Returns whether kubectl runs the program. */
export const isKubectlPlugin = ({ programName }: Pick<Io, 'programName'>): boolean =>
  programName !== undefined;

/** Replaces `authgraph COMMAND` in help and usage lines by what the user has to type. */
export const asTyped = (text: string, { programName }: Pick<Io, 'programName'>): string =>
  programName === undefined
    ? text
    : text.replaceAll(/(?<![\w./-])authgraph (?=[-a-zA-Z])/g, `${programName} `);
