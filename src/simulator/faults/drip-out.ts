import type { ServerResponse } from 'node:http';
import { SECOND_MS } from '../../kernel';

/** At higher speeds the pieces get larger and the pauses no shorter. */
const PAUSE_MIN_MS = 20;

/** Waits this number of real milliseconds, or until the caller disconnects. */
export async function waitUnlessGone(response: ServerResponse, ms: number): Promise<void> {
  if (response.destroyed) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      response.off('close', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    response.once('close', done);
  });
}

/** Writes a body in small pieces at about the given speed; ends early when the caller disconnects. */
export async function dripOut(response: ServerResponse, bytes: Buffer, bytesPerSecond: number): Promise<void> {
  const pauseMs = Math.max(PAUSE_MIN_MS, SECOND_MS / bytesPerSecond);
  const pieceBytes = Math.max(1, Math.floor((bytesPerSecond * pauseMs) / SECOND_MS));
  for (let at = 0; at < bytes.length && !response.destroyed; at += pieceBytes) {
    response.write(bytes.subarray(at, at + pieceBytes));
    await waitUnlessGone(response, pauseMs);
  }
  if (!response.destroyed) response.end();
}
