/** Descriptions of a graph: sentences for people, Mermaid and DOT for drawing programs. */
import { explainAnonymous } from '../authenticators/anonymous/explain.ts';
import { type ExplainedPart, joinList, simplePart } from '../authenticators/explained-part.ts';
import { explainJwt } from '../authenticators/jwt/explain.ts';
import { toPrintable } from '../diagnostics/printable.ts';
import { counted } from '../formats/counted.ts';
import { releaseName } from '../model/release.ts';
import { requestParts, tokenPartsAfterJwt, tokenPartsBeforeJwt } from './explain-flag-modules.ts';
import type { AuthenticatorGraph } from './graph.ts';
import type { GraphPath, InvalidEntry } from './graph-lanes.ts';

/** Explains the parts of a graph in the order in which a request reaches them. */
export const explainGraph = (
  graph: AuthenticatorGraph,
  invalid: readonly InvalidEntry[] = [],
): readonly ExplainedPart[] => [
  ...requestParts(graph),
  ...tokenPartsBeforeJwt(graph),
  ...invalid.reduce(
    (parts, entry) => parts.toSpliced(entry.index, 0, explainInvalid(entry)),
    graph.nodes.map(explainJwt),
  ),
  ...tokenPartsAfterJwt(graph),
  explainAnonymous(graph.anonymous),
];

const explainInvalid = ({ index, errors }: InvalidEntry): ExplainedPart =>
  simplePart(`jwt[${index}]`, `${counted(errors.length, 'error')}: ${errors.join('; ')}`);

/**
 * Describes a graph in indented sentences, one per line. With the path of a sample, each line shows
 * the sample's result and value. `invalid` has the entries that are not in the graph.
 *
 * @example
 * ```ts
 * console.log(graphText(graph));
 * ```
 */
export const graphText = (
  graph: AuthenticatorGraph,
  path?: GraphPath,
  invalid?: readonly InvalidEntry[],
): string => {
  const lines = [
    ...(path === undefined ? [] : [path.headline, '']),
    `Behaves as release ${releaseName(graph.targetRelease)}; reserved names end in ${graph.apiDomain}.`,
  ];
  const write = (parts: readonly ExplainedPart[], depth: number): void => {
    for (const part of parts) {
      const { sign, note } = markOf(path, part.path);
      lines.push(`${'  '.repeat(depth)}${sign}${part.path}: ${part.sentence}${note}`);
      write(part.parts, depth + 1);
    }
  };
  write(explainGraph(graph, invalid), 0);
  // Strings of the configuration may contain characters that reorder or hide the rest of the line.
  return `${toPrintable(lines.join('\n'))}\n`;
};

const signs = { lit: '✓ ', failed: '✗ ', idle: '· ' } as const;

const markOf = (
  path: GraphPath | undefined,
  part: string,
): { readonly sign: string; readonly note: string } => {
  if (path === undefined) return { sign: '', note: '' };
  const { state, note = '' } = path.marks.get(part) ?? { state: 'idle' as const };
  if (note === '') return { sign: signs[state], note };
  return { sign: signs[state], note: note.startsWith('→') ? ` ${note}` : ` ← ${note}` };
};

/**
 * Draws a flow chart for Mermaid. Strings of the configuration are quoted and never become markup.
 * `invalid` has the entries that are not in the graph.
 *
 * @example
 * ```ts
 * writeFileSync('auth.mmd', graphMermaid(graph));
 * ```
 */
export const graphMermaid = (
  graph: AuthenticatorGraph,
  path?: GraphPath,
  invalid?: readonly InvalidEntry[],
): string => {
  const { boxes, arrows } = flowChartOf(graph, invalid);
  return [
    'flowchart TD',
    ...boxes.map(({ id, label, shape }) => `  ${id}${mermaidShape(shape, mermaidText(label))}`),
    ...arrows.map(({ from, to, label }) =>
      label === '' ? `  ${from} --> ${to}` : `  ${from} -- "${mermaidText(label)}" --> ${to}`,
    ),
    ...(path === undefined ? [] : mermaidMarks(boxes, path)),
    '',
  ].join('\n');
};

const mermaidMarks = (boxes: readonly Box[], path: GraphPath): readonly string[] =>
  (['lit', 'failed'] as const).flatMap((state) => {
    const ids = boxes.flatMap(({ id, part }) =>
      part !== undefined && path.marks.get(part)?.state === state ? [id] : [],
    );
    return ids.length === 0
      ? []
      : [`  classDef ${state} ${mermaidStyles[state]}`, `  class ${ids.join(',')} ${state}`];
  });

const mermaidStyles = {
  lit: 'stroke:#1a7f37,stroke-width:3px',
  failed: 'stroke:#cf222e,stroke-width:3px,stroke-dasharray:6 3',
} as const;

/**
 * Draws a digraph for Graphviz.
 *
 * @example
 * ```ts
 * writeFileSync('auth.dot', graphDot(graph));
 * ```
 */
export const graphDot = (graph: AuthenticatorGraph): string => {
  const { boxes, arrows } = flowChartOf(graph);
  return [
    'digraph authgraph {',
    '  node [fontname="sans-serif"];',
    ...boxes.map(
      ({ id, label, shape }) => `  ${id} [shape=${dotShapes[shape]}, label="${dotText(label)}"];`,
    ),
    ...arrows.map(({ from, to, label }) =>
      label === '' ? `  ${from} -> ${to};` : `  ${from} -> ${to} [label="${dotText(label)}"];`,
    ),
    '}',
    '',
  ].join('\n');
};

interface Box {
  readonly id: string;
  readonly label: string;
  readonly shape: 'step' | 'question' | 'end';
  /** Path of the step that the box represents. */
  readonly part?: string;
}

interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly label: string;
}

/** Returns the boxes and arrows of both drawings: a request's path from top to bottom. */
const flowChartOf = (
  graph: AuthenticatorGraph,
  invalid: readonly InvalidEntry[] = [],
): { readonly boxes: readonly Box[]; readonly arrows: readonly Arrow[] } => {
  const boxes: Box[] = [
    { id: 'request', label: 'request', shape: 'end', part: 'request' },
    { id: 'token', label: 'bearer token?', shape: 'question' },
    { id: 'accepted', label: 'accepted, with group system:authenticated', shape: 'end' },
    { id: 'rejected', label: '401 Unauthorized', shape: 'end' },
  ];
  const arrows: Arrow[] = [];
  /** Adds a chain of modules that each may accept the request; returns the id of the last box. */
  const addChain = (parts: readonly ExplainedPart[], from: string, label: string): string => {
    let last = from;
    for (const { path, sentence } of parts) {
      const id = `module_${path.replaceAll('-', '_')}`;
      boxes.push({ id, label: `${path}\n${sentence}`, shape: 'step' });
      arrows.push({ from: last, to: id, label: last === from ? label : 'else' });
      arrows.push({ from: id, to: 'accepted', label: 'accepts' });
      last = id;
    }
    return last;
  };
  const beforeToken = addChain(requestParts(graph), 'request', '');
  arrows.push({ from: beforeToken, to: 'token', label: beforeToken === 'request' ? '' : 'else' });
  const beforeJwt = addChain(tokenPartsBeforeJwt(graph), 'token', 'yes');
  addChain(tokenPartsAfterJwt(graph), beforeJwt, 'no jwt entry accepts it');
  for (const [index, node] of graph.nodes.entries()) {
    const explained = explainJwt(node);
    const steps = explained.parts.map((part, at) => ({
      id: `jwt${index}_${at}`,
      label: `${part.path}\n${part.sentence}`,
      shape: 'step' as const,
      part: part.path,
    }));
    boxes.push(...steps);
    for (const [at, step] of steps.entries()) {
      const previous = steps[at - 1];
      arrows.push({
        from: previous?.id ?? beforeJwt,
        to: step.id,
        label: previous === undefined ? `iss = ${node.issuerUrl}` : '',
      });
    }
    const last = steps.at(-1);
    if (last !== undefined) arrows.push({ from: last.id, to: 'accepted', label: 'all passed' });
  }
  for (const entry of invalid) {
    const { path: part, sentence } = explainInvalid(entry);
    const id = `invalid${entry.index}`;
    boxes.push({ id, label: `${part}\n${sentence}`, shape: 'step', part });
    const label = entry.issuerUrl === '' ? '' : `iss = ${entry.issuerUrl}`;
    arrows.push({ from: beforeJwt, to: id, label });
    arrows.push({ from: id, to: 'rejected', label: 'does not load' });
  }
  arrows.push({
    from: 'token',
    to: 'rejected',
    label: 'no authenticator accepts it, or a step rejects it',
  });
  const { anonymous } = graph;
  boxes.push({ id: 'anonymous', label: 'anonymous', shape: 'question' });
  arrows.push({ from: 'token', to: 'anonymous', label: 'none' });
  if (anonymous.enabled) {
    boxes.push({ id: 'anonymous_user', label: 'system:anonymous', shape: 'end' });
    arrows.push({
      from: 'anonymous',
      to: 'anonymous_user',
      label: anonymous.paths === undefined ? '' : `path is ${joinList(anonymous.paths, 'or')}`,
    });
  }
  if (!anonymous.enabled || anonymous.paths !== undefined)
    arrows.push({ from: 'anonymous', to: 'rejected', label: anonymous.enabled ? 'else' : 'off' });
  return { boxes, arrows };
};

const mermaidShape = (shape: Box['shape'], label: string): string => {
  if (shape === 'question') return `{"${label}"}`;
  return shape === 'end' ? `(["${label}"])` : `["${label}"]`;
};

/**
 * Escapes text for Mermaid, which decodes entities in quoted text: every character that could end
 * the text or mark it up becomes an entity.
 */
const mermaidText = (text: string): string =>
  text
    .replaceAll(/[^\p{L}\p{N} .,:/=()@|+*?!_-]/gu, (character) =>
      character === '\n' ? '\n' : `#${character.codePointAt(0) ?? 0};`,
    )
    .replaceAll('\n', '<br/>');

const dotShapes: Readonly<Record<Box['shape'], string>> = {
  step: 'box',
  question: 'diamond',
  end: 'oval',
};

const dotText = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
