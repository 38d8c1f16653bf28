import { type FieldFault, outsideIdFault } from '../kernel';

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
