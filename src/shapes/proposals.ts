import { z } from 'zod';
import {
  type ActionDone,
  type ApprovalEffect,
  BREAK_CLASSES,
  BREAK_STATUSES,
  type BreakState,
  DECISION_OUTCOMES,
  type PreviewedProposal,
  type Proposal,
  type ReconBreak,
  sizeOf,
} from '../breaks';
import { formatInstant, type Millimes, totalToJson } from '../kernel';
import type { BankLine } from '../statements';
import { directionValue } from './breaks';
import { dayValue, idValue, instantValue, millimesValue, totalValue } from './values';

const LINE_SUBJECT = 'line:';

/** Returns the subject of a proposal about a credit without a break. */
export function lineSubject(lineId: string): string {
  return `${LINE_SUBJECT}${lineId}`;
}

const decisionValue = z.strictObject({
  outcome: z.enum(DECISION_OUTCOMES),
  reason: z.string().nullable(),
  decidedBy: z.string(),
  decidedAt: instantValue,
  postedAs: z.string().nullable().meta({ description: 'The reference of its ledger transaction.' }),
  amountMillimes: millimesValue.nullable(),
});

const proposalFields = {
  id: z.string().nullable().meta({ description: 'An id of Millime; null in a dry run, which stores none.' }),
  subject: z.string().meta({ example: 'break:01KJQ0Z8XG3T5V7W9Y1B2C4D6F' }),
  breakId: idValue.nullable(),
  action: z.strictObject({ kind: z.string(), payload: z.record(z.string(), z.unknown()) }),
  reason: z.string(),
  proposedBy: z.string(),
  proposedAt: instantValue,
  decision: decisionValue.nullable().meta({ description: 'Null while the proposal waits.' }),
};

/** A proposal and its decision. */
export const proposalValue = z.strictObject(proposalFields).meta({ id: 'Proposal' });

const doneFields = {
  breakBecomes: z.enum(['resolved', 'open', 'kept']),
  account: z.string().optional(),
  direction: z.enum(['loss', 'gain']).optional(),
  matchId: z.string().optional(),
  lineId: z.string().optional(),
  items: z.int().optional(),
  grossMillimes: millimesValue.optional(),
  remainderMillimes: millimesValue.optional(),
  reference: z.string().optional().meta({ description: 'That of the ledger transaction.' }),
  amountMillimes: millimesValue.optional().meta({ description: 'The amount of the ledger transaction.' }),
};

/** The effect of an action. Which fields it has depends on the action. */
export const actionDoneValue = z.strictObject(doneFields).meta({ id: 'ActionDone' });

const stateValue = z.strictObject({
  status: z.enum(BREAK_STATUSES),
  resolution: z.string().nullable(),
  leftMillimes: millimesValue.nullable(),
});

const effectValue = z.strictObject({
  ...doneFields,
  accounts: z.array(z.strictObject({ account: z.string(), beforeMillimes: totalValue, afterMillimes: totalValue })),
  break: z.strictObject({ before: stateValue, after: stateValue }).nullable(),
});

const proposedLine = z.strictObject({
  lineId: idValue,
  bookingDate: dayValue,
  amountMillimes: millimesValue,
  counterparty: z.string(),
  remittance: z.string(),
  account: z.string(),
});

/** A proposal as an approver reads it. */
export const shownProposalValue = z
  .strictObject({
    ...proposalFields,
    class: z.enum(BREAK_CLASSES).nullable(),
    direction: directionValue.nullable(),
    amountMillimes: millimesValue
      .nullable()
      .meta({ description: 'What the action moves; else the size of the break.' }),
    account: z.string().nullable(),
    lines: z.array(proposedLine),
    effect: effectValue.nullable().meta({ description: 'What an approval would do now; null if decided or refused.' }),
    refusal: z.string().nullable().meta({ description: 'Why an approval is not possible now.' }),
    refusedBecause: z
      .strictObject({ code: z.string(), params: z.record(z.string(), z.unknown()) })
      .nullable()
      .meta({ description: 'The problem of the refusal, for programs.' }),
  })
  .meta({ id: 'ShownProposal' });

/** A proposal with the bank lines of its break and its action. */
export interface ShownProposal extends PreviewedProposal {
  readonly lines: readonly BankLine[];
}

/** Returns the ids of the bank lines of a proposal: those of its break, its action and its subject. Pure. */
export function lineIdsOfProposal({ proposal: { subject, action }, reconBreak }: PreviewedProposal): string[] {
  const named = action.payload['lineId'];
  return [
    ...(reconBreak?.subject.lineIds ?? []),
    ...(typeof named === 'string' ? [named] : []),
    ...(subject.startsWith(LINE_SUBJECT) ? [subject.slice(LINE_SUBJECT.length)] : []),
  ];
}

/** Returns a proposal as JSON. */
export function proposalJson(proposal: Proposal): z.input<typeof proposalValue> {
  const { id, subject, breakId, action, reason, proposedBy, proposedAt, decision } = proposal;
  return {
    id,
    subject,
    breakId: breakId ?? null,
    action,
    reason,
    proposedBy,
    proposedAt: formatInstant(proposedAt),
    decision:
      decision === undefined
        ? null
        : {
            outcome: decision.outcome,
            reason: decision.reason ?? null,
            decidedBy: decision.decidedBy,
            decidedAt: formatInstant(decision.decidedAt),
            postedAs: decision.postedAs ?? null,
            amountMillimes: decision.amount ?? null,
          },
  };
}

/** Returns the effect of an action as JSON. */
export function doneJson(done: ActionDone): z.input<typeof actionDoneValue>;
export function doneJson(done: ActionDone | undefined): z.input<typeof actionDoneValue> | null;
export function doneJson(done: ActionDone | undefined): z.input<typeof actionDoneValue> | null {
  if (done === undefined) return null;
  const { breakBecomes, detail = {}, posted } = done;
  const money = posted === undefined ? {} : { reference: posted.reference, amountMillimes: posted.amount };
  return { breakBecomes: breakBecomes.kind, ...(detail as object), ...money };
}

/** Returns a proposal with the effect of its approval as JSON. */
export function shownProposalJson(shown: ShownProposal): z.input<typeof shownProposalValue> {
  const { proposal, reconBreak, effect, refusal, problem, lines } = shown;
  return {
    ...proposalJson(proposal),
    class: reconBreak?.breakClass ?? null,
    direction: reconBreak?.direction ?? null,
    amountMillimes: amountOfProposal(reconBreak, effect) ?? null,
    account: accountOfProposal(effect) ?? null,
    lines: lines.map(({ lineId, bookingDate, amount, counterparty, remittance, account }) => ({
      ...{ lineId, bookingDate, amountMillimes: amount, counterparty, remittance, account },
    })),
    effect: effect === undefined ? null : effectJson(effect),
    refusal: refusal?.text ?? null,
    refusedBecause: problem === undefined ? null : problemJson(problem),
  };
}

/** Commands are for the command line alone. */
function problemJson({ code, params }: NonNullable<ShownProposal['problem']>) {
  return {
    code,
    params: Object.fromEntries(Object.entries(params).filter(([name]) => name !== 'command' && name !== 'fix')),
  };
}

function effectJson({ done, accounts, states }: ApprovalEffect): z.input<typeof effectValue> {
  return {
    ...doneJson(done),
    accounts: accounts.map(({ account, before, after }) => ({
      ...{ account, beforeMillimes: totalToJson(before), afterMillimes: totalToJson(after) },
    })),
    break: states === undefined ? null : { before: stateJson(states.before), after: stateJson(states.after) },
  };
}

function stateJson({ status, resolution, left }: BreakState): z.input<typeof stateValue> {
  return { status, resolution: resolution ?? null, leftMillimes: left ?? null };
}

/** Returns the amount that the action moves; otherwise the size of the break. */
export function amountOfProposal(
  reconBreak: ReconBreak | undefined,
  effect: ApprovalEffect | undefined,
): Millimes | undefined {
  return effect?.done.posted?.amount ?? (reconBreak === undefined ? undefined : sizeOf(reconBreak));
}

/** Returns the account of a write-off. */
export function accountOfProposal(effect: ApprovalEffect | undefined): string | undefined {
  const account = effect?.done.detail?.['account'];
  return account === undefined ? undefined : String(account);
}
