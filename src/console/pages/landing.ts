import type { Scope } from '../../identity';
import { CONSOLE, to } from '../web/own-path';
import { menuOf } from './menu';

/** Returns where a person without the figures of the morning begins; undefined for those who begin there. */
export function landingOf(scopes: ReadonlySet<Scope>): string | undefined {
  if (scopes.has('reports:read')) return undefined;
  if (scopes.has('agents:lookup')) return to('/agents/search');
  return menuOf(scopes)
    .flatMap(({ pages }) => pages)
    .find(({ path }) => path !== CONSOLE)?.path;
}
