import { parentPort } from 'node:worker_threads';
import { performTasks } from './api';
import { apiRoomsOf } from './api-rooms';
import { compose } from './compose';
import { loadConfig } from './config';
import type { Logger } from './logging';

// The entry of a thread that performs long operations of the HTTP API. It composes Millime anew, because a thread
// shares no objects with the main thread.

performTasks(apiRoomsOf(compose(loadConfig(), logThroughMainThread())));

function logThroughMainThread(): Logger {
  const line =
    (level: 'error' | 'warn' | 'info' | 'debug') =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
      const shown = new Map(
        Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? value.stack : value]),
      );
      parentPort?.postMessage({ log: { level, message, fields: Object.fromEntries(shown) } });
    };
  return { error: line('error'), warn: line('warn'), info: line('info'), debug: line('debug') };
}
