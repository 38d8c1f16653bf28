import { loadConfig, loadHolidays } from '../config';
import { AppError, fileClock, formatInstant, type Instant, parseInstant, stopSignal, systemClock } from '../kernel';
import { createLogger, type Logger } from '../logging';
import {
  type BaseClock,
  type ClockMode,
  isSimulatedInstant,
  type RunningSimulator,
  SIMULATED_TIME_RANGE,
  startSimulator,
} from '../simulator';
import type { RegisterCommands } from './command';
import { t } from './language';
import { keepState, readSettings, readState, type StateKeeper } from './simulator-state';

const SEED_MAX = 2 ** 32 - 1;
const PORT_MAX = 65_535;

interface SimulateOptions {
  readonly port: string;
  readonly host: string;
  readonly seed: string;
  readonly startAt?: string;
  readonly manual?: true;
  readonly settings?: string;
  readonly state?: string;
  readonly json?: true;
}

export const registerSimulateCommand: RegisterCommands = (program) => {
  program
    .command('simulate')
    .option('--port <number>', undefined, '9090')
    .option('--host <address>', undefined, '127.0.0.1')
    .option('--seed <number>', undefined, '1')
    .option('--start-at <instant>')
    .option('--manual')
    .option('--settings <file>')
    .option('--state <file>')
    .option('--json')
    .action(simulate);
};

async function simulate(options: SimulateOptions): Promise<void> {
  const config = loadConfig();
  const logger = createLogger({ level: config.logLevel === 'debug' ? 'debug' : 'warn' });
  const stopped = stopSignal();
  const state = options.state === undefined ? undefined : readState(options.state);
  const settings = readSettings(options.settings, state?.settings);
  const running = await startSimulator({
    host: options.host,
    port: wholeNumber('--port', options.port, PORT_MAX),
    seed: wholeNumber('--seed', options.seed, SEED_MAX),
    clock: clockOf(options, config.clockFile),
    timeZone: config.businessTimeZone,
    holidays: loadHolidays(config.holidaysFile),
    logger,
    ...(settings === undefined ? {} : { settings }),
    ...(state === undefined ? {} : { world: state.world }),
  });
  const keeper = options.state === undefined ? undefined : await keep(options.state, running, logger);
  printAddress(running, options.json === true);
  await stopped;
  await running.close();
  await keeper?.end();
}

/**
 * Keeps the state file up to date. Closes the simulator if its first state cannot be stored, before its address is
 * printed.
 */
async function keep(path: string, running: RunningSimulator, logger: Logger): Promise<StateKeeper> {
  try {
    return await keepState(path, running.simulator, logger);
  } catch (error) {
    await running.close();
    throw error;
  }
}

function clockOf(
  { manual, startAt }: SimulateOptions,
  clockFile: string | undefined,
): { mode: ClockMode; base: BaseClock; startAt?: Instant } {
  if (clockFile !== undefined) {
    if (manual === true || startAt !== undefined) {
      throw new AppError('bad_input', {
        field: '--manual, --start-at',
        fault: 'cannot be used with CLOCK_FILE, which sets the time',
        fix: 'unset CLOCK_FILE',
      });
    }
    return { mode: 'file', base: fileClock(clockFile) };
  }
  const mode = manual === true ? 'manual' : 'flowing';
  if (startAt === undefined) return { mode, base: systemClock };
  const instant = parseInstant(startAt);
  if (instant !== undefined && isSimulatedInstant(instant)) return { mode, base: systemClock, startAt: instant };
  const expected = `an ISO 8601 instant ${SIMULATED_TIME_RANGE} with an offset, such as 2026-03-02T09:00:00+01:00`;
  throw new AppError('bad_input', { field: '--start-at', expected, got: startAt });
}

function wholeNumber(option: string, text: string, max: number): number {
  if (/^\d{1,10}$/.test(text) && Number(text) <= max) return Number(text);
  throw new AppError('bad_input', { field: option, expected: `a whole number from 0 to ${max}`, got: text });
}

/** Prints the facts that a first call needs. The credentials are those of a simulator and protect nothing. */
function printAddress({ baseUrl, simulator }: RunningSimulator, asJson: boolean): void {
  const { simulation, clockMode } = simulator;
  const { publicKey, privateKey, apiKey } = simulation.settings;
  const facts = {
    baseUrl,
    page: `${baseUrl}/_simulator/page`,
    control: `${baseUrl}/_simulator`,
    credentials: { publicKey, privateKey, apiKey },
    seed: simulation.world.seed,
    timeMode: clockMode,
    now: formatInstant(simulation.now()),
  };
  const lines = [
    t('cli:simulator.listening', { url: baseUrl }),
    t('cli:simulator.page', { page: facts.page }),
    t('cli:simulator.control', { control: facts.control }),
    t('cli:simulator.credentials', { credentials: `${publicKey}:${privateKey}`, apiKey }),
    t('cli:simulator.seed', { seed: facts.seed }),
    t('cli:simulator.time', { now: facts.now, mode: clockMode }),
    t('cli:simulator.example'),
    `  curl -s -X POST ${baseUrl}/api/v2/generate_payment -H 'Authorization: Bearer ${publicKey}:${privateKey}' -H 'Content-Type: application/json' -d '{"amount":"5000","success_link":"https://shop.example/yes","fail_link":"https://shop.example/no"}'`,
  ];
  process.stdout.write(asJson ? `${JSON.stringify(facts)}\n` : `${lines.join('\n')}\n`);
}
