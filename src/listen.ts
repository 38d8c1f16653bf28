import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError, isAppError, type Notice, SECOND_MS } from './kernel';

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** The variables of host and port, which an error names. */
  readonly variables: string;
}

/**
 * Listens, and returns the address as a URL.
 *
 * @throws AppError `misconfigured` that names the variables.
 */
export async function listenOn(server: Server, { host, port, variables }: ListenOptions): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new AppError('misconfigured', { field: variables, fault: `cannot listen (${error.code ?? 'unknown reason'})` }),
      ),
    );
    server.listen(port, host, resolve);
  });
  const { port: listening } = server.address() as AddressInfo;
  return urlOf(host, listening);
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const PROBE_MS = 2 * SECOND_MS;

/** Returns why a start could not listen; undefined if it could, or if Millime already answers there. */
export async function listenFault(options: ListenOptions): Promise<Notice | undefined> {
  const server = createServer();
  try {
    await listenOn(server, options);
    return undefined;
  } catch (error) {
    if (!isAppError(error)) throw error;
    return (await isMillime(options)) ? undefined : error.notice;
  } finally {
    server.close();
  }
}

/** The listener of metrics has no `/healthz`, and refuses it in Millime's form. */
async function isMillime({ host, port }: ListenOptions): Promise<boolean> {
  try {
    const answer = await fetch(`${urlOf(host, port)}/healthz`, { signal: AbortSignal.timeout(PROBE_MS) });
    return /^\{"(?:status":"ok|error":"not_found)"\}$/.test(await answer.text());
  } catch {
    return false;
  }
}
