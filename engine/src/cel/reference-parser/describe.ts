/** Formats tokens for error messages. */
import { endOfInput, tokenNames } from './grammar.ts';
import type { Token } from './tokens.ts';

/** Quotes a string and escapes its tabs and line endings. */
export const quote = (text: string): string =>
  `'${text.replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;

/** Formats a token. */
export const describeToken = (token: Token): string => quote(token.text);

/** Formats a set of token types. */
export const describeTypes = (types: ReadonlySet<number>): string => {
  const names = [...types]
    .sort((a, b) => a - b)
    .map((type) => (type === endOfInput ? '<EOF>' : (tokenNames[type] ?? '')));
  return names.length > 1 ? `{${names.join(', ')}}` : (names[0] ?? '{}');
};

/** Rewrites the error of a keyword used as a field (`a.true`), like cel-go. */
export const rewriteReservedWord = (message: string): string =>
  message.includes('no viable alternative')
    ? message.replace(
        /no viable alternative at input '.(true|false|null)'/g,
        "mismatched input '$1' expecting IDENTIFIER",
      )
    : message;
