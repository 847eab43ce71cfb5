/** What the parts of a release share. */

export const partNames = ['npm', 'vsix', 'image', 'chart', 'executables', 'sbom'] as const;

export type PartName = (typeof partNames)[number];

export interface Release {
  readonly version: string;
  /** The commit. */
  readonly revision: string;
  /** Seconds since 1970: the time of the commit, which is the time of every file. */
  readonly epoch: number;
  /** The repository, whose scripts run. */
  readonly root: string;
  /** The tree of the commit. */
  readonly source: string;
  /** Folder of the results. */
  readonly out: string;
  readonly scratch: string;
  /** Prints one line of progress. */
  readonly report: (line: string) => void;
}

/** A file of the release. */
export interface ReleaseFile {
  /** Path in the folder of the release. */
  readonly name: string;
  readonly part: PartName;
  /** A noun phrase for the list of files. */
  readonly content: string;
  /** Whether this run started the program in it. Absent if there is none. */
  readonly started?: boolean;
}
