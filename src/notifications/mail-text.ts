import { type Texts } from '../texts';
import type { Delivery, EventFacts, MessageKind } from './delivery';
import { pageOfEvent, pageOfKind } from './event-links';

export interface MailText {
  readonly subject: string;
  readonly text: string;
}

/** Writes an e-mail in plain text. A link has a line of its own, so that no sign of another text touches it. Pure. */
export function mailText({ kind, content }: Delivery, texts: Texts, consoleUrl: string | undefined): MailText {
  const { t } = texts;
  const { count, items } = content;
  const lines = items.flatMap((facts) => [
    `- ${eventLine(kind, facts, texts)}`,
    ...(kind === 'high_break' ? linkLines(pageOfEvent(kind, facts, consoleUrl)) : []),
  ]);
  const others = count - items.length;
  if (others > 0) lines.push(t('notifications:mail.others', { count: others }));
  const isGone = kind === 'token_expiring' && items[0]?.['expiresAt'] === null;
  const subject = isGone ? t('notifications:mail.subject.token_gone') : t(SUBJECTS[kind], { count });
  const blocks = [
    kind === 'test' ? t('notifications:mail.test') : subject,
    lines.join('\n'),
    linkLines(pageOfKind(kind, consoleUrl)).join('\n'),
    t('notifications:mail.why'),
  ];
  return { subject: `Millime: ${subject}`, text: `${blocks.filter((block) => block !== '').join('\n\n')}\n` };
}

const SUBJECTS = {
  high_break: 'notifications:mail.subject.high_break',
  failed_job: 'notifications:mail.subject.failed_job',
  token_expiring: 'notifications:mail.subject.token_expiring',
  test: 'notifications:mail.subject.test',
} as const satisfies Readonly<Record<MessageKind, `notifications:mail.subject.${string}`>>;

function eventLine(kind: MessageKind, facts: EventFacts, texts: Texts): string {
  const { t, word } = texts;
  const { class: breakClass, amountMillimes, breakId, job, expiresAt } = facts;
  if (kind === 'high_break') {
    const amount = amountMillimes === null || amountMillimes === undefined ? undefined : texts.money(amountMillimes);
    const named = { class: word('breakClass', String(breakClass)), id: String(breakId) };
    return amount === undefined
      ? t('notifications:mail.breakWithoutAmount', named)
      : t('notifications:mail.break', { ...named, amount });
  }
  if (kind === 'failed_job') return word('job', String(job));
  if (typeof expiresAt === 'string') return t('notifications:mail.tokenExpires', { instant: texts.instant(expiresAt) });
  return t('notifications:mail.tokenGone');
}

function linkLines(link: string | undefined): string[] {
  return link === undefined ? [] : [link];
}
