import { randomBytes } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { afterEach } from '@jest/globals';
import type { Certified } from './self-signed';

const HEADER_BYTES = 4;
const SSL_CAPABILITY = 0x800;
/** CLIENT_PROTOCOL_41, CLIENT_SECURE_CONNECTION and CLIENT_PLUGIN_AUTH. */
const CAPABILITIES = 0x200 | 0x8000 | 0x80000;

/** A server that speaks the first packet of MariaDB and keeps what a client then sends it. */
export interface FakeMariaDb {
  readonly port: number;
  /** Bytes outside TLS, without the request for TLS and the TLS records. */
  readonly plain: () => Buffer;
  /** Bytes that clients sent inside TLS. */
  readonly inTls: () => Buffer;
  readonly connections: () => number;
}

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** Starts it; without a certificate it offers no TLS. */
export async function startFakeMariaDb(certified?: Certified): Promise<FakeMariaDb> {
  const sockets = new Set<Socket>();
  const plain: Buffer[] = [];
  const inTls: Buffer[] = [];
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.write(greeting(certified !== undefined));
    if (certified === undefined) socket.on('data', (bytes: Buffer) => void plain.push(bytes));
    else socket.once('data', (bytes: Buffer) => upgrade(socket, bytes, certified));
  });
  function upgrade(socket: Socket, bytes: Buffer, { key, cert }: Certified): void {
    const request = HEADER_BYTES + bytes.readUIntLE(0, 3);
    if ((bytes.readUInt32LE(HEADER_BYTES) & SSL_CAPABILITY) === 0) return void plain.push(bytes);
    socket.pause();
    if (bytes.length > request) socket.unshift(bytes.subarray(request));
    const secure = new TLSSocket(socket, { isServer: true, secureContext: createSecureContext({ key, cert }) });
    secure.on('error', () => undefined);
    secure.on('data', (decrypted: Buffer) => void inTls.push(decrypted));
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUps.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    port: (server.address() as { port: number }).port,
    plain: () => Buffer.concat(plain),
    inTls: () => Buffer.concat(inTls),
    connections: () => connections,
  };
}

/** The first packet of a server, which asks for mysql_native_password. */
function greeting(offersTls: boolean): Buffer {
  const capabilities = CAPABILITIES | (offersTls ? SSL_CAPABILITY : 0);
  const flags = Buffer.alloc(4);
  flags.writeUInt32LE(capabilities);
  const body = Buffer.concat([
    Buffer.from('\x0a5.5.5-10.11.0-MariaDB\0\x01\0\0\0', 'latin1'),
    randomScramble(8),
    Buffer.from([0]),
    flags.subarray(0, 2),
    Buffer.from([45, 2, 0]),
    flags.subarray(2),
    Buffer.from([21]),
    Buffer.alloc(10),
    randomScramble(12),
    Buffer.from('\0mysql_native_password\0', 'latin1'),
  ]);
  const header = Buffer.from([body.length & 0xff, body.length >> 8, 0, 0]);
  return Buffer.concat([header, body]);
}

function randomScramble(bytes: number): Buffer {
  return Buffer.from(randomBytes(bytes).map((byte) => (byte % 90) + 33));
}
