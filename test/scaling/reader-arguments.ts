/** Further arguments of the readers that need more than the untrusted text, and the functions that are not called. */
import { compileExpression } from '../../engine/src/cel/compile-expression.ts';
import { parseDocument } from '../../engine/src/documents/yaml/parse.ts';
import { lint } from '../../engine/src/lints/lint.ts';
import { newestRelease } from '../../engine/src/model/release.ts';
import { sourceFile } from '../../engine/src/source/source-file.ts';
import { compileText } from '../support/compile-text.ts';

type Rest = readonly unknown[];

/** The parameters after the text, by file below `engine/src` and name. */
export const furtherArguments: ReadonlyMap<string, Rest | ((text: string) => Rest)> = new Map<
  string,
  Rest | ((text: string) => Rest)
>([
  ['source/changed-range.ts changedRange', (text) => [`${text}x`]],
  ['source/source-file.ts sourceFile', (text) => [text]],
  ['formats/base64.ts decodeBase64Loosely', [{ alphabet: 'url', padding: 'none' }]],
  ['formats/base64.ts isCanonical', ['url']],
  ['formats/constant-time.ts sameSecret', (text) => [text]],
  ['formats/domain-name.ts isDomainName', [{ constraint: true }]],
  ['formats/edit-distance.ts editDistance', ['issuer']],
  ['formats/go-ip.ts parseIp', [JSON.stringify]],
  ['formats/go-ip.ts ipv6Problem', [JSON.stringify]],
  ['formats/go-ip.ts isIpAddress', [4]],
  ['formats/string-order.ts byCodePoint', (text) => [`${text}x`]],
  ['formats/text-search.ts findFirst', (text) => [`b${text.slice(text.length / 2)}`]],
  ['formats/text-search.ts findLast', (text) => [`${text.slice(text.length / 2)}b`]],
  ['formats/text-search.ts splitBy', (text) => [`b${text.slice(text.length / 2)}`]],
  ['formats/trim.ts trimStart', [(unit: number) => unit === 0x20]],
  ['formats/trim.ts trimEnd', [(unit: number) => unit === 0x20]],
  ['formats/trim.ts trim', [(unit: number) => unit === 0x20]],
  ['formats/utf8.ts decodeUtf8Around', [() => '?']],
  ['documents/yaml/loose-scalar.ts looseScalar', [0, { flow: false, indent: 0 }]],
  ['documents/yaml/loose-scalar.ts looseLine', [0]],
  ['documents/yaml/plain-value.ts readPlain', [{ depth: 64, members: 4096, items: 16_384 }]],
  ['documents/yaml/plain-value.ts readPlainYaml', [{ depth: 64, members: 4096, items: 16_384 }]],
  ['documents/kubeconfig/relative-path.ts absolutePath', ['/a']],
  ['documents/yaml/scalar-builder.ts foldBreaks', [1]],
  ['documents/yaml/scalar-text.ts isPlainText', [{ flow: true }]],
  ['documents/yaml/yaml-scalar.ts readScalar', ['']],
  ['cel/tree/code-points.ts compareTexts', (text) => [`${text}x`]],
  ['cel/editor/format-lines.ts formatLines', [0]],
  ['cel/syntax/inside-quotes.ts insideQuotes', [0]],
  ['cel/syntax/literals.ts readInt', [false]],
  ['cel/syntax/literals.ts readDouble', [false]],
  ['cel/syntax/parser.ts parseCel', [{ release: newestRelease }]],
  ['cel/cost/cost.ts searchExceedsLimit', (text) => [text]],
  ['cli/trace-text.ts refusalFrame', [{ find: () => undefined, width: 80 }]],
  ['node/store/object-path.ts comparePaths', (text) => [`${text}x`]],
  ['cel/editor/draft-place.ts writtenPlace', (text) => [text.length]],
  ['config/near-name.ts nearName', [['issuer', 'claimMappings']]],
  ['config/rules/layout-fixes.ts hasKey', ['prefix']],
  ['config/rules/layout-fixes.ts startOfLine', (text) => [text.length]],
  ['config/rules/layout-fixes.ts endOfLine', [0]],
  ['signed-token/token-claims.ts tokenClaimsText', ['lines']],
  ['signed-token/pem-keys.ts readPemKeys', ['refused']],
  [
    'certificates/certificate-pool.ts loadCertificatePool',
    (text) => [new TextEncoder().encode(text)],
  ],
  ['resources/field-selector.ts parseFieldSelector', [{ row: { resource: 'secrets' } }]],
  ['rbac/role-manifests.ts readRoleManifests', (text) => [text]],
  ['rbac/rule-match.ts urlCovers', (text) => [text]],
  ['compile/artifact.ts readArtifact', [{ sha256: async () => '' }]],
  ['compile/svg-text.ts shortText', [20]],
  ['simulate/explain/explain-log.ts explainLog', [undefined]],
  ['simulate/preview/headline.ts bothEnds', [20]],
  ['simulate/explain/log-line.ts messagesOf', [(text: string) => text.startsWith('oidc')]],
  ['simulate/whoami/brief-reason.ts afterFrame', [["validation expression '", "' failed: "]]],
  ['server/api/continue-token.ts continueToken', (text) => [text]],
  ['server/http/request-info.ts requestInfo', (text) => [{ path: text, query: new Map() }]],
  ['server/memory/body-values.ts hasFewValues', [Number.POSITIVE_INFINITY]],
  ['flags/parse-flags.ts nearestName', [['config', 'token-auth-file']]],
  ['server/wire/media-type.ts outputFormat', ['stored']],
  ['server/wire/media-type.ts acceptsType', ['application/json']],
  ['server/wire/review-fast-path.ts quickTokenReview', ['authentication.k8s.io']],
  ['server/wire/read-yaml.ts readYamlBody', [{ strict: true }]],
  ['model/recorded-shapes.ts partAsText', [1]],
  ['model/recorded-shapes.ts countOf', ['a']],
]);

const words = 'Its strings are names and sentences of the program itself.';
const parsed =
  'Its input was parsed by a reader that is called here: nodes, spans, values or frames.';
const written = 'It inserts a value into a message and does not parse it.';
const bounded = 'It is quadratic in two short names; the callers bound both.';

const operator = 'Its strings are paths, flags and names that the operator chooses.';
const stored = 'It writes or splits the key of an object whose name has been validated.';

/** Functions that are not called, with the reason. */
export const notCalled: ReadonlyMap<string, string> = new Map([
  ['model/api-domain.ts inDomain', words],
  ['model/api-domain.ts identityKey', words],
  ['model/api-domain.ts auditKey', words],
  ['model/api-domain.ts tokenCredentialIdKey', words],
  ['model/feature-gates.ts hasGate', words],
  ['cel/cost/cost.ts costOfCall', words],
  ['cel/values/evaluation-steps.ts stepsPerItem', words],
  ['cel/functions/declare.ts global', words],
  ['cel/functions/declare.ts member', words],
  ['cel/functions/declare.ts declare', words],
  ['cel/functions/declare.ts declareGeneric', words],
  ['cel/editor/known-names.ts namespaceNames', words],
  ['cel/editor/known-names.ts calledNames', words],
  ['cel/editor/known-names.ts describedName', words],
  ['cel/editor/usual-claims.ts usualClaims', words],
  ['documents/kubeconfig/typed-shape.ts list', words],
  ['documents/kubeconfig/typed-shape.ts struct', words],
  ['resources/shape.ts struct', words],
  ['resources/shape.ts objectShape', words],
  ['authenticators/jwt/issuer-metrics.ts issuerMetrics', words],
  ['server/endpoints/api-discovery.ts apiGroup', words],
  ['server/endpoints/api-discovery.ts coreVersions', words],
  ['server/endpoints/health.ts healthAnswer', words],
  ['rbac/bootstrap-roles.ts bootstrapObjects', words],
  ['server/demo/handout.ts handoutPaths', words],
  ['server/modules/module-file.ts readModuleFile', words],
  ['server/endpoints/openapi-document.ts openApiDocument', words],
  ['server/endpoints/api-discovery.ts apiResourceList', words],
  ['source/text-edit.ts applyEdits', parsed],
  ['formats/x509/certificate-key.ts readPublicKey', parsed],
  ['formats/json-tree.ts rawJson', parsed],
  ['cel/syntax/error-text.ts renderErrors', parsed],
  ['cel/check/string-format-check.ts formatStringError', parsed],
  ['cel/editor/layout-gaps.ts layoutGaps', parsed],
  ['cel/syntax/macro-bindings.ts optionalMacro', parsed],
  ['cel/syntax/macro-bindings.ts extreme', parsed],
  ['cel/values/message-value.ts makeMessage', parsed],
  ['cel/editor/part-values.ts localsOf', parsed],
  ['cel/evaluate/plan/calls.ts mismatch', parsed],
  ['cel/evaluate/plan/specialized/call.ts prefixStep', parsed],
  ['cel/evaluate/plan/specialized/call.ts textInListStep', parsed],
  ['cel/evaluate/plan/literals.ts structStep', parsed],
  ['cel/check/resolve-name.ts candidateNames', parsed],
  ['cel/editor/step-at.ts partOfStep', parsed],
  ['cel/syntax/syntax-errors.ts readAsReference', parsed],
  ['documents/embedded/literal-block.ts literalBlock', parsed],
  ['documents/embedded/literal-block.ts editBlock', parsed],
  ['documents/yaml/syntax-fixes.ts repeatedLineFix', parsed],
  ['documents/yaml/write-name.ts writeName', parsed],
  ['signed-token/key-set.ts readKeySet', parsed],
  ['resources/lazy-json.ts lazyJson', parsed],
  ['resources/merge-patch.ts applyMergePatch', parsed],
  ['resources/json-patch.ts applyJsonPatch', parsed],
  ['authenticators/static-token/token-digest.ts staticTokenDigest', parsed],
  ['compile/flags-file.ts flagsFileText', parsed],
  ['runtime/authenticate.ts precededBy', parsed],
  ['simulate/whoami/check-signature.ts checkSignature', parsed],
  ['simulate/difference/diff.ts accessChange', parsed],
  ['simulate/explain/match-message.ts matchOne', parsed],
  ['simulate/explain/match-message.ts after', parsed],
  ['simulate/explain/match-message.ts fill', parsed],
  ['simulate/preview/preview.ts previewHeadline', parsed],
  ['simulate/preview/headline.ts headlineOf', parsed],
  ['server/api/decode-patched.ts decodePatched', parsed],
  ['server/endpoints/token-reviews.ts reviewedDecision', parsed],
  ['server/http/field-manager.ts fieldManager', parsed],
  ['server/http/http1.ts refuseBrokenRequest', parsed],
  ['server/http/http1.ts refuseOnSocket', parsed],
  ['server/http2/frame.ts writeFrameHead', parsed],
  ['server/http2/frame.ts readFrameHead', parsed],
  ['server/http2/hpack/encoder.ts mostBytes', parsed],
  ['server/http2/hpack/encoder.ts writeField', parsed],
  ['server/http2/hpack/huffman.ts expandHuffman', parsed],
  ['server/endpoints/route.ts route', parsed],
  ['server/wire/read-protobuf.ts readProtobufObject', parsed],
  ['formats/account-name.ts accountUsername', written],
  ['formats/go-json.ts goTypeError', written],
  ['formats/go-json.ts goFieldTypeError', written],
  ['documents/yaml/yaml-problem.ts meaningProblem', written],
  ['signed-token/key-set.ts frameJsonError', written],
  ['resources/field-problem.ts forbiddenField', written],
  ['resources/field-problem.ts invalidValue', written],
  ['resources/field-problem.ts tooLong', written],
  ['resources/field-problem.ts notSupported', written],
  ['config/server-error.ts invalidError', written],
  ['config/server-error.ts invalidNamedError', written],
  ['config/server-error.ts duplicateError', written],
  ['config/server-error.ts forbiddenError', written],
  ['config/server-error.ts tooManyError', written],
  ['config/server-error.ts internalError', written],
  ['cel/check/suggest.ts edits', bounded],
  ['rbac/bootstrap-roles.ts bootstrapView', operator],
  ['cli/sibling-packages.ts runProgram', operator],
  ['cli/compile-text.ts compileText', 'It compiles as "compile and lint" below does.'],
  ['cli/diagnostic-page.ts diagnosticPage', operator],
  ['cli/diagnostic-page.ts diagnosticMarkdown', operator],
  ['cli/load-configuration.ts loadConfiguration', operator],
  [
    'cli/load-configuration.ts loadText',
    'It calls readArtifact or compiles, which are called here.',
  ],
  ['cli/migrate-file.ts migrateFile', operator],
  ['cli/color.ts wantsColor', operator],
  ['cli/read-claims.ts readClaimsFile', operator],
  ['formats/authority.ts authorityProblems', parsed],
  ['node/files.ts readSnapshot', operator],
  ['node/files.ts watchFile', operator],
  ['node/mint.ts createSigningKey', operator],
  ['node/server-identity.ts serverIdentity', operator],
  ['node/server-identity.ts serverIdentityHash', operator],
  ['node/store/etcd-member.ts etcdMember', operator],
  ['node/store/etcd-messages.ts compareAndPut', stored],
  ['node/store/etcd-messages.ts compareAndDelete', stored],
  ['node/store/etcd-messages.ts watchRequest', stored],
  ['node/store/kubernetes-paths.ts collectionPath', stored],
  ['node/store/object-path.ts keyOfPath', stored],
  ['server/flags/controller-names.ts isControllerEnabled', operator],
]);

/** Readers that take their text in an object, or several readers in one. */
export const wholeReaders: ReadonlyMap<string, (text: string) => unknown> = new Map<
  string,
  (text: string) => unknown
>([
  [
    'compileExpression',
    (text) =>
      compileExpression({ text, environment: 'claims', result: 'any', release: newestRelease }),
  ],
  ['parseDocument', (text) => parseDocument(sourceFile('', text), { limits: 'refuse' })],
  ['compile and lint', (text) => lint(compileText(text))],
  [
    'compile and lint a URL',
    (text) => lint(compileText(configuration(`url: ${JSON.stringify(text)}`))),
  ],
  [
    'compile and lint a certificate authority',
    (text) => lint(compileText(configuration(`certificateAuthority: ${JSON.stringify(text)}`))),
  ],
]);

const configuration = (field: string): string =>
  `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    ${field}
    audiences: [a]
  claimMappings:
    username: { claim: sub, prefix: "" }
- issuer:
    ${field}
    audiences: [b]
  claimMappings:
    username: { claim: sub, prefix: "" }
`;
