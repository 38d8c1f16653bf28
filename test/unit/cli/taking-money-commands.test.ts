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
import { aPayment } from '../../support/factories/a-payment';
import { anOperation } from './support/payment-rows';
import { runCommand } from './support/run-command';

// Goal: a command asks its room for what its options say, and a script can tell from the exit code what came of it.
// Method: the commands themselves, on rooms that answer what the test wants.

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

  test('shows the link of the new payment', async () => {
    const { exitCode, lines, decides } = await creating({ kind: 'created', payment });
    expect(exitCode).toBe(0);
    expect(lines.at(-1)).toBe('https://pay.example/1');
    expect(decides).toBe(false);
  });

  test('gives amounts in millimes and instants in ISO as JSON', async () => {
    const { json } = await creating({ kind: 'existing', payment }, ['--json']);
    expect(json).toMatchObject({
      kind: 'existing',
      dryRun: false,
      payment: { trackingId: payment.trackingId, amountMillimes: 5_000, requestedAt: '2026-03-02T08:00:00.000Z' },
      reason: null,
    });
  });

  test('ends with 1 when nobody knows the outcome, and says not to ask again', async () => {
    const outcome = { kind: 'unknown', payment, reason: 'timeout' } as const;
    const { exitCode, lines } = await creating(outcome);
    expect(exitCode).toBe(1);
    expect(lines.join('\n')).toContain('do not repeat the command');
    expect(await creating(outcome, ['--json'])).toMatchObject({
      exitCode: 1,
      json: { kind: 'unknown', reason: 'timeout' },
    });
  });

  test('ends with 1 when the gateway refused', async () => {
    expect(await creating({ kind: 'refused', payment, reason: 'no' }, ['--json'])).toMatchObject({
      exitCode: 1,
      json: { kind: 'refused', reason: 'no' },
    });
  });

  test('sends and keeps nothing with --dry-run, and says so', async () => {
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

  test('refuses options of one payment beside a file of many', async () => {
    const args = ['payments', 'create', '--file', 'plan.csv', '--agent', 'A-1'];
    await expect(runCommand(registerPaymentCommands, {}, args)).rejects.toMatchObject({ code: 'bad_input' });
  });
});

describe('payments verify', () => {
  test('ends with 1 and says how long to wait when the gateway may not be asked', async () => {
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

  test('looks by our tracking id whatever name the payment was asked for by', async () => {
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

  test('is not for a payment of another channel when it is the status of a terminal', async () => {
    await expect(
      runCommand(registerPosCommands, { payments: { show } }, ['pos', 'status', 'pay_1']),
    ).rejects.toMatchObject({ code: 'bad_input' });
  });
});

describe('what decides about money', () => {
  const operation = anOperation({ state: 'unknown' });
  const refund: Payments['refund'] = async () => ({ kind: 'unknown', payment, operation, reason: 'timeout' });

  test('asks for somebody who may decide, and ends with 1 when the outcome is unknown', async () => {
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
  ])('says what follows from a refusal, looked at again: %s', async (isCheckedAgain, line) => {
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

  test('captures the part that was asked for', async () => {
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

  test('takes money out of a wallet only as somebody who may decide', async () => {
    const payFromWallet: PaymentChannels['payFromWallet'] = async () => ({ kind: 'created', payment });
    const account = ['--phone', '+21620000001', '--tracking-id', '0b9f2c34-5d6e-4f70-8a91-b2c3d4e5f607'];
    const args = ['wallet', 'pay', ...account, '--amount', '5000', '--product', 'P'];
    expect(await runCommand(registerWalletCommands, { paymentChannels: { payFromWallet } }, args)).toMatchObject({
      exitCode: 0,
      decides: true,
    });
  });
});

describe('lists', () => {
  test('show what is left of the queue', async () => {
    const filters: unknown[] = [];
    const list: Payments['list'] = async (filter) => {
      filters.push(filter);
      return [aPayment({ requestState: 'requested', gatewayId: undefined, reference: 'R\u001b-1' })];
    };
    const rooms = { payments: { list } };
    const args = ['payments', 'list', '--state', 'requested'];
    const { lines } = await runCommand(registerPaymentCommands, rooms, args);
    expect(filters).toMatchObject([{ requestStates: ['requested'], limit: 100 }]);
    expect(lines[0]).toContain('requested');
    expect(lines[0]).toContain('R\\u001b-1');
    expect(lines).toHaveLength(1);
    const shown = await runCommand(registerPaymentCommands, rooms, args, { isTerminal: true });
    expect(shown.lines[0]).toMatch(/^TRACKING ID +KIND +STATE +AMOUNT +GATEWAY ID +REFERENCE +AGENT$/);
    expect(shown.lines.at(-1)).toBe('1 payment');
  });

  test.each([
    [3_000, '3,000 DT of 5,000 DT'],
    [5_000, '5,000 DT'],
    [undefined, '5,000 DT'],
  ])('show what was taken of what was held: %s', async (captured, amount) => {
    const taken = captured === undefined ? undefined : millimes(captured);
    const list: Payments['list'] = async () => [aPayment({ kind: 'preauthorization', captured: taken })];
    const { lines } = await runCommand(registerPaymentCommands, { payments: { list } }, ['payments', 'list']);
    const columns = (lines[0] ?? '').split(/ {2,}/);
    expect(columns.slice(3)).toEqual([amount, 'pay_1', '-', '-']);
  });

  test('refuse a state that there is not', async () => {
    const args = ['payments', 'list', '--state', 'paid'];
    await expect(runCommand(registerPaymentCommands, {}, args)).rejects.toMatchObject({
      code: 'commander.invalidArgument',
    });
  });

  test('ask for the purchases of whole days', async () => {
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
  test('refuses an instant that is none', async () => {
    const args = ['webhooks', 'diagnose', __filename, '--at', 'yesterday'];
    await expect(runCommand(registerWebhookCommands, {}, args)).rejects.toMatchObject({ code: 'bad_input' });
  });

  test('names the cause', async () => {
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

  test('works webhooks off before it looks at what is only due, and sends nothing', async () => {
    const { calls, json } = await polled([]);
    expect(calls).toEqual(['settle', 'webhooks', 'poll', 'subscriptions']);
    expect(json).toMatchObject({ webhooks: 5, looked: 4, failed: 2, left: 6, queue: null });
  });

  test('sends the queue when it is told to', async () => {
    const { calls, json } = await polled(['--send']);
    expect(calls).toEqual(['settle', 'send', 'send subscriptions', 'webhooks', 'poll', 'subscriptions']);
    expect(json).toMatchObject({ queue: { payments: { left: 4 } } });
  });
});
