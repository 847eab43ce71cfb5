/** Lists the fixes that `check --fix` leaves to a person, because they change who gets access. */

import { toPrintable } from '../diagnostics/printable.ts';
import { formatLocation } from '../diagnostics/render.ts';
import type { CheckedFile } from './check-files.ts';

/** Returns one line per diagnostic that remains although it has a fix. */
export const withheldFixLines = (files: readonly CheckedFile[]): readonly string[] =>
  files.flatMap(({ report: { source, diagnostics } }) =>
    diagnostics.flatMap(({ code, span, fixes }) => {
      const titles = fixes.flatMap(({ title, changesAccess }) => (changesAccess ? [title] : []));
      if (titles.length === 0) return [];
      const what = `${code}, ${titles.join(' or ')}`;
      return [
        toPrintable(
          `not applied: changes who gets access: ${formatLocation(source, span.start)}: ${what}`,
        ),
      ];
    }),
  );
