/** The way to issuers from Node: read only when somebody asks for it. */
import { nodePorts } from '@authgraph/engine/node';
import type { IssuerAccess } from './host.ts';

export const nodeIssuers = (): IssuerAccess => {
  const ports = nodePorts();
  return { ports, close: () => ports.http.close() };
};
