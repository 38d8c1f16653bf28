import { isLoopbackHost } from '../../kernel';

/** Returns whether a value is an https URL, or an http URL of this machine, where tests run. */
export function isWebUrl(value: unknown): boolean {
  if (isUrlOf(value, ['https:'])) return true;
  return isUrlOf(value, ['http:']) && isLoopbackHost(new URL(String(value)).hostname);
}

/** Returns whether a webhook can be sent to this URL. */
export function isHttpUrl(value: unknown): boolean {
  return isUrlOf(value, ['http:', 'https:']);
}

function isUrlOf(value: unknown, protocols: readonly string[]): boolean {
  return typeof value === 'string' && URL.canParse(value) && protocols.includes(new URL(value).protocol);
}
