import { z } from 'zod';
import { AppError, formatDinars } from '../kernel';
import { LATE_AGENT, TURNED_AWAY_ID } from './demo-plan';
import { agentShape, breaksShape, stepShape } from './shapes';
import type { Stage } from './stage';

const COMMENT = 'called the agent: he pays for our branch in Sfax and was never enrolled';

const registered = z.object({ kind: z.literal('registered'), code: z.literal('0') });

/**
 * What a person does about the agent whose money came before he was known: writes down what he found
 * out, enrols the agent, and has the payment sent again, which closes the break. Gives how many breaks are left.
 */
export async function workBreak({ millime, gateway, serviceUrl, token, story }: Stage): Promise<number> {
  const open = await millime.json(breaksShape, ['breaks', 'list']);
  for (const { class: name, amountMillimes, status } of open) {
    story.line(`${name}, ${amountMillimes === null ? 'no amount' : formatDinars(amountMillimes)}, ${status}`);
  }
  const turnedAway = open.find((each) => each.class === 'paid_but_rejected');
  if (turnedAway === undefined) throw new AppError('internal', 'nobody was told of the payment that was turned away');
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
  story.line(`${agentId} is enrolled, ${TURNED_AWAY_ID} was sent again and stored: ${left.length} breaks are left`);
  return left.length;
}
