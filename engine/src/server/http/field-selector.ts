/** Field selectors of the query: `metadata.name=x,spec.nodeName!=y`, as the real server reads them. */

export interface FieldTerm {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** `undefined` for a text that is no selector. */
export const parseFieldSelector = (text: string): readonly FieldTerm[] | undefined => {
  const terms: FieldTerm[] = [];
  for (const part of text.match(termPattern) ?? []) {
    if (part === '') continue;
    const [, field = '', operator = '', escaped = ''] = /^(.*?)(!=|==|=)(.*)$/s.exec(part) ?? [];
    const value = unescaped(escaped);
    if (operator === '' || value === undefined) return undefined;
    terms.push({ field, operator: operator === '!=' ? '!=' : '=', value });
  }
  return terms;
};

/** The value that a field must have; `undefined` where the selector leaves it open. */
export const exactlySelected = (text: string, field: string): string | undefined =>
  text === ''
    ? undefined
    : parseFieldSelector(text)?.find((term) => term.field === field && term.operator === '=')
        ?.value;

/** Between commas, of which those behind a backslash are part of a value. */
const termPattern = /(?:\\.|[^\\,])+/gs;

/** `undefined` where something is escaped that needs none, or that needs it and is not. */
const unescaped = (text: string): string | undefined =>
  /^(?:\\[\\,=]|[^\\,=])*$/s.test(text) ? text.replace(/\\(.)/gs, '$1') : undefined;
