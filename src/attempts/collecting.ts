import type { Database } from '../db';
import type { GatewayClient } from '../gateway';
import type { Actor } from '../identity';
import type { BusinessCalendar, Clock, WorkingDays } from '../kernel';
import type { Logger } from '../logging';

/** The settings of payments and subscriptions in this installation. */
export interface PaymentSettings {
  /**
   * The installation's address as the gateway sees it; without it Millime requests no webhooks and relies on checks.
   */
  readonly publicUrl: string | undefined;
  /** The secret part of the path of unsigned webhooks. */
  readonly hintToken: string | undefined;
  /** Where customers go after paying or failing to pay, unless a payment has its own links. */
  readonly successLink: string | undefined;
  readonly failLink: string | undefined;
  /** Whether the credential belongs to a test application, whose money is never posted (open point 127). */
  readonly isTest: boolean;
  /** The merchant whose purchases the QR history lists. */
  readonly merchantId: number | undefined;
}

/** The calendar and the working days, by which expected dates are computed. */
export interface BusinessDays {
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
}

export interface CollectingDeps extends BusinessDays {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Undefined if its variables are not set: use cases that need it throw `misconfigured`. */
  readonly gateway: GatewayClient | undefined;
  readonly settings: PaymentSettings;
}

export interface ActOptions {
  readonly actor: Actor;
  /** Checks everything, sends nothing and stores nothing. */
  readonly dryRun: boolean;
}

export interface PollResult {
  /** The number of answered status checks. */
  readonly checked: number;
  readonly failed: number;
  /** The number of payments that are still due, because the budget or the page ended. */
  readonly left: number;
}

export interface QueueResult {
  readonly sent: number;
  readonly refused: number;
  readonly unknown: number;
  /** The number of requested rows that still wait. */
  readonly left: number;
}

export interface PlanResult {
  readonly added: number;
  /** The number of references that are queued or were sent with the same content. */
  readonly unchanged: number;
}
