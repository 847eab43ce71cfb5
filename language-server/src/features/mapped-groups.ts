/** The groups that the samples of an entry get from its mapping, and the bindings that name them. */
import { oneLine } from '@authgraph/engine/language';
import {
  type Diagnostic,
  type DiagnosticRelatedInformation,
  DiagnosticSeverity,
} from 'vscode-languageserver';
import type { PlacedBinding, WorkspaceBindings } from '../bindings.ts';
import { canonicalUri } from '../folders.ts';
import { nextVerdictChange } from '../sample-clock.ts';
import type { SampleSet } from '../samples.ts';
import { samplesOfEntry } from './entry-samples.ts';
import type { PartContext } from './feature.ts';
import { cell, escaped, paragraphs, table } from './markdown.ts';
import { verdictOn } from './sample-verdict.ts';

/** Returns the groups of the accepted samples of the entry, in order. */
const mappedGroups = (context: PartContext, index: number): readonly string[] => {
  const { workspace, part } = context;
  const groups = new Set<string>();
  for (const sample of samplesOfEntry(context, index).slice(0, maxSamples)) {
    const { decision, entries } = verdictOn(part, sample, workspace.now());
    if (decision?.kind !== 'accepted') continue;
    const steps = entries.find((entry) => entry.index === index)?.parts ?? [];
    for (const { kind, outcome } of steps) {
      if (kind !== 'groups' || outcome.kind !== 'value' || typeof outcome.value === 'string')
        continue;
      for (const group of outcome.value) if (groups.size < maxGroups) groups.add(group);
    }
  }
  return [...groups];
};

const maxSamples = 100;
const maxGroups = 1000;

/** Returns Markdown with links to the bindings; empty if the workspace has no bindings. */
export const boundGroupsText = (context: PartContext, index: number): string => {
  const { byGroup, hasBindings } = context.workspace.bindings();
  if (!hasBindings) return '';
  const groups = mappedGroups(context, index);
  const bound = groups.filter((group) => byGroup.has(group));
  const shown = [...bound, ...groups.filter((group) => !byGroup.has(group))];
  const rows = shown.slice(0, maxRows).map((group) => {
    const bindings = byGroup.get(group) ?? [];
    const links = bindings.slice(0, maxLinks).map(bindingLink);
    const more = bindings.length > maxLinks ? [`${bindings.length - maxLinks} more`] : [];
    return [cell(group), [...links, ...more].join(', ') || 'no binding'];
  });
  return paragraphs(
    table(['group of a sample', 'bound by'], rows),
    shown.length > maxRows ? `and ${shown.length - maxRows} more groups` : '',
  );
};

const maxRows = 12;
const maxLinks = 4;

const bindingLink = ({ kind, name, namespace, role, uri, line }: PlacedBinding): string => {
  const where = namespace === '' ? '' : ` in ${escaped(namespace, 60)}`;
  const link = `[${kind} ${escaped(name, 60)}](${canonicalUri(uri)}#L${line + 1})`;
  return `${link}${where} to ${escaped(role, 80)}`;
};

/** Reports mappings of which no binding of the workspace names a group. */
export const unboundGroups = (context: PartContext): readonly Diagnostic[] => {
  const { workspace, part } = context;
  const bindings = workspace.bindings();
  // A binding that was not read could name a group.
  if (!workspace.options.roleHints || !bindings.hasBindings || !bindings.isComplete) return [];
  const samples = workspace.samplesFor(part.uri);
  const now = workspace.now();
  const cached = unboundCache.get(part);
  const isValid = cached?.bindings === bindings && cached.samples === samples;
  if (isValid && cached.since <= now && now < cached.until) return cached.items;
  const items = unboundIn(context, bindings);
  const until = nextVerdictChange(samples.all, now);
  unboundCache.set(part, { bindings, samples, since: now, until, items });
  return items;
};

/** The last result for a configuration: each one evaluates the mappings for many samples. */
const unboundCache = new WeakMap<
  PartContext['part'],
  {
    readonly bindings: WorkspaceBindings;
    readonly samples: SampleSet;
    /** The time from and until which the verdicts on the samples are the same. */
    readonly since: number;
    readonly until: number;
    readonly items: readonly Diagnostic[];
  }
>();

const unboundIn = (context: PartContext, bindings: WorkspaceBindings): readonly Diagnostic[] => {
  const { part } = context;
  const { configuration, origins } = part.compilation;
  return (configuration?.jwt ?? []).flatMap((_, index) => {
    const path = `jwt[${index}].claimMappings.groups`;
    const span = origins.get(`${path}.claim`) ?? origins.get(`${path}.expression`);
    if (span === undefined) return [];
    const groups = mappedGroups(context, index);
    if (groups.length === 0 || groups.some((group) => bindings.byGroup.has(group))) return [];
    const listed = groups.slice(0, maxListed).map((group) => JSON.stringify(oneLine(group, 60)));
    const names = [...listed, ...(groups.length > maxListed ? ['…'] : [])].join(', ');
    return [
      {
        range: part.places.range(span),
        severity: DiagnosticSeverity.Information,
        source: 'authgraph',
        message: `no RoleBinding or ClusterRoleBinding of the workspace names a group of the samples: ${names}\nBind one of the groups to a role, or change the mapping or its prefix.`,
        ...relatedBinding(groups, bindings),
      },
    ];
  });
};

const maxListed = 5;

/** Returns the place of a bound group that differs only in the prefix. */
const relatedBinding = (
  groups: readonly string[],
  bindings: WorkspaceBindings,
): { readonly relatedInformation?: DiagnosticRelatedInformation[] } => {
  for (const group of groups) {
    const near = bindings.similar(group);
    if (near === undefined) continue;
    const start = { line: near.line, character: near.column };
    return {
      relatedInformation: [
        {
          location: { uri: near.uri, range: { start, end: start } },
          message: `${near.kind} ${JSON.stringify(oneLine(near.name, 60))} names ${JSON.stringify(oneLine(near.group, 60))}`,
        },
      ],
    };
  }
  return {};
};
