/** The README of the package, which is read where no file of the repository is. */

/** The published repository. */
export interface PublishedRepository {
  /** An address such as `https://github.com/owner/name`. */
  readonly address: string;
  /** The tag of the version. */
  readonly tag: string;
}

/**
 * Replaces links to files of the repository with URLs. Without a published repository the text of a
 * link remains, and a picture is left out.
 */
export const packedReadme = (text: string, repository: PublishedRepository | undefined): string =>
  text
    .replace(/^!\[[^\]]*\]\(\.\.\/([^)]+)\)\n\n?/gm, (picture, path: string) =>
      repository === undefined ? '' : picture.replace(`../${path}`, urlOf('raw', path, repository)),
    )
    .replace(/\[([^\]]*)\]\(\.\.\/([^)]+)\)/g, (_, shown: string, path: string) =>
      repository === undefined ? shown : `[${shown}](${urlOf('blob', path, repository)})`,
    );

const urlOf = (kind: 'raw' | 'blob', path: string, { address, tag }: PublishedRepository): string =>
  `${address}/${kind}/${tag}/${path}`;
