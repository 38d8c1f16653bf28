// The primes of keys that the library of Infineon's chips made are k·M + (65537^a mod M), where M is the product of the
// first primes (Nemec and others, "The Return of Coppersmith's Attack", 2017). So is their product: modulo M it is a
// power of 65537. Every M of a usable key size has the primes below as factors.
const PRIMES = [
  3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109, 113,
  127, 131, 137, 139, 149, 151, 157, 163, 167,
];
const GENERATOR = 65_537;

/** An exponent of the generator, known modulo its order. */
interface Exponent {
  readonly exponent: number;
  readonly order: number;
}

/**
 * Returns whether an RSA modulus comes from a chip with CVE-2017-15361: its remainders are powers of 65537 with one
 * common exponent. Of other moduli about one in 10^46 is: the powers are so few of all remainders modulo
 * the product of the primes.
 */
export function hasRocaFingerprint(modulus: bigint): boolean {
  const found: Exponent[] = [];
  for (const prime of PRIMES) {
    const here = discreteLogarithm(Number(modulus % BigInt(prime)), prime);
    // Exponents modulo several orders belong to one exponent if each two agree modulo what the orders share.
    if (here === undefined || !found.every((other) => agree(here, other))) return false;
    found.push(here);
  }
  return true;
}

/** Tries every exponent, of which there are fewer than 167. */
function discreteLogarithm(value: number, prime: number): Exponent | undefined {
  let exponent: number | undefined;
  let order = 0;
  let power = 1;
  do {
    if (power === value) exponent = order;
    power = (power * GENERATOR) % prime;
    order += 1;
  } while (power !== 1);
  return exponent === undefined ? undefined : { exponent, order };
}

function agree(one: Exponent, other: Exponent): boolean {
  return (one.exponent - other.exponent) % greatestCommonDivisor(one.order, other.order) === 0;
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}
