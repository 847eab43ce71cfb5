/**
 * The deliberate differences from kube-apiserver in one table, which the documentation and the
 * runners of recorded cases use; the code calls `differs` with the ID of a row. A row is stricter only
 * where no legitimate issuer or client can notice, except for those at the start of
 * docs/differences.md. `exact` mode disables all rows but those with `always`.
 */
import type { DifferenceId } from '../../engine/src/model/differences.ts';
import { countOf, hasLooseBits, isMisCased, nestingDepth, partAsText } from './recorded-shapes.ts';

export interface RecordedAuthentication {
  readonly op?: string;
  readonly config?: string;
  readonly expression?: string;
  readonly token?: string;
  readonly jwks?: unknown;
  readonly keys?: unknown;
  readonly endpoints?: unknown;
  /** The content of a token file. */
  readonly csv?: string;
}

export interface DifferenceRow {
  readonly id: DifferenceId;
  readonly title: string;
  /** What kube-apiserver does. */
  readonly upstream: string;
  /** What AuthGraph does. */
  readonly ours: string;
  readonly reason: string;
  /** How the difference shows: an error message, a code or a status. */
  readonly symptom: string;
  /** Applies in exact mode as well, because kube-apiserver's behavior cannot be reproduced. */
  readonly always?: true;
  /** Returns true if this row may change the answer to a recorded case. */
  readonly covers: (input: RecordedAuthentication) => boolean;
}

export const differences: readonly DifferenceRow[] = [
  {
    id: 'token-spelling',
    title: 'Tokens must be in canonical form',
    upstream:
      'It removes white space inside a token and ignores unused bits of the last character of each part, so that one token has many forms.',
    ours: 'A token that is not canonical base64url is rejected.',
    reason:
      'A list of revoked tokens, or a cache by digest, could be bypassed with another form of the same token. No issuer creates such tokens.',
    symptom: '`refused: the token is not canonical base64url` (AG5002)',
    covers: ({ token = '' }) =>
      !/^[\w-]*\.[\w-]*\.[\w-]*$/.test(token) || token.split('.').some(hasLooseBits),
  },
  {
    id: 'critical-header',
    title: 'Headers with crit or b64 are rejected',
    upstream: 'It supports `b64` of RFC 7797 and accepts an empty `crit`, which RFC 7515 forbids.',
    ours: 'A token whose header has `crit` or `b64` is rejected.',
    reason: 'They change what is signed. RFC 7797 itself advises against `b64` in a JWT.',
    symptom: '`refused: the header has crit or b64` (AG5002)',
    covers: ({ token = '' }) => {
      const header = partAsText(token, 0);
      return header.includes('"crit"') || header.includes('"b64"');
    },
  },
  {
    id: 'token-size',
    title: 'The size of tokens is limited',
    upstream: 'The only limit is that of all headers together: 1 MiB.',
    ours: 'A token of more than 256 KiB, a header of more than 8 KiB or claims of more than 192 KiB are rejected without being parsed.',
    reason:
      'Parsing costs time before the caller is authenticated, and the tokens of all known issuers are much smaller.',
    symptom:
      '`refused: a token of more than 262144 characters`, `refused: a header of more than 8192 bytes`, `refused: claims of more than 196608 bytes` (AG5002)',
    covers: ({ token = '' }) =>
      token.length > 256 * 1024 ||
      partAsText(token, 0).length > 8 * 1024 ||
      partAsText(token, 1).length > 192 * 1024,
  },
  {
    id: 'token-depth',
    title: 'Nesting and counts inside a token are limited',
    upstream: 'It accepts ten thousand levels of nesting and any number of members and items.',
    ours: 'More than 64 levels, 4,096 members in one object or 16,384 items in one list are rejected.',
    reason: 'Larger values only cost time.',
    symptom:
      '`refused: header or claims nest more than 64 levels`, `refused: claims of more than 4096 members or 16384 items` (AG5002)',
    covers: ({ token = '' }) => {
      const text = partAsText(token, 0) + partAsText(token, 1);
      return countOf(text, /[[{]/g) > 64 || countOf(text, /,/g) >= 4096;
    },
  },
  {
    id: 'token-encoding',
    title: 'Claims must be valid Unicode',
    upstream: 'It replaces each invalid byte and each lone surrogate with U+FFFD.',
    ours: 'Claims with invalid UTF-8 or a lone surrogate are rejected.',
    reason: 'Otherwise two different subjects would have the same username.',
    symptom: '`refused: the claims contain invalid Unicode` (AG5002)',
    covers: ({ token = '' }) => {
      const claims = partAsText(token, 1);
      return claims.includes('\ufffd') || /\\u[dD][89a-fA-F]/.test(claims);
    },
  },
  {
    id: 'mis-cased-claim',
    title: 'Standard claims must be spelled exactly',
    upstream:
      'It accepts `ISS`, `EXP` or `iſs` as the standard claim and uses the last one, while mappings read the exact name.',
    ours: 'A token with a standard claim in another case is rejected.',
    reason: 'Two programs could read different values from the same token.',
    symptom: '`refused: claim "ISS" differs from a standard claim only in case` (AG5002)',
    covers: ({ token = '' }) =>
      [...partAsText(token, 1).matchAll(/"((?:[^"\\]|\\.)*)"\s*:/g)].some(([, name = '']) =>
        isMisCased(name),
      ),
  },
  {
    id: 'early-rejection',
    title: 'Invalid claims are rejected before the signature is verified',
    upstream: 'It verifies the signature first and fetches keys for it, whatever the claims are.',
    ours: 'Once the keys of an issuer are cached, a token with a wrong audience, expiry or not-before time is rejected without verifying its signature. No token is accepted before its signature is verified.',
    reason:
      'A flood of expired tokens, or of tokens for other audiences, then causes neither signature checks nor fetches of keys.',
    symptom:
      'In the log only, for tokens with two problems: the message is about the claim (AG5009, AG5010, AG5011), not about the signature (AG5005, AG5006)',
    // Shows only in sequences of tokens, which recorded cases do not have.
    covers: () => false,
  },
  {
    id: 'empty-username',
    title: 'Empty usernames are rejected',
    upstream:
      "It accepts an empty username claim, so that the username is empty or consists of the prefix only, and an empty username in a token file or in a webhook's response. A TokenReview of a token that is blank, or that starts with a space, is authenticated like a request without a token: the result is `system:anonymous`, or, if the API has audiences, the connection is closed.",
    ours: 'The token is rejected. An expression may evaluate to any username except an empty one. A TokenReview of a blank token authenticates no user.',
    reason: 'An identity without a name does not identify anyone.',
    symptom:
      '`oidc: username claim "sub" is empty` (AG5013); `token without a user name has been ignored` at startup, after which the token is unknown; `"status":{"user":{}}` in a TokenReview',
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
    title: 'Groups of one identity are limited',
    upstream: 'It accepts any number of groups of any length.',
    ours: 'More than 10,000 groups, or a group of more than 4 KiB, are rejected.',
    reason: 'They would slow down everything that processes the identity later.',
    symptom:
      '`oidc: refused: more than 10000 groups`, `oidc: refused: a group of more than 4096 characters` (AG5002)',
    covers: ({ token = '' }) => partAsText(token, 1).length > 4 * 1024,
  },
  {
    id: 'token-cost',
    title: 'All expressions of a token share a cost limit',
    upstream: 'It limits each expression separately to one million units.',
    ours: 'All expressions of one token together are limited to ten million units.',
    reason: 'Hundreds of expensive expressions could occupy a processor core for minutes.',
    symptom: '`oidc: refused: the expressions exceed the cost limit of a token` (AG5002)',
    covers: ({ config = '' }) => countOf(config, /expression|valueExpression/g) > 10,
  },
  {
    id: 'encryption-key',
    title: 'Encryption keys do not verify signatures',
    upstream: 'It ignores `use`.',
    ours: 'A key with `use: enc` does not verify signatures.',
    reason:
      'The private key of a key that is published for encryption may be held by others than the issuer.',
    symptom: 'As for a token with an unknown key: `failed to verify id token signature` (AG5006)',
    covers: ({ jwks, keys, endpoints }) =>
      /use\\?"\s*:\s*\\?"enc/.test(JSON.stringify([jwks, keys, endpoints])),
  },
  {
    id: 'key-limits',
    title: 'Keys and key sets are limited',
    upstream: 'It accepts RSA keys from 1,024 bits on with any exponent, and any number of keys.',
    ours: 'RSA keys must have 2,048 to 8,192 bits and an exponent of up to 31 bits; a key set may have up to 256 keys.',
    reason: 'Shorter keys are weak; longer keys, and more of them, only cost time.',
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
    title: 'The salt of PS256, PS384 and PS512 must be as long as the digest',
    upstream: 'It accepts a salt of any length, including none.',
    ours: 'A signature with a salt of another length is invalid.',
    reason: 'RFC 7518 section 3.5 requires it.',
    symptom: '`failed to verify id token signature` (AG5006)',
    covers: ({ token = '' }) => /"alg"\s*:\s*"PS/.test(partAsText(token, 0)),
  },
  {
    id: 'bounded-bodies',
    title: 'Responses of issuers and webhooks are limited',
    upstream:
      "It reads discovery documents, key sets, distributed claims and a webhook's reviews to the end, whatever their size.",
    ours: 'A response of more than 1 MiB is treated as invalid.',
    reason:
      'An issuer, or an attacker in its place, could exhaust the memory of a server that serves other issuers as well.',
    symptom:
      'The issuer is not ready (AG5001), its keys are not available (AG5005), a distributed claim fails (AG5012), or the webhook fails (AG5060)',
    covers: ({ jwks, keys, endpoints }) =>
      JSON.stringify([jwks, keys, endpoints]).length > 1024 * 1024,
  },
  {
    id: 'key-refetch',
    title: 'Invalid tokens cannot cause a flood of requests to an issuer',
    upstream: 'It may fetch the keys for every token that matches none of them.',
    ours: 'After a fetch that returned no matching key, the next one for the same issuer waits ten seconds. While such tokens arrive, a new key is therefore used up to ten seconds later. `--jwks-refetch=per-token` restores the behavior of kube-apiserver.',
    reason: 'Anyone could otherwise make the server flood its issuers by sending invalid tokens.',
    symptom: 'In the number of requests that the issuer receives',
    // Shows only in sequences of tokens, which recorded cases do not have.
    covers: () => false,
  },
  {
    id: 'https-only',
    title: 'Outgoing requests require HTTPS, and no programs are run',
    upstream:
      'It also fetches keys, and sends the access token of a distributed claim, over plain HTTP if a discovery document, a token or a redirect contains such a URL. It follows ten redirects, also those of a webhook, where a 307 receives the token as well. It gets the credential for a webhook from the program in `exec` of the kubeconfig, or from the plugin in `auth-provider`.',
    ours: 'Only `https` URLs are requested, and three redirects are followed; those of a webhook are not followed. A kubeconfig whose user has `exec` or `auth-provider` is an error at startup, even if the user has a token as well.',
    reason:
      "Keys that were fetched over plain HTTP, and credentials that were sent over it, can be anyone's. A server that authenticates users should not run other programs.",
    symptom:
      '`Get "http://…": refused: it is not https`, `refused: the endpoint is not https`, `unsupported protocol scheme "http"`, `stopped after 3 redirects`; of a webhook `the server responded with the status code 307 but did not return more information` (AG5060); at the start `user "…": exec plugins are not supported; use a token, a tokenFile or a client certificate instead`',
    covers: ({ token = '', endpoints }) =>
      /"endpoint"\s*:\s*"(?!https:)/i.test(partAsText(token, 1)) ||
      /jwks_uri\\?"\s*:\s*\\?"(?!https:)/i.test(JSON.stringify(endpoints ?? {})),
  },
  {
    id: 'reserved-domain',
    title: 'The domain platform.io is reserved in extra keys',
    upstream: 'It reserves k8s.io, kubernetes.io and their subdomains.',
    ours: 'platform.io and its subdomains are reserved as well.',
    reason:
      'The server uses this domain for attributes of its own (`authentication.platform.io/credential-id`), which an issuer must not be able to set.',
    symptom: 'AG1042, an error of the configuration file',
    covers: ({ config = '' }) => /key"?\s*:\s*["']?(?:[\w-]+\.)*platform\.io\//.test(config),
  },
  {
    id: 'document-limits',
    title: 'Configuration files and their diagnostics are limited',
    upstream:
      'It has the limits of its YAML parser: ten thousand levels, aliases up to a fraction of the document, a file of any size.',
    ours: 'A file may have up to 1 MiB, 64 levels, 100 aliases, 100,000 nodes after expanding aliases, 256 KiB in one value and 5,000 expressions; after 1,000 diagnostics no more are reported. `serve` and the library reject larger files; `check` and `whoami` warn and continue if they can.',
    reason: 'A reload and an editor must respond within a second, whatever the file is.',
    symptom: 'AG1004 document-limit',
    covers: ({ config = '' }) =>
      config.length > 256 * 1024 ||
      countOf(config, /\*\w/g) > 100 ||
      countOf(config, /[eE]xpression/g) > 5000 ||
      nestingDepth(config) > 64,
  },
  {
    id: 'expression-limits',
    title: 'The size of expressions and of their values is limited',
    upstream:
      'It has no limit and can run out of memory: each `optMap` duplicates its receiver, and a string can be doubled at a low cost. A regular expression takes time that its cost does not include: a pattern of seven characters may have 1,000 instructions.',
    ours: 'An expression may have up to 300,000 nodes, a string or list that one operation creates 64 Mi characters or items, and a calculated quantity up to 10,000 decimal places between its parts. A regular expression may have about 32,768 instructions. A search takes up to 4,000,000 steps: it reads each character once, also for `findAll`, and visits instructions of the pattern only if the string leads to a state that it has not seen. All calls in an evaluation whose cost does not include their work, such as `isURL(text)` or a pattern that has to be compiled, take up to 100,000,000 steps together.',
    reason:
      'A process that has crashed answers no requests, and a function call must not take longer than 50 ms.',
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
    title: 'A file that makes kube-apiserver panic is rejected',
    upstream:
      'It panics while it loads an expression that has bytes as a constant map key, or `?` before an element or entry of a dynamic type (`[?claims.x]`, `{?"a": claims.x}`). It then fails to start, or exits.',
    ours: 'The expression is an error with the message of the panic.',
    reason: 'There is no behavior to reproduce.',
    symptom:
      '`program instantiation failed: internal error: runtime error: hash of unhashable type types.Bytes` or `… index out of range [0] with length 0`, an error of the configuration file',
    always: true,
    covers: ({ config = '', expression = '' }) =>
      /[{,]\s*(?:dyn\()?r?br?["']|[[{,]\s*\?/i.test(config + expression),
  },
  {
    id: 'request-limits',
    title: 'Requests are limited',
    upstream:
      'It reads JSON bodies of ten thousand levels, any number of header fields, of any length within 1 MiB, methods of any name and 256 KiB of certificates of a client, and waits a minute for a body; over HTTP/1.1 its 504 waits for the body too. Over HTTP/2 it accepts any number of resets, of WINDOW_UPDATE frames and of frames without effect, passes on a body that is shorter than announced, and resets only the stream for a header block that is shorter than its padding.',
    ours: 'A body has up to 64 levels, and above 16 KiB up to 65,536 values or, in protobuf, 16,384 fields (fewer values in a small container). A request has up to 1,000 header fields; its target and each field that does not carry a token have up to 64 KiB, and a label selector up to 16,384 characters. Validation stops after 1,000 errors of a list, and an error shows up to 2,048 characters of a value. The body of a request must arrive within 34 seconds, otherwise the response is a 504 and over HTTP/1.1 the connection is closed, as after CONNECT; and its method is one that is registered for HTTP. A client has up to 10 certificates of 64 KiB together. Over HTTP/2 a stream is reset if its body is not as long as announced. A connection ends with GOAWAY if its client resets too many streams or sends too many frames without effect (`ENHANCE_YOUR_CALM`), if it sends more WINDOW_UPDATE frames than 5, plus 2 for each stream and 20 for each DATA frame that it was sent (the rule of Envoy), and if a header block has more padding than its frame, integers with many empty bytes or a third table size update. All limits of the server are in [limits](limits.md).',
    reason: 'They cost time before the caller is authenticated.',
    symptom:
      '400 `exceeded max depth`, 400 `label selector has more than 16384 characters`, 400 for an unknown method, 413, 414, 431, 408, 504; `refused: more than 10 certificates`, `refused: certificates of more than 65536 bytes` (AG5041)',
    always: true,
    // Shows only in HTTP requests, which recorded cases are not.
    covers: () => false,
  },
  {
    id: 'bounded-waiting',
    title: 'Waiting is limited, fairly among users',
    upstream:
      'API Priority and Fairness assigns requests to flow schemas and priority levels, which are API objects, and queues each flow in a few of the queues of its level. Any number of tokens wait for one fetch of keys, and any number of requests for their bodies or for authentication.',
    ours: 'There is one priority level: the seats of `--max-requests-inflight` and `--max-mutating-requests-inflight` together, and each user is a flow. Probes, which include the individual checks below the health paths, and `system:masters` are exempt. A request that waits for its body or for the review of a token releases its seat. Requests that wait, before and after authentication, have limits of their own, and the caller with the most of them loses the oldest one to a caller with fewer. A client that sends more than 32 requests over HTTP/1.1 without waiting for their answers is disconnected. At most 64 tokens wait for one fetch of keys, and at most 64 distributed claims are fetched at the same time for one authenticator; the client with the most of them loses one to a client with fewer, and other tokens that need them are rejected at once. The memory of tokens that wait, and the requests to a webhook, have limits as well, which clients share the same way; there a token is not rejected, and the request gets a 429.',
    reason:
      'A few connections of one caller, or one issuer that does not answer, must not use up the capacity that all other callers need.',
    symptom:
      '429 with `Retry-After: 1` for the caller with the most requests, also before its authentication; 401 with `refused: more than 64 tokens are waiting` (AG5025)',
    always: true,
    // Shows only under load, which recorded cases do not have.
    covers: () => false,
  },
  {
    id: 'library-errors',
    title: 'Errors from Go libraries are worded differently',
    upstream:
      'Errors of its libraries for TLS, X.509, JSON, CSV and networking contain the messages of these libraries.',
    ours: 'The same authenticator fails with the same outcome, but the part of the message that comes from a library may be worded differently. All messages of kube-apiserver itself are exact.',
    reason: 'These messages are not an interface: they change with the releases of the libraries.',
    symptom: 'In the log only, after a message of kube-apiserver: `x509: …`, `dial tcp …`',
    always: true,
    // The runners of recorded cases compare these messages by their class.
    covers: () => false,
  },
  {
    id: 'served-objects',
    title: 'Only objects that authentication needs are served',
    upstream:
      'It serves all kinds, Secrets of any type, pods and nodes with full validation, and server-side apply; a separate controller deletes objects without an owner. OpenAPI documents support ETag, Last-Modified, parts and Protobuf; `/openapi/v2` and `/metrics` are compressed for clients that accept gzip. `--runtime-config` enables and disables every group, version and resource, and an unknown group is an error at startup.',
    ours: 'Secrets have the types of tokens. Pods and nodes are validated as far as tokens can be bound to them. Server-side apply is rejected, and there is no garbage collection. OpenAPI documents and metrics are always sent in full, without ETag and Last-Modified. `--runtime-config` only enables v1beta1 of SelfSubjectReview, which the OpenAPI documents do not list; disabling a version that is always served is an error at startup, and other groups have no effect. Without a store flag, objects are stored in memory.',
    reason: 'Objects that nothing here acts on are not accepted.',
    symptom:
      '422 `type: Unsupported value`, 415 `the body of the request was in an unknown format`; more in [objects](objects.md)',
    always: true,
    // Shows only in HTTP requests, which recorded cases are not.
    covers: () => false,
  },
  {
    id: 'required-flags',
    title: 'Only the flags of the features in use are required',
    upstream:
      'It does not start without `--service-account-issuer` and `--service-account-signing-key-file`, even if service accounts are not used.',
    ours: 'Without both there are no service accounts; with an issuer and `--service-account-key-file` only, their tokens are verified and none are issued.',
    reason:
      'A server that verifies tokens of another server does not have its signing key, and should not have it.',
    symptom:
      'At startup: the error `--service-account-signing-key-file and --service-account-issuer are required flags` does not occur',
    always: true,
    // Shows only in flags, which recorded cases do not have.
    covers: () => false,
  },
  {
    id: 'webhook-group',
    title: 'A webhook replies in the group of the request',
    upstream:
      'It supports one group, `authentication.k8s.io`, and rejects a response in any other.',
    ours: 'A server whose API domain is `platform.io` sends `authentication.platform.io` and rejects a reply in any other group, `authentication.k8s.io` included.',
    reason:
      'The `apiVersion` of the reply must match the request. A webhook that replies in another group did not use the `apiVersion` that it received.',
    symptom:
      '`webhook: refused: the reply has apiVersion "authentication.k8s.io/v1", the request had "authentication.platform.io/v1"` (AG5060)',
    always: true,
    // All cases were recorded with the domain k8s.io.
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
    // Shows only in flags, which recorded cases do not have.
    covers: () => false,
  },
];
