/** `authgraph completion SHELL`: prints a completion script. */
import { type Command, defineCommand, unknownName } from '../command.ts';
import { bashScript } from '../completion/bash.ts';
import {
  type CompletedCommand,
  completedCommand,
  helpCommand,
} from '../completion/completed-command.ts';
import { fishScript } from '../completion/fish.ts';
import { powershellScript } from '../completion/powershell.ts';
import { zshScript } from '../completion/zsh.ts';
import { exitCodes } from '../exit-codes.ts';

const scripts: ReadonlyMap<string, (commands: readonly CompletedCommand[]) => string> = new Map([
  ['bash', bashScript],
  ['zsh', zshScript],
  ['fish', fishScript],
  ['powershell', powershellScript],
]);

/** A command that can be completed. */
interface ListedCommand {
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** Creates the command for the commands that its scripts complete. */
export const completionOf = (commands: readonly ListedCommand[]): Command =>
  defineCommand({
    name: 'completion',
    usage: `(${[...scripts.keys()].join(' | ')})`,
    about:
      'Prints a script that completes commands, flags, their values and file names in a shell. The script is generated from the commands of this version, so print it again after an update.',
    flags: [],
    examples: [
      {
        line: 'source <(authgraph completion bash)',
        does: 'bash, in this shell; add the line to ~/.bashrc for every shell',
      },
      {
        line: 'authgraph completion bash > ~/.local/share/bash-completion/completions/authgraph',
        does: 'bash with the package bash-completion, for every shell; the folder must exist',
      },
      {
        line: 'source <(authgraph completion zsh)',
        does: 'zsh, in this shell; add the line to ~/.zshrc after compinit for every shell',
      },
      {
        line: 'authgraph completion fish > ~/.config/fish/completions/authgraph.fish',
        does: 'fish, for every shell',
      },
      {
        line: 'authgraph completion powershell | Out-String | Invoke-Expression',
        does: 'PowerShell, in this shell; add the line to $PROFILE for every shell',
      },
    ],
    operands: [1, 1],
    missing: `specify a shell: ${[...scripts.keys()].join(', ')}`,
    operandNames: async () => [...scripts.keys()],
    run: async ({ operands, misuse }, io) => {
      const [shell = ''] = operands;
      const script = scripts.get(shell);
      if (script === undefined) return misuse([unknownName('shell', shell, [...scripts.keys()])]);
      const described = await Promise.all(
        commands.map(async ({ summary, load }) => completedCommand(summary, await load())),
      );
      io.stdout.write(script([...described, helpCommand(described)]));
      return exitCodes.ok;
    },
  });
