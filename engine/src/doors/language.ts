/**
 * The entry point for editors: what they need to compile, complete, explain and query. It is
 * platform-independent.
 */
export { wellKnownUrl } from '../authenticators/jwt/issuer-discovery.ts';
export { catalog, findInCatalog } from '../catalog.ts';
export { type CelEnvironment, environmentFor } from '../cel/check/environment.ts';
export {
  compileExpression,
  type EnvironmentName,
  type ExpressionCompilation,
} from '../cel/compile-expression.ts';
export {
  type ClaimMention,
  type ClaimPath,
  claimMentions,
  claimNameSpan,
  claimPathText,
  claimReadBy,
} from '../cel/editor/claim-mentions.ts';
export { displayJson, displayValue } from '../cel/editor/display-value.ts';
export { documentedClaims } from '../cel/editor/documented-claims.ts';
export {
  type DraftBinding,
  type DraftCall,
  type DraftPlace,
  draftPlace,
} from '../cel/editor/draft-place.ts';
export {
  type HighlightedToken,
  type HighlightedTokenKind,
  highlightedTokens,
} from '../cel/editor/highlight-tokens.ts';
export {
  globalNames,
  type KnownName,
  memberNames,
  type NameSignature,
  type NamesRequest,
  namesByFullName,
  namesForCall,
  namespaceNames,
} from '../cel/editor/known-names.ts';
export { type LayoutGap, layoutGaps } from '../cel/editor/layout-gaps.ts';
export {
  type ExpressionPart,
  isUnknown,
  macroVariableTypes,
  needsDyn,
  planPart,
  typeOfPart,
} from '../cel/editor/part-values.ts';
export { renameClaim } from '../cel/editor/rename-claim.ts';
export { renameVariable } from '../cel/editor/rename-variable.ts';
export { hoverTarget, partOfNode, sourceNodeAt } from '../cel/editor/source-node-at.ts';
export { type VariableUses, variableSpans, variableUses } from '../cel/editor/variable-uses.ts';
export { spanInsideQuotes } from '../cel/syntax/inside-quotes.ts';
export type { CelNode } from '../cel/tree/ast.ts';
export { childNodes } from '../cel/tree/child-nodes.ts';
export { escapeName } from '../cel/tree/field-name.ts';
export { constantNames } from '../cel/tree/keywords.ts';
export { selectionOperators } from '../cel/tree/selection-operators.ts';
export { type SourceNode, sourceNodes } from '../cel/tree/source-tree.ts';
export { formatCelType } from '../cel/values/type-format.ts';
export { typeOfValue } from '../cel/values/type-of-value.ts';
export type { CelType } from '../cel/values/types.ts';
export type { CelValue } from '../cel/values/value.ts';
export { membersOf } from '../cel/values/value-members.ts';
export {
  type Compilation,
  type CompileRequest,
  compile,
  compileSteps,
} from '../compile/compile.ts';
export type { PlacedExpression } from '../compile/compile-expressions.ts';
export {
  draftDomain,
  entryNode,
  graphOfValidEntries,
  invalidEntries,
} from '../compile/entry-node.ts';
export { graphMermaid, graphText } from '../compile/explain.ts';
export { findOidcFlags } from '../compile/flags-in-file.ts';
export type { AuthenticatorGraph } from '../compile/graph.ts';
export type { GraphPath } from '../compile/graph-lanes.ts';
export { type GraphPicture, graphPicture } from '../compile/graph-svg.ts';
export { settingsFor } from '../compile/settings.ts';
export { claimFieldsOf } from '../config/claim-fields.ts';
export type { AuthenticationConfiguration, LocatedString } from '../config/configuration.ts';
export { configurationDocs } from '../config/documentation.ts';
export { expressionsOf } from '../config/expressions.ts';
export { idiomsOf } from '../config/idioms.ts';
export { type MapPlace, mapPlaceAt } from '../config/map-place.ts';
export { type OfferedField, offeredFields } from '../config/offered-fields.ts';
export { offeredValues } from '../config/offered-values.ts';
export {
  type ItemPlace,
  type KeyPlace,
  type OpenPlace,
  placeAt,
  type ValuePlace,
} from '../config/place-at.ts';
export type { Row } from '../config/rows/row.ts';
export {
  completeRows,
  hoverRow,
  type RowCompletion,
  type RowItem,
} from '../config/rows/row-places.ts';
export { editScalar, styleOf } from '../config/rules/edit-scalar.ts';
export { type FieldRow, type FieldType, fieldsOf } from '../config/schema.ts';
export { entrySkeletons, type Skeleton, skeletonsOf } from '../config/skeletons.ts';
export { contentSpan, mapsEveryCharacter } from '../config/string-positions.ts';
export { rowOf } from '../config/typed-path.ts';
export { type MappingKey, mappingKeysOf, mappingOfUserPart } from '../config/user-parts.ts';
export {
  automaticFix,
  type Diagnostic,
  type Fix,
  type Severity,
} from '../diagnostics/diagnostic.ts';
export { evidenceLabel, evidenceText } from '../diagnostics/evidence.ts';
export { escapeInvisible, toPrintable } from '../diagnostics/printable.ts';
export { findConfigurations } from '../documents/embedded/find-configurations.ts';
export { type NestedText, wholeText } from '../documents/embedded/nested-text.ts';
export { type ReferencedFile, referencedFiles } from '../documents/embedded/referenced-files.ts';
export type { DataEntry, DataNode } from '../documents/yaml/data.ts';
export type { ConfigDocument } from '../documents/yaml/document.ts';
export { decodedPosition, type LooseScalar } from '../documents/yaml/loose-scalar.ts';
export { canBePlainScalar } from '../documents/yaml/scalar-text.ts';
export { writeName } from '../documents/yaml/write-name.ts';
export { counted } from '../formats/counted.ts';
export { lint } from '../lints/lint.ts';
export { fixAll } from '../lints/parts/fix-all.ts';
export { olderVersion, rewriteAsV1 } from '../lints/parts/rewrite-as-v1.ts';
export { kubernetesDomain } from '../model/api-domain.ts';
export type { Decision } from '../model/decision.ts';
export { knownClaims } from '../model/known-claims.ts';
export {
  newestRelease,
  oldestRelease,
  parseRelease,
  type Release,
  releaseName,
} from '../model/release.ts';
export type { UserInfo } from '../model/user-info.ts';
export { type KnownIssuer, knownIssuer, knownIssuers } from '../providers/known-issuers.ts';
export { newConfiguration } from '../providers/new-configuration.ts';
export { presetClaims, presetNames } from '../providers/presets.ts';
export { providers } from '../providers/registry.ts';
export { type GroupBinding, type GroupBindings, groupBindings } from '../rbac/group-bindings.ts';
export { unclaimedToken } from '../runtime/rejections.ts';
export { applySettings, untrustedSettings } from '../settings/apply-settings.ts';
export { matcher, type PathTest } from '../settings/glob.ts';
export { readSettings, type SettingsReading } from '../settings/read-settings.ts';
export {
  type LintLevel,
  lintLevels,
  noSettings,
  overlaySettings,
  type Settings,
  settingsFileName,
} from '../settings/settings.ts';
export { expiredSuppressions } from '../settings/suppression-findings.ts';
export { findTokens } from '../signed-token/find-tokens.ts';
export { type ClaimSet, normalizeIssuer, readClaims } from '../signed-token/payload.ts';
export { reservedClaimReason } from '../signed-token/reserved-claims.ts';
export { tokenClaimsText } from '../signed-token/token-claims.ts';
export {
  type AccessCause,
  type AccessChangeKind,
  type AccessComparison,
  type AccessPlace,
  type AccessVerdict,
  type AccessWitness,
  accessChangeKinds,
  type UndecidedReason,
} from '../simulate/access/access-result.ts';
export type { AccessSide } from '../simulate/access/access-side.ts';
export { type ConfigurationSource, witnessLine } from '../simulate/access/access-text.ts';
export {
  type ComparisonTask,
  compareAccessSteps,
} from '../simulate/access/compare-access.ts';
export { EvaluationBudget } from '../simulate/access/evaluation-budget.ts';
export { StringWalks } from '../simulate/access/string-walks.ts';
export type { WhoCanTarget } from '../simulate/access/wanted-user.ts';
export { type WhoCanAnswer, whoCanSteps } from '../simulate/access/who-can.ts';
export { type AdviceLimits, advise, adviseSteps } from '../simulate/advice/advise.ts';
export { checkOidcFlags } from '../simulate/advice/check-oidc-flags.ts';
export {
  type Coverage,
  type CoverageCase,
  coverageSummary,
  missingOutcomes,
} from '../simulate/coverage/coverage.ts';
export { coverageCaseOf } from '../simulate/coverage/coverage-case.ts';
export { measureCoverage } from '../simulate/coverage/measure-coverage.ts';
export {
  authenticatorOf,
  type DecidedSide,
  heldToAudience,
} from '../simulate/difference/audience-change.ts';
export {
  type AccessChange,
  accessChange,
  changeSummary,
  changeThroughout,
  lockOutOf,
  lossOf,
  userChange,
} from '../simulate/difference/diff.ts';
export { markdownReport } from '../simulate/difference/markdown-report.ts';
export {
  addSystemGroupGains,
  fullControlSentences,
  fullControlUndecided,
  systemGroupGains,
  systemGroupSentences,
} from '../simulate/difference/system-groups.ts';
export {
  settingSentence,
  verdictSentence,
} from '../simulate/difference/verdict-sentences.ts';
export { discoveryDocument } from '../simulate/discovery-document.ts';
export { examineClaims } from '../simulate/doctor/claims-findings.ts';
export { diagnoseIssuer, isWell } from '../simulate/doctor/diagnose.ts';
export type { DoctorFinding } from '../simulate/doctor/finding.ts';
export { issuerKeySet } from '../simulate/doctor/issuer-key-set.ts';
export { errorLogLine } from '../simulate/explain/error-log-line.ts';
export { type ExplainedLog, explainLog } from '../simulate/explain/explain-log.ts';
export { authorityCertificates } from '../simulate/preview/authority-certificates.ts';
export { failureText } from '../simulate/preview/failure-text.ts';
export { firstSample } from '../simulate/preview/first-sample.ts';
export { graphPath } from '../simulate/preview/graph-path.ts';
export { bothEnds, oneLine, unmatchedIssuer } from '../simulate/preview/headline.ts';
export {
  type EntryPreview,
  entriesFor,
  preview,
  previewHeadline,
  type SamplePreview,
} from '../simulate/preview/preview.ts';
export {
  type ChangeCommand,
  changeCommand,
  doctorCommand,
  graphCommand,
} from '../simulate/preview/preview-commands.ts';
export type { PreviewStep } from '../simulate/preview/preview-parts.ts';
export { readSample } from '../simulate/preview/read-sample.ts';
export { bareClaim } from '../simulate/preview/sample-value-start.ts';
export { belongsTo, sampleVariable } from '../simulate/preview/sample-variable.ts';
export { type WantedClaim, wantedClaims } from '../simulate/preview/wanted-claims.ts';
export { whoamiCommand } from '../simulate/preview/whoami-command.ts';
export {
  placeOfPart,
  type ReportStep,
  type WhoamiReport,
  whoamiReport,
} from '../simulate/preview/whoami-report.ts';
export { configurationFixes } from '../simulate/remedies/configuration-fixes.ts';
export { shellLine } from '../simulate/shell-line.ts';
export { appendCase } from '../simulate/tests/append-case.ts';
export type {
  CaseDecider,
  CaseOutcome,
  CaseResult,
  Difference,
} from '../simulate/tests/case-result.ts';
export { describeOutcome } from '../simulate/tests/compare-outcome.ts';
export { createCaseDecider, type DeciderOptions } from '../simulate/tests/decide-cases.ts';
export { readTests } from '../simulate/tests/read-tests.ts';
export { type RunOptions, runCases } from '../simulate/tests/run-cases.ts';
export { rawClaimsOfText } from '../simulate/tests/sample-claims.ts';
export type { TestCase } from '../simulate/tests/test-case.ts';
export type {
  RawClaims,
  SampleReference,
  TestFile,
  TestInputs,
} from '../simulate/tests/test-file.ts';
export { testFileSuffix, testRows } from '../simulate/tests/test-rows.ts';
export {
  caseOf,
  expectationOf,
  inputOfSample,
  startOfTestFile,
  type WrittenCase,
  writeCases,
} from '../simulate/tests/write-cases.ts';
export {
  type Acting,
  actAs,
  questionText,
  usableRoles,
  wantedUser,
} from '../simulate/whoami/act-as.ts';
export { reasonWithoutPrefix } from '../simulate/whoami/brief-reason.ts';
export { audiencesOf, isFromIssuer, ownClaim } from '../simulate/whoami/claims-decision.ts';
export { decisionYaml, refusalYaml, userYaml } from '../simulate/whoami/review-yaml.ts';
export { acceptedSince, isForAudience } from '../simulate/whoami/token-checks.ts';
export {
  type TokenCheck,
  type TokenProblem,
  tokenProblems,
  tokenRefusal,
} from '../simulate/whoami/token-problems.ts';
export { unfitSignature } from '../simulate/whoami/unfit-signature.ts';
export type { WhoamiAnswer, WhoamiOptions } from '../simulate/whoami/whoami-answer.ts';
export { type ClaimsOptions, whoamiClaims } from '../simulate/whoami/whoami-claims.ts';
export { whoamiToken } from '../simulate/whoami/whoami-token.ts';
export { closestAccepted } from '../simulate/why-not/closest-accepted.ts';
export { type NearestValue, nearestValue } from '../simulate/why-not/nearest-value.ts';
export { whyNot } from '../simulate/why-not/why-not.ts';
export { changedRange } from '../source/changed-range.ts';
export { oncePer } from '../source/once.ts';
export { toDecodedOffset, toFileSpan } from '../source/position-map.ts';
export type { ResumableWork } from '../source/resumable-work.ts';
export { type SourceFile, sourceFile } from '../source/source-file.ts';
export { contains, cover, type Span, span, touches } from '../source/span.ts';
export type { TextEdit } from '../source/text-edit.ts';
export { escapeUnprintable } from '../source/unprintable.ts';
