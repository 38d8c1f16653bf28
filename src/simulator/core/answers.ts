import type { SimAnswer } from './operation';

const ENVELOPE = { name: 'developers', version: '2.0.0' } as const;

/** Returns a good answer of version 2: `{result, name, code, version}` and the fields in `beside` (section 4.0). */
export function good(
  result: Readonly<Record<string, unknown>>,
  { status = 200, beside = {} }: { readonly status?: number; readonly beside?: Readonly<Record<string, unknown>> } = {},
): SimAnswer {
  return { status, body: { ...beside, result, ...ENVELOPE, code: 0 } };
}

/** Returns one page of a list, with the keys of the envelope next to the rows (List Charges, section 4.2). */
export function goodPage(page: {
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly unknown[];
}): SimAnswer {
  return { status: 200, body: { success: true, ...page, ...ENVELOPE, code: 0 } };
}

/** Returns `{success: false, message, name, code: 1, version}`: Get Subscription (section 7.2). */
export function messageError(status: number, message: string): SimAnswer {
  return { status, body: { success: false, message, ...ENVELOPE, code: 1 } };
}

/** Returns `{result: {status, message}}`: Generate Payment, Verify Payment, List Bindings (section 7.2). */
export function statusError(status: number, message: string): SimAnswer {
  return { status, body: { result: { status, message }, ...ENVELOPE, code: 1 } };
}

/** Returns `{status: "error", message, code}`: refund, cancel, confirm (section 7.2). */
export function wordError(code: string, message: string, status = 400): SimAnswer {
  return { status, body: { status: 'error', message, code } };
}

/** Returns `{<field>: [<reason>]}`, without an envelope (section 7.1). */
export function fieldErrors(fields: Readonly<Record<string, readonly string[]>>): SimAnswer {
  return { status: 400, body: fields };
}

/** Returns the envelope with a refusal of the platform in `result.error` (section 7.1). */
export function platformRefusal(
  status: number,
  error: string,
  more: Readonly<Record<string, unknown>> = {},
): SimAnswer {
  return { status, body: { result: { success: false, error, details: null, ...more }, ...ENVELOPE, code: 1 } };
}

/** Returns `{success: false, code, message}`: the QR operations (section 7.2). */
export function numberError(code: number, message: string): SimAnswer {
  return { status: code, body: { success: false, code, message } };
}

/** Returns the answer to every call from a banned address (interface section 8). */
export function banned(): SimAnswer {
  return detail(403, 'This address is banned for now.');
}

/** Returns `{detail}`: too many calls (section 7.1), and callers without access. */
export function detail(status: number, text: string, headers: Readonly<Record<string, string>> = {}): SimAnswer {
  return { status, body: { detail: text }, headers };
}
