import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, jest, test } from '@jest/globals';
import express from 'express';
import { errorHandler } from '../../../src/http';
import { type RecordingLogger, recordingLogger } from '../../support/fakes';
import { RawConnection } from '../../support/raw-connection';

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

async function start(handler: express.RequestHandler): Promise<{ port: number; logger: RecordingLogger }> {
  const logger = recordingLogger();
  const app = express();
  app.use(handler, errorHandler(logger));
  const server = createServer(app);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, logger };
}

const REQUEST = 'GET /service/check/x HTTP/1.1\r\nHost: x\r\n\r\n';
const line = (error: Error): unknown =>
  expect.objectContaining({
    level: 'error',
    fields: { event: 'http.failed', method: 'GET', route: '/service/check', error },
  });

test('an error in the middle of an answer closes the connection and is only logged', async () => {
  const written = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const error = new Error('broken');
  const { port, logger } = await start((_request, response, next) => {
    response.set('Content-Length', '10');
    response.write('half', () => next(error));
  });
  const connection = await RawConnection.open(port);
  connection.send(REQUEST);
  expect(await connection.next()).toBeUndefined();
  expect(logger.entries).toEqual([line(error)]);
  expect(written).not.toHaveBeenCalled();
  written.mockRestore();
});

test('an error after a complete answer does not affect its reader', async () => {
  const error = new Error('broken');
  const { port, logger } = await start((_request, response, next) => {
    response.set('Content-Length', '5').end('whole');
    next(error);
  });
  const connection = await RawConnection.open(port);
  connection.send(REQUEST);
  expect((await connection.next())?.text).toBe('whole');
  expect(logger.entries).toEqual([line(error)]);
  connection.destroy();
});
