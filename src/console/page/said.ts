import type { Texts } from '../../texts';
import { withQuery } from '../web/own-path';
import type { Done } from './page';

const SAID = /^[a-z]+:said\.[a-zA-Z]+$/;

/** Returns the address to go to after an action, with what the next page says. */
export function addressAfter({ to, said }: Done): string {
  if (said === undefined) return to;
  const [path = '', query = ''] = to.split('?');
  return withQuery(path, { ...Object.fromEntries(new URLSearchParams(query)), said });
}

/** Returns what a page says after an action. Only a text of the part `said` can be named in an address. */
export function saidText(texts: Texts, said: string | undefined): string | undefined {
  return said !== undefined && SAID.test(said) ? texts.find(said) : undefined;
}
