import { describe, expect, test } from '@jest/globals';
import { failPayment, payPayment } from '../../../../src/simulator/testing';
import { aCheckout, type CheckoutWorld } from './pack';

const INVALID = { status: 400, body: { result: { status: 400, message: 'Invalid client_id' } } };

function bindings(world: CheckoutWorld, clientId: string): unknown {
  return (world.call('bindings.list', { query: { client_id: clientId } }).body as { result: { bindings: unknown } })
    .result.bindings;
}

describe('The saved card of a client', () => {
  test.each(['customer-77', '__proto__', 'constructor', 'عميل 77&é+'])(
    'is created by the first successful payment that names %s, and shown by Verify Payment',
    (clientId) => {
      const world = aCheckout();
      const paymentId = world.create({ client_id: clientId, accept_card: true });
      expect(bindings(world, clientId)).toEqual([]);

      payPayment(world.simulation, paymentId, { type: 'card' });

      const { card_last_four, card_brand, binding_id } = world.verified(paymentId)['details'] as Record<
        string,
        unknown
      >;
      expect(bindings(world, clientId)).toEqual([
        {
          binding_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          client_id: clientId,
          card_last_four: expect.stringMatching(/^\d{4}$/),
          card_brand: expect.any(String),
          status: 'active',
          created_at: '2026-03-02T10:00:00.000+01:00',
        },
      ]);
      expect(bindings(world, clientId)).toMatchObject([{ binding_id, card_last_four, card_brand }]);
    },
  );

  test('is used by later payments of the same client', () => {
    const world = aCheckout();
    const [first, second] = [world.create({ client_id: 'c' }), world.create({ client_id: 'c' })];
    payPayment(world.simulation, first);
    payPayment(world.simulation, second);

    expect(bindings(world, 'c')).toHaveLength(1);
    expect(world.payment(second).bindingId).toBe(world.payment(first).bindingId);
    expect(world.payment(first).bindingId).not.toBeNull();
  });

  test('is not created by a failure, the mobile switch or a pre-authorization that only shows the client', () => {
    const world = aCheckout();
    failPayment(world.simulation, world.create({ client_id: 'c' }));
    payPayment(world.simulation, world.create({ client_id: 'c' }), { type: 'mpayment' });
    payPayment(world.simulation, world.create({ client_id: 'c', amount: 5, pre_authorization: true }));

    expect(bindings(world, 'c')).toEqual([]);
  });

  test.each(['', 'somebody else', '__proto__'])(
    'is not listed for the client "%s", whom no payment named',
    (clientId) => {
      const world = aCheckout();
      world.create({ client_id: 'c' });

      expect(world.call('bindings.list', { query: { client_id: clientId } })).toMatchObject(INVALID);
      expect(world.call('bindings.list')).toMatchObject(INVALID);
    },
  );

  test('decides how an automatic customer pays again', async () => {
    const world = aCheckout({
      payer: { mode: 'auto', afterSecs: 10, cardPpm: 0, mobilePpm: 1_000_000, failurePpm: 0, abandonPpm: 0 },
    });
    payPayment(world.simulation, world.create({ client_id: 'c', accept_card: true }), { type: 'card' });

    const again = world.create({ client_id: 'c', accept_card: true });
    const other = world.create({ client_id: 'd', accept_card: true });
    await world.advanceSecs(10);

    expect(world.payment(again)).toMatchObject({ status: 'SUCCESS', type: 'card' });
    expect(world.payment(other)).toMatchObject({ status: 'SUCCESS', type: 'mpayment' });
  });
});
