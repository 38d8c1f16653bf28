import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError, type BusinessDate, type Instant } from '../kernel';
import type { Logger } from '../logging';
import { GATEWAY_PARTS } from './composition/gateway-parts';
import { clockWatch } from './core/clock-watch';
import { createSimulator, type Simulator } from './core/simulator';
import { type BaseClock, type ClockMode, SimulatorClock } from './core/simulator-clock';
import type { World } from './core/world';
import { createSimulatorApp } from './simulator-routes';

/** How often the simulator checks a moving clock: readers of CLOCK_FILE check about twenty times a second. */
const TICK_MS = 50;

export interface StartSimulatorOptions {
  readonly host?: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly seed: number;
  readonly clock: { readonly mode: ClockMode; readonly base: BaseClock; readonly startAt?: Instant };
  readonly timeZone: string;
  readonly holidays: readonly BusinessDate[];
  readonly logger: Logger;
  /** Settings from JSON; a missing one has its default. */
  readonly settings?: unknown;
  /** A saved world to continue. */
  readonly world?: World;
}

export interface RunningSimulator {
  readonly baseUrl: string;
  readonly simulator: Simulator;
  /** Stops the answers and the events. */
  close(): Promise<void>;
}

/**
 * Starts the simulated gateway on an HTTP port.
 *
 * @throws AppError `misconfigured` when the address is in use or not on this machine, or the clock file is unusable;
 * `bad_input` for a start outside the calendars.
 */
export async function startSimulator(options: StartSimulatorOptions): Promise<RunningSimulator> {
  const { mode, base, startAt } = options.clock;
  const simulator = createSimulator({
    ...options,
    ...GATEWAY_PARTS,
    clock: new SimulatorClock(mode, base, options.world?.now ?? startAt),
  });
  const { host = '127.0.0.1' } = options;
  const server = createServer(createSimulatorApp(simulator, options.logger, host));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code ?? 'unknown reason';
      const fault = `cannot listen on ${host}, port ${options.port} (${reason})`;
      reject(new AppError('misconfigured', { field: 'port', fault, fix: 'choose another port' }));
    });
    server.listen(options.port, host, resolve);
  });
  const { address, port } = server.address() as AddressInfo;

  const checkClock = clockWatch(options.logger);
  let ticking = mode !== 'manual';
  const tick = async (): Promise<void> => {
    while (ticking) {
      await simulator.catchUp().catch((error: unknown) => {
        options.logger.error('simulator event failed', { event: 'simulator.failed', error });
      });
      checkClock(simulator.clockProblem());
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    }
  };
  const ticks = tick();

  return {
    baseUrl: `http://${address.includes(':') ? `[${address}]` : address}:${port}`,
    simulator,
    async close() {
      ticking = false;
      await ticks;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
