import { describe, expect, test } from '@jest/globals';
import { registerPaymentCommands } from '../../../src/cli/payments';
import { registerPollCommand } from '../../../src/cli/poll';
import { registerPosCommands } from '../../../src/cli/pos';
import { registerQrCommands } from '../../../src/cli/qr';
import { registerWalletCommands } from '../../../src/cli/wallet';
import { registerWebhookCommands } from '../../../src/cli/webhooks';
import { millimes } from '../../../src/kernel';
import type { PaymentChannels } from '../../../src/payment-channels';
import type { CreateOutcome, PaymentDetails, Payments } from '../../../src/payments';
import { placePayments, type Reporting } from '../../../src/reporting';
import { aPayment } from '../../support/factories/a-payment';
import { aFoundPayment, anOperation } from './support/payment-rows';
import { runCommand } from './support/run-command';

// Goal: a command passes its options to its room, and its exit code states the outcome.
// Method: the commands themselves, on rooms with scripted answers.

const payment = aPayment({ link: 'https://pay.example/1', status: 'SUCCESS' });
const details: PaymentDetails = { payment, observations: [], operations: [] };
const show = async (): Promise<PaymentDetails> => details;

describe('payments create', () => {
  const creating = (outcome: CreateOutcome, args: readonly string[] = []) =>
    runCommand(registerPaymentCommands, { payments: { create: async () => outcome } }, [
      'payments',
      'create',
      '--amount',
      '5000',
      ...args,
    ]);

  test('prints the link of the new payment', async () => {
    const { exitCode, lines, decides } = await creating({ kind: 'created', payment });
    expect(exitCode).toBe(0);
    expect(lines.at(-1)).toBe('https://pay.example/1');
    expect(decides).toBe(false);
  });

  test('prints amounts in millimes and instants in ISO 8601 as JSON', async () => {
    const { json } = await creating({ kind: 'existing', payment }, ['--json']);
    expect(json).toMatchObject({
      kind: 'existing',
      dryRun: false,
      payment: { trackingId: payment.trackingId, amountMillimes: 5_000, requestedAt: '2026-03-02T08:00:00.000Z' },
      reason: null,
    });
  });

  test('exits with 1 for an unknown outcome, and advises not to repeat the call', async () => {
    const outcome = { kind: 'unknown', payment, reason: 'timeout' } as const;
    const { exitCode, lines } = await creating(outcome);
    expect(exitCode).toBe(1);
    expect(lines.join('\n')).toContain('do not repeat the command');
    expect(await creating(outcome, ['--json'])).toMatchObject({
      exitCode: 1,
      json: { kind: 'unknown', reason: 'timeout' },
    });
  });

  test('prints in local time when a new session can be created, and in UTC as JSON', async () => {
    const newSessionFrom = Date.UTC(2026, 2, 2, 9, 30);
    const outcome = { kind: 'unknown', payment, reason: 'timeout', newSessionFrom } as const;
    expect((await creating(outcome)).lines.join('\n')).toContain(
      ': timeout; a new session can be created from 2026-03-02 10:30:00',
    );
    expect((await creating(outcome, ['--json'])).json).toMatchObject({
      reason: 'timeout; a new session can be created from 2026-03-02T09:30:00.000Z',
    });
  });

  test('exits with 1 if the gateway refuses', async () => {
    expect(await creating({ kind: 'refused', payment, reason: 'no' }, ['--json'])).toMatchObject({
      exitCode: 1,
      json: { kind: 'refused', reason: 'no' },
    });
  });

  test('sends and stores nothing with --dry-run, and prints that', async () => {
    const asked: boolean[] = [];
    const create: Payments['create'] = async (_request, { dryRun }) => {
      asked.push(dryRun);
      return { kind: 'checked' };
    };
    const args = ['payments', 'create', '--amount', '5000', '--dry-run', '--json'];
    const { exitCode, json } = await runCommand(registerPaymentCommands, { payments: { create } }, args);
    expect({ exitCode, json, asked }).toEqual({
      exitCode: 0,
      json: { kind: 'checked', dryRun: true, payment: null, reason: null },
      asked: [true],
    });
  });

  test('refuses options of one payment together with --file', async () => {
    const args = ['payments', 'create', '--file', 'plan.csv', '--agent', 'A-1'];
    await expect(runCommand(registerPaymentCommands, {}, args)).rejects.toMatchObject({ code: 'bad_input' });
  });
});

describe('payments verify', () => {
  test('exits with 1 and prints the waiting time if a call is not allowed yet', async () => {
    const checkStatus: Payments['checkStatus'] = async () => ({
      kind: 'later',
      retryAfterMs: 29_500,
      affectsAll: false,
      reason: 'asked a moment ago',
    });
    const { exitCode, lines } = await runCommand(registerPaymentCommands, { payments: { show, checkStatus } }, [
      'payments',
      'verify',
      'R-1',
    ]);
    expect(exitCode).toBe(1);
    expect(lines.at(-1)).toBe('status not checked: asked a moment ago; retry in 30 s');
  });

  test('finds a payment by its tracking id, whatever id the user typed', async () => {
    const looked: string[] = [];
    const checkStatus: Payments['checkStatus'] = async (trackingId) => {
      looked.push(trackingId);
      return { kind: 'looked', payment };
    };
    const rooms = { payments: { show, checkStatus } };
    const { exitCode, json } = await runCommand(registerPaymentCommands, rooms, [
      'payments',
      'verify',
      'R-1',
      '--json',
    ]);
    expect({ exitCode, looked }).toEqual({ exitCode: 0, looked: [payment.trackingId] });
    expect(json).toMatchObject({ kind: 'looked', retryAfterMs: null, explanation: 'paid, not in the ledger' });
  });

  test('refuses a payment of another channel as a terminal payment', async () => {
    await expect(
      runCommand(registerPosCommands, { payments: { show } }, ['pos', 'status', 'pay_1']),
    ).rejects.toMatchObject({ code: 'bad_input' });
  });
});

describe('a command that decides about money', () => {
  const operation = anOperation({ state: 'unknown' });
  const refund: Payments['refund'] = async () => ({ kind: 'unknown', payment, operation, reason: 'timeout' });

  test('requires an actor that may decide, and exits with 1 for an unknown outcome', async () => {
    const args = ['payments', 'refund', 'pay_1', '--json'];
    expect(await runCommand(registerPaymentCommands, { payments: { show, refund } }, args)).toMatchObject({
      exitCode: 1,
      decides: true,
      json: { kind: 'unknown', operation: { kind: 'refund', state: 'unknown' }, reason: 'timeout' },
    });
  });

  test.each([
    [true, 'refund: refused by the gateway: no; Millime checks the payment once more'],
    [false, 'refund: refused; nothing was changed: no'],
  ])('prints the next step after a refusal, with a new status check: %s', async (isCheckedAgain, line) => {
    const refused: Payments['refund'] = async () => ({
      kind: 'refused',
      payment,
      operation: anOperation({ state: 'refused' }),
      reason: 'no',
      isCheckedAgain,
    });
    const rooms = { payments: { show, refund: refused } };
    const { exitCode, lines } = await runCommand(registerPaymentCommands, rooms, ['payments', 'refund', 'pay_1']);
    expect({ exitCode, last: lines.at(-1) }).toEqual({ exitCode: 1, last: line });
    expect(await runCommand(registerPaymentCommands, rooms, ['payments', 'refund', 'pay_1', '--json'])).toMatchObject({
      json: { kind: 'refused', isLookedAtAgain: isCheckedAgain },
    });
  });

  test('captures the requested part', async () => {
    const taken: (number | undefined)[] = [];
    const capture: Payments['capture'] = async (_trackingId, amountMillimes) => {
      taken.push(amountMillimes);
      return { kind: 'done', payment, operation, reason: undefined };
    };
    const rooms = { payments: { show, capture } };
    expect(await runCommand(registerPaymentCommands, rooms, ['payments', 'capture', 'pay_1'])).toMatchObject({
      exitCode: 0,
    });
    await runCommand(registerPaymentCommands, rooms, ['payments', 'capture', 'pay_1', '--amount', '4000']);
    expect(taken).toEqual([undefined, 4_000]);
  });

  test('charges a wallet only for an actor that may decide', async () => {
    const payFromWallet: PaymentChannels['payFromWallet'] = async () => ({ kind: 'created', payment });
    const account = ['--phone', '+21620000001', '--tracking-id', '0b9f2c34-5d6e-4f70-8a91-b2c3d4e5f607'];
    const args = ['wallet', 'pay', ...account, '--amount', '5000', '--product', 'P'];
    expect(await runCommand(registerWalletCommands, { paymentChannels: { payFromWallet } }, args)).toMatchObject({
      exitCode: 0,
      decides: true,
    });
  });
});

describe('list commands', () => {
  test('print the rest of the queue', async () => {
    const filters: unknown[] = [];
    const requested = aPayment({ requestState: 'requested', gatewayId: undefined, reference: 'R\u001b-1' });
    const found: Reporting['payments'] = async (query, readDue) => {
      filters.push(query);
      return { rows: await placePayments([aFoundPayment(requested)], readDue), next: undefined };
    };
    const rooms = { payments: { list: async () => [requested] }, reporting: { payments: found } };
    const args = ['payments', 'list', '--state', 'requested'];
    const { lines } = await runCommand(registerPaymentCommands, rooms, args);
    expect(filters).toMatchObject([{ requestState: 'requested', limit: 100 }]);
    expect(lines[0]).toContain('requested');
    expect(lines[0]).toContain('R\\u001b-1');
    expect(lines).toHaveLength(1);
    const shown = await runCommand(registerPaymentCommands, rooms, args, { isTerminal: true });
    expect(shown.lines[0]).toMatch(/^ID +KIND +STATE +AMOUNT +GATEWAY ID +REFERENCE +AGENT +TIME +CHANNEL +MONEY$/);
    expect(shown.lines.at(-1)).toBe('1 payment');
  });

  test.each([
    [3_000, '3,000 DT of 5,000 DT'],
    [5_000, '5,000 DT'],
    [undefined, '5,000 DT'],
  ])('print the captured part of a reserved amount: %s', async (captured, amount) => {
    const taken = captured === undefined ? undefined : millimes(captured);
    const held = aPayment({ kind: 'preauthorization', captured: taken });
    const rooms = {
      payments: { list: async () => [held] },
      reporting: {
        payments: async () => ({ rows: await placePayments([aFoundPayment(held)], async () => []), next: undefined }),
      },
    };
    const { lines } = await runCommand(registerPaymentCommands, rooms, ['payments', 'list']);
    const columns = (lines[0] ?? '').split(/ {2,}/);
    expect(columns.slice(3)).toEqual([amount, 'pay_1', '-', '-', '2026-03-02 09:00:00', '-', '-']);
  });

  test('refuse an unknown state', async () => {
    const args = ['payments', 'list', '--state', 'paid'];
    await expect(runCommand(registerPaymentCommands, {}, args)).rejects.toMatchObject({
      code: 'commander.invalidArgument',
    });
  });

  test('request the purchases of whole days', async () => {
    const asked: unknown[] = [];
    const qrHistory: PaymentChannels['qrHistory'] = async (window) => {
      asked.push(window);
      return [];
    };
    const args = ['qr', 'history', '--from', '2026-03-02', '--to', '2026-03-02', '--json'];
    const { json } = await runCommand(registerQrCommands, { paymentChannels: { qrHistory } }, args);
    expect({ asked, json }).toEqual({
      asked: [{ from: Date.UTC(2026, 2, 1, 23), until: Date.UTC(2026, 2, 2, 23) }],
      json: [],
    });
  });
});

describe('webhooks diagnose', () => {
  test('refuses an invalid instant', async () => {
    const args = ['webhooks', 'diagnose', __filename, '--at', 'yesterday'];
    await expect(runCommand(registerWebhookCommands, {}, args)).rejects.toMatchObject({ code: 'bad_input' });
  });

  test('prints the cause', async () => {
    const diagnose = () =>
      ({ verdict: 'rejected', cause: 'wrong_key', explanation: 'signed by another key', details: { t: 1 } }) as const;
    const args = ['webhooks', 'diagnose', __filename];
    const { lines } = await runCommand(registerWebhookCommands, { webhooks: { diagnose } }, args);
    expect(lines).toEqual(['rejected: wrong_key', 'signed by another key', '  t: 1']);
  });
});

describe('poll', () => {
  const done = { checked: 2, failed: 1, left: 3 };
  const queue = { sent: 1, refused: 0, unknown: 0, left: 4 };

  async function polled(args: readonly string[]) {
    const calls: string[] = [];
    const noting =
      <T>(name: string, result: T) =>
      async (): Promise<T> => {
        calls.push(name);
        return result;
      };
    const rooms = {
      payments: {
        resolveStaleRequests: noting('settle', undefined),
        poll: noting('poll', done),
        sendRequested: noting('send', queue),
      },
      subscriptions: { poll: noting('subscriptions', done), sendRequested: noting('send subscriptions', queue) },
      webhooks: { processInbox: noting('webhooks', 5) },
    };
    const { json } = await runCommand(registerPollCommand, rooms, ['poll', ...args, '--json']);
    return { calls, json };
  }

  test('processes webhooks before due status checks, and sends no queued payment', async () => {
    const { calls, json } = await polled([]);
    expect(calls).toEqual(['settle', 'webhooks', 'poll', 'subscriptions']);
    expect(json).toMatchObject({ webhooks: 5, looked: 4, failed: 2, left: 6, queue: null });
  });

  test('sends the queue with --send', async () => {
    const { calls, json } = await polled(['--send']);
    expect(calls).toEqual(['settle', 'send', 'send subscriptions', 'webhooks', 'poll', 'subscriptions']);
    expect(json).toMatchObject({ queue: { payments: { left: 4 } } });
  });
});
