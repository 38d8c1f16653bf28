import type { AddressInfo } from 'node:net';
import { createApp } from '../../../src/app';
import type { Millime } from '../../../src/compose';
import { answerRequests, createHttpServer } from '../../../src/http';
import { silentLogger } from '../../../src/logging';

/** Serves Millime in this process while the work runs, which gets its address. */
export async function onLocalServer<T>(millime: Millime, work: (baseUrl: string) => Promise<T>): Promise<T> {
  const app = createApp(millime);
  const server = createHttpServer({ logger: silentLogger, app });
  answerRequests(server, app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await work(`http://127.0.0.1:${port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
