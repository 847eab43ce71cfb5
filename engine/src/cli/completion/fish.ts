/** The completion script for fish. */
import {
  type CompletedCommand,
  type CompletedFlag,
  type Completion,
  secondWords,
} from './completed-command.ts';

/** Returns the script. */
export const fishScript = (commands: readonly CompletedCommand[]): string =>
  `# fish completion for authgraph

function __authgraph_is --description 'Whether the command line starts with these words'
    set -l words (commandline -opc)
    set -l last (math 1 + (count $argv))
    test (count $words) -ge $last; and test "$words[2..$last]" = "$argv"
end

function __authgraph_is_first
    test (count (commandline -opc)) -eq 1
end

function __authgraph_is_second
    set -l words (commandline -opc)
    test (count $words) -eq 2; and test "$words[2]" = "$argv[1]"
end

complete -c authgraph -f
complete -c authgraph -n __authgraph_is_first -s h -l help -d 'Print help'
complete -c authgraph -n __authgraph_is_first -l version -d 'Print the version'
${commands.map(nameLines).join('')}${[...secondWords(commands).keys()].map(groupLine).join('')}${commands.map(linesOf).join('')}`;

const nameLines = ({ name, summary }: CompletedCommand): string => {
  const [first = '', second] = name.split(' ');
  const [condition, word] =
    second === undefined
      ? ['__authgraph_is_first', first]
      : [`'__authgraph_is_second ${first}'`, second];
  return `complete -c authgraph -n ${condition} -a ${word} -d ${quoted(summary)}\n`;
};

const groupLine = (first: string): string =>
  `complete -c authgraph -n __authgraph_is_first -a ${first}\n`;

const linesOf = ({ name, flags, operands }: CompletedCommand): string => {
  const start = `complete -c authgraph -n '__authgraph_is ${name}'`;
  const operandLine = operands.kind === 'nothing' ? '' : `${start} ${actionOf(operands)}\n`;
  return `\n${operandLine}${flags.flatMap((flag) => flagLines(start, flag)).join('')}`;
};

const flagLines = (start: string, { names, letter, summary, value }: CompletedFlag) =>
  names.map((name, index) => {
    const short = letter === undefined || index > 0 ? '' : ` -s ${letter}`;
    const action = value === undefined ? '' : ` -r ${actionOf(value)}`;
    return `${start}${short} -l ${name}${action} -d ${quoted(summary)}\n`;
  });

const actionOf = (completion: Completion): string => {
  switch (completion.kind) {
    case 'names':
      return `-f -a ${quoted(completion.names.join(' '))}`;
    case 'files':
      return '-F';
    case 'folders':
      return "-f -a '(__fish_complete_directories)'";
    case 'nothing':
      return '-f';
  }
};

const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
