import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { AppError, assert } from '../../kernel';

const derive = promisify<string, Uint8Array, number, object, Buffer>(scrypt);

/** N is 2^17: 128 MiB and about a third of a second for each password. */
export const PASSWORD_COST = 17;
const COST_MAX = 20;
const BLOCK_SIZE = 8;
const PARALLELIZATION = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

const COMPUTED_TOGETHER_MAX = 2;
const WAITING_MAX = 16;

/** A password needs at most four code units for each of its 128 characters, even before normalization. */
const CODE_UNITS_MAX = 1_024;

const STORED = /^\$scrypt\$ln=(\d{1,2}),r=8,p=1\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;

/** Hashes and verifies passwords. Few are computed concurrently, because each needs much memory. */
export interface PasswordHasher {
  /** Returns the text to store, in the PHC format. @throws AppError `passwords_busy`. */
  hash(password: string): Promise<string>;
  /**
   * Returns whether the password is the stored one. Without a stored one it takes the same time and returns false.
   *
   * @throws AppError `passwords_busy`.
   */
  verify(password: string, stored: string | undefined): Promise<boolean>;
}

/** Creates the hasher of a process. `cost`: the binary logarithm of N. */
export function createPasswordHasher(cost: number = PASSWORD_COST): PasswordHasher {
  const inTurn = limitTogether();
  const compute = (password: string, salt: Uint8Array, logN: number): Promise<Buffer> => {
    const N = 2 ** logN;
    const options = { N, r: BLOCK_SIZE, p: PARALLELIZATION, maxmem: 256 * N * BLOCK_SIZE };
    return inTurn(() => derive(normalPassword(password), salt, HASH_BYTES, options));
  };
  // No password has this hash: it is not computed.
  const absent = phcText(cost, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      return phcText(cost, salt, await compute(password, salt, cost));
    },
    async verify(password, stored) {
      const isPossible = password.length <= CODE_UNITS_MAX;
      const { logN, salt, hash } = parsePhc(stored ?? absent);
      const computed = await compute(isPossible ? password : '', salt, logN);
      return timingSafeEqual(computed, hash) && isPossible;
    },
  };
}

/** Returns a password in the form that is hashed, because keyboards write one character in several ways. */
export function normalPassword(password: string): string {
  return password.normalize('NFKC');
}

function phcText(logN: number, salt: Uint8Array, hash: Uint8Array): string {
  return `$scrypt$ln=${logN},r=${BLOCK_SIZE},p=${PARALLELIZATION}$${unpadded(salt)}$${unpadded(hash)}`;
}

function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '');
}

function parsePhc(stored: string): { readonly logN: number; readonly salt: Buffer; readonly hash: Buffer } {
  const [, logN = '', salt = '', hash = ''] = STORED.exec(stored) ?? [];
  assert(logN !== '' && Number(logN) <= COST_MAX, 'a stored password has the form of this version');
  return { logN: Number(logN), salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') };
}

/** Returns a function that runs few works concurrently and lets a few more wait. */
function limitTogether(): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= COMPUTED_TOGETHER_MAX) {
      if (waiting.length >= WAITING_MAX) throw new AppError('passwords_busy', {});
      // The work that ends passes its place on.
      await new Promise<void>((resolve) => void waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
