// Goal: an answer that the driver cannot read costs one try. A member of a cluster whose transaction conflicts in the
// middle of an answer may send the end of a statement where a column should come; mysql2 then ends the connection.
// Method: a server of a few packets, which answers the SELECT so as often as the test says.
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { type Database, openDatabase } from '../../../src/db';
import { silentLogger } from '../../../src/logging';
import { parsedUrl } from '../../support/db';

const SELECT = 'select 1 as one';
const COM_QUERY = 3;
const HEADER_BYTES = 4;
const OK = Buffer.from([0, 0, 0, 2, 0, 0, 0]);
const EOF = Buffer.from([0xfe, 0, 0, 2, 0]);
const ONE_COLUMN = Buffer.from([1]);
const GREETING = Buffer.concat([
  Buffer.from('\x0a10.11.0-MariaDB\0', 'latin1'),
  Buffer.from([1, 0, 0, 0]), // the number of the connection
  Buffer.from('12345678\0'),
  Buffer.from([0xff, 0xf7, 45, 2, 0, 0x08, 0x00, 21]), // what it can do, its character set and its status
  Buffer.alloc(10),
  Buffer.from('123456789012\0mysql_native_password\0'),
]);
const COLUMN = Buffer.concat([
  Buffer.from('\x03def\0\0\0\x03one\0\x0c', 'latin1'),
  Buffer.from([45, 0, 255, 0, 0, 0, 253, 0, 0, 0, 0, 0]), // a text
]);
const ROW = Buffer.from('\x011');

let unreadable: number;
let connections: number;
let server: Server;
let database: Database;

beforeEach(async () => {
  jest.spyOn(console, 'trace').mockImplementation(() => undefined); // mysql2 prints where it gave up
  connections = 0;
  server = createServer((socket) => {
    connections += 1;
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  database = openDatabase(parsedUrl(`mysql://root@127.0.0.1:${port}/millime`), silentLogger);
});

afterEach(async () => {
  jest.restoreAllMocks();
  await database.close();
  await new Promise((resolve) => server.close(resolve));
});

/** Greets a client, and answers each packet of it. */
function serve(socket: Socket): void {
  let received = Buffer.alloc(0);
  socket.on('error', () => undefined); // the client ended it
  socket.on('data', (part) => {
    received = Buffer.concat([received, part]);
    while (received.length >= HEADER_BYTES && received.length >= HEADER_BYTES + received.readUIntLE(0, 3)) {
      const end = HEADER_BYTES + received.readUIntLE(0, 3);
      socket.write(answerTo(received.subarray(0, end)));
      received = received.subarray(end);
    }
  });
  socket.write(packets(0, [GREETING]));
}

function answerTo(packet: Buffer): Buffer {
  const [sequence = 0, command] = packet.subarray(HEADER_BYTES - 1);
  const isSelect = sequence === 0 && command === COM_QUERY && packet.includes(SELECT);
  if (!isSelect) return packets(sequence + 1, [OK]);
  unreadable -= 1;
  return packets(1, unreadable >= 0 ? [ONE_COLUMN, OK] : [ONE_COLUMN, COLUMN, EOF, ROW, EOF]);
}

function packets(first: number, payloads: readonly Buffer[]): Buffer {
  return Buffer.concat(
    payloads.flatMap((payload, index) => [Buffer.from([payload.length, 0, 0, first + index]), payload]),
  );
}

test('an unreadable answer is followed by another try on a new connection', async () => {
  unreadable = 1;
  expect(await database.read((session) => session.raw(SELECT))).toEqual([{ one: '1' }]);
  expect(connections).toBe(2);
});

test('a database whose answers stay unreadable is unavailable, which is no internal error', async () => {
  unreadable = Infinity;
  await expect(database.read((session) => session.raw(SELECT))).rejects.toMatchObject({ code: 'unavailable' });
});
