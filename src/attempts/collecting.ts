import type { Database } from '../db';
import type { GatewayClient } from '../gateway';
import type { Actor } from '../identity';
import type { BusinessCalendar, Clock, WorkingDays } from '../kernel';
import type { Logger } from '../logging';

/** How this installation collects money. */
export interface PaymentSettings {
  /**
   * The installation's address as the gateway sees it; without it Millime requests no webhooks and relies on checks.
   */
  readonly publicUrl: string | undefined;
  /** The unguessable part of the path of unsigned webhooks. */
  readonly hintToken: string | undefined;
  /** Where customers go after paying or failing to pay, unless a payment names its own links. */
  readonly successLink: string | undefined;
  readonly failLink: string | undefined;
  /** The credential is marked test: its money is never posted (open point 127). */
  readonly isTest: boolean;
  /** The merchant whose purchases the QR history lists. */
  readonly merchantId: number | undefined;
}

/** What decides on which day something is expected. */
export interface BusinessDays {
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
}

export interface CollectingDeps extends BusinessDays {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Undefined when its variables are not set: then use cases that need it throw `misconfigured`. */
  readonly gateway: GatewayClient | undefined;
  readonly settings: PaymentSettings;
}

export interface ActOptions {
  readonly actor: Actor;
  /** Check everything, send nothing and store nothing. */
  readonly dryRun: boolean;
}

export interface PollResult {
  /** Status checks that were answered. */
  readonly checked: number;
  readonly failed: number;
  /** Payments that are still due, because the budget or the page ended. */
  readonly left: number;
}

export interface QueueResult {
  readonly sent: number;
  readonly refused: number;
  readonly unknown: number;
  /** Requested rows that still wait. */
  readonly left: number;
}

export interface PlanResult {
  readonly added: number;
  /** References that are queued or were sent, with the same content. */
  readonly unchanged: number;
}
