/** Arguments of readers whose parameters need more than a value made from the hostile string. */
import { catalog } from '../../engine/src/catalog.ts';
import { compileExpression } from '../../engine/src/cel/compile-expression.ts';
import { literalMachine } from '../../engine/src/cel/text-machines/literal-machines.ts';
import { settingsFor } from '../../engine/src/compile/settings.ts';
import { parseDocument } from '../../engine/src/documents/yaml/parse.ts';
import { lint } from '../../engine/src/lints/lint.ts';
import { newestRelease } from '../../engine/src/model/release.ts';
import { sourceFile } from '../../engine/src/source/source-file.ts';
import { compileText } from '../support/compile-text.ts';
import { bytesOf, itemsOf } from './argument-values.ts';

type Rest = readonly unknown[];

const loadOptions = { settings: settingsFor(newestRelease), limits: 'warn' } as const;

const aRepeated = literalMachine('contains', `${'a'.repeat(100)}b`);

/** The arguments after the string, by file below `engine/src` and name. */
export const furtherArguments: ReadonlyMap<string, Rest | ((text: string) => Rest)> = new Map<
  string,
  Rest | ((text: string) => Rest)
>([
  ['source/changed-range.ts changedRange', (text) => [`${text}x`]],
  ['source/source-file.ts sourceFile', (text) => [text]],
  ['cel/values/string-format.ts readClause', [0]],
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
  ['cli/program-name.ts asTyped', [{ programName: 'kubectl authgraph' }]],
  ['client/server/exec-credential.ts readPluginOutput', ['client.authentication.k8s.io/v1']],
  ['documents/kubeconfig/set-user.ts setUserExec', ['jane', { command: 'authgraph', args: [] }]],
  ['documents/yaml/loose-scalar.ts readLooseScalar', [0, { flow: false, indent: 0 }]],
  ['documents/yaml/loose-scalar.ts readLooseLine', [0]],
  ['documents/yaml/plain-value.ts readPlain', [{ depth: 64, members: 4096, items: 16_384 }]],
  ['documents/yaml/plain-value.ts readPlainYaml', [{ depth: 64, members: 4096, items: 16_384 }]],
  ['documents/yaml/scalar-builder.ts foldBreaks', [1]],
  ['documents/yaml/scalar-text.ts canBePlainScalar', [{ flow: true }]],
  ['documents/yaml/yaml-scalar.ts readScalar', ['']],
  ['cel/editor/format-lines.ts formatLines', [0]],
  ['cel/syntax/inside-quotes.ts spanInsideQuotes', [0]],
  ['cel/syntax/literals.ts readInt', [false]],
  ['cel/syntax/literals.ts readDouble', [false]],
  ['cel/syntax/parser.ts parseCel', [{ release: newestRelease }]],
  ['cel/cost/cost.ts searchExceedsLimit', (text) => [text]],
  ['cli/load-file.ts loadFile', (text) => [{ text }, loadOptions]],
  ['compile/server-image.ts serverVersionOfImages', [[{ span: { start: 0, end: 1 } }]]],
  ['cli/trace-text.ts rejectionFrame', [{ find: () => undefined, width: 80 }]],
  ['node/store/object-path.ts comparePaths', (text) => [`${text}x`]],
  ['cel/editor/draft-place.ts draftPlace', (text) => [text.length]],
  ['config/near-name.ts nearName', [['issuer', 'claimMappings']]],
  ['config/rules/layout-fixes.ts hasKey', ['prefix']],
  ['config/rules/layout-fixes.ts startOfLine', (text) => [text.length]],
  ['config/rules/layout-fixes.ts endOfLine', [0]],
  ['signed-token/token-claims.ts tokenClaimsText', ['lines']],
  ['signed-token/pem-keys.ts readPemKeys', ['refused']],
  ['documents/yaml/plain-value.ts readPlainJson', [64]],
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
  [
    'simulate/explain/log-line.ts messagesBehindPrefix',
    [(text: string) => text.startsWith('oidc')],
  ],
  ['simulate/explain/expression-fix.ts expressionFix', (text) => [`"${text}"`]],
  ['simulate/whoami/brief-reason.ts afterFrame', [["validation expression '", "' failed: "]]],
  ['server/api/continue-token.ts continueToken', (text) => [text]],
  ['server/http/request-info.ts requestInfo', (text) => [{ path: text, query: new Map() }]],
  ['server/memory/body-values.ts hasFewValues', [Number.POSITIVE_INFINITY]],
  ['cli/suggest-command.ts commandSuggestion', [['check', 'whoami']]],
  ['flags/suggest.ts nearestName', [['config', 'token-auth-file']]],
  ['flags/suggest.ts longFlagHelp', [[]]],
  ['flags/suggest.ts shorthandHelp', [[]]],
  [
    'flags/suggest.ts otherFlagHelp',
    [{ name: 'fail-on' }, [{ name: 'fail-on-change', choices: ['gain'] }]],
  ],
  ['server/wire/media-type.ts outputFormat', ['stored']],
  ['server/wire/media-type.ts acceptsType', ['application/json']],
  ['server/wire/review-fast-path.ts readCompactTokenReview', ['authentication.k8s.io']],
  ['server/wire/read-yaml.ts readYamlBody', [{ strict: true }]],
]);

/** All arguments, for readers whose string is not the first one, or is part of an object. */
export const readerArguments: ReadonlyMap<string, (text: string) => Rest> = new Map<
  string,
  (text: string) => Rest
>([
  [
    'cli/configurations-in-file.ts configurationsInFile',
    (text) => [sourceFile('auth.yaml', text), loadOptions],
  ],
  ['settings/read-settings.ts readSettings', (text) => [sourceFile('settings', text), catalog]],
  [
    'simulate/tests/append-case.ts appendCase',
    (text) => [sourceFile('tests', `tests:\n- name: x\n${text}`), [new Map([['name', 'x']])]],
  ],
  [
    'simulate/tests/read-request-file.ts readRequestFile',
    (text) => [
      sourceFile('request.yaml', text),
      { presets: [], inputs: { issuers: [], preset: () => undefined }, now: 0 },
    ],
  ],
  ['cel/text-machines/string-machine.ts answerOf', (text) => [aRepeated, text]],
  ['cel/text-machines/string-machine.ts runMachine', (text) => [aRepeated, aRepeated.start, text]],
  [
    'authenticators/static-token/compile.ts compileStaticToken',
    (text) => [
      { file: 'tokens.csv', bytes: bytesOf(text) },
      { digest: { fingerprint: (head: string) => head }, mode: 'hardened' },
    ],
  ],
  [
    'authenticators/webhook-token/compile.ts compileWebhookToken',
    (text) => [
      { file: 'a', directory: '/', contents: { kind: 'read', bytes: bytesOf(text) } },
      {
        ...{ apiAudiences: [], apiDomain: 'k8s.io', files: new Map() },
        settings: { version: 'v1', cacheTtlMs: 0 },
      },
    ],
  ],
  [
    'authenticators/webhook-token/review-response.ts readReviewResponse',
    (text) => [
      { status: 200, statusText: 'OK', headers: new Map(), body: bytesOf(text) },
      { apiDomain: 'k8s.io', version: 'v1' },
      'hardened',
    ],
  ],
  [
    'documents/kubeconfig/connection.ts pemSource',
    (text) => [
      new Map([['certificate-authority', text]]),
      'certificate-authority',
      () => ({ kind: 'read', bytes: bytesOf(text) }),
    ],
  ],
  ['diagnostics/json.ts jsonDiagnostic', (text) => [sourceFile('', text), diagnostic(text)]],
  [
    'diagnostics/render.ts renderDiagnostic',
    (text) => [sourceFile('', text), diagnostic(text), { color: false, width: 80 }],
  ],
  [
    'flags/parse-flags.ts parseFlags',
    (text) => [
      [{ name: 'a', type: 'stringSlice', default: '', doc: '', group: '' }],
      [...itemsOf(text), `--a=${text}`, `--${text}`],
    ],
  ],
  [
    'language-server/src/features/completion-item.ts insideScalar',
    (text) => [text, { style: 'single' }],
  ],
  [
    'language-server/src/features/completion-item.ts insideLiteral',
    (text) => [text, { style: 'single' }],
  ],
]);

const diagnostic = (text: string): object => ({
  ...{ code: 'AG0000', name: text, severity: 'error', source: 'lint', message: text, help: text },
  ...{ span: { start: 0, end: text.length }, related: [], fixes: [] },
});

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
