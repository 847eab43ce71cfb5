/** Creates the TokenReview that is sent to a webhook, byte for byte as kube-apiserver does. */
import { goJsonString } from '../../formats/go-json.ts';
import { authenticationGroup } from '../../model/api-domain.ts';
import type { HttpHeader } from '../../model/http-connection.ts';
import type { WebhookTokenNode } from './node.ts';

export const reviewHeaders: readonly HttpHeader[] = [
  { name: 'Accept', value: 'application/json, */*' },
  { name: 'Content-Type', value: 'application/json' },
];

export const reviewBody = (
  { apiDomain, version }: Pick<WebhookTokenNode, 'apiDomain' | 'version'>,
  token: string,
  audiences: readonly string[],
): string => {
  const apiVersion = goJsonString(`${authenticationGroup(apiDomain)}/${version}`);
  const members = [
    ...(token === '' ? [] : [`"token":${goJsonString(token)}`]),
    ...(audiences.length === 0 ? [] : [`"audiences":[${audiences.map(goJsonString).join(',')}]`]),
  ];
  return `{"kind":"TokenReview","apiVersion":${apiVersion},"metadata":{},"spec":{${members.join(',')}},"status":{"user":{}}}\n`;
};
