/** What came of a migration. */
import type { FileReport } from '../diagnostics/render.ts';

export type Migration =
  | {
      readonly kind: 'migrated';
      /** `flags`, or the version of the file. */
      readonly from: string;
      /** The whole new file. */
      readonly text: string;
      /** What a person should know, one sentence each. */
      readonly notes: readonly string[];
      /** How many tokens both forms decided alike, and let in; absent where the graphs themselves are equal. */
      readonly proof?: { readonly tokens: number; readonly accepted: number };
    }
  /** It cannot be said in the new form, or it is wrong in the old one. */
  | { readonly kind: 'refused'; readonly reason: string; readonly report?: FileReport }
  /** It could not be tried. */
  | { readonly kind: 'failure'; readonly reason: string; readonly help: string };
