/** Finds the version of kube-apiserver in the images of the containers that run it, such as those of a static pod. */
import type { DataNode, MapData } from '../documents/yaml/data.ts';
import { documentSlices } from '../documents/yaml/document-slices.ts';
import { parseDocument } from '../documents/yaml/parse.ts';
import { sourceFile } from '../source/source-file.ts';
import { type FlagInFile, hasItem, isServerProgram } from './flags-in-file.ts';

/**
 * Returns the minor version, such as `v1.31`, in the tag of the image that runs with these flags;
 * `undefined` if there is none or if containers of the document differ.
 */
export const serverVersionOfImages = (
  text: string,
  flags: readonly Pick<FlagInFile, 'span'>[],
): string | undefined => {
  const [first] = flags;
  if (first === undefined) return undefined;
  const { start } = first.span;
  const slice = documentSlices(text).find((own) => own.start <= start && start < own.end);
  if (slice === undefined) return undefined;
  const own = text.slice(slice.start, slice.end);
  const { data } = parseDocument(sourceFile('', own), { limits: 'refuse' });
  if (data === undefined) return undefined;
  const versions = new Set(serverImagesIn(data, 0).map(versionOfImage));
  return versions.size === 1 ? [...versions][0] : undefined;
};

/** Exceeds the depth of the containers in any workload. */
const searchDepth = 64;

const serverImagesIn = (node: DataNode, depth: number): readonly string[] => {
  if (depth > searchDepth) return [];
  switch (node.kind) {
    case 'array':
      return node.items.flatMap((item) => serverImagesIn(item, depth + 1));
    case 'object':
      return [
        ...serverImageOf(node),
        ...[...node.byKey.values()].flatMap(({ value }) => serverImagesIn(value, depth + 1)),
      ];
    default:
      return [];
  }
};

const serverImageOf = ({ byKey }: MapData): readonly string[] => {
  const image = byKey.get('image')?.value;
  if (image?.kind !== 'string') return [];
  const runsServer =
    isServerProgram(parseImage(image.text).repository) ||
    ['command', 'args'].some((key) => {
      const value = byKey.get(key)?.value;
      return value !== undefined && hasItem(value, isServerProgram);
    });
  return runsServer ? [image.text] : [];
};

/** Splits `registry.example.com:5000/kube-apiserver:v1.31.4@sha256:…`. The tag is empty if there is none. */
const parseImage = (image: string): { readonly repository: string; readonly tag: string } => {
  const [named = ''] = image.split('@', 1);
  const colon = named.lastIndexOf(':');
  // A colon before a slash precedes the port of the registry.
  return colon === -1 || colon < named.lastIndexOf('/')
    ? { repository: named, tag: '' }
    : { repository: named.slice(0, colon), tag: named.slice(colon + 1) };
};

/** Distributions add a suffix: `v1.31.4-eks-1`, `v1.31.4+k3s1`, `v1.31.4_vmware.1`. */
const versionOfImage = (image: string): string | undefined =>
  /^(v?1\.\d+)(?:\.\d+)?(?:[-+_].*)?$/.exec(parseImage(image).tag)?.[1];
