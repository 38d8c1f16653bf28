// A secret that a program makes has none of these signs: the limits are far from what chance produces.

/** The shortest repeated part that is no sign of a person. */
const BLOCK_MIN = 16;
const STEPS_SHARE_MAX = 0.75;
const DISTINCT_MIN = 5;

/** Words of examples, manuals and default passwords. The longer ones come first, so that none hides another. */
const WORDS = (
  'characters settlement passphrase example changeme password passwort passw0rd p@ssw0rd motdepasse production ' +
  'development qwertyuiop azertyuiop asdfghjkl qsdfghjklm zxcvbnm wxcvbn supersecret donotuse insecure replace ' +
  'gateway service millime mariadb default welcome bonjour bienvenue tunisie company correct staple battery monitor ' +
  'dragon letmein qwerty azerty secret secure secrete shared signing string random please change unsafe insert ' +
  'strong somewhere sample minimum least longer admin super token texte tunis horse value local debug login master ' +
  'database runtime migration webhook hs256 sha256 hmac long must keys root user test demo prod pass pwd word here ' +
  'this that with your never default bits byte bytes 123456789 12345678 1234567 123456 12345 1234 2024 2025 2026 ' +
  'hint key jwt dev for the and not use put set any at be by in is it me my no of on or to 256 512 123 64 32'
)
  .split(' ')
  .sort((one, other) => other.length - one.length);

/** How many characters must remain beside known words. */
export interface GuessableOptions {
  readonly unknownMin: number;
}

/**
 * Returns why a person could have typed a secret, and so another one can guess it; undefined if nothing shows it. The
 * reason reveals nothing of the secret. It finds what everyone tries first, and proves no strength.
 */
export function guessableFault(secret: string, { unknownMin }: GuessableOptions): string | undefined {
  const text = secret.toLowerCase();
  const block = blockOf(text);
  if (block < text.length && block < BLOCK_MIN) return 'repeats a short text';
  if (shareOfSteps(text) >= STEPS_SHARE_MAX) return 'is a sequence';
  const rest = withoutKnownWords(text);
  if (rest.length < unknownMin || new Set(rest).size < DISTINCT_MIN) return 'consists of known words';
  return undefined;
}

/** Returns the length of the shortest part of which the text is made by repeating, at least twice. */
function blockOf(text: string): number {
  for (let length = 1; length * 2 <= text.length; length += 1) {
    if (text.slice(length) === text.slice(0, -length)) return length;
  }
  return text.length;
}

/** Returns how many characters follow their predecessor as in an alphabet, forwards or backwards, or repeat it. */
function shareOfSteps(text: string): number {
  let steps = 0;
  for (let index = 1; index < text.length; index += 1) {
    if (Math.abs(text.charCodeAt(index) - text.charCodeAt(index - 1)) <= 1) steps += 1;
  }
  return steps / Math.max(text.length - 1, 1);
}

function withoutKnownWords(text: string): string {
  return WORDS.reduce((rest, word) => rest.replaceAll(word, ' '), text).replace(
    /[\x20-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]/g,
    '',
  );
}
