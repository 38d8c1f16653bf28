import { quoted } from '../../../kernel';
import { BALANCE_ROW_LABELS, KNOWN_LABELS } from './known-labels';

const CLOSING = new RegExp(KNOWN_LABELS.closing, 'iu');
/** Blanks that fill a column, or that no keyboard types. */
const WIDE_BLANKS = /\s\s|[^\S ]/u;
const PATTERNS = BALANCE_ROW_LABELS.map((source) => new RegExp(source, 'iu'));

/**
 * Returns why a row with this text cannot be a movement, and the profile setting to use; undefined for any other text.
 * A balance that is booked as a movement would agree with every later running balance.
 */
export function balanceSeen(text: string): string | undefined {
  const label = knownBalance(text);
  if (label === undefined) return undefined;
  const name = CLOSING.test(label) ? 'closing' : 'opening';
  const escaped = label.toLowerCase().replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  const source = JSON.stringify(`^${WIDE_BLANKS.test(text) ? escaped.replaceAll(' ', String.raw`\s+`) : escaped}`);
  return (
    `${quoted(text)} states a balance and is no movement: ` +
    `name its label in a profile, as ${name}: { "label": ${source} }, or in otherRows`
  );
}

/** Returns the part of the text that names it a balance. */
export function knownBalance(text: string): string | undefined {
  const plain = text.replace(/\s+/gu, ' ').trim();
  for (const pattern of PATTERNS) {
    const [label] = pattern.exec(plain) ?? [];
    if (label !== undefined) return label;
  }
  return undefined;
}
