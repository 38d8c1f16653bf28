import type { Language, Scope } from '../identity';
import { AppError, type Instant, isLoopbackHost, isMailAddress } from '../kernel';

/** What people are notified of. */
export const NOTIFICATION_KINDS = ['high_break', 'failed_job', 'token_expiring'] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

export const NOTIFICATION_WAYS = ['email', 'webhook'] as const;
export type NotificationWay = (typeof NOTIFICATION_WAYS)[number];

/** The scope without which nothing of a kind is sent to a person. */
export const SCOPE_OF_KIND: Readonly<Record<NotificationKind, Scope>> = {
  high_break: 'breaks:read',
  failed_job: 'jobs:read',
  token_expiring: 'jobs:read',
};

/** Where a person is notified, and of what. */
export interface Recipient {
  readonly id: string;
  readonly ownerName: string;
  /** The key with which the person added it: its end ends the notifications. Undefined for a user and the operator. */
  readonly keyId: string | undefined;
  readonly way: NotificationWay;
  /** An e-mail address, or the URL of a webhook. */
  readonly address: string;
  readonly kinds: readonly NotificationKind[];
  readonly language: Language;
  readonly createdAt: Instant;
}

const URL_CHARACTERS_MAX = 500;

/**
 * Checks an e-mail address or the URL of a webhook, and returns it as it is stored.
 *
 * @throws AppError `bad_input`. It does not repeat a URL, which may contain a secret.
 */
export function checkAddress(way: NotificationWay, text: string): string {
  const address = text.trim();
  if (way === 'email') {
    if (isMailAddress(address)) return address;
    const expected = 'an e-mail address in ASCII letters, such as salma@bank.example';
    throw new AppError('bad_input', { field: 'address', expected, got: address });
  }
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname));
  if (url === undefined || !isSafe || url.username + url.password + url.hash !== '') return refuseUrl();
  return url.href.length > URL_CHARACTERS_MAX ? refuseUrl() : url.href;
}

function refuseUrl(): never {
  const expected = `an https URL of at most ${URL_CHARACTERS_MAX} characters, without a user and a fragment`;
  throw new AppError('bad_input', { field: 'address', expected });
}

/**
 * Reads the names of kinds.
 *
 * @throws AppError `bad_input` that lists the known kinds.
 */
export function parseKinds(names: readonly string[]): readonly NotificationKind[] {
  const unknown = names.filter((name) => !NOTIFICATION_KINDS.some((kind) => kind === name));
  if (names.length === 0 || unknown.length > 0) {
    const expected = `some of ${NOTIFICATION_KINDS.join(', ')}`;
    throw new AppError('bad_input', { field: 'kinds', expected, got: unknown.join(', ') });
  }
  return NOTIFICATION_KINDS.filter((kind) => names.includes(kind));
}
