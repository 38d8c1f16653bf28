import { z } from 'zod';
import { AppError, counted, formatDinars } from '../kernel';
import type { ReportSpeech } from '../texts';
import { LATE_AGENT, TURNED_AWAY_ID } from './demo-plan';
import { agentShape, breaksShape, stepShape } from './shapes';
import type { Stage } from './stage';

const COMMENT = 'called the agent: pays for the branch in Sfax and was never enrolled';

const registered = z.object({ kind: z.literal('registered'), code: z.literal('0') });

/**
 * Works on the break of a payment for an unknown agent. Comments on it, enrolls the agent and lets the gateway repeat
 * the call, which resolves the break. Returns the number of open breaks.
 */
export async function workBreak({ millime, gateway, serviceUrl, token, story }: Stage): Promise<number> {
  const open = await millime.json(breaksShape, ['breaks', 'list']);
  for (const each of open) story.line(breakText(each, story));
  const turnedAway = open.find((each) => each.class === 'paid_but_rejected');
  if (turnedAway === undefined) throw new AppError('internal', 'the rejected payment opened no break');
  const { id, amountMillimes } = turnedAway;
  const { agentId, fullName } = LATE_AGENT;
  await millime.json(stepShape, ['breaks', 'assign', id, '--to', 'salma']);
  await millime.json(stepShape, ['breaks', 'comment', id, '--text', COMMENT]);
  await millime.json(agentShape, ['agents', 'add', '--id', agentId, '--name', fullName]);
  await gateway.post(registered, '/agents/confirm', {
    ...{ baseUrl: serviceUrl, token, transactionId: TURNED_AWAY_ID, agentId },
    ...{ amountMillimes: Number(amountMillimes), untilKnown: true },
  });
  const left = await millime.json(breaksShape, ['breaks', 'list']);
  story.line(`enrolled ${agentId}; the gateway repeated ${TURNED_AWAY_ID}: ${counted(left.length, 'break')} left`);
  return left.length;
}

/** Returns the line of an open break. */
export function breakText(
  { class: name, amountMillimes, status }: z.output<typeof breaksShape>[number],
  { say, word }: ReportSpeech,
): string {
  const amount = amountMillimes === null ? say('no amount') : formatDinars(amountMillimes);
  return `${word('breakClass', name)}, ${amount}, ${word('breakStatus', status)}`;
}
