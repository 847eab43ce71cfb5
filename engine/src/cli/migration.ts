/** The result of a migration. */
import type { FileReport } from '../diagnostics/render.ts';

export type Migration =
  | {
      readonly kind: 'migrated';
      /** `flags`, or the version of the file. */
      readonly from: string;
      /** The whole new file. */
      readonly text: string;
      /** Notes for the user, one sentence each. */
      readonly notes: readonly string[];
      /** The number of tokens decided alike, and accepted; absent if the graphs are equal. */
      readonly proof?: { readonly tokens: number; readonly accepted: number };
    }
  /** The new form cannot express it, or the old one is invalid. */
  | { readonly kind: 'refused'; readonly reason: string; readonly report?: FileReport };
