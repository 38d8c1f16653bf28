import { compose, type Millime } from '../../../src/compose';
import { loadConfig } from '../../../src/config';
import { OPERATOR } from '../../../src/identity';
import { formatInstant, type Instant, MINUTE_MS, parseInstant } from '../../../src/kernel';
import { silentLogger } from '../../../src/logging';
import type { Payment } from '../../../src/payments';
import type { RunningSimulator } from '../../../src/simulator';
import type { SimOperation, SimRequest, World } from '../../../src/simulator/testing';
import { aRunningSimulator, SIMULATED_START } from '../../support/a-simulator';
import { Installation } from './installation';

/** What a test that acts as the operator passes to a use case. */
export const ACT = { actor: OPERATOR, dryRun: false };

/** An installation beside a simulated gateway; the time of both stands still until a test lets it pass. */
export class GatewayInstallation {
  readonly installation: Installation;
  readonly millime: Millime;
  readonly simulator: RunningSimulator;
  readonly #calls: { readonly operation: string; readonly body: string }[] = [];
  #now: Instant = parseInstant(SIMULATED_START) ?? 0;

  private constructor(url: string, simulator: RunningSimulator, env: Readonly<Record<string, string>>) {
    this.simulator = simulator;
    const gateway = {
      GATEWAY_BASE_URL: simulator.baseUrl,
      GATEWAY_PUBLIC_KEY: 'pk_simulator',
      GATEWAY_PRIVATE_KEY: 'sk_simulator',
      GATEWAY_API_KEY: 'ak_simulator',
      CHECKOUT_SUCCESS_URL: 'https://shop.example/yes',
      CHECKOUT_FAIL_URL: 'https://shop.example/no',
    };
    this.installation = new Installation(url, { clock: formatInstant(this.#now), env: { ...gateway, ...env } });
    this.millime = compose(loadConfig(this.installation.env), silentLogger);
    const { answer } = simulator.simulator;
    const noted = (operation: SimOperation, request: SimRequest): ReturnType<typeof answer> => {
      this.#calls.push({ operation: operation.name, body: JSON.stringify([request.body]) });
      return answer(operation, request);
    };
    Object.assign(simulator.simulator, { answer: noted });
  }

  static async start(url: string, env: Readonly<Record<string, string>> = {}): Promise<GatewayInstallation> {
    return new GatewayInstallation(url, await aRunningSimulator({ settings: { verify: { perMinute: null } } }), env);
  }

  async close(): Promise<void> {
    await this.millime.close();
    await this.simulator.close();
  }

  get now(): Instant {
    return this.#now;
  }

  get world(): World {
    return this.simulator.simulator.simulation.world;
  }

  /** Counts the calls of an operation that reached the gateway and whose body contains a text. */
  calls(operation: string, text: string): number {
    return this.#calls.filter((call) => call.operation === operation && call.body.includes(text)).length;
  }

  async pass(ms: number): Promise<void> {
    this.setClock(this.#now + ms);
    await this.simulator.simulator.advanceTo(this.#now);
  }

  /** Moves the time of the installation alone. */
  setClock(instant: Instant): void {
    this.#now = instant;
    this.installation.setClock(formatInstant(instant));
  }

  async created(kind: 'standard' | 'preauthorization', amountMillimes: number): Promise<Payment> {
    const outcome = await this.millime.payments.create({ kind, amountMillimes, acceptCard: true }, ACT);
    if (outcome.kind !== 'created') throw new Error(`a payment was ${outcome.kind}`);
    return outcome.payment;
  }

  /** Lets the customer pay. */
  async pay(gatewayId: string | undefined, type: 'wallet' | 'card'): Promise<void> {
    const path = `/_simulator/payments/${gatewayId ?? ''}/pay`;
    const answer = await fetch(`${this.simulator.baseUrl}${path}`, { method: 'POST', body: JSON.stringify({ type }) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  }

  /** Creates payments that the customer paid by card, and whose status was checked. */
  async paid(kinds: readonly ('standard' | 'preauthorization')[], amountMillimes: number): Promise<Payment[]> {
    const payments = await Promise.all(kinds.map((kind) => this.created(kind, amountMillimes)));
    await this.pass(MINUTE_MS);
    for (const { gatewayId, trackingId } of payments) {
      await this.pay(gatewayId, 'card');
      await this.millime.payments.checkStatus(trackingId);
    }
    await this.pass(MINUTE_MS);
    return payments;
  }

  /** What the jobs of an installation do in a minute. */
  async work(): Promise<void> {
    await this.millime.webhooks.processInbox();
    await this.millime.payments.sendRequested();
    await this.millime.payments.poll();
    await this.millime.subscriptions.poll();
  }
}
