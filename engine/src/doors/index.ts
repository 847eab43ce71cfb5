/**
 * The platform-independent entry point: compile a configuration, write and read artifacts, link a
 * graph, authenticate. Nothing behind it accesses the system; `@authgraph/engine/node` provides the
 * ports for Node.
 */
export {
  type Artifact,
  type ArtifactReading,
  artifactSchemaVersion,
  hashGraph,
  isArtifactText,
  readArtifact,
  writeArtifact,
} from '../compile/artifact.ts';
export { type Compilation, type CompileRequest, compile } from '../compile/compile.ts';
export { graphDot, graphMermaid, graphText } from '../compile/explain.ts';
export type { AuthenticatorGraph, AuthenticatorNode, Origins } from '../compile/graph.ts';
export { type CompileSettings, defaultSettings, settingsFor } from '../compile/settings.ts';
export type {
  Diagnostic,
  DiagnosticCause,
  Fix,
  RelatedSpan,
  Severity,
} from '../diagnostics/diagnostic.ts';
export type {
  EntryQuestion,
  Evidence,
  EvidenceQuestion,
  EvidenceToken,
  EvidenceUser,
  PossibleToken,
} from '../diagnostics/evidence.ts';
export { type FileReport, renderText, type TextOptions } from '../diagnostics/render.ts';
export { lint } from '../lints/lint.ts';
export type { Decision, Rejection } from '../model/decision.ts';
export { newestRelease, oldestRelease, parseRelease, type Release } from '../model/release.ts';
export type { AuthenticationRequest } from '../model/request.ts';
export { type Secret, secret } from '../model/secret.ts';
export type { TraceSink, TraceStep } from '../model/trace.ts';
export type { UserInfo } from '../model/user-info.ts';
export type { Digest } from '../ports/digest.ts';
export type { Ports } from '../ports/ports.ts';
export { type LinkedGraph, type LinkOptions, link } from '../runtime/link.ts';
export type {
  AccessCause,
  AccessChangeKind,
  AccessComparison,
  AccessPlace,
  AccessVerdict,
  AccessWitness,
  FoundAccessChange,
  SettingDifference,
  UndecidedReason,
} from '../simulate/access/access-result.ts';
export type { AccessSide } from '../simulate/access/access-side.ts';
export { compareAccess } from '../simulate/access/compare-access.ts';
export type { WhoCanTarget } from '../simulate/access/wanted-user.ts';
export {
  type WhoCanAnswer,
  type WhoCanExample,
  type WhoCanOptions,
  whoCan,
} from '../simulate/access/who-can.ts';
export { type SourceFile, sourceFile } from '../source/source-file.ts';
export type { Span } from '../source/span.ts';
export { applyEdits, type TextEdit } from '../source/text-edit.ts';
