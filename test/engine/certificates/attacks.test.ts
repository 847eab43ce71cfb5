/** The certificates of the attack corpus: which are accepted, and as which user. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CertificateSpec, type MadeCertificate, makeCert } from '../../attacks/lib/der.mjs';
import { answerX509 } from '../../support/answer-modules/x509.ts';

interface Attack {
  readonly id: string;
  readonly why: string;
  readonly spec: CertificateSpec & {
    readonly ca_?: string;
    readonly chain?: readonly CertificateSpec[];
    readonly chainExtra?: readonly CertificateSpec[];
    readonly chainJunk?: number;
    readonly self?: boolean;
    readonly omitChain?: boolean;
  };
  /** The expected outcomes: `id`, `401`, `close`. */
  readonly e: readonly string[];
  readonly idn?: { readonly user: string; readonly groups: readonly string[] };
}

const attacks = readFileSync(join(import.meta.dirname, '../../attacks/certs.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Attack)
  // A handshake cannot be signed with a key of 512 bits; the certificate itself is valid.
  .filter(({ id }) => id !== 'CE-018');

const authority = (name: string): MadeCertificate =>
  makeCert({
    subject: [
      ['O', 'Alder Group'],
      ['CN', name],
    ],
    ca: true,
    notAfter: 864_000,
  });
const client = authority('client-ca');
const authorities = new Map([
  ['client', client],
  ['proxy', authority('proxy-ca')],
  ['serving', authority('serving-ca')],
  ['rogue', authority('client-ca')],
]);

const sentBy = ({ spec }: Attack): readonly string[] => {
  let issuer = authorities.get(spec.ca_ ?? 'client');
  const chain: string[] = [];
  for (const between of spec.chain ?? []) {
    issuer = makeCert({ notAfter: 86_400, ...between }, issuer);
    chain.unshift(issuer.pem);
  }
  const leaf = makeCert(spec, spec.self === true ? undefined : issuer);
  const extra = (spec.chainExtra ?? []).map((other) => makeCert(other, client).pem);
  for (let junk = 0; junk < (spec.chainJunk ?? 0); junk += 1)
    extra.push(makeCert({ subject: [['CN', `junk${junk}`]], ca: true }).pem);
  return [leaf.pem, ...(spec.omitChain === true ? [] : chain), ...extra];
};

test.each(attacks)('$id $why', async (attack) => {
  const answer = await answerX509({
    id: attack.id,
    clock: new Date().toISOString(),
    config: { clientCA: client.pem },
    input: { peerCerts: sentBy(attack) },
  });
  const accepted = 'user' in answer ? (answer.user as Record<string, unknown>) : undefined;
  if (accepted === undefined) {
    expect(attack.e).toContain('401');
    return;
  }
  expect(attack.e).toContain('id');
  const { username, groups = [], uid } = accepted;
  expect({ user: username, groups, uid }).toEqual({ ...attack.idn, uid: undefined });
});
