/** The entry point for programs on Node: the ports of a linked graph, and the server. */
export type { HttpClientOptions } from '../node/http-agents.ts';
export { type NodeHttpClient, nodeHttpClient } from '../node/http-client.ts';
export { type KeyCacheOptions, nodeKeyCache } from '../node/key-cache.ts';
export { type LogOptions, type NodeLog, nodeLog } from '../node/log.ts';
export { type MetricsOptions, type NodeMetrics, nodeMetrics } from '../node/metrics.ts';
export { type NodePorts, type NodePortsOptions, nodePorts } from '../node/ports.ts';
export type { SignatureOptions } from '../node/signatures.ts';
export type { Reload, ReloadEvent } from '../server/configuration/reload.ts';
export {
  type Serving,
  type ServingOptions,
  type ServingStart,
  startServing,
} from '../server/configuration/serving.ts';
export {
  defaultServeOptions,
  readServeOptions,
  type ServeOptions,
} from '../server/flags/options.ts';
export { type RunningServer, startServer } from '../server/server.ts';
export type { ServerSettings } from '../server/server-settings.ts';
