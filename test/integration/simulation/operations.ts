import {
  earlierStatement,
  otherLines,
  overlappingStatement,
  payOut,
  payOutOddly,
  sameFileAgain,
  statementAfterGap,
  unprovenStatement,
} from './bank';
import {
  correctFee,
  payAgain,
  payDifferently,
  payForAgent,
  payThroughChannel,
  refund,
  refundTooMuch,
  testMoney,
} from './channels';
import {
  beginCheckout,
  checkCheckout,
  completeCheckout,
  endHold,
  pollPayments,
  processInbox,
  refundCheckout,
} from './checkouts';
import { confirmAgain, confirmBadly, confirmBatch, confirmNew, overpay } from './confirming';
import { closeAtMidnight, closeDay, eraseAgent, runJob } from './jobs';
import {
  cancelDue,
  cancelUnknownDue,
  closeAgent,
  importAgents,
  importBadDues,
  importDues,
  importDuesOnTrial,
  reverseByHand,
} from './people';
import { raceCheckouts, raceChecks, raceConfirms, raceDues, raceJobs, raceRefunds } from './racing';
import { lookBack, reconcile, reconcileOnTrial, reconcilePayout } from './reconciling';
import type { Operation } from './scene';

export const OPERATIONS = {
  payOut,
  payOutOddly,
  otherLines,
  sameFileAgain,
  unprovenStatement,
  statementAfterGap,
  overlappingStatement,
  earlierStatement,
  payThroughChannel,
  payForAgent,
  payAgain,
  payDifferently,
  refund,
  refundTooMuch,
  correctFee,
  testMoney,
  beginCheckout,
  completeCheckout,
  pollPayments,
  processInbox,
  checkCheckout,
  refundCheckout,
  endHold,
  confirmNew,
  overpay,
  confirmAgain,
  confirmBadly,
  confirmBatch,
  runJob,
  closeAtMidnight,
  closeDay,
  eraseAgent,
  importDues,
  importDuesOnTrial,
  importBadDues,
  cancelDue,
  cancelUnknownDue,
  importAgents,
  closeAgent,
  reverseByHand,
  raceConfirms,
  raceJobs,
  raceDues,
  raceCheckouts,
  raceChecks,
  raceRefunds,
  reconcile,
  reconcileOnTrial,
  lookBack,
  reconcilePayout,
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationName = keyof typeof OPERATIONS;

/** How often an operation is drawn beside the others; those that are not named here, once. */
const WEIGHTS: Partial<Readonly<Record<OperationName, number>>> = {
  confirmNew: 4,
  confirmAgain: 2,
  confirmBatch: 2,
  importDues: 2,
  cancelDue: 2,
  payOut: 2,
  payOutOddly: 2,
  payThroughChannel: 3,
  payForAgent: 2,
  refund: 3,
  correctFee: 3,
  reconcile: 2,
  reconcilePayout: 2,
  beginCheckout: 3,
  completeCheckout: 5,
  pollPayments: 4,
  processInbox: 4,
  refundCheckout: 4,
  endHold: 2,
  raceConfirms: 2,
  raceJobs: 3,
  raceChecks: 4,
};

export const OPERATION_NAMES = (Object.keys(OPERATIONS) as OperationName[]).flatMap((name) =>
  Array.from({ length: WEIGHTS[name] ?? 1 }, () => name),
);
