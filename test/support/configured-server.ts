/** A server on loopback that serves a configuration, once discovery has been attempted. */
import { defaultSettings } from '../../engine/src/compile/settings.ts';
import { nodePorts } from '../../engine/src/node/ports.ts';
import { startServing } from '../../engine/src/server/configuration/serving.ts';
import { defaultServeOptions, type ServeOptions } from '../../engine/src/server/flags/options.ts';
import { type RunningServer, startServer } from '../../engine/src/server/server.ts';

export interface ConfiguredServer extends Omit<RunningServer, 'close'> {
  close(): Promise<void>;
}

export const startConfiguredServer = async (
  text: string,
  options: Partial<ServeOptions> = {},
): Promise<ConfiguredServer> => {
  const ports = nodePorts();
  const { apiDomain = defaultSettings.apiDomain } = options;
  const start = await startServing({
    configuration: { kind: 'text', name: 'authn.yaml', text },
    settings: { ...defaultSettings, apiDomain },
    ports,
    link: { mode: 'product', jwksRefetch: 'throttled' },
    report: () => {},
  });
  if (start.kind !== 'serving') throw new Error(JSON.stringify(start));
  const { serving } = start;
  await serving.waitForDiscovery(AbortSignal.timeout(10_000));
  const server = await startServer({
    options: { ...defaultServeOptions(), bindAddress: '127.0.0.1', securePort: 0, ...options },
    holder: serving.holder,
    ports,
  });
  return {
    ...server,
    async close() {
      await server.close(1000);
      await serving.close();
      await ports.http.close();
    },
  };
};
