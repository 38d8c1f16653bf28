/** The unit is ignored: the interface says `amount` or `amount_in_millimes`, the client says `amountMillimes`. */
const UNIT = /(in)?(millimes|secs)$/;

/**
 * Returns the known name that `name` probably means: the same name in another spelling, abbreviated, or without its
 * unit.
 */
export function suggestFieldName(name: string, known: readonly string[]): string | undefined {
  const given = plain(name);
  if (given === '') return undefined;
  return known.find((one) => {
    const right = plain(one);
    return right.startsWith(given) || given.replace(UNIT, '') === right.replace(UNIT, '');
  });
}

function plain(name: string): string {
  return name.replace(/[^a-z0-9]/gi, '').toLowerCase();
}
