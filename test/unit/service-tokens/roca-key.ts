import {
  checkPrimeSync,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

const GENERATOR = 65_537n;
const PRIME_BITS = 1_024n;
/** The factors of M for keys of 2,048 bits. */
const FACTORS = 126;

/** A working RSA key of 2,048 bits with primes as the faulty chips (CVE-2017-15361) made them. */
export function rocaKeyPair(): { readonly privateKey: KeyObject; readonly publicKey: KeyObject } {
  const product = firstPrimes(FACTORS).reduce((all, prime) => all * BigInt(prime), 1n);
  const p = rocaPrime(product);
  let q = rocaPrime(product);
  while (q === p || (p * q) >> (2n * PRIME_BITS - 1n) === 0n) q = rocaPrime(product);
  const e = GENERATOR;
  const d = inverse(e, (p - 1n) * (q - 1n));
  const jwk = { n: p * q, e, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) };
  const fields = Object.fromEntries(Object.entries(jwk).map(([name, value]) => [name, encoded(value)]));
  const privateKey = createPrivateKey({ format: 'jwk', key: { kty: 'RSA', ...fields } });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

/** A prime k·M + (65537^a mod M). */
function rocaPrime(product: bigint): bigint {
  const top = 1n << PRIME_BITS;
  for (;;) {
    // Above 3/4 of the largest, so that two of them make a modulus of full length.
    const k = (top - (top >> 2n)) / product + randomBelow(top >> 2n) / product + 1n;
    const candidate = k * product + power(GENERATOR, randomBelow(product), product);
    if (candidate < top && checkPrimeSync(candidate)) return candidate;
  }
}

export function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number += 1) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  return primes;
}

export function modulusOf(key: KeyObject): bigint {
  return BigInt(`0x${Buffer.from(String(key.export({ format: 'jwk' }).n), 'base64url').toString('hex')}`);
}

/** A modulus of an ordinary key. */
export function ordinaryModulus(): bigint {
  return modulusOf(generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey);
}

function randomBelow(limit: bigint): bigint {
  return BigInt(`0x${randomBytes(limit.toString(16).length).toString('hex')}`) % limit;
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  let square = base % modulus;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

function inverse(value: bigint, modulus: bigint): bigint {
  let [before, now] = [modulus, value % modulus];
  let [beforeFactor, factor] = [0n, 1n];
  while (now > 1n) {
    const quotient = before / now;
    [before, now] = [now, before - quotient * now];
    [beforeFactor, factor] = [factor, beforeFactor - quotient * factor];
  }
  return factor < 0n ? factor + modulus : factor;
}

function encoded(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url');
}
