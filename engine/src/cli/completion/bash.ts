/** The completion script for bash, without the package bash-completion, also for bash 3.2 of macOS. */
import {
  type CompletedCommand,
  type CompletedFlag,
  type Completion,
  firstWords,
  secondWords,
} from './completed-command.ts';

/** Returns the script. */
export const bashScript = (commands: readonly CompletedCommand[]): string =>
  `# bash completion for authgraph

_authgraph() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
  # Bash splits --flag=value at the equals sign.
  if [[ $current == "=" ]]; then
    current=""
  elif [[ $previous == "=" ]]; then
    previous=\${COMP_WORDS[COMP_CWORD - 2]}
  fi

  # Lists of names, or one of :files, :folders and :nothing.
  local flags="" operands=":nothing" value=""
  local command=\${COMP_WORDS[1]}
  ((COMP_CWORD == 1)) && command=""
  case "$command" in
${groupsOf(commands)}  esac
  case "$command" in
    "")
      flags="--help --version"
      operands="${firstWords(commands).join(' ')}"
      ;;
${commands.map(caseOf).join('')}  esac

  if [[ -z $value ]]; then
    if [[ $current == -* ]]; then value=$flags; else value=$operands; fi
  fi
  # Without a reply, bash completes paths by itself, with its own quoting.
  case "$value" in
    :files) return ;;
    :folders)
      compopt +o default -o dirnames 2> /dev/null
      return
      ;;
  esac
  compopt +o default 2> /dev/null
  [[ $value == :nothing ]] && return
  local name
  while IFS= read -r name; do
    COMPREPLY+=("$name")
  done < <(compgen -W "$value" -- "$current")
}

complete -o default -F _authgraph authgraph
`;

/** Returns the cases that add the second word to the first one. */
const groupsOf = (commands: readonly CompletedCommand[]): string =>
  [...secondWords(commands)]
    .map(
      ([first, seconds]) => `    ${first})
      if ((COMP_CWORD > 2)); then command="$command \${COMP_WORDS[2]}"; else operands="${seconds.join(' ')}"; fi
      ;;
`,
    )
    .join('');

const caseOf = ({
  name,
  flags,
  operands,
}: CompletedCommand): string => `    ${name.includes(' ') ? `"${name}"` : name})
      flags="${flags.flatMap(spellings).join(' ')}"
      operands="${wordsOf(operands)}"
      case "$previous" in
${valueCases(flags).join('')}      esac
      ;;
`;

/** Returns one case for all flags with the same values. */
const valueCases = (flags: readonly CompletedFlag[]): readonly string[] => {
  const byWords = new Map<string, readonly string[]>();
  for (const flag of flags) {
    if (flag.value === undefined) continue;
    const words = wordsOf(flag.value);
    byWords.set(words, [...(byWords.get(words) ?? []), ...spellings(flag)]);
  }
  return [...byWords].map(
    ([words, names]) => `        ${names.join(' | ')}) value="${words}" ;;\n`,
  );
};

const spellings = ({ names, letter }: CompletedFlag): readonly string[] => [
  ...names.map((name) => `--${name}`),
  ...(letter === undefined ? [] : [`-${letter}`]),
];

const wordsOf = (completion: Completion): string =>
  completion.kind === 'names' ? completion.names.join(' ') : `:${completion.kind}`;
