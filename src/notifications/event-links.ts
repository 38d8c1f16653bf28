import type { EventFacts, MessageKind } from './delivery';

/** The page of the console about each kind of event. */
const PAGE_OF_KIND: Readonly<Record<MessageKind, string>> = {
  high_break: '/breaks?severity=high',
  failed_job: '/operations',
  token_expiring: '/operations',
  test: '/me/notifications',
};

/** Returns the page about a kind of event; undefined without the address of the console. Pure. */
export function pageOfKind(kind: MessageKind, consoleUrl: string | undefined): string | undefined {
  return consoleUrl === undefined ? undefined : `${consoleUrl}${PAGE_OF_KIND[kind]}`;
}

/** Returns the page about one event. Pure. */
export function pageOfEvent(kind: MessageKind, facts: EventFacts, consoleUrl: string | undefined): string | undefined {
  if (kind !== 'high_break' || consoleUrl === undefined) return pageOfKind(kind, consoleUrl);
  return `${consoleUrl}/breaks/${String(facts['breakId'])}`;
}
