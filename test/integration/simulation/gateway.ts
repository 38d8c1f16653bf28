import { afterAll, beforeAll } from '@jest/globals';
import type { RunningSimulator } from '../../../src/simulator';
import {
  failPayment,
  payPayment,
  type SimPayment,
  type Simulation,
  type Simulator,
} from '../../../src/simulator/testing';
import type { Webhooks } from '../../../src/webhooks';
import { aRunningSimulator } from '../../support/a-simulator';
import { aGatewayDoor, type GatewayDoor } from '../webhooks/gateway-door';
import { takePauses } from './pauses';
import type { GatewayAddress } from './process';

/** The simulated gateway behind HTTP, one for all histories of a file, and the address where it finds Millime. */
export class GatewayHost {
  readonly #running: RunningSimulator;
  readonly #door: GatewayDoor;

  private constructor(running: RunningSimulator, door: GatewayDoor) {
    this.#running = running;
    this.#door = door;
  }

  static async start(): Promise<GatewayHost> {
    return new GatewayHost(await aRunningSimulator(), await aGatewayDoor());
  }

  addressFor({ hasWebhooks }: { readonly hasWebhooks: boolean }): GatewayAddress {
    return { baseUrl: this.#running.baseUrl, publicUrl: hasWebhooks ? this.#door.publicUrl : undefined };
  }

  /** A gateway to which nothing has happened, at the time of its start. */
  async begin(): Promise<Gateway> {
    await this.#running.simulator.restart();
    return new Gateway(this.#running.simulator, this.#door);
  }

  async stop(): Promise<void> {
    await this.#running.close();
    await this.#door.close();
  }
}

/** Starts a host before the tests of a file, with pauses that take no time, and ends both after them. */
export function gatewayForAll(): { readonly host: () => GatewayHost } {
  let pauses: { restore(): void };
  let host: GatewayHost;
  beforeAll(async () => {
    pauses = takePauses();
    host = await GatewayHost.start();
  });
  afterAll(async () => {
    pauses.restore();
    await host.stop();
  });
  return { host: () => host };
}

/** The gateway of one history. */
export class Gateway {
  readonly simulator: Simulator;
  readonly #door: GatewayDoor;
  #isInUse = false;

  constructor(simulator: Simulator, door: GatewayDoor) {
    this.simulator = simulator;
    this.#door = door;
  }

  get simulation(): Simulation {
    return this.simulator.simulation;
  }

  /** Whether anything was ever asked of it. Until then its time stands still, because many histories have no payment. */
  get isInUse(): boolean {
    return this.#isInUse;
  }

  use(): void {
    this.#isInUse = true;
  }

  get payments(): readonly SimPayment[] {
    return Object.values(this.simulation.world.checkout.payments);
  }

  /** Lets time pass at the gateway; this process gets the webhooks that are sent meanwhile. */
  async passUntil(instant: number, webhooks: Webhooks): Promise<void> {
    this.#door.open(webhooks);
    if (instant > this.simulation.now()) await this.simulator.advanceTo(instant);
  }

  /** A customer pays one of the sessions, while nothing else happens; its webhook is sent later. */
  payOne(): void {
    const pending = this.payments.find(({ status }) => status === 'PENDING');
    if (pending !== undefined) payPayment(this.simulation, pending.paymentId, { type: 'wallet' });
  }

  /** The customer pays, or fails to. */
  async complete({ paymentId }: SimPayment, how: 'pay' | 'fail', type: 'wallet' | 'card'): Promise<void> {
    if (how === 'pay') payPayment(this.simulation, paymentId, { type });
    else failPayment(this.simulation, paymentId, { type });
    await this.simulator.catchUpAfterChange();
  }
}
