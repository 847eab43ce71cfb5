/** Creates certificates and writes cases with chains of them. */
import {
  type CertificateSpec,
  genKey,
  type MadeCertificate,
  makeCert,
} from '../../attacks/lib/der.mjs';

const clock = `${new Date().toISOString().slice(0, 19)}Z`;
let count = 0;
export const writeCase = (
  title: string,
  trusted: readonly MadeCertificate[],
  sent: readonly MadeCertificate[],
) => {
  count += 1;
  const line = {
    id: `chain-${String(count).padStart(4, '0')}`,
    module: 'x509',
    title,
    clock,
    config: { clientCA: trusted.map(({ pem }) => pem).join('') },
    input: { peerCerts: sent.map(({ pem }) => pem) },
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

export type Spec = CertificateSpec;
const keys = new Map<string, object>();
/** Keys are created once per name, because that takes the most time. */
export const key = (name: string, kind?: string): object => {
  const known = keys.get(name) ?? genKey(kind);
  keys.set(name, known);
  return known;
};
export const authority = (spec: Spec = {}, issuer?: MadeCertificate): MadeCertificate =>
  makeCert({ subject: [['CN', 'root']], keyPair: key('root'), ca: true, ...spec }, issuer);
export const root = authority();
export const intermediateCa = (name: string, spec: Spec = {}, issuer = root): MadeCertificate =>
  makeCert({ subject: [['CN', name]], keyPair: key(name), ca: true, ...spec }, issuer);
export const leafKey = key('leaf');
export const leaf = (issuer: MadeCertificate | undefined, spec: Spec = {}): MadeCertificate =>
  makeCert(
    {
      subject: [
        ['O', 'crew'],
        ['CN', 'ada'],
      ],
      keyPair: leafKey,
      ...spec,
    },
    issuer,
  );
export const hex = (bytes: Buffer): string => bytes.toString('hex');
export const withoutSubjectKeyId = (certificate: MadeCertificate): MadeCertificate => ({
  ...certificate,
  skid: undefined as unknown as Buffer,
});

export const writeCaseUnderRoot = (title: string, spec: Spec) =>
  writeCase(title, [root], [leaf(root, spec)]);
/** Writes a case with one intermediate. */
export const writeCaseUnderIntermediate = (title: string, middle: Spec, spec: Spec = {}) => {
  const intermediate = intermediateCa('middle', middle);
  writeCase(title, [root], [leaf(intermediate, spec), intermediate]);
};

/** Wraps changed bytes as PEM; the other members are not used. */
export const certificateFromDer = (der: Buffer): MadeCertificate => ({
  ...root,
  der,
  pem: `-----BEGIN CERTIFICATE-----\n${(der.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`,
});
