/** How much of a workspace is read and kept, each bound with its name. */
export const limits = {
  /** UTF-16 units of a document; a longer one gets one diagnostic and is not looked into. */
  documentLength: 1024 * 1024,
  /** UTF-16 units of a document that is compiled at once; a longer one is first analyzed with a deadline. */
  unguardedLength: 32 * 1024,
  /** UTF-16 units of an edit after which a document counts as the one that passed. */
  unguardedEdit: 4096,
  /** Milliseconds of such an analysis between two requests that are answered. */
  analysisTurnMs: 20,
  /** Megabytes of the heap of the thread that analyzes long documents. */
  analysisMegabytes: 512,
  /** Folders of the workspace that files are looked for in. */
  folders: 64,
  /** Directories walked in all. */
  directories: 5000,
  /** Names read in all directories. */
  entries: 100_000,
  /** Levels below a folder. */
  depth: 24,
  /** Files that one search gives. */
  filesPerSearch: 1000,
  sampleFiles: 500,
  /** UTF-16 units of the claims of one sample. */
  sampleLength: 256 * 1024,
  memorySamples: 100,
  /** Of a configuration that is not open. */
  closedBytes: 2 * 1024 * 1024,
  /** Files with configurations that are not open. */
  closedConfigurations: 200,
  /** UTF-16 units of a name. */
  nameLength: 200,
  roleFiles: 200,
  roleLength: 1024 * 1024,
  /** Milliseconds for which a question about samples waits for the first search. */
  firstSearchTimeoutMs: 10_000,
  /** Looks at a file that may be being written, and the milliseconds between two. */
  savedReadAttempts: 5,
  savedReadIntervalMs: 100,
  /** Of one glob in the settings. */
  globLength: 256,
  /** Globs of one setting, braces written out. */
  globs: 100,
} as const;
