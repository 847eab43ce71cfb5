/** How messages name tokens. */
import { endOfInput, tokenNames } from './grammar.ts';
import type { Token } from './tokens.ts';

/** In quotes, on one line. */
export const quote = (text: string): string =>
  `'${text.replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;

/** A token as messages name it. */
export const describeToken = (token: Token): string => quote(token.text);

/** Token types as messages list them. */
export const describeTypes = (types: ReadonlySet<number>): string => {
  const names = [...types]
    .sort((a, b) => a - b)
    .map((type) => (type === endOfInput ? '<EOF>' : (tokenNames[type] ?? '')));
  return names.length > 1 ? `{${names.join(', ')}}` : (names[0] ?? '{}');
};

/** `a.true`: said as if the word had been recognised as one. */
export const rewriteReservedWord = (message: string): string =>
  message.includes('no viable alternative')
    ? message.replace(
        /no viable alternative at input '.(true|false|null)'/g,
        "mismatched input '$1' expecting IDENTIFIER",
      )
    : message;
