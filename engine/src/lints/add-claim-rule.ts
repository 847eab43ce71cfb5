/** A fix that adds a claim validation rule to an entry, in the layout of the file. */
import type { Compilation } from '../compile/compile.ts';
import type { JwtAuthenticatorConfig } from '../config/configuration.ts';
import { insertField } from '../config/rules/layout-fixes.ts';
import type { Fix } from '../diagnostics/diagnostic.ts';
import { span } from '../source/span.ts';

/** No fix where the layout is too unusual to be sure. `expression` must hold no quotes. */
export const addClaimRule = (
  { document }: Compilation,
  entry: JwtAuthenticatorConfig,
  expression: string,
): readonly Fix[] => {
  const { source, format } = document;
  const title = `Add the claim validation rule ${expression}`;
  const [first] = entry.claimValidationRules;
  const name = format === 'json' ? '"expression"' : 'expression';
  if (first !== undefined) {
    const { start } = first.span;
    const { line, column } = source.positionAt(start);
    const before = source.lineText(line).slice(0, column);
    const at = span(start, start);
    if (source.text[start] === '{')
      return [{ title, edits: [{ span: at, newText: `{${name}: "${expression}"}, ` }] }].filter(
        () => !/^[ -]*$/.test(before),
      );
    if (!/^ *- +$/.test(before)) return [];
    const lineBreak = source.text.includes('\r\n') ? '\r\n' : '\n';
    return [
      { title, edits: [{ span: at, newText: `expression: "${expression}"${lineBreak}${before}` }] },
    ];
  }
  const { end } = entry.issuer.span;
  const value = `[{${name}: "${expression}"}]`;
  const place = { source, format };
  const after = span(end, end);
  return insertField(place, {
    name: 'claimValidationRules',
    value,
    section: entry.span,
    after,
  }).map((fix) => ({ ...fix, title }));
};
