/** The changes of the `anonymous` section: on which paths requests without a credential are accepted. */
import type { AnonymousConfig } from '../../config/configuration.ts';
import { maxElements } from './expression-mutations.ts';
import type { Mutation } from './mutant.ts';

interface AnonymousMutations {
  readonly mutations: readonly Mutation[];
  /** How many conditions are not removed because the list is long. */
  readonly leftOut: number;
}

/** Returns the changes of the section; none if the file has no such section. */
export const anonymousMutations = (section: AnonymousConfig | undefined): AnonymousMutations => {
  if (section === undefined) return { mutations: [], leftOut: 0 };
  const paths = section.conditions.map(({ path }) => path?.value ?? '');
  const onEveryPath = changed(section, {
    at: section.enabled ? 'anonymous.conditions' : 'anonymous.enabled',
    description: 'anonymous requests are accepted on every path',
    section: { enabled: true },
  });
  if (!section.enabled) return { mutations: [onEveryPath], leftOut: 0 };
  const disabled = changed(section, {
    at: 'anonymous.enabled',
    description: 'anonymous requests are rejected',
    section: { enabled: false },
  });
  // Without its only condition, the section accepts anonymous requests on every path.
  const removable = paths.length > 1 ? paths : [];
  const removed = removable.slice(0, maxElements).map((path, index) =>
    changed(section, {
      at: `anonymous.conditions[${index}]`,
      description: `anonymous requests for ${path} are rejected`,
      section: { enabled: true, conditions: paths.toSpliced(index, 1).map(conditionOf) },
    }),
  );
  return {
    mutations: [disabled, ...(paths.length > 0 ? [onEveryPath] : []), ...removed],
    leftOut: removable.length - removed.length,
  };
};

interface ChangedSection extends Pick<Mutation, 'at' | 'description'> {
  readonly section: {
    readonly enabled: boolean;
    readonly conditions?: readonly { readonly path: string }[];
  };
}

/** Replaces the section by JSON, which is also YAML. */
const changed = ({ span }: AnonymousConfig, { section, ...change }: ChangedSection): Mutation => ({
  ...change,
  operator: 'Anonymous',
  edits: [{ span, newText: JSON.stringify(section) }],
});

const conditionOf = (path: string): { readonly path: string } => ({ path });
