/** Every diagnostic code there is: the list that command line, editor, pages and tests read. */
import { rejectionRows } from './authenticators/jwt/rejections.ts';
import * as settingsFindings from './compile/settings-findings.ts';
import * as decodeFindings from './config/decode-findings.ts';
import * as reloadFindings from './diagnostics/reload-findings.ts';
import type { RuleDescription } from './diagnostics/rule.ts';
import * as documentFindings from './documents/findings.ts';
import { lints } from './lints/registry.ts';

/** Rooms export helpers beside their findings. */
const descriptionsIn = (exported: Readonly<Record<string, unknown>>): readonly RuleDescription[] =>
  Object.values(exported).filter(isDescription);

const isDescription = (value: unknown): value is RuleDescription =>
  typeof value === 'object' && value !== null && 'code' in value && 'summary' in value;

/** In the order of their codes. */
export const catalogue: readonly RuleDescription[] = [
  ...descriptionsIn(documentFindings),
  ...descriptionsIn(decodeFindings),
  ...descriptionsIn(settingsFindings),
  ...descriptionsIn(reloadFindings),
  ...lints.map(({ description }) => description),
  ...rejectionRows.map(
    ({ code, name, meaning }): RuleDescription => ({
      code,
      name,
      severity: 'error',
      source: 'server',
      summary: meaning,
    }),
  ),
]
  .map(({ code, name, severity, source, summary }) => ({ code, name, severity, source, summary }))
  .sort((a, b) => (a.code < b.code ? -1 : 1));

/** By code (`AG1012`, in either case) or by name (`duplicate-issuer-url`). */
export const findInCatalogue = (text: string): RuleDescription | undefined =>
  catalogue.find(({ code, name }) => code === text.toUpperCase() || name === text.toLowerCase());
