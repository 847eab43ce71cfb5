/** `authgraph/sampleTemplate`: the initial claims of a new sample. */
import { firstSample } from '@authgraph/engine/language';
import { stringMemberOf } from '../member-of.ts';
import { type SampleTemplate, sampleTemplateRequest } from '../protocol.ts';
import type { ConfigurationPart } from '../workspace.ts';
import { requestFeature } from './request-feature.ts';

const templateFor = (parts: readonly ConfigurationPart[]): SampleTemplate => ({
  claims: firstSample(parts.flatMap(({ compilation }) => compilation.configuration ?? [])),
});

export const sampleTemplate = requestFeature<unknown, SampleTemplate>(
  sampleTemplateRequest,
  templateFor([]),
  (params, { workspace }) => templateFor(workspace.parts(stringMemberOf(params, 'uri') ?? '')),
);
