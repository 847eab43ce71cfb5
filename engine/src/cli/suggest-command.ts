/** What a user may have meant by a command that does not exist. */
import { nearestName } from '../flags/suggest.ts';

/** Returns the help below the error about an unknown command; empty without a suggestion. */
export const commandSuggestion = (typed: string, commands: readonly string[]): string => {
  if (!typed.startsWith('-')) {
    const meant = otherNames.get(typed.toLowerCase()) ?? nearestName(typed, commands);
    return meant === undefined ? '' : `Did you mean ${meant}?`;
  }
  const flag =
    typed.toLowerCase() === '-v' ? '--version' : nearestName(typed, ['--version', '--help']);
  return flag === undefined ? 'Flags follow the command.' : `Did you mean ${flag}?`;
};

/** Names of other programs for what our commands do. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['compare', 'diff'],
  ['convert', 'migrate'],
  ['build', 'compile'],
  ['describe', 'explain'],
  ['eval', 'whoami'],
  ['generate', 'new'],
  ['init', 'new'],
  ['lint', 'check'],
  ['login', 'get-token'],
  ['run', 'serve'],
  ['server', 'serve'],
  ['simulate', 'whoami'],
  ['start', 'serve'],
  ['upgrade', 'migrate'],
  ['validate', 'check'],
  ['verify', 'check'],
  ['vet', 'check'],
]);
