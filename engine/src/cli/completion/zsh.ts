/** The completion script for zsh, for a folder of `$fpath` or for `source`. */
import {
  type CompletedCommand,
  type CompletedFlag,
  type Completion,
  secondWords,
} from './completed-command.ts';

/** Returns the script. */
export const zshScript = (commands: readonly CompletedCommand[]): string =>
  `#compdef authgraph
compdef _authgraph authgraph

# zsh completion for authgraph

_authgraph() {
  local curcontext=$curcontext state line command ret=1
  local -a commands
  typeset -A opt_args
  _arguments -C \\
    '(- : *)'{-h,--help}'[Print help]' \\
    '(- : *)--version[Print the version]' \\
    '1: :->command' \\
    '*:: :->arguments' && ret=0
  case $state in
    command)
      commands=(
${commandLines(commands)}      )
      _describe -t commands command commands && ret=0
      ;;
    arguments)
      command=$words[1]
      case $command in
${groupsOf(commands)}      esac
      case $command in
${commands.map(caseOf).join('')}      esac
      ;;
  esac
  return ret
}

if [[ $funcstack[1] == _authgraph ]]; then
  _authgraph "$@"
fi
`;

const commandLines = (commands: readonly CompletedCommand[]): string => {
  const groups = [...secondWords(commands)].map(
    ([first, seconds]) => `${first}:${seconds.map((second) => `${first} ${second}`).join(', ')}`,
  );
  const single = commands
    .filter(({ name }) => !name.includes(' '))
    .map(({ name, summary }) => `${name}:${summary}`);
  return [...single, ...groups].map((line) => `        ${quoted(line)}\n`).join('');
};

/** Returns the cases that add the second word to the first one. */
const groupsOf = (commands: readonly CompletedCommand[]): string =>
  [...secondWords(commands)]
    .map(
      ([first, seconds]) => `        ${first})
          if ((CURRENT == 2)); then
            _values command ${seconds.join(' ')} && ret=0
          else
            shift words
            ((CURRENT--))
            command="$command $words[1]"
          fi
          ;;
`,
    )
    .join('');

const caseOf = ({ name, flags, operands }: CompletedCommand): string => {
  const specs = [...flags.flatMap(specsOf), ...operandSpecs(operands)];
  return `        ${/ /.test(name) ? quoted(name) : name})
          _arguments -s -S \\
${specs.map((spec) => `            ${quoted(spec)} \\\n`).join('')}            && ret=0
          ;;
`;
};

/** Returns one specification of \`_arguments\` for each spelling. */
const specsOf = (flag: CompletedFlag): readonly string[] => {
  const { names, letter, summary, value, isRepeatable } = flag;
  const spellings = [
    ...names.map((name) => ({ spelling: `--${name}`, mark: '=' })),
    ...(letter === undefined ? [] : [{ spelling: `-${letter}`, mark: '+' }]),
  ];
  const start = isRepeatable ? '*' : `(${spellings.map(({ spelling }) => spelling).join(' ')})`;
  return spellings.map(({ spelling, mark }) =>
    value === undefined
      ? `${start}${spelling}[${escaped(summary)}]`
      : `${start}${spelling}${mark}[${escaped(summary)}]:${escaped(value.title)}:${actionOf(value)}`,
  );
};

const operandSpecs = (operands: Completion): readonly string[] =>
  operands.kind === 'nothing' ? [] : [`*:argument:${actionOf(operands)}`];

const actionOf = (completion: Completion): string => {
  switch (completion.kind) {
    case 'names':
      return `(${completion.names.join(' ')})`;
    case 'files':
      return '_files';
    case 'folders':
      return '_files -/';
    case 'nothing':
      return ' ';
  }
};

const escaped = (text: string): string => text.replaceAll(/[[\]:\\]/g, '\\$&');

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
