/** Compares the accessibility tree of a view with the one that is recorded for it. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accessibilityTree, type DevTools } from '../support/accessibility-tree.ts';
import type { Frame } from './browser.ts';

/** A page of the extension, or the part of the window with a selector. */
export type View = { readonly frame: Frame } | { readonly root: string };

export interface RecordedTree {
  /** The name of the recorded file. */
  readonly name: string;
  readonly view: View;
  /** Whether the file is written instead of compared. */
  readonly isRecorded: boolean;
  /** The folder for the actual tree if it differs. */
  readonly output: string;
}

/** Fails with the first lines that differ. */
export const expectTree = async (
  tools: DevTools,
  { name, view, isRecorded, output }: RecordedTree,
): Promise<void> => {
  const tree = await ('frame' in view
    ? treeOf(tools, view.frame)
    : accessibilityTree(tools, { root: view.root }));
  const file = join(recorded, `${name}.txt`);
  if (isRecorded) {
    mkdirSync(recorded, { recursive: true });
    writeFileSync(file, tree);
    return;
  }
  const wanted = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (tree === wanted) return;
  writeFileSync(join(output, `${name}.tree.txt`), tree);
  throw new Error(`the accessibility tree differs from ${file}:\n${difference(wanted, tree)}`);
};

const recorded = join(import.meta.dirname, 'accessibility-trees');

interface FrameTree {
  readonly frame: { readonly id: string; readonly url: string };
  readonly childFrames?: readonly FrameTree[];
}

/**
 * Returns the tree of a webview's document. Its frame has the URL of the frame around it, because
 * VS Code writes it from there.
 */
const treeOf = async (tools: DevTools, frame: Frame): Promise<string> => {
  const { frameTree } = (await tools.send('Page.getFrameTree')) as {
    readonly frameTree: FrameTree;
  };
  const outer = frame.parentFrame()?.url();
  const found = framesIn(frameTree)
    .find((each) => each.frame.url === outer)
    ?.childFrames?.at(-1);
  if (found === undefined) throw new Error(`no frame is in ${outer}`);
  return accessibilityTree(tools, { frameId: found.frame.id });
};

const framesIn = (tree: FrameTree): readonly FrameTree[] => [
  tree,
  ...(tree.childFrames ?? []).flatMap(framesIn),
];

/** Returns the differing lines between the equal start and the equal end. */
const difference = (wanted: string, actual: string): string => {
  const [old, young] = [wanted.split('\n'), actual.split('\n')];
  let start = 0;
  while (start < old.length && old[start] === young[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, young.length) - start;
  while (end < most && old.at(-1 - end) === young.at(-1 - end)) end += 1;
  return [
    ...old.slice(start, old.length - end).map((line) => `- ${line}`),
    ...young.slice(start, young.length - end).map((line) => `+ ${line}`),
  ]
    .slice(0, maxLines)
    .join('\n');
};

const maxLines = 60;
