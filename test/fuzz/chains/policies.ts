/** Policies, and the constraints that authorities put on them. */
import { int, type MadeCertificate, oid, seq, tlv } from '../../attacks/lib/der.mjs';
import { hex, intermediateCa, leaf, root, type Spec, writeCase } from './cases.ts';

export const policies = (...ids: readonly string[]) => ({
  oid: '2.5.29.32',
  critical: false,
  hex: hex(seq(...ids.map((id) => seq(oid(id))))),
});
export const explicit = (value: number) => ({
  oid: '2.5.29.36',
  critical: true,
  hex: hex(seq(tlv(0x80, [value]))),
});
const inhibitMapping = (value: number) => ({
  oid: '2.5.29.36',
  critical: true,
  hex: hex(seq(tlv(0x81, [value]))),
});
export const inhibitAny = (value: number) => ({
  oid: '2.5.29.54',
  critical: true,
  hex: hex(int(value)),
});
export const mapping = (...pairs: readonly (readonly [string, string])[]) => ({
  oid: '2.5.29.33',
  critical: true,
  hex: hex(seq(...pairs.map(([from, to]) => seq(oid(from), oid(to))))),
});
export const any = '2.5.29.32.0';
type Extra = NonNullable<Spec['unknown']>[number];

export const writePolicyCases = (): void => {
  const withPolicies = (title: string, ...levels: readonly (readonly Extra[])[]) => {
    let above = root;
    const sent: MadeCertificate[] = [];
    for (const [at, unknown] of levels.slice(0, -1).entries()) {
      above = intermediateCa(`policy${at}`, { unknown: [...unknown] }, above);
      sent.push(above);
    }
    writeCase(
      `policies: ${title}`,
      [root],
      [leaf(above, { unknown: [...(levels.at(-1) ?? [])] }), ...sent],
    );
  };
  withPolicies('one, not asked for', [policies('1.2.3')], [policies('1.2.4')]);
  withPolicies('asked for, the same', [policies('1.2.3'), explicit(0)], [policies('1.2.3')]);
  withPolicies('asked for, another', [policies('1.2.3'), explicit(0)], [policies('1.2.4')]);
  withPolicies('asked for, none', [policies('1.2.3'), explicit(0)], []);
  withPolicies('asked for, none above', [explicit(0)], [policies('1.2.3')]);
  withPolicies('asked for after one more', [policies('1.2.3'), explicit(1)], [policies('1.2.4')]);
  withPolicies(
    'asked for after two more',
    [policies('1.2.3'), explicit(2)],
    [policies('1.2.4')],
    [policies('1.2.4')],
  );
  withPolicies('asked for by the leaf', [policies('1.2.3')], [policies('1.2.4'), explicit(0)]);
  withPolicies('any above', [policies(any), explicit(0)], [policies('1.2.4')]);
  withPolicies('any below', [policies('1.2.3'), explicit(0)], [policies(any)]);
  withPolicies(
    'any below, inhibited',
    [policies('1.2.3'), explicit(0), inhibitAny(0)],
    [policies(any)],
  );
  withPolicies(
    'any below, inhibited after one more',
    [policies('1.2.3'), explicit(0), inhibitAny(1)],
    [policies(any)],
  );
  withPolicies(
    'mapped',
    [policies('1.2.3'), explicit(0), mapping(['1.2.3', '1.2.9'])],
    [policies('1.2.9')],
  );
  withPolicies(
    'mapped, the old name used',
    [policies('1.2.3'), explicit(0), mapping(['1.2.3', '1.2.9'])],
    [policies('1.2.3')],
  );
  withPolicies(
    'mapped to several',
    [policies('1.2.3'), explicit(0), mapping(['1.2.3', '1.2.9'], ['1.2.3', '1.2.10'])],
    [policies('1.2.10')],
  );
  withPolicies('mapped from any', [policies(any), mapping([any, '1.2.9'])], [policies('1.2.9')]);
  withPolicies('mapped to any', [policies('1.2.3'), mapping(['1.2.3', any])], [policies('1.2.9')]);
  withPolicies(
    'mapped below any',
    [policies(any), explicit(0), mapping(['1.2.3', '1.2.9'])],
    [policies('1.2.9')],
  );
  withPolicies(
    'mapping inhibited',
    [policies('1.2.3'), inhibitMapping(0)],
    [policies('1.2.3'), explicit(0), mapping(['1.2.3', '1.2.9'])],
    [policies('1.2.9')],
  );
  withPolicies(
    'mapping inhibited, the old name used',
    [policies('1.2.3'), inhibitMapping(0)],
    [policies('1.2.3'), explicit(0), mapping(['1.2.3', '1.2.9'])],
    [policies('1.2.3')],
  );
  withPolicies(
    'three levels',
    [policies('1.2.3', '1.2.4'), explicit(0)],
    [policies('1.2.4')],
    [policies('1.2.4')],
  );
  withPolicies(
    'three levels, changed at the end',
    [policies('1.2.3', '1.2.4'), explicit(0)],
    [policies('1.2.4')],
    [policies('1.2.3')],
  );
  withPolicies(
    'three levels, none in the middle',
    [policies('1.2.3'), explicit(0)],
    [],
    [policies('1.2.3')],
  );
  withPolicies('the same one twice', [policies('1.2.3', '1.2.3')], []);
  withPolicies(
    'negative number',
    [{ oid: '2.5.29.36', critical: true, hex: hex(seq(tlv(0x80, [0xff]))) }],
    [],
  );
  {
    const strict = intermediateCa('strict', { unknown: [policies('1.2.3'), explicit(0)] });
    const server = intermediateCa('strict', { eku: ['serverAuth'] });
    writeCase('policies and purposes both wrong', [root], [leaf(strict), strict, server]);
  }
};
