/** Access to issuers through Node; loaded only when it is needed. */
import { nodePorts } from '@authgraph/engine/node';
import type { IssuerAccess } from './host.ts';

export const nodeIssuers = (): IssuerAccess => {
  const ports = nodePorts();
  return { ports, close: () => ports.http.close() };
};
