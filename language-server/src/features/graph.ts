/** The authenticator graph as SVG, Mermaid and text, with the path of a sample. */
import {
  type AuthenticatorGraph,
  type GraphPath,
  graphCommand,
  graphMermaid,
  graphOfValidEntries,
  graphPath,
  graphPicture,
  graphText,
  invalidEntries,
  oneLine,
  placeOfPart,
} from '@authgraph/engine/language';
import {
  type GraphAnswer,
  type GraphParams,
  type GraphPicture as GraphPictureRow,
  graphRequest,
} from '../protocol.ts';
import type { Sample } from '../samples.ts';
import { problems } from '../unavailable-reasons.ts';
import type { ConfigurationPart, Workspace } from '../workspace.ts';
import { configurationNames } from './configuration-names.ts';
import { loadFailures } from './load-failure.ts';
import { requestFeature } from './request-feature.ts';
import { requestedParts } from './requested-parts.ts';
import { verdictOn } from './sample-verdict.ts';
import { claimsPath, configPath } from './whoami-command.ts';

export const graph = requestFeature<GraphParams, GraphAnswer>(
  graphRequest,
  { pictures: [], problem: problems.failed },
  (params, { workspace }) => graphAnswer(workspace, params),
);

/** Returns one picture per configuration. Entries with errors are hatched; `problem` reports them. */
const graphAnswer = async (workspace: Workspace, params: GraphParams): Promise<GraphAnswer> => {
  const { parts, problem: partsProblem } = await requestedParts(workspace, params.uri);
  const sample = sampleFor(workspace, params);
  if (sample === 'unknown') return { pictures: [], problem: partsProblem ?? problems.noSuchSample };
  const shown = sample && { sample: { id: sample.id, name: oneLine(sample.name) } };
  if (partsProblem !== undefined) return { pictures: [], ...shown, problem: partsProblem };
  const names = configurationNames(parts);
  const pictures = parts.flatMap((part, index) => {
    const picture = pictureOf(part, { sample, now: workspace.now(), width: params.width });
    if (picture === undefined) return [];
    const own = names[index]?.title;
    const title = own === undefined ? picture.title : `${picture.title} (${own})`;
    return [{ ...picture, title, ...commandOf(workspace, part, sample) }];
  });
  const incomplete = parts.filter(({ compilation }) => compilation.graph === undefined).length;
  if (incomplete === 0) return { pictures, ...shown };
  if (pictures.length === 0) return { pictures, ...shown, problem: problems.hasErrors };
  const failures = loadFailures(parts).map(({ text }) => text);
  return { pictures, ...shown, problem: failures.join(', ') };
};

type Command = Pick<GraphPictureRow, 'commandLine' | 'namesFile'>;

const commandOf = (
  workspace: Workspace,
  part: ConfigurationPart,
  sample: Sample | undefined,
): Command => {
  const config = configPath(workspace, part);
  const commandLine = graphCommand({
    config,
    claims: sample === undefined ? 'none' : { path: claimsPath(sample) },
    release: part.compilation.settings.targetRelease,
  });
  return { commandLine, namesFile: config !== undefined };
};

const sampleFor = (
  workspace: Workspace,
  { uri, sample: requested }: GraphParams,
): Sample | undefined | 'unknown' => {
  if (requested === null) return undefined;
  if (requested === undefined) return workspace.samplesFor(uri).current;
  return workspace.samples.all.find(({ id }) => id === requested) ?? 'unknown';
};

const pictureOf = (
  part: ConfigurationPart,
  {
    sample,
    now,
    width,
  }: {
    readonly sample: Sample | undefined;
    readonly now: number;
    readonly width: number | undefined;
  },
): Omit<GraphPictureRow, keyof Command> | undefined => {
  const { compilation, uri, places } = part;
  const drawn = graphOfValidEntries(compilation);
  if (drawn === undefined) return undefined;
  const invalid = invalidEntries(compilation);
  if (invalid.length === 0 && isEmpty(compilation, drawn)) return undefined;
  const path = sample === undefined ? undefined : pathFor(part, sample, now);
  const { title, svg, nodes } = graphPicture(drawn, {
    ...{ path, invalid, width },
    for: 'page',
  });
  return {
    title: oneLine(title),
    svg,
    nodes: nodes.map(({ id, label, details }) => {
      const span = placeOfNode(part, id);
      return {
        id,
        label: oneLine(label),
        details: details.map((detail) => oneLine(detail, maxDetailLength)),
        ...(span === undefined ? {} : { place: { uri, range: places.range(span) } }),
      };
    }),
    mermaid: graphMermaid(drawn, path, invalid),
    text: graphText(drawn, path, invalid),
  };
};

/** Returns whether no entry of the configuration is valid. */
const isEmpty = (
  { graph }: ConfigurationPart['compilation'],
  { nodes }: AuthenticatorGraph,
): boolean => graph === undefined && nodes.length === 0;

/** A certificate authority may be part of a detail. */
const maxDetailLength = 600;

const placeOfNode = ({ compilation }: ConfigurationPart, id: string) => {
  if (id.endsWith('.issuer')) return placeOfPart(compilation, `${id}.url`);
  return placeOfPart(compilation, id.replace(/\.user$/, ''));
};

/** Returns the path of a sample; it ends at the entry that is responsible if that has errors. */
const pathFor = (part: ConfigurationPart, sample: Sample, now: number): GraphPath | undefined => {
  const drawn = graphOfValidEntries(part.compilation);
  if (drawn === undefined) return undefined;
  const { name, claims } = sample;
  const { decision, entries, headline, notes, refusal } = verdictOn(part, sample, now);
  if (decision === undefined) {
    const [first] = entries;
    const lane = first === undefined ? '' : `jwt[${first.index}]`;
    const marks = new Map([[lane, { state: 'failed', note: headline } as const]]);
    return { name: oneLine(name), headline, lane, marks };
  }
  // An entry that is left out would not accept the token either.
  const matchingGraph = decision.kind === 'noOpinion' ? { ...drawn, nodes: [] } : drawn;
  return graphPath(matchingGraph, claims, {
    ...{ name, now, notes },
    refusal: refusal && { ...refusal, headline },
  });
};
