/** Additional arguments of readers that have more parameters, and functions that are not called. */
import { compileExpression } from '../../engine/src/cel/compile-expression.ts';
import { parseDocument } from '../../engine/src/documents/yaml/parse.ts';
import { lint } from '../../engine/src/lints/lint.ts';
import { newestRelease } from '../../engine/src/model/release.ts';
import { sourceFile } from '../../engine/src/source/source-file.ts';
import { compileText } from '../support/compile-text.ts';

type Rest = readonly unknown[];

/** The arguments after the string, by file below `engine/src` and name. */
export const furtherArguments: ReadonlyMap<string, Rest | ((text: string) => Rest)> = new Map<
  string,
  Rest | ((text: string) => Rest)
>([
  ['source/changed-range.ts changedRange', (text) => [`${text}x`]],
  ['source/source-file.ts sourceFile', (text) => [text]],
  ['formats/base64.ts decodeGoBase64', [{ alphabet: 'url', padding: 'none' }]],
  ['formats/base64.ts isCanonical', ['url']],
  ['formats/constant-time.ts sameSecret', (text) => [text]],
  ['formats/domain-name.ts isDomainName', [{ constraint: true }]],
  ['formats/edit-distance.ts editDistance', ['issuer']],
  ['formats/go-ip.ts parseIp', [JSON.stringify]],
  ['formats/go-quote.ts goQuoteSurrogates', [() => undefined]],
  ['formats/go-ip.ts ipv6Problem', [JSON.stringify]],
  ['formats/go-ip.ts isIpAddress', [4]],
  ['formats/string-order.ts byCodePoint', (text) => [`${text}x`]],
  ['formats/text-search.ts findFirst', (text) => [`b${text.slice(text.length / 2)}`]],
  ['formats/text-search.ts findLast', (text) => [`${text.slice(text.length / 2)}b`]],
  ['formats/text-search.ts splitBy', (text) => [`b${text.slice(text.length / 2)}`]],
  ['formats/trim.ts trimStart', [(unit: number) => unit === 0x20]],
  ['formats/trim.ts trimEnd', [(unit: number) => unit === 0x20]],
  ['formats/trim.ts trim', [(unit: number) => unit === 0x20]],
  ['formats/utf8.ts decodeUtf8Replacing', [() => 0x3f]],
  ['documents/yaml/loose-scalar.ts readLooseScalar', [0, { flow: false, indent: 0 }]],
  ['documents/yaml/loose-scalar.ts readLooseLine', [0]],
  ['documents/yaml/plain-value.ts readPlain', [{ depth: 64, members: 4096, items: 16_384 }]],
  ['documents/yaml/plain-value.ts readPlainYaml', [{ depth: 64, members: 4096, items: 16_384 }]],
  ['documents/kubeconfig/relative-path.ts absolutePath', ['/a']],
  ['documents/yaml/scalar-builder.ts foldBreaks', [1]],
  ['documents/yaml/scalar-text.ts canBePlainScalar', [{ flow: true }]],
  ['documents/yaml/yaml-scalar.ts readScalar', ['']],
  ['cel/tree/code-points.ts compareStrings', (text) => [`${text}x`]],
  ['cel/editor/format-lines.ts formatLines', [0]],
  ['cel/syntax/inside-quotes.ts spanInsideQuotes', [0]],
  ['cel/syntax/literals.ts readInt', [false]],
  ['cel/syntax/literals.ts readDouble', [false]],
  ['cel/syntax/parser.ts parseCel', [{ release: newestRelease }]],
  ['cel/cost/cost.ts searchExceedsLimit', (text) => [text]],
  ['cli/trace-text.ts rejectionFrame', [{ find: () => undefined, width: 80 }]],
  ['node/store/object-path.ts comparePaths', (text) => [`${text}x`]],
  ['cel/editor/draft-place.ts draftPlace', (text) => [text.length]],
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
  ['compile/svg-text.ts truncateText', [20]],
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
  ['server/wire/review-fast-path.ts readCompactTokenReview', ['authentication.k8s.io']],
  ['server/wire/read-yaml.ts readYamlBody', [{ strict: true }]],
  ['model/recorded-shapes.ts partAsText', [1]],
  ['model/recorded-shapes.ts countOf', ['a']],
]);

const ownStrings = 'Its strings are constants of the program.';
const parsedInput =
  'Its input is the result of a reader that is called here: nodes, spans, values or frames.';
const messageInput = 'It inserts a value into a message and does not parse it.';
const boundedByCallers = 'It is quadratic in two short names, whose length its callers limit.';

const operatorInput = 'Its strings are paths, flags and names that the operator sets.';
const validatedKeys = 'It builds or splits the key of an object whose name has been validated.';

/** Functions that are not called, with the reason. */
export const notCalled: ReadonlyMap<string, string> = new Map([
  ['model/api-domain.ts inDomain', ownStrings],
  ['model/api-domain.ts identityKey', ownStrings],
  ['model/api-domain.ts auditKey', ownStrings],
  ['model/api-domain.ts tokenCredentialIdKey', ownStrings],
  ['model/feature-gates.ts hasGate', ownStrings],
  ['cel/cost/cost.ts costOfCall', ownStrings],
  ['cel/values/evaluation-steps.ts stepsPerItem', ownStrings],
  ['cel/functions/declare.ts global', ownStrings],
  ['cel/functions/declare.ts member', ownStrings],
  ['cel/functions/declare.ts declare', ownStrings],
  ['cel/functions/declare.ts declareSingleton', ownStrings],
  ['cel/editor/known-names.ts namespaceNames', ownStrings],
  ['cel/editor/known-names.ts namesForCall', ownStrings],
  ['cel/editor/known-names.ts namesByFullName', ownStrings],
  ['cel/editor/documented-claims.ts documentedClaims', ownStrings],
  ['documents/kubeconfig/typed-shape.ts listShape', ownStrings],
  ['documents/kubeconfig/typed-shape.ts structShape', ownStrings],
  ['resources/shape.ts struct', ownStrings],
  ['resources/shape.ts objectShape', ownStrings],
  ['authenticators/jwt/issuer-metrics.ts issuerMetrics', ownStrings],
  ['server/endpoints/api-discovery.ts apiGroup', ownStrings],
  ['server/endpoints/api-discovery.ts coreVersions', ownStrings],
  ['server/endpoints/health.ts healthAnswer', ownStrings],
  ['rbac/bootstrap-roles.ts bootstrapObjects', ownStrings],
  ['server/demo/demo-files.ts demoFilePaths', ownStrings],
  ['server/modules/module-file.ts readModuleFile', ownStrings],
  ['server/endpoints/openapi-document.ts openApiDocument', ownStrings],
  ['server/endpoints/api-discovery.ts apiResourceList', ownStrings],
  ['source/text-edit.ts applyEdits', parsedInput],
  ['formats/x509/certificate-key.ts readPublicKey', parsedInput],
  ['formats/json-with-positions.ts rawJson', parsedInput],
  ['cel/syntax/error-text.ts renderErrors', parsedInput],
  ['cel/check/string-format-check.ts formatStringError', parsedInput],
  ['cel/editor/layout-gaps.ts layoutGaps', parsedInput],
  ['cel/syntax/macro-bindings.ts optionalMacro', parsedInput],
  ['cel/syntax/macro-bindings.ts greatestOrLeast', parsedInput],
  ['cel/values/message-value.ts createMessage', parsedInput],
  ['cel/editor/part-values.ts macroVariableTypes', parsedInput],
  ['cel/evaluate/plan/calls.ts mismatch', parsedInput],
  ['cel/evaluate/plan/specialized/call.ts prefixStep', parsedInput],
  ['cel/evaluate/plan/specialized/call.ts stringInListStep', parsedInput],
  ['cel/evaluate/plan/literals.ts structStep', parsedInput],
  ['cel/check/resolve-name.ts candidateNames', parsedInput],
  ['cel/editor/source-node-at.ts partOfNode', parsedInput],
  ['cel/syntax/parse-as-reference.ts parseAsReference', parsedInput],
  ['documents/embedded/literal-block.ts literalBlock', parsedInput],
  ['documents/embedded/literal-block.ts editBlock', parsedInput],
  ['documents/yaml/syntax-fixes.ts repeatedLineFix', parsedInput],
  ['documents/yaml/write-name.ts writeName', parsedInput],
  ['signed-token/key-set.ts readKeySet', parsedInput],
  ['resources/lazy-json.ts lazyJson', parsedInput],
  ['resources/merge-patch.ts applyMergePatch', parsedInput],
  ['resources/json-patch.ts applyJsonPatch', parsedInput],
  ['authenticators/static-token/token-digest.ts staticTokenDigest', parsedInput],
  ['compile/flags-file.ts flagsFileText', parsedInput],
  ['runtime/authenticate.ts prependMessage', parsedInput],
  ['simulate/whoami/check-signature.ts checkSignature', parsedInput],
  ['simulate/difference/diff.ts accessChange', parsedInput],
  ['simulate/explain/match-message.ts matchOne', parsedInput],
  ['simulate/explain/match-message.ts after', parsedInput],
  ['simulate/explain/match-message.ts fill', parsedInput],
  ['simulate/preview/preview.ts previewHeadline', parsedInput],
  ['simulate/preview/headline.ts headlineOf', parsedInput],
  ['server/api/decode-patched.ts decodePatched', parsedInput],
  ['server/endpoints/token-reviews.ts decideReviewedToken', parsedInput],
  ['server/http/field-manager.ts fieldManager', parsedInput],
  ['server/http/http1.ts refuseMalformedRequest', parsedInput],
  ['server/http/http1.ts refuseOnSocket', parsedInput],
  ['server/http2/frame.ts writeFrameHeader', parsedInput],
  ['server/http2/frame.ts readFrameHeader', parsedInput],
  ['server/http2/hpack/encoder.ts maxEncodedBytes', parsedInput],
  ['server/http2/hpack/encoder.ts writeField', parsedInput],
  ['server/http2/hpack/huffman.ts decodeHuffman', parsedInput],
  ['server/endpoints/route.ts route', parsedInput],
  ['server/wire/read-protobuf.ts readProtobufObject', parsedInput],
  ['formats/system-usernames.ts serviceAccountUsername', messageInput],
  ['formats/go-json.ts goTypeError', messageInput],
  ['formats/go-json.ts goFieldTypeError', messageInput],
  ['documents/yaml/yaml-errors.ts decoderError', messageInput],
  ['signed-token/key-set.ts frameJsonError', messageInput],
  ['resources/field-error.ts forbiddenField', messageInput],
  ['resources/field-error.ts invalidValue', messageInput],
  ['resources/field-error.ts tooLong', messageInput],
  ['resources/field-error.ts notSupported', messageInput],
  ['config/server-error.ts invalidError', messageInput],
  ['config/server-error.ts invalidNamedError', messageInput],
  ['config/server-error.ts duplicateError', messageInput],
  ['config/server-error.ts forbiddenError', messageInput],
  ['config/server-error.ts tooManyError', messageInput],
  ['config/server-error.ts internalError', messageInput],
  ['cel/check/suggest.ts editDistance', boundedByCallers],
  ['rbac/bootstrap-roles.ts bootstrapView', operatorInput],
  ['cli/sibling-packages.ts runProgram', operatorInput],
  ['cli/compile-text.ts compileText', 'It compiles as "compile and lint" below does.'],
  ['cli/diagnostic-page.ts diagnosticPage', operatorInput],
  ['cli/diagnostic-page.ts diagnosticMarkdown', operatorInput],
  ['cli/load-configuration.ts loadConfiguration', operatorInput],
  [
    'cli/load-configuration.ts loadText',
    'It calls readArtifact or compiles, which are called here.',
  ],
  ['cli/migrate-file.ts migrateFile', operatorInput],
  ['cli/color.ts wantsColor', operatorInput],
  ['cli/read-claims.ts readClaimsFile', operatorInput],
  ['formats/certificate-authority.ts authorityProblems', parsedInput],
  ['node/files.ts readSnapshot', operatorInput],
  ['node/files.ts watchFile', operatorInput],
  ['node/mint.ts createSigningKey', operatorInput],
  ['node/server-identity.ts serverIdentity', operatorInput],
  ['node/server-identity.ts serverIdentityHash', operatorInput],
  ['node/store/etcd-member.ts etcdMember', operatorInput],
  ['node/store/etcd-messages.ts compareAndPut', validatedKeys],
  ['node/store/etcd-messages.ts compareAndDelete', validatedKeys],
  ['node/store/etcd-messages.ts watchRequest', validatedKeys],
  ['node/store/kubernetes-paths.ts collectionPath', validatedKeys],
  ['node/store/object-path.ts keyOfPath', validatedKeys],
  ['server/flags/controller-names.ts isControllerEnabled', operatorInput],
]);

/** Readers that accept their string in an object, or several readers combined. */
export const combinedReaders: ReadonlyMap<string, (text: string) => unknown> = new Map<
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
