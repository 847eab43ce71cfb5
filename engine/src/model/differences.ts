/**
 * The deliberate differences from the real server: one table, read by the code (`differs`), by the
 * documentation and by the runners of recorded cases. Rows are stricter only where no honest
 * issuer or client can notice, except those that docs/differences.md names at its start. `exact` mode turns them off, but for those that keep the process alive.
 */
import { countOf, nestingDepth, hasLooseBits, isMisCased, partAsText } from './recorded-shapes.ts';

export type Mode = 'exact' | 'product';

export interface RecordedAuthentication {
  readonly op?: string;
  readonly config?: string;
  readonly expression?: string;
  readonly token?: string;
  readonly jwks?: unknown;
  readonly keys?: unknown;
  readonly endpoints?: unknown;
  /** A token file. */
  readonly csv?: string;
}

export interface DifferenceRow {
  readonly id: DifferenceId;
  readonly title: string;
  /** What the real server does. */
  readonly upstream: string;
  /** What we do. */
  readonly ours: string;
  readonly reason: string;
  /** How somebody meets it: the words of a refusal, a code, a status. */
  readonly symptom: string;
  /** In force in exact mode too: there is no other answer that we could give. */
  readonly always?: true;
  /** May a recorded case have another answer because of this row? */
  readonly covers: (input: RecordedAuthentication) => boolean;
}

export type DifferenceId =
  | 'token-spelling'
  | 'critical-header'
  | 'token-size'
  | 'token-depth'
  | 'token-encoding'
  | 'mis-cased-claim'
  | 'early-rejection'
  | 'empty-username'
  | 'group-limits'
  | 'token-cost'
  | 'encryption-key'
  | 'key-limits'
  | 'pss-salt'
  | 'bounded-bodies'
  | 'key-refetch'
  | 'https-only'
  | 'reserved-domain'
  | 'document-limits'
  | 'expression-limits'
  | 'load-panic'
  | 'request-limits'
  | 'bounded-waiting'
  | 'library-errors'
  | 'served-objects'
  | 'required-flags'
  | 'webhook-group'
  | 'accepted-spellings';

/** Is the stricter rule in force? */
export const differs = (mode: Mode, _id: DifferenceId): boolean => mode === 'product';

export const differences: readonly DifferenceRow[] = [
  {
    id: 'token-spelling',
    title: 'A token has one spelling',
    upstream:
      'It drops white space inside a token and ignores unused bits of the last character of each part, so that one token has many spellings.',
    ours: 'A token that is not in its one canonical spelling is refused.',
    reason:
      'A list of revoked tokens, or a cache by digest, could be walked round. Nobody signs like that.',
    symptom: '`refused: the token is not in its one canonical spelling` (AG5002)',
    covers: ({ token = '' }) =>
      !/^[\w-]*\.[\w-]*\.[\w-]*$/.test(token) || token.split('.').some(hasLooseBits),
  },
  {
    id: 'critical-header',
    title: 'Headers with crit or b64 are refused',
    upstream: 'It reads `b64` of RFC 7797, and lets an empty `crit` pass, which RFC 7515 forbids.',
    ours: 'A token whose header has `crit` or `b64` is refused.',
    reason: 'They change what is signed; RFC 7797 itself advises against `b64` in a JWT.',
    symptom: '`refused: the header has crit or b64` (AG5002)',
    covers: ({ token = '' }) => {
      const header = partAsText(token, 0);
      return header.includes('"crit"') || header.includes('"b64"');
    },
  },
  {
    id: 'token-size',
    title: 'Tokens are bounded',
    upstream: 'It takes what the limit of all header fields lets through: 1 MiB.',
    ours: 'A token over 256 KiB, a header over 8 KiB or claims over 192 KiB are not read.',
    reason: "Reading costs time before anybody is known; no issuer's token comes near.",
    symptom:
      '`refused: a token of more than 262144 characters`, `refused: a header of more than 8192 bytes`, `refused: claims of more than 196608 bytes` (AG5002)',
    covers: ({ token = '' }) =>
      token.length > 256 * 1024 ||
      partAsText(token, 0).length > 8 * 1024 ||
      partAsText(token, 1).length > 192 * 1024,
  },
  {
    id: 'token-depth',
    title: 'Nesting and counts inside a token are bounded',
    upstream: 'It reads ten thousand levels, and any number of members and items.',
    ours: 'More than 64 levels, 4,096 members of one object or 16,384 items of one list are refused.',
    reason: 'They serve only to cost time.',
    symptom:
      '`refused: header or claims nest more than 64 levels`, `refused: claims of more than 4096 members or 16384 items` (AG5002)',
    covers: ({ token = '' }) => {
      const text = partAsText(token, 0) + partAsText(token, 1);
      return countOf(text, /[[{]/g) > 64 || countOf(text, /,/g) >= 4096;
    },
  },
  {
    id: 'token-encoding',
    title: 'Claims are well-formed text',
    upstream: 'It turns every bad byte and lone surrogate into U+FFFD.',
    ours: 'Claims with bad UTF-8 or a lone surrogate are refused.',
    reason: 'Two different subjects would become one name.',
    symptom: '`refused: the claims are not well-formed text` (AG5002)',
    covers: ({ token = '' }) => {
      const claims = partAsText(token, 1);
      return claims.includes('\ufffd') || /\\u[dD][89a-fA-F]/.test(claims);
    },
  },
  {
    id: 'mis-cased-claim',
    title: 'Standard claims are written in one way',
    upstream:
      'It takes `ISS`, `EXP` or `iſs` for the standard claim, and the last one wins, while mappings read the exact name.',
    ours: 'A token with a standard claim in another spelling is refused.',
    reason: 'Two readers see two tokens in one.',
    symptom: '`refused: claim "ISS" is a standard claim in another spelling` (AG5002)',
    covers: ({ token = '' }) =>
      [...partAsText(token, 1).matchAll(/"((?:[^"\\]|\\.)*)"\s*:/g)].some(([, name = '']) =>
        isMisCased(name),
      ),
  },
  {
    id: 'early-rejection',
    title: 'Claims that cannot pass are refused before the signature is checked',
    upstream: 'It checks the signature first, and fetches keys for it, whatever the claims say.',
    ours: "Once an issuer's keys are at hand, a token whose audience, expiry or not-before fails is refused without a look at its signature. Nothing is accepted before the signature is checked.",
    reason: 'A flood of old or foreign tokens costs neither signature checks nor fetches of keys.',
    symptom:
      'In the log alone, where a token fails twice: the claim is named (AG5009, AG5010, AG5011) and not the signature (AG5005, AG5006)',
    // Shows only in sequences of tokens, which no recorded case has.
    covers: () => false,
  },
  {
    id: 'empty-username',
    title: 'A name that names nobody is refused',
    upstream:
      "It accepts an empty username claim, so that the name is empty or the bare prefix, and an empty user name of a token file or of a webhook's answer. A TokenReview of a token that is blank, or begins with a space, is asked about as a request without one: the answer is `system:anonymous`, or, where the API has audiences, the end of the connection.",
    ours: 'The token is refused. A name that an expression makes is taken as it is, as long as it is not empty. A TokenReview of a blank token authenticates nobody.',
    reason: 'An identity without a name is none.',
    symptom:
      '`oidc: username claim "sub" is empty` (AG5013); `token without a user name is not used` at the start, and its token is nobody\'s; `"status":{"user":{}}` of a TokenReview',
    covers: ({ config = '', token = '', csv = '' }) => {
      if (/^(?:"[^"]*"|[^",]*),(?:"")?,/m.test(csv)) return true;
      const claim = /"?username"?\s*:\s*\{?\s*"?claim"?\s*:\s*"?([\w.-]+)/.exec(config)?.[1];
      return (
        claim !== undefined &&
        new RegExp(`"${claim.replaceAll('.', '\\.')}"\\s*:\\s*(?:""|null)`).test(
          partAsText(token, 1),
        )
      );
    },
  },
  {
    id: 'group-limits',
    title: 'Groups of one identity are bounded',
    upstream: 'It takes any number of groups of any length.',
    ours: 'More than 10,000 groups, or one of more than 4 KiB, are refused.',
    reason: 'They would burden every later stage.',
    symptom:
      '`oidc: refused: more than 10000 groups`, `oidc: refused: a group of more than 4096 characters` (AG5002)',
    covers: ({ token = '' }) => partAsText(token, 1).length > 4 * 1024,
  },
  {
    id: 'token-cost',
    title: 'All expressions of a token share a budget',
    upstream: 'It bounds each expression alone: one million units each.',
    ours: 'All expressions of one token together have ten million units.',
    reason: 'Hundreds of expensive ones could hold a core for minutes.',
    symptom: '`oidc: refused: the expressions of this token cost too much together` (AG5002)',
    covers: ({ config = '' }) => countOf(config, /expression|valueExpression/g) > 10,
  },
  {
    id: 'encryption-key',
    title: 'Keys for encryption check no signature',
    upstream: 'It ignores `use`.',
    ours: 'A key with `use: enc` checks no signature.',
    reason: 'A key published for encryption may be held by other people than the signer.',
    symptom:
      'The answer of a token whose key is unknown: `failed to verify id token signature` (AG5006)',
    covers: ({ jwks, keys, endpoints }) =>
      /use\\?"\s*:\s*\\?"enc/.test(JSON.stringify([jwks, keys, endpoints])),
  },
  {
    id: 'key-limits',
    title: 'Keys and key sets are bounded',
    upstream: 'It takes RSA keys from 1,024 bits on with any exponent, and any number of keys.',
    ours: 'RSA keys have 2,048 to 8,192 bits and an exponent up to 31 bits; a key set has up to 256 keys.',
    reason: 'Shorter keys are weak; longer ones, and more of them, serve only to cost time.',
    symptom:
      '`failed to verify id token signature` (AG5006), or keys that are not available (AG5005)',
    covers: ({ jwks, keys, endpoints }) => {
      const text = JSON.stringify([jwks, keys, endpoints]);
      return (
        countOf(text, /kty/g) > 256 ||
        [...text.matchAll(/\bn\\?"\s*:\s*\\?"([\w-]*)/g)].some(
          ([, modulus = '']) => modulus.length < 341 || modulus.length > 1366,
        )
      );
    },
  },
  {
    id: 'pss-salt',
    title: 'The salt of PS256, PS384 and PS512 is as long as the digest',
    upstream: 'It takes a salt of any length, none too.',
    ours: 'The salt of PS256, PS384 and PS512 is as long as the digest.',
    reason: 'RFC 7518 3.5 demands it.',
    symptom: '`failed to verify id token signature` (AG5006)',
    covers: ({ token = '' }) => /"alg"\s*:\s*"PS/.test(partAsText(token, 0)),
  },
  {
    id: 'bounded-bodies',
    title: 'Answers of issuers and webhooks are bounded',
    upstream:
      "It reads discovery documents, key sets, distributed claims and a webhook's reviews to their end, whatever it is.",
    ours: 'After 1 MiB the answer counts as broken.',
    reason:
      'An issuer, or who stands in its place, could fill the memory of a server that serves others.',
    symptom:
      'The issuer is not ready (AG5001), its keys are not available (AG5005), a distributed claim fails (AG5012), or the webhook failed (AG5060)',
    covers: ({ jwks, keys, endpoints }) =>
      JSON.stringify([jwks, keys, endpoints]).length > 1024 * 1024,
  },
  {
    id: 'key-refetch',
    title: 'Bad tokens cannot make the server hammer an issuer',
    upstream: 'It may fetch the keys for every token that fits none of them.',
    ours: 'After a fetch that did not help, the next one of the same issuer waits ten seconds: while such tokens come, a new key is used so much later at most. `--jwks-refetch=per-token` gives the real behaviour.',
    reason: 'Bad tokens from anybody would make the server hammer its issuer.',
    symptom: 'In the number of requests that the issuer sees',
    // Shows only in sequences of tokens, which no recorded case has.
    covers: () => false,
  },
  {
    id: 'https-only',
    title: 'What is asked elsewhere is asked over HTTPS, and runs no programs',
    upstream:
      'It fetches keys, and sends the access token of a distributed claim, over plain HTTP too, where a discovery document, a token or a redirect names such an address; it follows ten redirects, those of a webhook too, where a 307 gets the token once more. It gets the credential for a webhook from the program that `exec` of the kubeconfig names, or from the plugin that `auth-provider` names.',
    ours: 'Only `https` addresses are asked, and three redirects are followed; none of a webhook. A kubeconfig whose user has `exec` or `auth-provider` is refused at the start, also beside a token.',
    reason:
      "Keys that came over plain HTTP are anybody's, and so is a credential that went there. A server that decides who somebody is runs no other programs.",
    symptom:
      '`Get "http://…": refused: it is not https`, `refused: the endpoint is not https`, `unsupported protocol scheme "http"`, `stopped after 3 redirects`; of a webhook `the server responded with the status code 307 but did not return more information` (AG5060); at the start `user "…": exec plugins are not run; give a token, a tokenFile or a client certificate instead`',
    covers: ({ token = '', endpoints }) =>
      /"endpoint"\s*:\s*"(?!https:)/i.test(partAsText(token, 1)) ||
      /jwks_uri\\?"\s*:\s*\\?"(?!https:)/i.test(JSON.stringify(endpoints ?? {})),
  },
  {
    id: 'reserved-domain',
    title: 'The domain platform.io is reserved in extra keys',
    upstream: 'It reserves k8s.io, kubernetes.io and what is below them.',
    ours: 'platform.io and what is below it are reserved beside them.',
    reason:
      'The server writes attributes of its own under this domain (`authentication.platform.io/credential-id`); an issuer must not be able to.',
    symptom: 'AG1042, an error of the configuration file',
    covers: ({ config = '' }) => /key"?\s*:\s*["']?(?:[\w-]+\.)*platform\.io\//.test(config),
  },
  {
    id: 'document-limits',
    title: 'Configuration files and their findings are bounded',
    upstream:
      'It reads what the loader reads: ten thousand levels, aliases up to a share of the document, a file of any size.',
    ours: 'A file has up to 1 MiB, 64 levels, 100 aliases, 100,000 nodes with aliases expanded, 256 KiB in one value and 5,000 expressions; rules fall silent after 1,000 findings. `serve` and the library refuse what is larger; `check` and `whoami` warn and go on where they can.',
    reason: 'A reload and an editor must answer in a second, whatever the file.',
    symptom: 'AG1004 document-limit',
    covers: ({ config = '' }) =>
      config.length > 256 * 1024 ||
      countOf(config, /\*\w/g) > 100 ||
      countOf(config, /[eE]xpression/g) > 5000 ||
      nestingDepth(config) > 64,
  },
  {
    id: 'expression-limits',
    title: 'Trees and values of expressions are bounded',
    upstream:
      'It has no limit, and its memory ends: each `optMap` doubles its receiver, and a text can be doubled by few units of cost. A regular expression takes time that its cost does not count: a pattern of seven characters may have 1,000 instructions.',
    ours: 'A tree has up to 300,000 nodes, a text or list made by one operation 64 Mi characters or items, a calculated quantity up to 10,000 decimal places between its parts. A regular expression has up to about 32,768 instructions. A search takes up to 4,000,000 steps: it reads each character once, also for `findAll`, and visits instructions of the pattern only where the text leads to a state that it has not seen. All calls of an evaluation whose cost does not count what they do, such as `isURL(text)` or a pattern that has to be compiled, take up to 100,000,000 steps together.',
    reason:
      'A process that ends answers no request, and no call of a function may take longer than 50 ms.',
    symptom:
      '`expression exceeds 300000 nodes` (a compile error), `operation cancelled: actual cost limit exceeded`',
    always: true,
    covers: ({ config = '', expression = '', token = '' }) => {
      const text = config + expression;
      return (
        (/\b(?:matches|find|findAll)\(/.test(text) &&
          (text.length + token.length > 20_000 || /\{\d*,?\d{3}/.test(text))) ||
        /(?:\.opt(?:Flat)?Map\([\s\S]*){12}/.test(text) ||
        (/\.(?:replace|join)\(|\+/.test(text) && text.length + token.length > 1000) ||
        (/quantity\(/.test(text) && /[eE][-+]?\d{5}/.test(text + partAsText(token, 1)))
      );
    },
  },
  {
    id: 'load-panic',
    title: 'Where the real server falls over, the file is refused',
    upstream:
      'It panics while it loads an expression with bytes as a constant key of a map, or with `?` before an element or entry whose type is dynamic (`[?claims.x]`, `{?"a": claims.x}`), and then fails to start, or exits.',
    ours: 'The expression is refused with the text of the panic.',
    reason: 'There is no answer to be equal to.',
    symptom:
      '`program instantiation failed: internal error: runtime error: hash of unhashable type types.Bytes` or `… index out of range [0] with length 0`, an error of the configuration file',
    always: true,
    covers: ({ config = '', expression = '' }) =>
      /[{,]\s*(?:dyn\()?r?br?["']|[[{,]\s*\?/i.test(config + expression),
  },
  {
    id: 'request-limits',
    title: 'Requests are bounded',
    upstream:
      'It reads JSON bodies of ten thousand levels, any number of header fields, methods of any name and 256 KiB of certificates of a client, and waits a minute for a body; over HTTP/1.1 its 504 waits for the body too. Over HTTP/2 it accepts any number of resets, of WINDOW_UPDATE frames and of frames without effect, passes on a body that is shorter than announced, and resets only the stream for a header block that is shorter than its padding.',
    ours: 'A body has up to 64 levels and a request 1,000 header fields; its body must arrive within 34 seconds, otherwise the response is a 504 and over HTTP/1.1 the connection is closed, as after CONNECT; and its method is one that is registered for HTTP. A client has up to 10 certificates of 64 KiB together. Over HTTP/2 a stream is reset if its body is not as long as announced. A connection ends with GOAWAY if its client resets too many streams or sends too many frames without effect (`ENHANCE_YOUR_CALM`), if it sends more WINDOW_UPDATE frames than 5, plus 2 for each stream and 20 for each DATA frame that it was sent (the rule of Envoy), and if a header block has more padding than its frame, integers with many empty bytes or a third table size update. All limits of the server are in [limits](limits.md).',
    reason: 'They cost time before anybody is known.',
    symptom:
      '400 `exceeded max depth`, 400 for an unknown method, 431, 408, 504; `refused: more than 10 certificates`, `refused: certificates of more than 65536 bytes` (AG5041)',
    always: true,
    // Shows in HTTP requests, which no recorded question is.
    covers: () => false,
  },
  {
    id: 'bounded-waiting',
    title: 'Waiting is bounded, and shared by users',
    upstream:
      'API Priority and Fairness assigns requests to flow schemas and priority levels, which are API objects, and queues each flow in a few of the queues of its level. Any number of tokens wait for one fetch of keys, and any number of requests for their bodies or for authentication.',
    ours: 'There is one priority level: the seats of `--max-requests-inflight` and `--max-mutating-requests-inflight` together, and each user is a flow. Probes, which include the individual checks below the health paths, and `system:masters` are exempt. A request that waits for its body or for the review of a token releases its seat. Requests that wait, before and after authentication, have limits of their own, and the caller with the most of them loses the oldest one to a caller with fewer. A client that sends more than 32 requests over HTTP/1.1 without waiting for their answers is disconnected. At most 64 tokens wait for one fetch of keys, and at most 64 distributed claims are fetched at the same time for one authenticator; the client with the most of them loses one to a client with fewer, and other tokens that need them are rejected at once. The memory of tokens that wait, and the requests to a webhook, have limits as well, which clients share the same way; there a token is not rejected, and the request gets a 429.',
    reason:
      'A few connections of one caller, or one issuer that does not answer, must not use up the capacity that all other callers need.',
    symptom:
      '429 with `Retry-After: 1` for the caller with the most requests, also before its authentication; 401 with `refused: more than 64 tokens are waiting` (AG5025)',
    always: true,
    // Shows under load, which no recorded case is.
    covers: () => false,
  },
  {
    id: 'library-errors',
    title: 'Texts of libraries are told in our words',
    upstream:
      'What its libraries for TLS, X.509, JSON, CSV and the network say about an error stands in its own texts.',
    ours: 'The same module fails with the same outcome; what a library would have said may be worded otherwise. All texts of the real server itself are exact.',
    reason: 'They are no interface: they change from one release of a library to the next.',
    symptom: 'In the log alone, behind a text of the real server: `x509: …`, `dial tcp …`',
    always: true,
    // Recorded answers of modules are compared by their class there.
    covers: () => false,
  },
  {
    id: 'served-objects',
    title: 'Of a cluster only the objects of this stage are served',
    upstream:
      'It serves all kinds, secrets of any type, pods and nodes checked in every field, and server-side apply; a controller beside it collects what has no owner any more. OpenAPI documents can be asked for by their tag, their time, in parts and as Protobuf; `/openapi/v2` and `/metrics` are compressed for who takes gzip. `--runtime-config` adds and takes away every group, version and resource, and an unknown group stops the start.',
    ours: 'Secrets have the types of tokens. Pods and nodes are checked as far as tokens are bound to them. Server-side apply is refused, and there is no garbage collection. OpenAPI documents and metrics are always sent in full, without ETag and Last-Modified. `--runtime-config` adds only v1beta1 of SelfSubjectReview, which the OpenAPI documents do not list; disabling a version that is always served is an error at startup, and other groups have no effect. Without a store flag, objects are stored in memory.',
    reason: 'What nobody acts on here is not taken as if somebody did.',
    symptom:
      '422 `type: Unsupported value`, 415 `the body of the request was in an unknown format`; more in [objects](objects.md)',
    always: true,
    // Shows in HTTP requests too.
    covers: () => false,
  },
  {
    id: 'required-flags',
    title: 'A server needs the flags of the modules that it uses',
    upstream:
      'It does not start without `--service-account-issuer` and `--service-account-signing-key-file`, whether it serves service accounts or not.',
    ours: 'Without both there are no service accounts; with an issuer and `--service-account-key-file` alone their tokens are checked and none is issued.',
    reason:
      'Whoever checks tokens of another server has no key that signs, and should not have one.',
    symptom:
      'At start: `--service-account-signing-key-file and --service-account-issuer are required flags` is not said',
    always: true,
    // Shows in flags, which no recorded question has.
    covers: () => false,
  },
  {
    id: 'webhook-group',
    title: 'A webhook replies in the group of the request',
    upstream: 'It knows one group, `authentication.k8s.io`, and rejects a reply in any other.',
    ours: 'A server whose API domain is `platform.io` sends `authentication.platform.io` and rejects a reply in any other group, `authentication.k8s.io` included.',
    reason:
      'The `apiVersion` of the reply must match the request. A webhook that replies in another group did not use the `apiVersion` that it received.',
    symptom:
      '`webhook: refused: the reply has apiVersion "authentication.k8s.io/v1", the request had "authentication.platform.io/v1"` (AG5060)',
    always: true,
    // No recorded server has another domain.
    covers: () => false,
  },
  {
    id: 'accepted-spellings',
    title: 'Flag values of older documentation are accepted with a warning',
    upstream:
      'It rejects the algorithm `RSA256`, the feature gate `StructuredAuthenticationconfiguration`, and feature gates that a release has removed, such as `APISelfSubjectReview`.',
    ours: '`RSA256` means `RS256` and `StructuredAuthenticationconfiguration` means `StructuredAuthenticationConfiguration`. A removed gate can be set to true, which has no effect. Each use is logged as a warning at startup. Setting a removed gate to false is an error.',
    reason:
      'Published documentation has these spellings. Each has one possible meaning, and none of them changes which callers are accepted.',
    symptom:
      'In the log at startup: `--oidc-signing-algs: RSA256 is accepted as RS256`, `feature gate … is accepted as …`, `feature gate … has no effect: …`',
    always: true,
    // Shows in flags, which no recorded question has.
    covers: () => false,
  },
];
