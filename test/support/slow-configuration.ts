/** Valid configurations whose analysis takes long for their length. */
import { compileParts } from '../../language-server/src/compile-parts.ts';
import { defaultOptions } from '../../language-server/src/editor-options.ts';

const header = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt:\n';

const authenticator = (entry: number): string => {
  const rules = Array.from(
    { length: 40 },
    (_, rule) =>
      `  - expression: "[1, 2, ${rule}].exists(x, claims.a${entry}_${rule}.b.c.map(y, y + x).size() > x) || claims.d == ${rule}"\n`,
  );
  return `- issuer: {url: "https://issuer-${entry}.example", audiences: [app]}\n  claimMappings: {username: {expression: "'a' + claims.sub"}}\n  claimValidationRules:\n${rules.join('')}`;
};

/** Returns a configuration of about the given length, with an expression in almost every line. */
export const slowConfiguration = (length: number): string => {
  let text = header;
  for (let entry = 0; text.length < length; entry += 1) text += authenticator(entry);
  return text;
};

/** Returns the codes of all diagnostics that the editor shows for a text. */
export const codesOfText = (text: string): readonly string[] =>
  compileParts({ uri: 'file:///a.yaml', getText: () => text }, defaultOptions, {
    ...{ isDeclared: false, before: undefined, now: () => 0 },
  }).flatMap(({ compilation, lints }) =>
    [...compilation.diagnostics, ...lints()].map(({ code }) => code),
  );
