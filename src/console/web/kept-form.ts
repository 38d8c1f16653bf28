import type { IncomingMessage } from 'node:http';
import type { Form } from './form';
import { ownPath } from './own-path';

/** The hidden field in which the sign-in carries a form that was sent after its session ended. */
export const KEPT_FIELD = 'kept';

/** A form that was sent too late: where it goes, and its fields as in a query. */
export interface KeptForm {
  readonly path: string;
  readonly fields: string;
}

/** Secrets are typed again, and a form of the former session has nothing to prove. */
const NOT_KEPT = /password|code|present|^(?:csrf|kept)$/i;

/** Returns what is kept of a form of a page. */
export function keptOf(request: IncomingMessage & { readonly originalUrl: string }, { fields }: Form): KeptForm {
  const kept = fields.filter(([name]) => !NOT_KEPT.test(name));
  return { path: ownPath(request.originalUrl), fields: new URLSearchParams(kept.map((each) => [...each])).toString() };
}

/** Returns the form that the sign-in carries; undefined without one. */
export function keptIn(form: Form): KeptForm | undefined {
  const fields = form.value(KEPT_FIELD);
  return fields === '' ? undefined : { path: ownPath(form.value('next')), fields };
}
