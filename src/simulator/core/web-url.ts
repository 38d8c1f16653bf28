import { isLoopbackHost } from '../../kernel';

/** `https`, and `http` on the own machine, where tests run. */
export function isWebUrl(value: unknown): boolean {
  if (isUrlOf(value, ['https:'])) return true;
  return isUrlOf(value, ['http:']) && isLoopbackHost(new URL(String(value)).hostname);
}

/** Where a webhook can be sent to. */
export function isHttpUrl(value: unknown): boolean {
  return isUrlOf(value, ['http:', 'https:']);
}

function isUrlOf(value: unknown, protocols: readonly string[]): boolean {
  return typeof value === 'string' && URL.canParse(value) && protocols.includes(new URL(value).protocol);
}
