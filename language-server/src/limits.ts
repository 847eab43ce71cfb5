/** Limits on what the server reads and stores from a workspace. */
export const limits = {
  /** UTF-16 code units of a document. A longer one gets a single diagnostic and is not analyzed. */
  documentLength: 1024 * 1024,
  /**
   * UTF-16 code units of a document that is compiled immediately. A longer one is first analyzed
   * under a deadline.
   */
  unguardedLength: 32 * 1024,
  /** UTF-16 code units of an edit after which a document still counts as analyzed. */
  unguardedEdit: 4096,
  /** Milliseconds of analysis between which other requests are answered. */
  analysisTurnMs: 20,
  /** Heap of the analysis thread in megabytes. */
  analysisMegabytes: 512,
  /** Workspace folders that are searched. */
  folders: 64,
  /** Directories read in one search. */
  directories: 5000,
  /** Directory entries read in one search. */
  entries: 100_000,
  /** Directory levels below a workspace folder. */
  depth: 24,
  /** Files that one search returns. */
  filesPerSearch: 1000,
  sampleFiles: 500,
  /** UTF-16 code units of a sample. */
  sampleLength: 256 * 1024,
  memorySamples: 100,
  /** Selected samples that are remembered, so that each authenticator shows its last one. */
  recentSamples: 200,
  /** Bytes of a configuration that is not open. */
  closedBytes: 2 * 1024 * 1024,
  /** Files with configurations that are not open. */
  closedConfigurations: 200,
  /** UTF-16 code units of all configurations that are not open. */
  closedLength: 16 * 1024 * 1024,
  /** UTF-16 code units that are read in one search for configurations that are not open. */
  closedReadLength: 128 * 1024 * 1024,
  /** Milliseconds after a change until the diagnostics of the workspace are computed again. */
  workspaceDiagnosticsDelayMs: 200,
  /** Milliseconds that a request for the diagnostics of the workspace waits for a change. */
  workspaceDiagnosticsWaitMs: 300_000,
  /** Closed documents whose diagnostics are removed by the next report about the workspace. */
  closedDocuments: 1000,
  /** Compilations of texts that are not those of open documents. */
  comparedTexts: 20,
  /**
   * A comparison with another text for all tokens, which is repeated after edits: evaluations per
   * question and for all questions, and steps through state machines of strings.
   */
  questionEvaluations: 15_000,
  comparisonEvaluations: 25_000,
  comparisonWalkSteps: 2_000_000,
  /** UTF-16 code units of a sample's name. */
  nameLength: 200,
  roleFiles: 200,
  roleLength: 1024 * 1024,
  /** UTF-16 code units of all manifests that are searched for bindings. */
  bindingsLength: 1024 * 1024,
  /** Milliseconds that a request about samples waits for the first search. */
  firstSearchTimeoutMs: 10_000,
  /** Attempts to read a file that may be being written, and milliseconds between two attempts. */
  savedReadAttempts: 5,
  savedReadIntervalMs: 100,
  /** Failed cases of a test file that have their path through the graph. */
  testPaths: 100,
  /** Test files that are read to find the one that tests a configuration. */
  testFilesOfFolder: 50,
  /** Settings files of the workspace. */
  settingsFiles: 100,
} as const;
