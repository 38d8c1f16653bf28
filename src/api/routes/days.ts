import { z } from 'zod';
import {
  closedDayJson,
  closedDayValue,
  dayStatusJson,
  dayStatusValue,
  reopeningJson,
  reopeningValue,
  sealFaultJson,
  sealFaultValue,
  sealJson,
  sealValue,
} from '../../shapes/days';
import { dayParameter, reasonField } from '../../shapes/values';
import { listRoute } from '../operation/list-route';
import { ok, route } from '../operation/route';

const tag = 'Days, reports, ledger';
const ofDay = { date: dayParameter };
const reasonToClose = reasonField.optional().meta({ description: 'Why the day is closed without a statement.' });

/** The operations on single business days. */
export const DAY_ROUTES = [
  listRoute({
    path: '/days',
    operationId: 'listDays',
    summary: 'List the seals of closed and reopened days, the latest days first',
    description: 'The seal of a closed day states the proposal to reopen it.',
    tag,
    scope: 'days:read',
    filter: { from: dayParameter.optional(), to: dayParameter.optional().meta({ description: 'It counts.' }) },
    row: sealValue,
    key: z.tuple([z.string(), z.number()]).readonly(),
    page: ({ dayClosing }, { filter, after, limit }) => dayClosing.list({ ...filter, after, limit }),
    toJson: sealJson,
  }),
  route({
    method: 'post',
    path: '/days/verification',
    operationId: 'verifySeals',
    summary: 'Compare every closed day with its seal',
    tag,
    scope: 'days:read',
    effect: 'reads',
    isLong: true,
    answers: {
      200: z.strictObject({
        faults: z
          .array(sealFaultValue)
          .meta({ description: 'The first fault of each broken seal; empty if all hold.' }),
      }),
    },
    async handle({ dayClosing }) {
      return ok({ faults: (await dayClosing.verify()).map(sealFaultJson) });
    },
  }),
  route({
    method: 'get',
    path: '/days/{date}',
    operationId: 'showDay',
    summary: 'Show whether a day is closed, its proof, and what hinders a closing',
    tag,
    scope: 'days:read',
    params: ofDay,
    answers: { 200: dayStatusValue },
    problems: ['seal_changed'],
    async handle({ dayClosing }, { params: { date } }) {
      return ok(dayStatusJson(await dayClosing.day(date)));
    },
  }),
  route({
    method: 'post',
    path: '/days/{date}/proof',
    operationId: 'proveDay',
    summary: 'Prove a day without closing it',
    tag,
    scope: 'days:read',
    params: ofDay,
    body: z.strictObject({ reason: reasonToClose }),
    effect: 'reads',
    isLong: true,
    answers: { 200: closedDayValue },
    problems: ['seal_changed'],
    async handle({ dayClosing, reporting }, { params: { date }, body: { reason } }) {
      return ok(closedDayJson(await dayClosing.prove({ date, reason }), await reporting.recordedBalances(date)));
    },
  }),
  route({
    method: 'post',
    path: '/days/{date}/close',
    operationId: 'closeDay',
    summary: 'Prove a business day and close it under a seal',
    tag,
    scope: 'days:close',
    params: ofDay,
    body: z.strictObject({ reason: reasonToClose }),
    effect: 'repeatable',
    dryRun: true,
    isLong: true,
    answers: { 200: closedDayValue },
    problems: ['day_not_closable', 'seal_changed'],
    async handle({ dayClosing, reporting }, { params: { date }, body: { reason }, actor, dryRun }) {
      const outcome = await dayClosing.close({ date, reason, actor, dryRun });
      return ok(closedDayJson(outcome, await reporting.recordedBalances(date)));
    },
  }),
  route({
    method: 'post',
    path: '/days/{date}/reopening',
    operationId: 'proposeReopening',
    summary: 'Propose to reopen the last closed day',
    tag,
    scope: 'days:reopen',
    params: ofDay,
    body: z.strictObject({ reason: reasonField }),
    effect: 'once',
    dryRun: true,
    answers: { 200: reopeningValue },
    problems: ['day_not_closed', 'later_day_closed', 'reopening_proposed'],
    async handle({ dayClosing }, { params: { date }, body: { reason }, actor, dryRun }) {
      return ok(reopeningJson(await dayClosing.proposeReopening({ date, reason, actor, dryRun })));
    },
  }),
  route({
    method: 'post',
    path: '/days/{date}/reopening/approve',
    operationId: 'approveReopening',
    summary: 'Reopen a closed day on the proposal of another person',
    tag,
    scope: 'days:reopen',
    params: ofDay,
    effect: 'once',
    dryRun: true,
    answers: { 200: reopeningValue },
    problems: ['day_not_closed', 'later_day_closed', 'reopening_not_proposed', 'same_person', 'person_needed'],
    async handle({ dayClosing }, { params: { date }, actor, dryRun }) {
      return ok(reopeningJson(await dayClosing.approveReopening({ date, actor, dryRun })));
    },
  }),
];
