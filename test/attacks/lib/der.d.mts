/** Types of the part of `der.mjs` that tests in TypeScript use. */
export type NameValue = readonly [type: string, value: string, kind?: string];

export interface CertificateSpec {
  /** Made where absent, of the kind `key`: `rsa2048`, `ed25519`, `p384`, `p521`, `p224`, `k256`. */
  readonly keyPair?: object;
  readonly key?: string;
  /** Signature: `ec-sha1`, `rsa-md5`, …; `innerSig` only inside. */
  readonly sig?: string;
  readonly innerSig?: string;
  /** Attributes, or sets of several. */
  readonly subject?: readonly (NameValue | readonly NameValue[])[];
  /** Hex of the whole name. */
  readonly subjectRaw?: string;
  readonly issuerName?: readonly (NameValue | readonly NameValue[])[];
  readonly version?: number;
  readonly serial?: number | bigint;
  /** Hex of the content. */
  readonly serialRaw?: string;
  readonly ca?: boolean;
  readonly bcCritical?: boolean;
  readonly dupBC?: boolean;
  readonly pathLen?: number;
  readonly ku?: readonly string[] | null;
  readonly eku?: readonly string[] | null;
  readonly ekuCritical?: boolean;
  /** Of kinds `dns`, `email`, `uri`, `dir`, and `ip` as hex. */
  readonly san?: readonly (readonly [string, string | readonly NameValue[]])[];
  readonly sanCritical?: boolean;
  readonly nc?: {
    readonly permitted?: readonly (readonly [string, string | readonly NameValue[]])[];
    readonly excluded?: readonly (readonly [string, string | readonly NameValue[]])[];
  };
  readonly skid?: boolean;
  readonly skidHex?: string;
  readonly akid?: boolean;
  readonly akidHex?: string;
  readonly unknown?: readonly {
    readonly oid: string;
    readonly critical: boolean;
    readonly hex?: string;
  }[];
  readonly noExt?: boolean;
  readonly forge?: boolean;
  readonly flipSig?: boolean;
  /** Hex behind the certificate. */
  readonly trailing?: string;
  /** Seconds from now. */
  readonly notBefore?: number;
  readonly notAfter?: number;
}
export interface MadeCertificate {
  readonly der: Buffer;
  readonly pem: string;
  readonly keyPem: string;
  readonly keyPair: object;
  readonly subject: Buffer;
  readonly skid: Buffer;
  readonly privateKey: object;
}
export function makeCert(spec: CertificateSpec, issuer?: MadeCertificate): MadeCertificate;
export function genKey(kind?: string): object;
export function tlv(tag: number, ...parts: readonly (Buffer | readonly number[] | string)[]): Buffer;
export function seq(...parts: readonly Buffer[]): Buffer;
export function set(...parts: readonly Buffer[]): Buffer;
export function bool(value: boolean): Buffer;
export function int(value: number | bigint): Buffer;
export function octets(bytes: Buffer): Buffer;
export function oid(text: string): Buffer;
