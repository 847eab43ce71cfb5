/** The door for editors: what there is to compile, to complete, to hover and to ask. Pure. */
export { wellKnownUrl } from './authenticators/jwt/issuer-discovery.ts';
export { catalogue, findInCatalogue } from './catalogue.ts';
export type { CelNode } from './cel/ast.ts';
export { childNodes } from './cel/child-nodes.ts';
export {
  type ClaimMention,
  type ClaimPath,
  claimMentions,
  claimNameSpan,
  claimPathText,
  claimReadBy,
} from './cel/claim-mentions.ts';
export {
  compileExpression,
  type EnvironmentName,
  type ExpressionCompilation,
} from './cel/compile-expression.ts';
export { type CelEnvironment, environmentFor } from './cel/environment.ts';
export { escapeName } from './cel/field-name.ts';
export { insideQuotes } from './cel/inside-quotes.ts';
export { constantNames } from './cel/keywords.ts';
export {
  calledNames,
  describedName,
  globalNames,
  type KnownName,
  memberNames,
  type NameSignature,
  type NamesRequest,
  namespaceNames,
} from './cel/known-names.ts';
export { type LayoutGap, layoutGaps } from './cel/layout-gaps.ts';
export {
  type ExpressionPart,
  isUnknown,
  localsOf,
  needsDyn,
  type PartProgram,
  type PartValue,
  planPart,
  typeOfPart,
} from './cel/part-values.ts';
export { type ClaimRenaming, renameClaim } from './cel/rename-claim.ts';
export { renameVariable, type VariableRenaming } from './cel/rename-variable.ts';
export { selectors } from './cel/selectors.ts';
export { shownJson, shownValue } from './cel/shown-value.ts';
export { meantBy, partOfStep, stepAt } from './cel/step-at.ts';
export { typeOfValue } from './cel/type-of-value.ts';
export { typeText } from './cel/type-text.ts';
export type { CelType } from './cel/types.ts';
export { usualClaims } from './cel/usual-claims.ts';
export type { CelValue } from './cel/value.ts';
export { membersOf } from './cel/value-members.ts';
export { type VariableUses, variablePlaces, variableUses } from './cel/variable-uses.ts';
export { type Word, type WordKind, wordsOf } from './cel/words.ts';
export {
  type WrittenBinding,
  type WrittenCall,
  type WrittenPlace,
  writtenPlace,
} from './cel/written-place.ts';
export { type WrittenStep, writtenSteps } from './cel/written-tree.ts';
export { type Compilation, type CompileRequest, compile, compileSteps } from './compile/compile.ts';
export type { PlacedExpression } from './compile/compile-expressions.ts';
export { draftDomain, soundGraph } from './compile/entry-node.ts';
export { graphMermaid, graphText } from './compile/explain.ts';
export { type FlagsFound, flagsInFile } from './compile/flags-in-file.ts';
export type { AuthenticatorGraph, AuthenticatorNode, Origins } from './compile/graph.ts';
export type { GraphPath, StepMark } from './compile/graph-lanes.ts';
export { type GraphPicture, graphPicture } from './compile/graph-svg.ts';
export { type CompileSettings, settingsFor } from './compile/settings.ts';
export { claimFieldsOf } from './config/claim-fields.ts';
export type {
  AuthenticationConfiguration,
  JwtAuthenticatorConfig,
  LocatedText,
} from './config/configuration.ts';
export { configurationDocs } from './config/documentation.ts';
export { type ConfigExpression, expressionsOf } from './config/expressions.ts';
export { type Idiom, idiomsOf } from './config/idioms.ts';
export { type MapPlace, mapPlaceAt } from './config/map-place.ts';
export { type OfferedField, offeredFields } from './config/offered-fields.ts';
export { offeredValues } from './config/offered-values.ts';
export {
  type ConfigPlace,
  type ItemPlace,
  type KeyPlace,
  type OpenPlace,
  placeAt,
  type ValuePlace,
} from './config/place-at.ts';
export { editText, styleOf } from './config/rules/edit-text.ts';
export { type FieldRow, type FieldType, fieldsOf, type StructName } from './config/schema.ts';
export { entrySkeletons, type Skeleton, skeletonsOf } from './config/skeletons.ts';
export { rowOf } from './config/typed-path.ts';
export { type MappingKey, mappingKeysOf, mappingOfUserPart } from './config/user-parts.ts';
export { contentSpan, isLetterByLetter } from './config/written-text.ts';
export type { Diagnostic, Fix, RelatedSpan, Severity } from './diagnostics/diagnostic.ts';
export { pageUrl } from './diagnostics/page.ts';
export { escapeInvisible, printable } from './diagnostics/printable.ts';
export type { RuleDescription } from './diagnostics/rule.ts';
export type { DataEntry, DataNode, MapData } from './documents/data.ts';
export type { ConfigDocument, YamlNode } from './documents/document.ts';
export { type FindOptions, findConfigurations } from './documents/embedded.ts';
export { decodedPlace, type LooseScalar } from './documents/loose-scalar.ts';
export { type NestedText, wholeText } from './documents/nested-text.ts';
export { type ReferredFile, referredFiles } from './documents/referred-files.ts';
export { isPlainText } from './documents/scalar-text.ts';
export { writeName } from './documents/write-name.ts';
export { lint, lintSteps } from './lints/lint.ts';
export { mendAll } from './lints/mend-all.ts';
export { olderVersion, rewriteAsV1 } from './lints/rewrite-as-v1.ts';
export { kubernetesDomain } from './model/api-domain.ts';
export type { Decision } from './model/decision.ts';
export { type KnownClaim, knownClaims } from './model/known-claims.ts';
export {
  newestRelease,
  oldestRelease,
  parseRelease,
  type Release,
  releaseName,
} from './model/release.ts';
export type { UserInfo } from './model/user-info.ts';
export { newConfiguration } from './providers/new-configuration.ts';
export { providers } from './providers/registry.ts';
export { unclaimedToken } from './runtime/refusals.ts';
export { findTokens } from './signed-token/find-tokens.ts';
export { fixedClaim } from './signed-token/fixed-claims.ts';
export { type ClaimSet, longIssuer, readClaims } from './signed-token/payload.ts';
export { tokenClaimsText } from './signed-token/token-claims.ts';
export {
  type ActAsOptions,
  type Acting,
  actAs,
  questionText,
  usableRoles,
  type WrongRoles,
  wantedUser,
} from './simulate/act-as.ts';
export { type DecidedSide, heldToAudience, takerOf } from './simulate/audience-change.ts';
export { bareClaim } from './simulate/bare-claim.ts';
export { isFromIssuer, ownClaim } from './simulate/claims-decision.ts';
export {
  type AccessChange,
  accessChange,
  changeSummary,
  changeThroughout,
  lockOutOf,
  lossOf,
} from './simulate/diff.ts';
export { discoveryDocument } from './simulate/discovery-document.ts';
export { diagnoseIssuer, type IssuerDiagnosis, isWell } from './simulate/doctor/diagnose.ts';
export { issuerKeySet } from './simulate/doctor/issuer-key-set.ts';
export { type EffectlessRule, effectlessRules } from './simulate/effectless.ts';
export { type ExplainedLog, explainLog } from './simulate/explain-log.ts';
export { failureText } from './simulate/failure-text.ts';
export { firstSample } from './simulate/first-sample.ts';
export { graphPath } from './simulate/graph-path.ts';
export { bothEnds, counted, oneLine } from './simulate/headline.ts';
export {
  type EntryPreview,
  preview,
  previewHeadline,
  type SamplePreview,
} from './simulate/preview.ts';
export {
  type ChangeCommand,
  changeCommand,
  doctorCommand,
  graphCommand,
} from './simulate/preview-commands.ts';
export type { PartOutcome, PreviewPart } from './simulate/preview-parts.ts';
export { readSample, type SampleReading } from './simulate/read-sample.ts';
export { decisionYaml, refusalYaml, userYaml } from './simulate/review-yaml.ts';
export { belongsTo, type ExpressionOwner, sampleVariable } from './simulate/sample-variable.ts';
export { isForAudience } from './simulate/token-checks.ts';
export { unfitSignature } from './simulate/unfit-signature.ts';
export { type WantedClaim, wantedClaims } from './simulate/wanted-claims.ts';
export type { WhoamiAnswer, WhoamiOptions } from './simulate/whoami-answer.ts';
export { type ClaimsOptions, whoamiClaims } from './simulate/whoami-claims.ts';
export { type WhoamiCommand, whoamiCommand } from './simulate/whoami-command.ts';
export {
  placeOfPart,
  type ReportStep,
  type WhoamiReport,
  whoamiReport,
} from './simulate/whoami-report.ts';
export { whoamiToken } from './simulate/whoami-token.ts';
export { type WhyNot, type WhyNotOptions, whyNot } from './simulate/why-not.ts';
export { changedRange } from './source/changed-range.ts';
export {
  type PositionMap,
  toDecodedOffset,
  toFileSpan,
} from './source/position-map.ts';
export { type SourceFile, sourceFile } from './source/source-file.ts';
export { contains, cover, type Span, span, touches } from './source/span.ts';
export type { Steps } from './source/steps.ts';
export type { TextEdit } from './source/text-edit.ts';
export { escapeUnprintable } from './source/unprintable.ts';
