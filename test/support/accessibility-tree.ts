/**
 * Chromium's accessibility tree of a document as text, one line for each node that assistive
 * technology perceives: its role, its name, its description and its states.
 */

/** A session of the Chrome DevTools Protocol. */
export interface DevTools {
  send(method: string, parameters?: object): Promise<unknown>;
}

interface AxValue {
  readonly value?: unknown;
}

/** A node of `Accessibility.getFullAXTree`. */
interface AxNode {
  readonly nodeId: string;
  readonly ignored: boolean;
  readonly role?: AxValue;
  readonly name?: AxValue;
  readonly description?: AxValue;
  readonly value?: AxValue;
  readonly properties?: readonly { readonly name: string; readonly value: AxValue }[];
  readonly childIds?: readonly string[];
  readonly backendDOMNodeId?: number;
}

export interface TreeOptions {
  /** The frame of the document; defaults to the page. */
  readonly frameId?: string;
  /** A selector of the page for the root of the part that is printed; defaults to the document. */
  readonly root?: string;
}

/**
 * Returns the lines of the tree, indented by depth. What differs between runs or versions has a
 * placeholder: times, counts of evaluations, hashes, and version numbers.
 */
export const accessibilityTree = async (
  tools: DevTools,
  { frameId, root }: TreeOptions = {},
): Promise<string> => {
  const { nodes } = (await tools.send('Accessibility.getFullAXTree', {
    ...(frameId === undefined ? {} : { frameId }),
  })) as { readonly nodes: readonly AxNode[] };
  const nodeById = new Map(nodes.map((node) => [node.nodeId, node]));
  const wanted = root === undefined ? undefined : await backendIdOf(tools, root);
  const start =
    wanted === undefined
      ? nodes[0]
      : nodes.find(({ backendDOMNodeId }) => backendDOMNodeId === wanted);
  if (start === undefined) throw new Error(`${root ?? 'the document'} has no accessible node`);
  return `${linesOf(start, nodeById, '').map(stable).join('\n')}\n`;
};

const stable = (line: string): string =>
  line
    .replaceAll(/\b\d+(?:\.\d+)? ?ms\b/g, '<duration>')
    .replaceAll(/\b\d+ (?:second|minute|hour|day|month|year)s?\b/g, '<duration>')
    .replaceAll(/(?<=evaluated )\d+(?= times)/g, '<count>')
    .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, '<time>')
    .replaceAll(/\b[\da-f]{64}\b/g, '<hash>')
    .replaceAll(/(?<=AuthGraph )\d+\.\d+\.\d+|(?<=kube-apiserver )1\.\d+/g, '<version>');

const backendIdOf = async (tools: DevTools, selector: string): Promise<number> => {
  const { result } = (await tools.send('Runtime.evaluate', {
    expression: `document.querySelector(${JSON.stringify(selector)})`,
  })) as { readonly result: { readonly objectId?: string } };
  const { node } = (await tools.send('DOM.describeNode', { objectId: result.objectId })) as {
    readonly node: { readonly backendNodeId: number };
  };
  return node.backendNodeId;
};

const linesOf = (
  node: AxNode,
  nodeById: ReadonlyMap<string, AxNode>,
  indent: string,
): readonly string[] => {
  const role = textOf(node.role);
  if (omittedRoles.has(role)) return [];
  const children = (node.childIds ?? []).flatMap((id) => nodeById.get(id) ?? []);
  // Icon fonts use the private characters.
  const name = textOf(node.name).replaceAll(/[\ue000-\uf8ff]/g, '');
  const isShown = !node.ignored && !(layoutRoles.has(role) && name === '');
  const inner = children.flatMap((child) =>
    linesOf(child, nodeById, isShown ? `${indent}  ` : indent),
  );
  if (!isShown) return inner;
  const line = [
    `${indent}${role}`,
    ...(name === '' ? [] : [JSON.stringify(name)]),
    ...labeled('description', node.description),
    ...labeled('value', node.value),
    ...(node.properties ?? [])
      .filter(({ name, value }) => states.has(name) && value.value !== defaultStates.get(name))
      .map(({ name, value }) => `${name}=${textOf(value)}`),
  ].join(' ');
  // The text of a button, a link or a cell is its name already.
  const isRepeated = inner.every((each) => each.trimStart().startsWith('StaticText'));
  return isRepeated && name !== '' && textIn(inner) === plain(name) ? [line] : [line, ...inner];
};

const labeled = (label: string, value: AxValue | undefined): readonly string[] => {
  const text = textOf(value);
  return text === '' ? [] : [`${label}=${JSON.stringify(text)}`];
};

const textOf = (value: AxValue | undefined): string =>
  value?.value === undefined ? '' : String(value.value);

/** Returns the text of lines of `StaticText`, without white space. */
const textIn = (lines: readonly string[]): string =>
  plain(lines.map((line) => JSON.parse(line.trimStart().slice('StaticText '.length))).join(''));

const plain = (text: string): string => text.replaceAll(/\s+/g, '');

/** Roles that assistive technology does not announce without a name. */
const layoutRoles: ReadonlySet<string> = new Set(['none', 'generic', 'LayoutTable', 'StaticText']);

/** Roles of parts of text and of the marks of list items. */
const omittedRoles: ReadonlySet<string> = new Set(['InlineTextBox', 'LineBreak', 'ListMarker']);

const states: ReadonlySet<string> = new Set([
  'atomic',
  'busy',
  'checked',
  'disabled',
  'expanded',
  'hasPopup',
  'invalid',
  'level',
  'live',
  'modal',
  'multiselectable',
  'pressed',
  'readonly',
  'required',
  'selected',
]);

/** The values that are not printed. */
const defaultStates: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['atomic', false],
  ['busy', false],
  ['disabled', false],
  ['hasPopup', 'false'],
  ['invalid', 'false'],
  ['live', 'off'],
  ['modal', false],
  ['multiselectable', false],
  ['readonly', false],
  ['required', false],
  ['selected', false],
]);
