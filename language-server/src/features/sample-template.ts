/** The claims that a new sample begins with: those that every token has, for the issuer at hand. */
import { textOf } from '../member-of.ts';
import { type SampleTemplate, sampleTemplateRequest } from '../protocol.ts';
import type { ConfigurationPart } from '../workspace.ts';
import type { Feature } from './feature.ts';

/** Of the first authenticator; what the text does not say yet is an example. */
const templateFor = (parts: readonly ConfigurationPart[]): SampleTemplate => {
  const [issuer] = parts.flatMap(({ compilation }) =>
    (compilation.configuration?.jwt ?? []).map((entry) => entry.issuer),
  );
  const claims = {
    iss: issuer?.url?.value || 'https://issuer.example.com',
    aud: issuer?.audiences[0]?.value || 'my-cluster',
    sub: 'jane',
    exp: 4_102_444_800,
    email: 'jane@example.com',
    email_verified: true,
    groups: ['developers'],
  };
  return { claims: `${JSON.stringify(claims, undefined, 2)}\n` };
};

export const sampleTemplate: Feature = {
  capabilities: {},
  register(connection, answering) {
    connection.onRequest(
      sampleTemplateRequest,
      answering.guarded<unknown, SampleTemplate>(
        (params) => templateFor(answering.workspace.parts(textOf(params, 'uri') ?? '')),
        templateFor([]),
      ),
    );
  },
};
