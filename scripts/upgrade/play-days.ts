import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Program, type ProgramEnvironment, runCommand, startProgram } from '../../src/demo';

export interface PlayOptions {
  /** The compiled command line of the played version. */
  readonly main: string;
  /** A new folder for the files of the play. */
  readonly folder: string;
  readonly databaseUrl: string;
  readonly print: (line: string) => void;
}

export interface Played {
  /** The current business time of the play. */
  readonly now: string;
  /** Keys and tokens of the play. Millime may store only their hashes. */
  readonly secrets: readonly string[];
}

const SEED = '18';
const EXIT_BREAKS = 3;
const GATEWAY = {
  GATEWAY_PUBLIC_KEY: 'pk_simulator',
  GATEWAY_PRIVATE_KEY: 'sk_simulator',
  GATEWAY_API_KEY: 'ak_simulator',
  GATEWAY_MERCHANT_ID: '12',
};
const CHANNELS = ['agent', 'card', 'wallet', 'mpayment', 'pos', 'qr', 'subscription'];
const FEES = CHANNELS.map((channel) => ({
  ...{ channel, rate_ppm: 15_000, fixed_millimes: 100, tva_ppm: 190_000 },
  ...{ rounding: 'half_up', basis: 'item' },
}));
const SETTINGS = {
  payouts: { model: 'sweep-all', cutTimes: ['16:00'], bookingLagWorkingDays: 1, fees: FEES },
};
const AGENTS = 'agent_id,full_name,phone\nA-1,Amira Ben Youssef,+216 20 145 678\nA-2,وكيل,\nA-3,Karim Trabelsi,\n';
const DUES =
  'reference,agent_id,amount_millimes,due_date,memo\nD-1,A-1,71000,2026-02-28,February\nD-2,A-2,62500,2026-02-28,\n' +
  'D-3,A-2,1000,2026-02-28,twice\n';
const PLAN_HEAD =
  'reference,amount_millimes,kind,agent_id,client_id,accept_card,session_timeout_secs,success_link,fail_link\n';
/** Its balances do not add up, so it has no effect until a person accepts it. */
const UNBALANCED_STATEMENT = [
  ...[':20:OTHER', ':25:OTHER-1', ':28C:1/1', ':60F:C260304TND100,000'],
  ...[':61:2603040304C1123,450NTRFNONREF', ':86:VIREMENT RECU', ':62F:C260304TND999,000', '-', ''],
].join('\r\n');
const MONDAY = '2026-03-02';
const TUESDAY = '2026-03-03';
const WEDNESDAY = '2026-03-04';
const THURSDAY = '2026-03-05';

/**
 * Plays four days with the command line, the server and the simulated gateway of one version. It leaves the data that
 * an upgrade must preserve: two closed days and one that can be closed, recorded runs, open and decided breaks and
 * proposals, statements with and without effect, payments in every state, and webhooks that wait in the inbox.
 */
export async function playDays({ main, folder, databaseUrl, print }: PlayOptions): Promise<Played> {
  mkdirSync(folder, { recursive: true });
  const stage = new Stage(main, folder, databaseUrl);
  try {
    await stage.start();
    await enroll(stage);
    for (const date of [MONDAY, TUESDAY, WEDNESDAY]) {
      await playDay(stage, date);
      print(`${date}: played`);
    }
    await workWithBank(stage);
    await leaveOpenWork(stage);
    print(`${THURSDAY}: open work is left`);
    return { now: stage.now, secrets: stage.secrets };
  } finally {
    await stage.stop();
  }
}

type Json = Readonly<Record<string, unknown>>;

class Stage {
  readonly secrets: string[] = [];
  now = `${MONDAY}T08:00:00+01:00`;
  token = '';
  readonly #program: Program;
  readonly #folder: string;
  readonly #running: { stop(): Promise<void> }[] = [];
  #env: ProgramEnvironment;
  #gatewayUrl = '';
  serviceUrl = '';

  constructor(main: string, folder: string, databaseUrl: string) {
    this.#program = { execPath: process.execPath, args: [main] };
    this.#folder = folder;
    this.#env = {
      ...{ DATABASE_URL: databaseUrl, CLOCK_FILE: join(folder, 'clock'), LOG_LEVEL: 'error', ...GATEWAY },
      SERVICE_JWT_KEYS_FILE: join(folder, 'service-jwt-keys.json'),
      ...{ CHECKOUT_SUCCESS_URL: 'https://shop.example/yes', CHECKOUT_FAIL_URL: 'https://shop.example/no' },
    };
  }

  async start(): Promise<void> {
    this.#setClock();
    const settings = this.file('settings.json', JSON.stringify(SETTINGS));
    const manual = ['--port', '0', '--seed', SEED, '--manual', '--start-at', this.now, '--settings', settings];
    const gateway = await startProgram(this.#program, { LOG_LEVEL: 'error' }, ['simulate', ...manual]);
    this.#running.push(gateway);
    this.#gatewayUrl = gateway.baseUrl;
    this.#env = { ...this.#env, GATEWAY_BASE_URL: gateway.baseUrl };
    await this.run('migrate');
    const serving = { ...this.#env, LOG_LEVEL: 'info', HOST: '127.0.0.1', PORT: '0' };
    const server = await startProgram(this.#program, serving, ['serve', '--role', 'http']);
    this.#running.push(server);
    this.serviceUrl = server.baseUrl;
    this.#env = { ...this.#env, PUBLIC_URL: server.baseUrl };
  }

  async stop(): Promise<void> {
    for (const each of this.#running.reverse()) await each.stop();
  }

  /** Moves the business clock of Millime, then the gateway's. */
  async moveTo(date: string, time: string): Promise<void> {
    this.now = `${date}T${time}:00+01:00`;
    this.#setClock();
    await this.control('/time/advance', { to: this.now });
  }

  run(...args: readonly string[]): Promise<string> {
    return runCommand(this.#program, this.#env, args);
  }

  /** Runs a command with `--json`. `key` decides who acts. */
  async json(
    args: readonly string[],
    { key, codes = [0] }: { key?: string; codes?: readonly number[] } = {},
  ): Promise<Json> {
    const env = key === undefined ? this.#env : { ...this.#env, MILLIME_API_KEY: key };
    return JSON.parse(await runCommand(this.#program, env, [...args, '--json'], codes)) as Json;
  }

  async list(args: readonly string[]): Promise<readonly Json[]> {
    return (await this.json(args)) as unknown as readonly Json[];
  }

  async control(path: string, body?: unknown): Promise<Json> {
    return (await (await this.#ask(path, body)).json()) as Json;
  }

  /** Writes a file of the gateway's bank for the command line. */
  async bankFile(path: string, name: string): Promise<string> {
    return this.file(name, Buffer.from(await (await this.#ask(path)).arrayBuffer()));
  }

  file(name: string, content: string | Uint8Array): string {
    const path = join(this.#folder, name);
    writeFileSync(path, content);
    return path;
  }

  async #ask(path: string, body?: unknown): Promise<Response> {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(`${this.#gatewayUrl}/_simulator${path}`, init);
    if (response.ok) return response;
    throw new Error(`the simulator answers ${path} with ${response.status}: ${await response.text()}`);
  }

  #setClock(): void {
    const clock = join(this.#folder, 'clock');
    writeFileSync(`${clock}.new`, this.now);
    renameSync(`${clock}.new`, clock);
  }
}

async function enroll(stage: Stage): Promise<void> {
  await stage.run('agents', 'import', stage.file('agents.csv', AGENTS));
  await stage.run('dues', 'import', stage.file('dues.csv', DUES));
  await stage.run('dues', 'cancel', 'D-3', '--reason', 'imported twice');
  await stage.run('agents', 'close', 'A-3');
  const minted = await stage.json(['token', 'mint', '--subject', 'gateway', '--ttl', '30d']);
  const revoked = await stage.json(['token', 'mint', '--subject', 'gateway', '--ttl', '1d']);
  await stage.run('token', 'revoke', String(revoked['jti']));
  stage.token = String(minted['token']);
  stage.secrets.push(stage.token, String(revoked['token']));
}

async function playDay(stage: Stage, date: string): Promise<void> {
  const day = date.slice(-2);
  const amount = (channel: number): number => 9_000 + ((Number(day) * 7_919 + channel * 104_729) % 90_000);
  const reference = (name: string): string => `${day}-${name}`;
  await stage.moveTo(date, '09:30');
  const rows = ['CARD', 'WALLET', 'MPAYMENT', 'FAILED'].map(
    (name, index) => `${reference(name)},${amount(index + 1)},standard,,,true,36000,,\n`,
  );
  await stage.json(['payments', 'create', '--file', stage.file(`payments-${day}.csv`, PLAN_HEAD + rows.join(''))]);
  if (date === MONDAY) {
    const terms = ['--interval', 'day', '--name', 'Journal', '--reference', 'SUB-1', '--amount', '9900'];
    await stage.json(['subscriptions', 'create', ...terms, '--session-timeout', '7200']);
  }
  await poll(stage);
  await stage.moveTo(date, '10:00');
  await payOpen(stage, { [amount(1)]: 'card', [amount(2)]: 'wallet', [amount(3)]: 'mpayment', 9900: 'wallet' });
  await endPayment(stage, amount(4), 'fail', 'card');
  await confirm(stage, { transactionId: `${day}-T1`, agentId: 'A-1', amountMillimes: amount(5) });
  await confirm(stage, { transactionId: `${day}-T2`, agentId: 'A-2', amountMillimes: amount(6) });
  if (date === TUESDAY) {
    await confirm(stage, { transactionId: `${day}-T3`, agentId: 'A-9', amountMillimes: 184_500 });
    await confirm(stage, { transactionId: `${day}-T4`, agentId: 'A-8', amountMillimes: 42_000 });
    await confirm(stage, { transactionId: `${day}-T5`, agentId: 'A-7', amountMillimes: 17_500 });
    await payTerminal(stage, amount(7));
    await payCode(stage, amount(8));
  }
  await stage.moveTo(date, '15:00');
  await poll(stage);
  if (date === WEDNESDAY) await stage.json(['payments', 'refund', '02-WALLET']);
  await stage.moveTo(date, '18:30');
  await poll(stage);
}

/** Imports the bank's file, runs reconciliations, lets two people work on the rest, and closes two days. */
async function workWithBank(stage: Stage): Promise<void> {
  const reconcile = (through: string): Promise<Json> =>
    stage.json(['reconcile', '--through', through], { codes: [0, EXIT_BREAKS] });
  const firstFile = await stage.bankFile(
    `/bank-statement?format=camt053&from=${MONDAY}&through=${TUESDAY}`,
    'bank-1.xml',
  );
  await stage.run('statements', 'import', firstFile);
  await reconcile(TUESDAY);
  const secondFile = await stage.bankFile(
    `/bank-statement?format=mt940&from=${WEDNESDAY}&through=${WEDNESDAY}`,
    'bank-2.sta',
  );
  await stage.run('statements', 'import', secondFile);
  await reconcile(WEDNESDAY);
  await stage.run('statements', 'import', stage.file('other.sta', UNBALANCED_STATEMENT));

  await stage.moveTo(THURSDAY, '08:00');
  await reconcile(WEDNESDAY);
  const salma = await createKey(stage, 'salma');
  const omar = await createKey(stage, 'omar', salma);
  const fees = stage.file('fees.json', JSON.stringify(FEES));
  await stage.json(['reconcile', 'fees', '--file', fees, '--reason', 'the contract says so'], { key: salma });
  const { credits } = await reconcile(WEDNESDAY);
  const [first, second] = await Promise.all((credits as readonly Json[]).map((credit) => paidBy(stage, credit)));
  if (first === undefined || second === undefined) throw new Error('the bank booked fewer than two payouts');
  const byPerson = ['--items', first.items, '--reason', 'the gateway named them'];
  await stage.json(['reconcile', 'match', first.line, ...byPerson], { key: salma });
  await reconcile(WEDNESDAY);
  const turnedAway = (await stage.list(['breaks', 'list'])).filter((each) => each['class'] === 'paid_but_rejected');
  const [one, other, third] = turnedAway.map((each) => String(each['id']));
  if (one === undefined || other === undefined || third === undefined) {
    throw new Error('the three payments that were turned away left no break each');
  }
  await stage.json(['breaks', 'assign', one, '--to', 'salma'], { key: salma });
  await stage.json(['breaks', 'comment', one, '--text', 'the agent is unknown'], { key: salma });
  const propose = (id: string, reason: string): Promise<Json> =>
    stage.json(['breaks', 'propose', id, '--action', 'accept', '--reason', reason], { key: salma });
  const decide = (verb: string, { proposalId }: Json, ...more: string[]): Promise<Json> =>
    stage.json(['breaks', verb, String(proposalId), ...more], { key: omar });
  await decide('reject', await propose(one, 'the agent is unknown'), '--reason', 'call the agent first');
  await decide('approve', await propose(other, 'paid in cash'));
  for (const date of [MONDAY, TUESDAY]) await stage.json(['close-day', date], { key: salma, codes: [0, EXIT_BREAKS] });
  await propose(one, 'the agent was called');
  await propose(third, 'paid in cash too');
  const forced = ['--action', 'force_match', '--subject', `line:${second.line}`, '--line', second.line];
  const unmatched = ['--action', 'unmatch', '--subject', `line:${first.line}`, '--line', first.line];
  const by = ['--reason', 'the gateway confirmed it'];
  await stage.json(['breaks', 'propose', ...forced, '--items', second.items, ...by], { key: salma });
  await stage.json(['breaks', 'propose', ...unmatched, ...by], { key: salma });
  const reopening = ['close-day', TUESDAY, '--reopen', '--reason', 'a payment is missing'];
  await stage.json(reopening, { key: salma });
}

/** Returns the items that the gateway really paid by a credit, which only the simulator knows. */
async function paidBy(stage: Stage, credit: Json): Promise<{ line: string; items: string }> {
  const { lines } = await stage.control('/truth.json');
  const amount = credit['remainder_millimes'];
  const found = (lines as readonly Json[]).find((line) => line['amount_millimes'] === amount);
  if (found === undefined) throw new Error(`the gateway paid no ${String(amount)} millimes`);
  return { line: String(credit['line_id']), items: (found['item_ids'] as readonly string[]).join(',') };
}

/** Plays the last morning, in which nothing is processed. */
async function leaveOpenWork(stage: Stage): Promise<void> {
  await stage.moveTo(THURSDAY, '09:30');
  const checkout = (reference: string, amountMillimes: number, ...more: string[]): Promise<Json> =>
    stage.json(['payments', 'create', '--reference', reference, '--amount', String(amountMillimes), ...more]);
  await checkout('LAST-PAID', 31_000, '--accept-card');
  await checkout('LAST-FAILED', 32_000);
  await checkout('LAST-PENDING', 33_000);
  await checkout('LAST-HELD', 34_000, '--preauthorize');
  const queue = stage.file('queue.csv', `${PLAN_HEAD}LAST-REQUESTED,35000,standard,,,true,36000,,\n`);
  await stage.json(['payments', 'create', '--file', queue]);
  await stage.moveTo(THURSDAY, '09:45');
  await endPayment(stage, 31_000, 'pay', 'card');
  await endPayment(stage, 32_000, 'fail', 'wallet');
  await endPayment(stage, 34_000, 'pay', 'wallet');
  await payTerminal(stage, 36_000);
  await stage.moveTo(THURSDAY, '10:05');
  const waiting = await stage.list(['webhooks', 'list', '--state', 'received']);
  if (waiting.length === 0) throw new Error('no webhook waits in the inbox');
}

async function createKey(stage: Stage, name: string, by?: string): Promise<string> {
  const created = await stage.json(
    ['keys', 'create', '--name', name, '--scopes', 'all'],
    by === undefined ? {} : { key: by },
  );
  const key = String(created['key']);
  stage.secrets.push(key);
  return key;
}

async function poll(stage: Stage): Promise<void> {
  await stage.json(['poll', '--send']);
}

async function confirm(stage: Stage, payment: Json): Promise<void> {
  await stage.control('/agents/confirm', {
    baseUrl: stage.serviceUrl,
    token: stage.token,
    untilKnown: true,
    ...payment,
  });
}

async function openPayments(stage: Stage): Promise<readonly Json[]> {
  const { payments } = await stage.control('/payments');
  return (payments as readonly Json[]).filter(({ status }) => status === 'PENDING');
}

async function payOpen(stage: Stage, types: Readonly<Record<number, string>>): Promise<void> {
  for (const { paymentId, amountMillimes } of await openPayments(stage)) {
    const type = types[Number(amountMillimes)];
    if (type !== undefined) await stage.control(`/payments/${String(paymentId)}/pay`, { type });
  }
}

async function endPayment(stage: Stage, amountMillimes: number, end: 'pay' | 'fail', type: string): Promise<void> {
  const found = (await openPayments(stage)).find((each) => each['amountMillimes'] === amountMillimes);
  if (found === undefined) throw new Error(`no customer was asked for ${amountMillimes} millimes`);
  await stage.control(`/payments/${String(found['paymentId'])}/${end}`, { type });
}

async function payTerminal(stage: Stage, amountMillimes: number): Promise<void> {
  const terminal = [
    '--terminal',
    'T-1',
    '--serial',
    'SN-1',
    '--method',
    'CARD',
    '--reference',
    `POS-${amountMillimes}`,
  ];
  await stage.json(['pos', 'start', ...terminal, '--amount', String(amountMillimes)]);
  const { transactions } = await stage.control('/pos');
  const started = (transactions as readonly Json[]).findLast(({ status }) => status === 'PP');
  await stage.control(`/pos/${String(started?.['serviceTransactionId'])}/finish`, { status: 'PS' });
}

async function payCode(stage: Stage, amountMillimes: number): Promise<void> {
  await stage.json(['qr', 'create', '--reference', `QR-${amountMillimes}`, '--amount', String(amountMillimes)]);
  const { codes } = await stage.control('/qr');
  await stage.control(`/qr/${String((codes as readonly Json[]).at(-1)?.['operationUuid'])}/pay`, {});
}
