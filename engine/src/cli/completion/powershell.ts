/** The completion script for PowerShell. */
import {
  type CompletedCommand,
  type CompletedFlag,
  type Completion,
  firstWords,
  secondWords,
} from './completed-command.ts';

/** Returns the script. */
export const powershellScript = (commands: readonly CompletedCommand[]): string =>
  `# PowerShell completion for authgraph

Register-ArgumentCompleter -Native -CommandName authgraph -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    # Lists of names; 'files' and 'folders' leave the completion to PowerShell.
    $groups = @{
${[...secondWords(commands)].map(([first, seconds]) => `        ${quoted(first)} = ${listOf(seconds)}\n`).join('')}    }
    $commands = @{
${commands.map(entryOf).join('')}    }
    $first = ${listOf(firstWords(commands))}

    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
    $prefix = ''
    if ($words.Count -eq 0) {
        $names = $first + '--help' + '--version'
    } else {
        $name = $words[0]
        if ($groups.ContainsKey($name) -and $words.Count -gt 1) { $name = "$name $($words[1])" }
        $command = $commands[$name]
        $previous = $words[-1]
        if ($wordToComplete -match '^(--[^=]+)=(.*)$') {
            $previous = $Matches[1]
            $prefix = "$previous="
            $wordToComplete = $Matches[2]
        }
        if ($null -eq $command) {
            $names = @($groups[$name])
        } elseif ($command.choices.ContainsKey($previous)) {
            $names = @($command.choices[$previous])
        } elseif ($wordToComplete.StartsWith('-')) {
            $names = $command.flags
        } else {
            $names = @($command.operands)
        }
    }
    $names | Where-Object { $_ -and $_ -notin 'files', 'folders', 'nothing' -and $_.StartsWith($wordToComplete) } |
        ForEach-Object { [System.Management.Automation.CompletionResult]::new("$prefix$_", $_, 'ParameterValue', $_) }
}
`;

const entryOf = ({ name, flags, operands }: CompletedCommand): string => {
  const values = flags.flatMap((flag) => {
    const { value } = flag;
    return value === undefined
      ? []
      : spellings(flag).map((spelling) => `${quoted(spelling)} = ${namesOf(value)}`);
  });
  return `        ${quoted(name)} = @{
            flags = ${listOf(flags.flatMap(spellings))}
            operands = ${namesOf(operands)}
            choices = @{ ${values.join('; ')} }
        }
`;
};

const spellings = ({ names, letter }: CompletedFlag): readonly string[] => [
  ...names.map((name) => `--${name}`),
  ...(letter === undefined ? [] : [`-${letter}`]),
];

const namesOf = (completion: Completion): string =>
  completion.kind === 'names' ? listOf(completion.names) : quoted(completion.kind);

const listOf = (names: readonly string[]): string => `@(${names.map(quoted).join(', ')})`;

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
