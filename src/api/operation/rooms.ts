import type { Agents } from '../../agents';
import type { BreakWorkflow } from '../../breaks';
import type { Dues } from '../../dues';
import type { Erasures } from '../../erasures';
import type { Identity } from '../../identity';
import type { BusinessCalendar, Clock } from '../../kernel';
import type { Notifications } from '../../notifications';
import type { PaymentChannels } from '../../payment-channels';
import type { Payments } from '../../payments';
import type { DayClosing, Reconciliation } from '../../reconciliation';
import type { Reporting } from '../../reporting';
import type { JobState } from '../../scheduler';
import type { ServiceTokens } from '../../service-tokens';
import type { GatewayBudgetUse } from '../../shapes/gateway-budget';
import type { Diagnosis } from '../../shapes/operations';
import type { BooksVerdict } from '../../shapes/reports';
import type { Statements } from '../../statements';
import type { Subscriptions } from '../../subscriptions';
import type { Webhooks } from '../../webhooks';

/** The rooms whose functions the routes call. */
export interface ApiRooms {
  readonly identity: Identity;
  readonly serviceTokens: ServiceTokens;
  readonly agents: Agents;
  readonly dues: Dues;
  readonly erasures: Erasures;
  readonly breakWorkflow: BreakWorkflow;
  readonly payments: Payments;
  readonly paymentChannels: PaymentChannels;
  readonly subscriptions: Subscriptions;
  readonly webhooks: Webhooks;
  readonly notifications: Notifications;
  readonly statements: Statements;
  readonly reconciliation: Reconciliation;
  readonly dayClosing: DayClosing;
  readonly reporting: Reporting;
  readonly calendar: BusinessCalendar;
  readonly clock: Clock;
  jobStates(): Promise<readonly JobState[]>;
  /** Checks every invariant of the ledger and every seal. */
  verifyBooks(): Promise<BooksVerdict>;
  /** Reads the call budget of the gateway. @throws AppError `gateway_off`. */
  gatewayBudget(): Promise<GatewayBudgetUse>;
  /** Checks the installation. */
  diagnose(): Promise<Diagnosis>;
}
