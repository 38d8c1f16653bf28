// Goal: finance finds a payment of any channel, reads where its money is, and moves money only after its effect was shown.
// Method: requests of a browser without scripts and a simulated gateway, on both databases.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { aCreatedPayment, aPaidPayment } from '../api/v1/support/scenarios/payments';
import { anActiveSubscription } from '../api/v1/support/scenarios/subscriptions';
import { anAgent, register } from '../support/factories';
import { describeConsole, PASSWORD, person, type Visitor } from './support/visitor';

const PATH = '/console/payments';
/** Longer than a password counts as given again, shorter than a session lives without a request. */
const AFTER_THE_PROOF = '2026-03-02T09:20:00.000Z';

describeConsole(
  'the pages of payments',
  (current) => {
    let finance: Visitor;
    beforeEach(async () => {
      await register(current.api.millime, anAgent());
      await current.api.confirmCode({ transactionId: 'TX-1', agentId: '004711', amount: 2_000 });
      finance = await person(current.api, { roles: ['finance'] });
    });

    describe('the list', () => {
      test('shows the payments of all channels with where their money is', async () => {
        const { trackingId } = await aPaidPayment(current.api);
        const page = await finance.get(PATH);
        expect(page.rows.map((row) => row.slice(1))).toEqual(
          expect.arrayContaining([
            ['TX-1', 'agents', '004711', '✓ paid', '… expected at the bank', '2,000 DT'],
            [trackingId, 'wallet', '–', '✓ paid', '… expected at the bank', '12,500 DT'],
          ]),
        );
        expect(page.links.map(({ href }) => href)).toEqual(
          expect.arrayContaining([`${PATH}/TX-1`, '/console/agents/004711']),
        );
      });

      test.each([
        ['fr', 'passerelle'],
        ['ar', 'البوّابة'],
      ] as const)('names a program that wrote an entry in plain words, in %s', async (language, writer) => {
        const visitor = await person(current.api, { name: `salma-${language}`, language });
        const page = await visitor.get(`${PATH}/TX-1`);
        expect(page.source).toContain(`<small><bdi>${writer}</bdi></small>`);
        expect(page.source).not.toContain('<bdi>gateway</bdi>');
      });

      test('finds by channel, period and amount in dinars', async () => {
        await aPaidPayment(current.api);
        const found = await finance.get(`${PATH}?channel=agent&from=2026-03-02&to=2026-03-02&amount=2`);
        expect(found.rows.map(([, id]) => id)).toEqual(['TX-1']);
        const none = await finance.get(`${PATH}?amount=2,001`);
        expect(none.text).toContain('Nothing fits this filter');
      });

      test('says beside its field why a filter is refused, and keeps what was typed', async () => {
        const page = await finance.get(`${PATH}?amount=abc&channel=card`);
        expect(page.status).toBe(200);
        expect(page.byRole('alert').join()).toContain('Enter an amount in dinars');
        expect(page.forms.flatMap(({ fields }) => fields)).toContainEqual(['amount', 'abc']);
      });

      test('opens a payment by any of its ids, and names one that does not exist', async () => {
        const { gatewayId, trackingId } = await aCreatedPayment(current.api, { reference: 'ORDER-1' });
        for (const id of [gatewayId, trackingId, 'ORDER-1']) {
          const page = await finance.send(await finance.get(PATH), 'open', { id });
          expect(page).toMatchObject({ status: 200, path: `${PATH}/${trackingId}`, heading: 'Payment ORDER-1' });
        }
        const page = await finance.send(await finance.get(PATH), 'open', { id: 'nonesuch' });
        expect(page).toMatchObject({ status: 404, heading: 'Payments' });
        expect(page.byRole('alert')).toHaveLength(1);
      });
    });

    describe('a new payment', () => {
      const NEW = `${PATH}/new`;

      test('is a link that the customer can scan', async () => {
        const form = await finance.get(NEW);
        const made = await finance.send(form, 'link', {
          amountMillimes: '12,500',
          reference: 'ORDER-9',
          agentId: '004711',
        });
        expect(made).toMatchObject({ status: 200, heading: 'Payment ORDER-9' });
        expect(made.byRole('status')[0]).toContain('The request is created');
        expect(made.text).toContain('12,500 DT');
        expect(made.source).toContain('aria-label="For the customer to scan"');
        const again = await finance.send(await finance.get(NEW), 'link', {
          amountMillimes: '12,5',
          reference: 'ORDER-9',
          agentId: '004711',
        });
        expect(again.path.split('?')[0]).toBe(made.path.split('?')[0]);
        expect(again.byRole('status')[0]).toContain('Nothing was sent again');
      });

      test.each([
        ['terminal', { idTerminal: 'T-1', serialNumber: 'SN-1', paymentMethod: 'NFC' }, 'terminal'],
        ['qr', {}, 'QR code'],
      ])('is created as a %s', async (kind, fields, said) => {
        const made = await finance.send(await finance.get(`${NEW}?kind=${kind}`), kind, {
          ...fields,
          amountMillimes: '3',
        });
        expect(made.byRole('status')[0]).toContain('The request is created');
        expect(made.text).toContain(said);
        expect(made.text).toContain('3,000 DT');
      });

      test.each([
        ['link', { amountMillimes: 'ten' }, 'Enter an amount in dinars'],
        ['link', { amountMillimes: '1', kind: 'binding' }, 'clientId'],
        ['link', { amountMillimes: '1', successLink: 'http://shop.example' }, 'successLink'],
        ['terminal', { amountMillimes: '1' }, 'This field is required'],
        ['qr', {}, 'This field is required'],
      ])('is refused as a %s with %j, and keeps what was typed', async (kind, fields, fault) => {
        const page = await finance.send(await finance.get(`${NEW}?kind=${kind}`), kind, {
          ...fields,
          reference: 'R-1',
        });
        expect(page.status).toBeGreaterThanOrEqual(400);
        expect(page.byRole('alert').join()).toContain(fault);
        expect(page.forms.flatMap((form) => form.fields)).toContainEqual(['reference', 'R-1']);
        expect((await finance.get(PATH)).rows).toHaveLength(1);
      });
    });

    describe('a payment', () => {
      test('shows its money in steps and what happened, each with its source', async () => {
        const page = await finance.get(`${PATH}/TX-1`);
        expect(page.text).toContain('expected at the bank by');
        expect(page.text).toContain('confirmed');
        expect(page.links).toContainEqual({ href: '/console/agents/004711', text: '004711' });
        expect(page.forms.some(({ fields }) => fields.some(([, value]) => value === 'verify'))).toBe(false);
      });

      test('is checked at the gateway', async () => {
        const { gatewayId, trackingId } = await aCreatedPayment(current.api);
        const checked = await finance.send(await finance.get(`${PATH}/${trackingId}`), 'verify');
        expect(checked.byRole('status')).toEqual(['The gateway answered. The page shows its answer.']);
        expect(checked.text).toContain(gatewayId);
        expect(checked.text).toContain('waiting for the customer');
      });

      test('is not refunded by a person without that right', async () => {
        const { trackingId } = await aPaidPayment(current.api);
        const page = await finance.get(`${PATH}/${trackingId}`);
        const verify = page.forms.find(({ fields }) => fields.some(([, value]) => value === 'verify'));
        const fields = (verify?.fields ?? []).map(([name, value]) => [name, name === 'action' ? 'refund' : value]);
        const answer = await finance.raw('POST', `${PATH}/${trackingId}`, {
          headers: {
            'Content-Type': 'application/x-www-form-urlencoded',
            Origin: `http://127.0.0.1:${current.api.port}`,
          },
          body: new URLSearchParams(fields).toString(),
        });
        expect(answer.status).toBe(403);
        expect((await current.api.millime.payments.show(trackingId)).operations).toEqual([]);
      });
    });

    describe('an approver', () => {
      let approver: Visitor;
      beforeEach(async () => {
        approver = await person(current.api, { name: 'karim', roles: ['approver'] });
      });

      test('sees the effect of a refund, gives the password again, and refunds once', async () => {
        const { trackingId } = await aPaidPayment(current.api);
        const page = await approver.get(`${PATH}/${trackingId}`);
        const effect = await approver.send(page, 'preview-refund');
        expect(effect).toMatchObject({ status: 200, heading: 'Refund the payment' });
        expect(effect.text).toContain('Refunded amount 12,500 DT');
        const { operations } = await current.api.millime.payments.show(trackingId);
        expect(operations).toEqual([]);

        current.api.setClock(AFTER_THE_PROOF);
        const proof = await approver.send(effect, 'refund');
        expect(proof.heading).toBe('Confirm that it is you');
        const wrong = await approver.send(proof, 'refund', { proof_password: 'not-the-password' });
        expect(wrong.heading).toBe('Confirm that it is you');
        const done = await approver.send(proof, 'refund', { proof_password: PASSWORD });
        expect(done.byRole('status')).toEqual(['The payment is refunded.']);
        expect(done.text).toContain('Requested operations');
        // The same form again has no second effect.
        await approver.send(effect, 'refund');
        expect((await current.api.millime.payments.show(trackingId)).operations).toHaveLength(1);
        const again = await approver.get(`${PATH}/${trackingId}`);
        expect(again.forms.some(({ fields }) => fields.some(([, value]) => value === 'preview-refund'))).toBe(false);
      });

      test('captures a part of a pre-authorization, and sees what is released', async () => {
        const { trackingId } = await aPaidPayment(current.api, 'preauthorization');
        const page = await approver.get(`${PATH}/${trackingId}`);
        const typo = await approver.send(page, 'preview-capture', { amount: 'ten' });
        expect(typo.byRole('alert').join()).toContain('Enter an amount in dinars');
        const tooMuch = await approver.send(page, 'preview-capture', { amount: '13' });
        expect(tooMuch.status).toBe(400);
        const effect = await approver.send(page, 'preview-capture', { amount: '10' });
        expect(effect.text).toContain('Amount to capture 10,000 DT');
        expect(effect.text).toContain('Released to the customer 2,500 DT');
        const done = await approver.send(effect, 'capture');
        expect(done.byRole('status')).toEqual(['The amount is captured.']);
        const { operations } = await current.api.millime.payments.show(trackingId);
        expect(operations).toMatchObject([{ kind: 'capture', state: 'done', amount: 10_000 }]);
      });

      test('releases a pre-authorization', async () => {
        const { trackingId } = await aPaidPayment(current.api, 'preauthorization');
        const effect = await approver.send(await approver.get(`${PATH}/${trackingId}`), 'preview-cancel');
        const done = await approver.send(effect, 'cancel');
        expect(done.byRole('status')).toEqual(['The held amount is released.']);
      });
    });

    describe('subscriptions', () => {
      test('are listed with their state, and one shows its charges', async () => {
        const subscription = await anActiveSubscription(current.api);
        const list = await finance.get('/console/subscriptions?status=active');
        expect(list.rows).toHaveLength(1);
        const page = await finance.get(`/console/subscriptions/${subscription.trackingId}`);
        expect(page.text).toContain('✓ active');
        expect(page.rows.length).toBeGreaterThan(0);
        const checked = await finance.send(page, 'verify');
        expect(checked.byRole('status')).toHaveLength(1);
      });

      test('that do not exist have no page', async () => {
        expect((await finance.get('/console/subscriptions/nonesuch')).status).toBe(404);
      });
    });
  },
  { hasGateway: true },
);
