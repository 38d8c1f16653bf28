import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from './kernel';

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
  return `http://${host.includes(':') ? `[${host}]` : host}:${listening}`;
}
