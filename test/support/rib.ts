const KEY_MODULUS = 97n;

/** Returns the RIB of a bank, a branch and an account, 18 digits together, with its key. */
export function ribOf(digits: string): string {
  const key = KEY_MODULUS - (BigInt(`${digits}00`) % KEY_MODULUS);
  return `${digits}${String(key).padStart(2, '0')}`;
}
