/** Told apart by the unit alone: the interface says `amount` or `amount_in_millimes` where we say `amountMillimes`. */
const UNIT = /(in)?(millimes|secs)$/;

/** Which of the known names was meant by `name`: the same one in another spelling, cut short, or without its unit. */
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
