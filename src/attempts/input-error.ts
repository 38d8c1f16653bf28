import { AppError, type FieldFault, outsideIdFault, problemText } from '../kernel';

/**
 * Returns the `bad_input` of a request: a single fault names its field, several become details with a line per fault.
 */
export function inputError(request: string, faults: readonly FieldFault[], cause?: unknown): AppError {
  const [first, ...others] = faults;
  const options = cause === undefined ? {} : { cause };
  if (first !== undefined && others.length === 0) return new AppError('bad_input', first, options);
  return new AppError('request_faults', { request }, { ...options, details: faults.map(faultText) });
}

/** Returns a fault as one line of a list. */
export function faultText(fault: FieldFault): string {
  return problemText('bad_input', { ...fault });
}

/** Returns the fault of an identifier from outside, with the name of its field; none if it can be stored. */
export function idFaults(field: string, id: string | undefined): FieldFault[] {
  const fault = id === undefined ? undefined : outsideIdFault(id);
  return fault === undefined ? [] : [{ field, fault }];
}

/** Returns a fault for each link that neither the request nor the installation sets. */
export function linkFaults(terms: { readonly successLink: string; readonly failLink: string }): FieldFault[] {
  const links = [
    ['successLink', 'CHECKOUT_SUCCESS_URL'],
    ['failLink', 'CHECKOUT_FAIL_URL'],
  ] as const;
  return links
    .filter(([field]) => terms[field] === '')
    .map(([field, variable]) => ({ field, expected: 'a link', got: '', fix: `name one, or set ${variable}` }));
}
